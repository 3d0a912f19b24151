package dev.elasticjob.simulation;

import dev.elasticjob.definition.CatchUp;
import dev.elasticjob.definition.Jitter;
import dev.elasticjob.definition.JobDefinition;
import dev.elasticjob.simulation.Replica.Change;
import dev.elasticjob.simulation.Replica.Kind;
import java.time.Clock;
import java.time.Duration;
import java.time.Instant;
import java.util.List;
import java.util.Objects;
import java.util.Optional;

/**
 * Which firing an item is claimed for: none before its jitter lets it, and with {@code catchUp=EACH} one after the other. What
 * it leaves out is beyond the limit, older than the window, or over without it; and nothing older than the window is run.
 */
final class CatchUpChain extends Chain {
    /** What the registry's time may be behind where an item is planned, and the way from there to the registry. */
    private static final Duration LAG = World.SESSION_TIMEOUT.plusSeconds(2);

    private final Clock clock;

    CatchUpChain(Oracle oracle, Quorum quorum, Clock clock) {
        super(oracle, quorum);
        this.clock = clock;
    }

    @Override
    public void changed(long session, List<Change> changes) {
        for (Change change : changes) {
            if (change.kind() == Kind.SET && change.item(tree).isPresent()) {
                Recorded before = Recorded.of(change.before().orElseThrow());
                Recorded after = Recorded.of(change.after().orElseThrow());
                if (after.isScheduledClaim() && !before.is("RUNNING")) {
                    claims(change.item(tree).orElseThrow(), before, after);
                }
            }
        }
    }

    private void claims(int item, Recorded before, Recorded after) {
        JobDefinition job = definition();
        Instant claimed = Instant.parse(Objects.requireNonNull(after.startedAt()));
        Instant due = Jitter.of(job).dueAt(item, after.scheduledAt());
        require(!claimed.isBefore(due.minusMillis(1)), "jitter: item %s is claimed before %s: %s", item, due, after);
        if (job.catchUp() == CatchUp.EACH) {
            plan().ifPresent(plan -> leavesNoneOut(item, before, after, plan, job));
            boolean late = claimed.isAfter(due.plus(latest(job)));
            // An open firing isn't late before it has waited for so long.
            boolean tooOld = !after.opened() && late && isTooOld(after.scheduledAt(), job, LAG);
            require(!tooOld, "catch up, window: item %s runs what is older: from %s to %s", item, before, after);
        }
    }

    /** Those that an item makes up for run in their order. */
    private void leavesNoneOut(int item, Recorded before, Recorded after, InForce plan, JobDefinition job) {
        if (before.scheduledAt() == null) {
            return;
        }
        Instant firing = after.scheduledAt();
        Instant latest = latestDue(item, plan, job, after);
        Optional<Instant> passed = plan.nextOwed(before.scheduledAt());
        while (passed.isPresent() && passed.get().isBefore(firing)) {
            boolean beyond = plan.countOwed(passed.get().minusNanos(1), latest.plusNanos(1)) > job.catchUpLimit();
            boolean over = oracle.firings().wasOver(item, passed.get());
            require(
                    beyond || over || isTooOld(passed.get(), job, Duration.ZERO),
                    "catch up, each: item %s leaves out %s: from %s to %s",
                    item,
                    passed.get(),
                    before,
                    after);
            passed = plan.nextOwed(passed.get());
        }
    }

    /** The latest firing that the item was due for when it was claimed. */
    private static Instant latestDue(int item, InForce plan, JobDefinition job, Recorded after) {
        Instant claimed = Instant.parse(Objects.requireNonNull(after.startedAt()));
        Optional<Instant> latest = plan.latestDue(claimed);
        while (latest.filter(firing -> Jitter.of(job).dueAt(item, firing).isAfter(claimed))
                .isPresent()) {
            latest = plan.latestDue(latest.get().minusNanos(1));
        }
        return latest.filter(after.scheduledAt()::isBefore).orElse(after.scheduledAt());
    }

    /** By the registry's clock. */
    private boolean isTooOld(Instant firing, JobDefinition job, Duration tolerance) {
        Duration window = job.catchUpWindow();
        Duration kept = window.compareTo(latest(job)) > 0 ? window : latest(job);
        return !window.isZero() && firing.isBefore(clock.instant().minus(kept).minus(tolerance));
    }

    /** After which time a firing is late. */
    private Duration latest(JobDefinition job) {
        Duration threshold = job.misfireThreshold();
        return threshold.compareTo(quorum.sessionTimeout()) > 0 ? threshold : quorum.sessionTimeout();
    }
}
