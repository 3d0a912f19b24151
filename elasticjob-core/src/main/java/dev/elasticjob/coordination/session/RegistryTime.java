package dev.elasticjob.coordination.session;

import dev.elasticjob.registry.CommitOutcome;
import dev.elasticjob.time.TaskTimer;
import java.time.Clock;
import java.time.Instant;
import org.jspecify.annotations.Nullable;

/**
 * The registry's clock, which all instances share: the time of the newest answer to a commit of ours, at no cost, plus
 * the time measured since by the monotonic clock, so changes of the local clock have no effect. Confined to the
 * coordination executor, except {@link #now()}, which any thread may call.
 */
public final class RegistryTime {
    private final Clock clock;
    private final TaskTimer timer;
    private volatile @Nullable Observed last;

    public RegistryTime(Clock clock, TaskTimer timer) {
        this.clock = clock;
        this.timer = timer;
    }

    /**
     * The registry's present time, as far as it is known: behind by at most the way of a commit's answer, never ahead.
     */
    public Instant now() {
        Observed known = last;
        return known == null ? clock.instant() : known.time().plusNanos(timer.nanoTime() - known.at());
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
        last = new Observed(registryTime, timer.nanoTime());
    }

    private record Observed(Instant time, long at) {}
}
