package dev.elasticjob.simulation;

import dev.elasticjob.coordination.state.DelayedFiring;
import dev.elasticjob.registry.JobTree;
import dev.elasticjob.registry.RegistryNode;
import dev.elasticjob.simulation.Replica.Change;
import dev.elasticjob.simulation.Replica.Kind;
import java.time.Clock;
import java.time.Duration;
import java.time.Instant;
import java.time.temporal.ChronoUnit;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import java.util.stream.Stream;

/**
 * Follows the firings of a job with a fixed delay: one after the other, each asked for once, by the transaction that says so,
 * and not before the delay after the last end.
 */
final class DelayChain extends Chain {
    private static final Pattern RUN = Pattern.compile("delay-[0-9]+-[0-9]+");

    private final Clock clock;
    /** When the items ended a run. */
    private final Map<String, Map<Integer, Instant>> ends = new HashMap<>();
    /** When items began a run, or let it pass. */
    private final Map<String, Map<Integer, Instant>> begins = new HashMap<>();

    private final List<Asked> asked = new ArrayList<>();

    private record Asked(DelayedFiring firing, Instant when, Set<Integer> owned) {}

    DelayChain(Oracle oracle, Quorum quorum, Clock clock) {
        super(oracle, quorum);
        this.clock = clock;
    }

    @Override
    public void changed(long session, List<Change> changes) {
        for (Change change : changes) {
            if (change.path().equals(tree.delay())) {
                step(change, changes);
            } else if (change.path().startsWith(tree.sharding() + "/")) {
                if (change.path().endsWith("/trigger")) {
                    waits(change, changes);
                } else {
                    JobTree.itemNumber(change.path().substring(tree.sharding().length() + 1))
                            .ifPresent(item -> {
                                begins(item, change);
                                ends(item, change);
                            });
                }
            }
        }
    }

    /** An item whose claim is undone has not begun. */
    private void begins(int item, Change change) {
        Recorded before = change.before().map(Recorded::of).orElse(Recorded.NEW);
        Recorded after = change.after().map(Recorded::of).orElse(Recorded.NEW);
        boolean unclaims = before.is("RUNNING") && !after.is("RUNNING") && !after.isSameExecution(before);
        if (unclaims && before.runId() != null) {
            begins.getOrDefault(before.runId(), new HashMap<>()).remove(item);
        }
        Stream.concat(Stream.ofNullable(after.runId()), after.past().keySet().stream())
                .filter(run -> RUN.matcher(run).matches())
                .forEach(run ->
                        begins.computeIfAbsent(run, any -> new HashMap<>()).putIfAbsent(item, clock.instant()));
    }

    /** Whether a firing of that time was asked for, or is to be. */
    boolean isDue(Instant at) {
        Optional<DelayedFiring> last = node(tree.delay()).flatMap(DelayedFiring::read);
        boolean isNext = last.filter(firing -> firing.ended().isEmpty()).isEmpty()
                && plan().flatMap(
                                plan -> plan.schedule().nextAfterEnd(last.flatMap(DelayedFiring::ended), plan.since()))
                        .filter(at::equals)
                        .isPresent();
        return isNext || asked.stream().anyMatch(one -> one.firing().at().equals(at));
    }

    /** Whether the item had begun the firing of that time by then. */
    boolean hasBegun(int item, Instant at, Instant limit) {
        return asked.stream()
                .filter(one -> one.firing().at().equals(at))
                .flatMap(one -> Stream.ofNullable(
                        begins.getOrDefault(one.firing().runId(), Map.of()).get(item)))
                .anyMatch(time -> !time.isAfter(limit));
    }

    /** An end stands: what changes the record later, or brings it back, is none. */
    private void ends(int item, Change change) {
        Recorded before = change.before().map(Recorded::of).orElse(Recorded.NEW);
        boolean goesOn = before.is("RUNNING") || before.is("INTERRUPTED");
        change.after()
                .map(Recorded::of)
                .filter(record ->
                        goesOn && record.runId() != null && record.runId().equals(before.runId()))
                .filter(record -> !record.is("RUNNING") && !(before.is("INTERRUPTED") && record.is("INTERRUPTED")))
                // The registry counts milliseconds.
                .ifPresent(record -> ends.computeIfAbsent(record.runId(), run -> new HashMap<>())
                        .put(item, clock.instant().truncatedTo(ChronoUnit.MILLIS)));
    }

    /** When the last of these items ended it. */
    private Optional<Instant> lastEnd(String runId, Set<Integer> items) {
        Map<Integer, Instant> known = ends.getOrDefault(runId, Map.of());
        return items.stream()
                .flatMap(item -> Optional.ofNullable(known.get(item)).stream())
                .max(Instant::compareTo);
    }

    /** An unclaim, which changes the record too, only brings back what was asked for before. */
    private void waits(Change change, List<Change> changes) {
        String item = change.path().substring(0, change.path().length() - "/trigger".length());
        String before = change.before().map(RegistryNode::text).orElse("");
        Matcher runs = RUN.matcher(change.after().map(RegistryNode::text).orElse(""));
        boolean restores = changes.stream().anyMatch(other -> other.path().equals(item));
        while (runs.find()) {
            String runId = runs.group();
            Optional<DelayedFiring> now = node(tree.delay()).flatMap(DelayedFiring::read);
            boolean known = now.filter(firing -> firing.runId().equals(runId))
                    .filter(firing -> firing.ended().isEmpty())
                    .isPresent();
            require(
                    restores || before.contains(runId) || known,
                    "a firing of a delay is asked for by the transaction that notes it: %s of %s, but there is %s",
                    runId,
                    item,
                    now);
        }
    }

    /** Several transactions may share a request: the plan counts that was in force when this one came. */
    private Optional<InForce> planAt(Change change, List<Change> changes) {
        return changes.stream()
                .skip(changes.indexOf(change))
                .filter(later -> later.path().equals(tree.sharding()))
                .findFirst()
                .map(later -> InForce.of(later.before()))
                .orElseGet(this::plan);
    }

    private void step(Change change, List<Change> changes) {
        Optional<DelayedFiring> before = change.before().flatMap(DelayedFiring::read);
        Optional<DelayedFiring> after = change.after().flatMap(DelayedFiring::read);
        require(change.kind() != Kind.DELETED && after.isPresent(), "the last firing of a delay is noted: %s", change);
        if (after.isEmpty()) {
            return;
        }
        DelayedFiring now = after.get();
        Optional<InForce> plan = planAt(change, changes);
        Set<Integer> owned = plan.map(inForce -> inForce.owners().keySet()).orElse(Set.of());
        if (before.filter(last -> last.number() == now.number()).isEmpty()) {
            next(before, now, plan, owned);
        } else if (!before.get().ended().equals(now.ended())) {
            ended(before.get(), now, owned);
        }
    }

    private void next(Optional<DelayedFiring> before, DelayedFiring now, Optional<InForce> plan, Set<Integer> owned) {
        int number = before.map(DelayedFiring::number).orElse(0) + 1;
        require(now.number() == number, "a firing of a delay is asked for once: %s after %s", now, before);
        require(
                before.isEmpty() || before.get().ended().isPresent(),
                "one firing of a delay at a time: %s after %s",
                now,
                before);
        asked.add(new Asked(now, clock.instant(), Set.copyOf(owned)));
        Optional<Duration> delay = plan.flatMap(inForce -> inForce.schedule().delay());
        require(delay.isPresent(), "a firing of a delay is asked for under the plan that has it: %s", now);
        if (delay.isEmpty() || quorum.isPardoned()) {
            return;
        }
        before.flatMap(DelayedFiring::ended)
                .ifPresent(end -> require(
                        !now.at().isBefore(end.plus(delay.get())),
                        "not before the delay after the last end: %s after %s",
                        now,
                        before));
        require(!now.at().isAfter(clock.instant()), "no firing of a delay before its time: %s", now);
    }

    private void ended(DelayedFiring before, DelayedFiring now, Set<Integer> owned) {
        Instant end = now.ended().orElse(Instant.MIN);
        if (before.ended().isPresent()) {
            require(
                    quorum.hasBeenAheadBy(before.ended().get())
                            && end.isBefore(before.ended().get()),
                    "the end of a firing stands, unless it is ahead: %s becomes %s",
                    before,
                    now);
            return;
        }
        require(!owned.isEmpty(), "no firing of a delay has ended while no item has an owner: %s", now);
        boolean failover = definition().failover();
        for (int item : owned) {
            Recorded record = node(tree.item(item)).map(Recorded::of).orElse(Recorded.NEW);
            boolean executes =
                    record.isOf(now.runId()) && (record.is("RUNNING") || (record.is("INTERRUPTED") && failover));
            require(
                    !executes && !RunChain.isAsked(quorum.tree(), tree, item, now.runId()),
                    "a firing of a delay has ended when all items have: %s, but item %s has %s",
                    now,
                    item,
                    record);
        }
        Optional<Instant> last = lastEnd(now.runId(), owned);
        require(
                quorum.isPardoned() || last.filter(end::isBefore).isEmpty(),
                "the end of a firing is that of its last item: %s, but %s",
                now,
                last);
        require(quorum.isPardoned() || !end.isAfter(clock.instant()), "the end of a firing is not to come: %s", now);
    }

    /** Once all is well, one begins in time after the other. */
    void followInTime(Instant healthy, Duration allowance) {
        Instant now = clock.instant();
        Optional<Duration> delay = plan().flatMap(plan -> plan.schedule().delay());
        if (delay.isEmpty()) {
            return;
        }
        asked.stream().filter(each -> each.firing().at().isAfter(healthy)).forEach(each -> inTime(each, allowance));
        Optional<DelayedFiring> last = node(tree.delay()).flatMap(DelayedFiring::read);
        require(last.isPresent(), "P4, progress: a job with a delay has never run");
        last.flatMap(DelayedFiring::ended)
                .ifPresent(end -> require(
                        end.plus(delay.get()).plus(allowance).isAfter(now),
                        "P4, progress: no firing follows %s",
                        last));
        last.filter(firing -> firing.ended().isEmpty())
                .filter(firing ->
                        asked.get(asked.size() - 1).when().plus(allowance).isBefore(now))
                .filter(firing -> oracle.active().stream()
                        .noneMatch(execution -> execution.cause().equals(firing.runId())))
                .filter(firing -> lastEnd(
                                firing.runId(), asked.get(asked.size() - 1).owned())
                        .filter(end -> end.plus(allowance).isAfter(now))
                        .isEmpty())
                .ifPresent(firing -> oracle.violated("P4, progress: nobody notes the end of " + firing));
    }

    private void inTime(Asked each, Duration allowance) {
        Instant latest = each.firing().at().plus(allowance);
        require(!each.when().isAfter(latest), "lateness: %s", each);
        if (latest.isAfter(clock.instant())) {
            return;
        }
        for (int item : each.owned()) {
            boolean began = oracle.begun().stream()
                    .filter(execution -> execution.item() == item)
                    .filter(execution -> execution.cause().equals(each.firing().runId()))
                    .anyMatch(execution -> !execution.began().isAfter(latest));
            require(
                    began || node(tree.disabled(item)).isPresent(),
                    "lateness: item %s did not start in time for %s",
                    item,
                    each.firing());
        }
    }

    /** Whether this is a firing that was only just asked for. */
    boolean isFresh(RegistryNode trigger, Duration allowance) {
        return RunChain.waiting(trigger).stream()
                        .allMatch(runId -> RUN.matcher(runId).matches())
                && trigger.modified().plus(allowance).isAfter(clock.instant());
    }
}
