package dev.elasticjob.simulation;

import dev.elasticjob.coordination.state.OpenFiring;
import dev.elasticjob.coordination.state.OpenFiring.Phase;
import dev.elasticjob.job.cluster.ClusterFiring;
import dev.elasticjob.job.cluster.FiringOutcomes;
import dev.elasticjob.job.cluster.FiringOutcomes.Outcome;
import dev.elasticjob.job.event.HookKind;
import dev.elasticjob.registry.RegistryNode;
import java.time.Clock;
import java.time.Instant;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;

/** Follows the calls of cluster listeners, from begin to return: P6 and P7 of {@code docs/internals/protocol-firings.md}. */
final class HookChain {
    private final Oracle oracle;
    private final Quorum quorum;
    private final Clock clock;
    private final List<Call> active = new ArrayList<>();
    private final Map<String, Call> last = new HashMap<>();
    /** The kinds of calls and ids of firings that have returned, and those that have thrown something of their own. */
    private final Set<String> returned = new HashSet<>();

    private final Set<String> failed = new HashSet<>();
    private final Set<String> completed = new HashSet<>();
    private final Set<Call> endedByThemselves = new HashSet<>();
    private int calls;

    /** @param stubborn ignores its interruption */
    record Call(
            SimulatedProcess process,
            HookKind kind,
            ClusterFiring firing,
            long session,
            Instant began,
            boolean stubborn) {
        String id() {
            return firing.scheduledTime().map(OpenFiring::idOf).orElseGet(() -> OpenFiring.idOf(firing.runId()));
        }

        String key() {
            return kind + " " + id();
        }
    }

    HookChain(Oracle oracle, Quorum quorum, Clock clock) {
        this.oracle = oracle;
        this.quorum = quorum;
        this.clock = clock;
    }

    // ------------------------------------------------------------------ calls

    Call begins(
            SimulatedProcess process,
            HookKind kind,
            ClusterFiring firing,
            Optional<FiringOutcomes> outcomes,
            boolean stubborn) {
        Optional<RegistryNode> lock = quorum.tree().node(oracle.tree().firingLock(id(firing)));
        Call call = new Call(
                process,
                kind,
                firing,
                lock.map(RegistryNode::ephemeralOwner)
                        .orElseGet(() -> process.connection().sessionId()),
                clock.instant(),
                stubborn);
        oracle.trace().note(process.name(), () -> "CALLS " + kind + " of " + firing + (stubborn ? ", stubborn" : ""));
        calls++;
        if (oracle.mustHaveLock(process, firing.fencingToken())
                && lock.filter(node -> node.czxid() == firing.fencingToken()).isEmpty()) {
            oracle.violated("P6, one at a time: without its lock is called " + call);
        }
        active.stream()
                .filter(other -> other.key().equals(call.key()))
                .filter(other -> other.process() == process
                        || !oracle.isExcused(other.process(), other.session(), other.began(), other.stubborn()))
                .forEach(other -> oracle.violated("P6, one at a time: while there runs " + other + ", " + call));
        followsLast(call);
        outcomes.ifPresent(ends -> judge(call, ends));
        active.add(call);
        last.put(call.key(), call);
        return call;
    }

    private static String id(ClusterFiring firing) {
        return firing.scheduledTime().map(OpenFiring::idOf).orElseGet(() -> OpenFiring.idOf(firing.runId()));
    }

    private void followsLast(Call call) {
        Call before = last.get(call.key());
        if (before == null) {
            return;
        }
        if (before.firing().attempt() >= call.firing().attempt()) {
            oracle.violated("P6, once: after attempt %d is called %s"
                    .formatted(before.firing().attempt(), call));
        }
        if (before.firing().fencingToken() >= call.firing().fencingToken()) {
            oracle.violated("P6, fencing: after token %d is called %s"
                    .formatted(before.firing().fencingToken(), call));
        }
        if (quorum.lives(before.session()) && endedByThemselves.contains(before)) {
            oracle.violated("P6, once: again without a crash is called " + call);
        }
    }

    private boolean hasEnded(String key) {
        return returned.contains(key) || failed.contains(key);
    }

    private void judge(Call call, FiringOutcomes outcomes) {
        if (!returned.contains(HookKind.BEFORE + " " + call.id())) {
            oracle.violated("P7, after: without a before that returned is called " + call);
        }
        oracle.active().stream()
                .filter(execution -> call.firing().items().contains(execution.item()) && isOf(execution, call.firing()))
                .filter(execution -> !oracle.isExcused(execution))
                .forEach(execution ->
                        oracle.violated("P7, after: while there runs %s is called %s".formatted(execution, call)));
        outcomes.items().forEach((item, outcome) -> judge(call, item, outcome));
    }

    private static boolean isOf(Execution execution, ClusterFiring firing) {
        return firing.scheduledTime()
                .map(at -> execution.token() != 0 && execution.cause().equals(at.toString()))
                .orElseGet(() -> List.of(execution.cause().split(",")).contains(firing.runId()));
    }

    /** What is told is true, or not known. */
    private void judge(Call call, int item, Outcome outcome) {
        List<Execution> begun = oracle.begun().stream()
                .filter(execution -> execution.item() == item && isOf(execution, call.firing()))
                .toList();
        boolean isTrue = switch (outcome.end()) {
            case COMPLETED -> begun.stream().anyMatch(execution -> completed.contains(key(execution)));
            case FAILED, INTERRUPTED -> true;
            case FOLDED, LOST, SKIPPED -> begun.isEmpty();
            case UNKNOWN -> true;
        };
        if (!isTrue) {
            oracle.violated("P7, outcomes are true: item %d is told as %s, but %s, in %s"
                    .formatted(item, outcome, begun, call));
        }
    }

    /** An item's work has returned as it should. */
    void completes(Execution execution) {
        completed.add(key(execution));
    }

    private static String key(Execution execution) {
        return execution.item() + "|" + execution.cause() + "|" + execution.attempt();
    }

    void returns(Call call) {
        endedByThemselves.add(call);
        ended(call, returned);
    }

    void fails(Call call) {
        endedByThemselves.add(call);
        ended(call, failed);
    }

    /** It was interrupted. */
    void isCutOff(Call call) {
        ended(call, new HashSet<>());
    }

    private void ended(Call call, Set<String> how) {
        oracle.trace().note(call.process().name(), () -> "HAS CALLED " + call);
        active.remove(call);
        how.add(call.key());
    }

    void died(SimulatedProcess process) {
        active.removeIf(call -> call.process() == process);
    }

    // ------------------------------------------------------------------ what the registry shows

    /** @param abandoned after how many crashes calls are not repeated */
    void changes(OpenFiring before, OpenFiring next, int abandoned) {
        if (before.phase() != Phase.BEFORE || next.phase() == Phase.BEFORE) {
            return;
        }
        String key = HookKind.BEFORE + " " + before.id();
        if (next.refused() == null && !returned.contains(key)) {
            oracle.violated("P6, before: items may begin, but no call has returned: " + next);
        }
        if (next.refused() != null
                && !failed.contains(key)
                && !isTooLate(key)
                && !hasCrashed(before, abandoned)
                && !oracle.firings().isLeftBehind(before)) {
            oracle.violated("P6, before: items may not begin, but no call has failed: " + next);
        }
    }

    /** It runs for too long, and is left alone. */
    private boolean isTooLate(String key) {
        Call call = last.get(key);
        return call != null && !call.began().plus(Scenario.BEFORE_TIMEOUT).isAfter(clock.instant());
    }

    private static boolean hasCrashed(OpenFiring firing, int abandoned) {
        return firing.hook().crashes() + 1 >= abandoned;
    }

    /** A firing has ended. */
    void ends(OpenFiring firing, int abandoned) {
        if (firing.owesAfter()) {
            oracle.violated("P7, after: a firing ends without it: " + firing);
        }
        String key = HookKind.AFTER + " " + firing.id();
        if (firing.phase() == Phase.AFTER && !hasEnded(key) && !hasCrashed(firing, abandoned)) {
            oracle.violated("P7, after: a firing ends before it has returned: " + firing);
        }
    }

    /** An item begins a firing that is open. */
    void begins(Execution execution, OpenFiring firing) {
        if (firing.hook().attempt() > 0 && !returned.contains(HookKind.BEFORE + " " + firing.id())) {
            oracle.violated("P6, before: no call has returned, but begins " + execution);
        }
    }

    int calls() {
        return calls;
    }
}
