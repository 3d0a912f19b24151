package dev.elasticjob.coordination.session;

import dev.elasticjob.registry.CommitOutcome;
import dev.elasticjob.time.TaskTimer;
import java.time.Clock;
import java.time.Instant;
import org.jspecify.annotations.Nullable;

/**
 * The registry's clock, which all instances share: the time that came with the newest answer to a commit of ours, at no
 * cost, and what has passed since by the monotonic clock: a local clock that is set makes no difference. Confined to the
 * coordination executor.
 */
public final class RegistryTime {
    private final Clock clock;
    private final TaskTimer timer;
    private @Nullable Observed last;

    public RegistryTime(Clock clock, TaskTimer timer) {
        this.clock = clock;
        this.timer = timer;
    }

    /** The registry's time now, as far as it is known: behind it by a commit's way back, never ahead. */
    public Instant now() {
        Observed known = last;
        return known == null ? clock.instant() : known.time().plusNanos(timer.nanoTime() - known.at());
    }

    void observe(CommitOutcome outcome) {
        if (outcome instanceof CommitOutcome.Committed committed) {
            committed.time().ifPresent(this::observe);
        }
    }

    /** A moment that the registry's clock has passed: better than nothing before a commit has returned its time. */
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
