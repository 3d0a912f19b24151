package dev.elasticjob.coordination.session;

import dev.elasticjob.registry.CommitOutcome;
import dev.elasticjob.registry.RegistryMoment;
import dev.elasticjob.registry.Subscription;
import dev.elasticjob.time.TaskTimer;
import java.time.Clock;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * The registry's clock, which all instances share: the time of the newest answer to a commit of ours, at no cost, plus
 * the time measured since by the monotonic clock, so changes of the local clock have no effect. Confined to the
 * coordination executor, except {@link #now()}, which any thread may call.
 */
public final class RegistryTime {
    private static final Duration NEVER = Duration.ofDays(365);

    private final Clock clock;
    private final TaskTimer timer;
    private final List<Runnable> setBack = new ArrayList<>();
    private volatile @Nullable Observed last;

    public RegistryTime(Clock clock, TaskTimer timer) {
        this.clock = clock;
        this.timer = timer;
    }

    /**
     * The registry's present time, as far as it is known: behind by at most the way of a commit's answer. It is ahead only
     * if the registry's own clock was ahead, and was set since.
     */
    public Instant now() {
        Observed known = last;
        return known == null ? clock.instant() : known.time().plusNanos(timer.nanoTime() - known.at());
    }

    /** How long ago the registry said so; the longest time if it never has. */
    public Duration age() {
        Observed known = last;
        return known == null ? NEVER : Duration.ofNanos(timer.nanoTime() - known.at());
    }

    /** Tells, on the coordination executor, that the registry's clock is behind what it has said before. */
    public Subscription onSetBack(Runnable listener) {
        setBack.add(listener);
        return () -> setBack.remove(listener);
    }

    void observe(CommitOutcome outcome) {
        if (outcome instanceof CommitOutcome.Committed committed) {
            committed.time().ifPresent(this::observe);
        }
    }

    /** A time that the registry's clock has passed: better than none before a commit has returned its time. */
    public void observePast(Instant registryTime) {
        if (last == null) {
            observe(registryTime);
        }
    }

    private void observe(Instant registryTime) {
        boolean wasAhead = last != null && new RegistryMoment(registryTime).isAhead(now());
        last = new Observed(registryTime, timer.nanoTime());
        if (wasAhead) {
            List.copyOf(setBack).forEach(Runnable::run);
        }
    }

    private record Observed(Instant time, long at) {}
}
