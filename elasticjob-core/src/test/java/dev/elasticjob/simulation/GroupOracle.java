package dev.elasticjob.simulation;

import dev.elasticjob.group.ShardAssignment;
import dev.elasticjob.group.ShardingNotice;
import dev.elasticjob.simulation.Replica.Change;
import dev.elasticjob.simulation.Replica.Kind;
import java.time.Clock;
import java.time.Duration;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.List;
import java.util.Optional;
import java.util.Set;
import java.util.stream.IntStream;

/**
 * Sees every call of the notices, and what becomes of sessions, and judges by the promises G1 to G5 of {@code
 * docs/internals/protocol-groups.md}.
 */
final class GroupOracle {
    private final Clock clock;
    private final Quorum quorum;
    private final Trace trace;
    private final boolean waits;
    private final List<Share> shares = new ArrayList<>();
    private final Set<Long> endedEarly = new HashSet<>();
    private Optional<String> violation = Optional.empty();

    /** What one instance works on, from the call that begins it until the one that ends it has returned. */
    private static final class Share {
        private final SimulatedProcess process;
        private final long session;
        private final ShardAssignment assignment;
        private boolean toldToStop;

        Share(SimulatedProcess process, long session, ShardAssignment assignment) {
            this.process = process;
            this.session = session;
            this.assignment = assignment;
        }

        @Override
        public String toString() {
            return "%s (session %d) with index %d of %d of epoch %d"
                    .formatted(process.name(), session, assignment.index(), assignment.total(), assignment.epoch());
        }
    }

    /** @param waits whether leaders wait for holders, however long they take */
    GroupOracle(Clock clock, Quorum quorum, Trace trace, boolean waits) {
        this.clock = clock;
        this.quorum = quorum;
        this.trace = trace;
        this.waits = waits;
        quorum.addWitness(this::changed);
    }

    /** {@link ShardingNotice#shardingCompleted}. */
    void begins(SimulatedProcess process, ShardAssignment assignment) {
        long session = process.connection().sessionId();
        Share next = new Share(process, session, assignment);
        trace.note(process.name(), () -> "BEGINS " + next);
        of(process).ifPresent(former -> violated("the calls of an instance alternate: " + next + " follows " + former));
        for (Share other : shares) {
            boolean sameEpoch = other.assignment.epoch() == assignment.epoch();
            if (sameEpoch && other.assignment.index() == assignment.index()) {
                violated("G3, one holder of each index: " + next + " beside " + other);
            }
            boolean overdue = !waits && other.toldToStop;
            if (!sameEpoch && quorum.lives(other.session) && !overdue) {
                violated("G1, all have stopped before the next epoch: " + next + " beside " + other);
            }
            if (!sameEpoch && other.assignment.epoch() > assignment.epoch() && quorum.lives(session)) {
                violated("G5, epochs grow: " + next + " after " + other);
            }
        }
        shares.add(next);
    }

    /** {@link ShardingNotice#startSharding} is called. */
    void isToldToStop(SimulatedProcess process) {
        trace.note(process.name(), () -> "is told to stop");
        of(process)
                .ifPresentOrElse(
                        share -> share.toldToStop = true,
                        () -> violated("the calls of an instance alternate: " + process.name() + " holds nothing"));
    }

    /** It has returned. */
    void returns(SimulatedProcess process) {
        trace.note(process.name(), () -> "has stopped");
        shares.removeIf(share -> share.process == process);
    }

    void died(SimulatedProcess process) {
        shares.removeIf(share -> share.process == process);
    }

    /** The servers end the session of a process that has done nothing wrong. */
    void endsEarly(SimulatedProcess process) {
        endedEarly.add(process.connection().sessionId());
    }

    private Optional<Share> of(SimulatedProcess process) {
        return shares.stream().filter(share -> share.process == process).findFirst();
    }

    private void changed(long session, List<Change> changes) {
        boolean unlocks = changes.stream()
                .anyMatch(
                        change -> change.kind() == Kind.DELETED && change.path().endsWith("/running"));
        if (!unlocks || quorum.lives(session) || endedEarly.contains(session)) {
            return;
        }
        shares.stream()
                .filter(share -> share.session == session && !share.toldToStop)
                .filter(share -> !share.process.pausedSince(
                        clock.instant().minus(quorum.sessionTimeout()).minus(Duration.ofSeconds(1))))
                .forEach(share -> violated("G2, told before the session ends: " + share));
    }

    /** After all has been well for a while. */
    void judgeHealthy(List<SimulatedProcess> living) {
        for (SimulatedProcess process : living) {
            if (of(process).filter(share -> !share.toldToStop).isEmpty()) {
                violated("G4, each living instance has an index: " + process.name() + " has none");
            }
        }
        List<Integer> indexes =
                shares.stream().map(share -> share.assignment.index()).sorted().toList();
        boolean dense = indexes.equals(IntStream.range(0, living.size()).boxed().toList());
        boolean one = shares.stream()
                        .map(share -> share.assignment.epoch())
                        .distinct()
                        .count()
                <= 1;
        if (violation.isEmpty() && !(dense && one)) {
            violated("G3, dense indexes of one epoch: " + shares);
        }
    }

    void violated(String what) {
        trace.note("oracle", () -> "VIOLATION " + what);
        violation = violation.or(() -> Optional.of(what));
    }

    Optional<String> violation() {
        return violation;
    }
}
