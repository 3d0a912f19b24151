package dev.elasticjob.simulation;

import dev.elasticjob.coordination.state.NodeCodec;
import dev.elasticjob.definition.JobDefinition;
import dev.elasticjob.definition.text.InstanceLabels;
import dev.elasticjob.registry.JobTree;
import dev.elasticjob.registry.RegistryNode;
import dev.elasticjob.simulation.Replica.Change;
import dev.elasticjob.simulation.Replica.Kind;
import java.time.Clock;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.function.Predicate;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;

/**
 * What a process has never weighs more than its capacity, over all jobs: neither its locks nor what it executes. A lock weighs
 * what the settings say when it is made; so does what is executed with it. What is executed without one weighs the least that
 * the settings have said lately: nothing guards it against a change.
 *
 * <p>In a {@link WeighedPhase}, also the order is judged, and that nothing waits that has room, where it is owned or elsewhere.
 */
final class CapacityChain implements Quorum.Witness {
    /** From becoming due to having asked. */
    private static final Duration ASKING = Duration.ofSeconds(2);
    /** From having room to being claimed. */
    private static final Duration CLAIMING = Duration.ofSeconds(2);
    /** The same of what another process owns: a second until it is offered, half of one for the turns, and half of one to claim. */
    private static final Duration HELPING = Duration.ofSeconds(2);
    /** A process knows the settings of such a time ago, if it has been cut off or has stood still. */
    private static final Duration OLD = Duration.ofSeconds(40);

    private static final Pattern LOCK = Pattern.compile("/([^/]+)/sharding/(\\d+)/running");
    private static final Pattern INSTANCE = Pattern.compile("/[^/]+/instances/[^/]+");
    private static final Pattern EXTENSION = Pattern.compile("/([^/]+)/extension");

    private final Oracle oracle;
    private final Quorum quorum;
    private final Clock clock;
    /** What the instances of each session have shown: a tool may write over it. */
    private final Map<Long, Integer> capacities = new HashMap<>();
    /** The locks that there are, with what they weighed when they were made. */
    private final Map<String, Lock> locks = new HashMap<>();
    /** What is executed, with what it weighs. */
    private final Map<Execution, Integer> bodies = new HashMap<>();

    private final Map<String, List<Former>> former = new HashMap<>();
    /** The locks that are to be made, with since when; only while that is judged. */
    private final Map<String, Instant> waiting = new HashMap<>();

    /** The same, of any owner. */
    private final Map<String, Instant> waitingAnywhere = new HashMap<>();
    /** Which process has had room for which of them, with since when. */
    private final Map<String, Instant> helpSince = new HashMap<>();

    private @Nullable SimulatedProcess judged;
    private Optional<Instant> roomSince = Optional.empty();

    private record Lock(long session, int weight) {}

    /** What the settings said until then. */
    private record Former(JobDefinition definition, Instant until) {}

    CapacityChain(Oracle oracle, Quorum quorum, Clock clock) {
        this.oracle = oracle;
        this.quorum = quorum;
        this.clock = clock;
    }

    @Override
    public void changed(long session, List<Change> changes) {
        List<String> made = new ArrayList<>();
        for (Change change : changes) {
            Matcher lock = LOCK.matcher(change.path());
            Matcher extension = EXTENSION.matcher(change.path());
            if (INSTANCE.matcher(change.path()).matches()) {
                change.after().ifPresent(this::learn);
            } else if (extension.matches()) {
                definition(extension.group(1)).ifPresent(definition -> remember(extension.group(1), definition));
            } else if (lock.matches() && change.after().isEmpty()) {
                locks.remove(change.path());
            } else if (lock.matches() && change.kind() == Kind.CREATED) {
                RegistryNode node = change.after().orElseThrow();
                if (node.isEphemeral()) {
                    locks.put(change.path(), new Lock(node.ephemeralOwner(), weight(change.path())));
                    made.add(change.path());
                }
            }
        }
        made.forEach(path -> judge(locks.get(path).session(), path));
        judgeOrder(made);
    }

    void begins(Execution execution, JobTree tree) {
        Lock held = locks.get(tree.running(execution.item()));
        boolean locked = execution.token() != 0;
        if (locked && held == null) {
            return;
        }
        bodies.put(execution, locked ? held.weight() : leastWeight(tree, execution.item()));
        long executed = executed(other -> other.process() == execution.process());
        int capacity = capacities.getOrDefault(execution.session(), Integer.MAX_VALUE);
        if (executed > capacity) {
            oracle.violated("capacity: with %s, a process executes what weighs %d, and its capacity is %d"
                    .formatted(execution, executed, capacity));
        }
    }

    void returns(Execution execution) {
        bodies.remove(execution);
    }

    /** What the locks of a session weigh, and what is executed in it without one. */
    long weightOf(long session) {
        long locked = locks.values().stream()
                .filter(lock -> lock.session() == session)
                .mapToLong(Lock::weight)
                .sum();
        return locked + executed(execution -> execution.token() == 0 && execution.session() == session);
    }

    private long executed(Predicate<Execution> which) {
        return bodies.entrySet().stream()
                .filter(body -> which.test(body.getKey()))
                .mapToLong(Map.Entry::getValue)
                .sum();
    }

    private void learn(RegistryNode instance) {
        NodeCodec.capacity(instance.text()).ifPresent(capacity -> capacities.put(instance.ephemeralOwner(), capacity));
    }

    private void judge(long session, String path) {
        int capacity = capacities.getOrDefault(session, Integer.MAX_VALUE);
        long taken = weightOf(session);
        if (taken > capacity) {
            oracle.violated("capacity: with %s, the items of one process weigh %d, and its capacity is %d"
                    .formatted(path, taken, capacity));
        }
    }

    // ------------------------------------------------------------------ weights

    private Optional<JobDefinition> definition(String job) {
        JobTree tree = new JobTree(job);
        return InForce.isDefined(quorum.tree(), tree)
                ? Optional.of(InForce.definition(quorum.tree(), tree))
                : Optional.empty();
    }

    /** Each has been in force until the next one came. */
    private void remember(String job, JobDefinition definition) {
        List<Former> all = former.computeIfAbsent(job, any -> new ArrayList<>());
        if (!all.isEmpty()) {
            all.set(all.size() - 1, new Former(all.get(all.size() - 1).definition(), clock.instant()));
        }
        all.add(new Former(definition, Instant.MAX));
    }

    private int weight(String lock) {
        Matcher item = LOCK.matcher(lock);
        return item.matches()
                ? definition(item.group(1))
                        .map(definition -> definition.weightOf(Integer.parseInt(item.group(2))))
                        .orElse(1)
                : 1;
    }

    private int leastWeight(JobTree tree, int item) {
        Instant lately = clock.instant().minus(OLD);
        return Stream.concat(
                        definition(tree.jobName()).stream(),
                        former.getOrDefault(tree.jobName(), List.of()).stream()
                                .filter(one -> one.until().isAfter(lately))
                                .map(Former::definition))
                .mapToInt(definition -> definition.weightOf(item))
                .min()
                .orElse(1);
    }

    // ------------------------------------------------------------------ what waits

    /** From now on, until {@link #everythingIsForgotten}, it is judged what waits there. */
    void judges(SimulatedProcess process) {
        judged = process;
    }

    void everythingIsForgotten() {
        judged = null;
        waiting.clear();
        roomSince = Optional.empty();
        waitingAnywhere.clear();
        helpSince.clear();
    }

    /** The weights are about to be others, and everything is read again: until the next {@link #look}, no order is judged. */
    void beginsAnew() {
        waiting.clear();
        roomSince = Optional.empty();
    }

    /** Looks at what the process could claim now. */
    void look(List<JobTree> jobs) {
        Instant now = clock.instant();
        jobs.forEach(tree -> InForce.at(quorum.tree(), tree)
                .ifPresent(plan -> plan.owners().forEach((item, owner) -> {
                    boolean waits = isJudged(owner) && isDue(tree, plan, item, now);
                    if (waits) {
                        waiting.putIfAbsent(tree.running(item), now);
                    } else {
                        waiting.remove(tree.running(item));
                    }
                })));
        nothingWaitsThatHasRoom(now);
    }

    private boolean isJudged(String owner) {
        return judged != null && owner.equals(judged.instanceId());
    }

    private boolean isDue(JobTree tree, InForce plan, int item, Instant now) {
        Optional<RegistryNode> node = quorum.tree().node(tree.item(item));
        if (node.isEmpty() || quorum.tree().node(tree.running(item)).isPresent()) {
            return false;
        }
        Recorded recorded = Recorded.of(node.get());
        return plan.latestDue(now)
                .filter(due ->
                        recorded.scheduledAt() == null || recorded.scheduledAt().isBefore(due))
                .isPresent();
    }

    /** What asks is let in besides all that has asked before it. */
    private void judgeOrder(List<String> made) {
        Map<String, Instant> claimed = new HashMap<>();
        made.forEach(path ->
                claimed.put(path, Optional.ofNullable(waiting.remove(path)).orElse(clock.instant())));
        if (judged == null || claimed.isEmpty()) {
            return;
        }
        roomSince = Optional.empty();
        long used = weightOf(judged.connection().sessionId());
        claimed.forEach((path, since) -> {
            long ahead = waiting.entrySet().stream()
                    .filter(other -> other.getValue().plus(ASKING).isBefore(since))
                    .mapToLong(other -> weight(other.getKey()))
                    .sum();
            if (ahead > 0 && used + ahead > capacity()) {
                oracle.violated(
                        "capacity, in turn: %s is let in, so %d are used, but %d wait since before %s, and the capacity is %d"
                                .formatted(path, used, ahead, since, capacity()));
            }
        });
    }

    /** If whatever may be the first has room for so long, something begins. */
    private void nothingWaitsThatHasRoom(Instant now) {
        Optional<Instant> longest = waiting.values().stream().min(Instant::compareTo);
        boolean room = longest.isPresent()
                && weightOf(judged.connection().sessionId())
                                + heaviest(longest.get().plus(ASKING))
                        <= capacity();
        roomSince = room ? roomSince.or(() -> Optional.of(now)) : Optional.empty();
        roomSince
                .filter(since -> since.plus(CLAIMING).isBefore(now))
                .ifPresent(since -> oracle.violated(
                        "capacity, lateness: %s wait, and have had room since %s".formatted(waiting, since)));
    }

    // ------------------------------------------------------------------ what others have room for

    /** If an item has been due for so long, and one that doesn't own it has had room for it behind all that waits there, it begins. */
    void lookForHelp(List<JobTree> jobs, List<SimulatedProcess> processes) {
        Instant now = clock.instant();
        Map<String, String> owners = new HashMap<>();
        jobs.forEach(tree -> InForce.at(quorum.tree(), tree)
                .ifPresent(plan -> plan.owners().forEach((item, owner) -> {
                    if (isDue(tree, plan, item, now)) {
                        owners.put(tree.running(item), owner);
                    }
                })));
        waitingAnywhere.keySet().retainAll(owners.keySet());
        owners.keySet().forEach(item -> waitingAnywhere.putIfAbsent(item, now));
        Map<String, Instant> before = Map.copyOf(helpSince);
        helpSince.clear();
        for (SimulatedProcess process : processes) {
            long spare = spare(process, owners);
            owners.forEach((item, owner) -> {
                if (!owner.equals(process.instanceId()) && weight(item) <= spare && takesPart(process, item)) {
                    String help = item + " at " + process.name();
                    Instant since = before.getOrDefault(help, now);
                    helpSince.put(help, since);
                    if (latest(since, waitingAnywhere.get(item)).plus(HELPING).isBefore(now)) {
                        oracle.violated("capacity, help: %s waits since %s, and %s has had room for it since %s"
                                .formatted(item, waitingAnywhere.get(item), process.name(), since));
                    }
                }
            });
        }
    }

    /** Whether it is an instance of the item's job that may run it: it may be about to leave. */
    private boolean takesPart(SimulatedProcess process, String lock) {
        Matcher item = LOCK.matcher(lock);
        return !process.isLeaving()
                && item.matches()
                && quorum.tree()
                        .node(new JobTree(item.group(1)).instance(process.instanceId()))
                        .filter(node ->
                                node.ephemeralOwner() == process.connection().sessionId())
                        .filter(node -> mayRun(node, item.group(1)))
                        .isPresent();
    }

    private boolean mayRun(RegistryNode instance, String job) {
        InstanceLabels labels = NodeCodec.labels(instance.text()).orElse(InstanceLabels.NONE);
        return definition(job)
                .filter(definition -> definition.instances().matches(labels))
                .isPresent();
    }

    private long spare(SimulatedProcess process, Map<String, String> owners) {
        long ahead = owners.entrySet().stream()
                .filter(item -> item.getValue().equals(process.instanceId()))
                .mapToLong(item -> weight(item.getKey()))
                .sum();
        long session = process.connection().sessionId();
        return capacities.getOrDefault(session, 0) - weightOf(session) - ahead;
    }

    private static Instant latest(Instant one, Instant other) {
        return one.isAfter(other) ? one : other;
    }

    private int heaviest(Instant until) {
        return waiting.entrySet().stream()
                .filter(wait -> !wait.getValue().isAfter(until))
                .mapToInt(wait -> weight(wait.getKey()))
                .max()
                .orElse(0);
    }

    private int capacity() {
        return capacities.getOrDefault(judged.connection().sessionId(), Integer.MAX_VALUE);
    }
}
