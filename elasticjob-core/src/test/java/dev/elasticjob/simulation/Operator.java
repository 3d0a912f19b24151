package dev.elasticjob.simulation;

import dev.elasticjob.admin.JobAdmin;
import dev.elasticjob.admin.command.Actor;
import dev.elasticjob.admin.command.BackfillRequest;
import dev.elasticjob.admin.command.CancelRequest;
import dev.elasticjob.admin.command.RunRequest;
import dev.elasticjob.coordination.state.LeaveMark;
import dev.elasticjob.coordination.view.OperatorDrain;
import dev.elasticjob.coordination.view.PauseSwitch;
import dev.elasticjob.definition.CatchUp;
import dev.elasticjob.definition.JobDefinition;
import dev.elasticjob.definition.JobSettings;
import dev.elasticjob.definition.Overlap;
import dev.elasticjob.definition.codec.JobDefinitionCodec;
import dev.elasticjob.registry.CommitOutcome;
import dev.elasticjob.registry.JobTree;
import dev.elasticjob.registry.RegistryCommit;
import dev.elasticjob.registry.RegistryNode;
import dev.elasticjob.simulation.Replica.Change;
import java.time.Duration;
import java.time.Instant;
import java.time.temporal.ChronoUnit;
import java.util.List;
import java.util.Optional;
import java.util.Random;
import java.util.Set;
import java.util.stream.IntStream;

/** Writes into the tree as operators' tools do: at any step, straight to the leader, with little regard for others. */
final class Operator {
    /** The last one is too heavy for most processes. */
    private static final List<Integer> WEIGHTS = List.of(1, 3, 5, 7, 12, 13);

    private static final int ANY = RegistryCommit.ANY_VERSION;
    /** Of what an operator writes without a process. */
    private static final long NO_SESSION = 0;

    private static final Actor ACTOR = Actor.named("operator");
    private static final List<String> PARAMETERS = List.of("", "one", "two");

    private static final List<String> CHOICES =
            List.of("zone=a", "zone=b", "zone in (a,b)", "!zone", "", "version!=2", "zone notin (a),version=1");
    private final World world;
    private final Random random;
    private int asked;
    private boolean restored;
    private final JobTree tree;

    Operator(World world, JobTree tree, Random random) {
        this.world = world;
        this.tree = tree;
        this.random = random;
    }

    void act(Fault command, SimulatedProcess process) {
        Replica now = world.quorum().tree();
        if (!InForce.isDefined(now, tree)) {
            return;
        }
        JobDefinition present = InForce.definition(now, tree);
        switch (command) {
            case SERVER_SWITCH -> switchServer(process.ip());
            case ITEM_SWITCH -> toggle(tree.disabled(random.nextInt(present.shardingTotalCount())));
            case BELL -> put(tree.necessary(), "");
            case INSTANCE_REMOVED -> delete(tree.instance(process.instanceId()));
            case TRIGGER -> trigger(process);
            case CANCEL -> cancel(process, present.shardingTotalCount());
            case AGAIN -> again(process, present.shardingTotalCount());
            case BACKFILL -> backfill(process);
            case COUNT ->
                define(present.toBuilder()
                        .shardingTotalCount(1 + random.nextInt(world.scenario().mostItems()))
                        .build());
            case COUNT_DOWN_AND_UP -> downAndUp(present);
            case FAILOVER_ITEM -> toggle(tree.failoverItem(random.nextInt(present.shardingTotalCount())));
            case FAILOVER_SWITCH ->
                define(present.toBuilder()
                        .failover(!present.failover() && present.monitorExecution())
                        .build());
            case MISFIRE_SWITCH ->
                define(present.toBuilder()
                        .misfire(!present.fixedDelay().isZero() || !present.misfire())
                        .catchUp(CatchUp.BY_MISFIRE)
                        .catchUpLimit(100)
                        .catchUpWindow(Duration.ZERO)
                        .build());
            case CRON_SWITCH ->
                define(
                        present.isOneOff()
                                ? present
                                : isDelayed() && random.nextBoolean()
                                        ? Scenario.delayed(present, Scenario.DELAYS.get(random.nextInt(4)))
                                        : withTimes(present.toBuilder()
                                                .fixedDelay(Duration.ZERO)
                                                .every(Duration.ZERO)));
            case MONITORED_SWITCH ->
                define(present.toBuilder()
                        .monitorExecution(
                                present.isOneOff() || !present.fixedDelay().isZero() || !present.monitorExecution())
                        .failover(false)
                        .expectWithin(Duration.ZERO)
                        .pauseAfterFailures(0)
                        .jitter(Duration.ZERO)
                        .catchUp(CatchUp.BY_MISFIRE)
                        .catchUpLimit(100)
                        .catchUpWindow(Duration.ZERO)
                        .overlap(present.overlap() == Overlap.CANCEL_RUNNING ? Overlap.WAIT : present.overlap())
                        .build());
            case WEIGHT_SWITCH -> weigh(WEIGHTS.get(random.nextInt(WEIGHTS.size())));
            case RUN_ON_SWITCH -> runOn(CHOICES.get(random.nextInt(CHOICES.size())));
            case PAUSE_SWITCH -> switchPause(process, tree.paused());
            case NAMESPACE_SWITCH -> switchPause(process, JobTree.namespacePaused());
            case DRAIN_SWITCH -> switchDrain(process);
            default -> throw new IllegalArgumentException(command + " is no command of an operator");
        }
    }

    /** Another cron expression; or where the job fires once, another moment. */
    private JobDefinition withTimes(JobDefinition.Builder job) {
        boolean fires = world.scenario().timing() == Scenario.Timing.AT
                && tree.jobName().equals(Scenario.JOB);
        return fires && random.nextBoolean()
                ? job.cron("").at(soon()).build()
                : job.set(JobSettings.AT, Optional.empty())
                        .cron(Scenario.CRONS.get(random.nextInt(Scenario.CRONS.size())))
                        .build();
    }

    private Instant soon() {
        return world.time().instant().truncatedTo(ChronoUnit.SECONDS).plusSeconds(5);
    }

    private boolean isDelayed() {
        return world.scenario().isDelayed() && tree.jobName().equals(Scenario.JOB);
    }

    /** Enables what was disabled, so that everything is owed again. */
    void restore() {
        restored = true;
        letGo();
        letGoOfWhatTheDeadHaveSent();
        Replica now = world.quorum().tree();
        switchAllServers("ENABLED");
        put(tree.necessary(), "");
        runOn("zone");
        becomesBearable();
        for (String name : now.children(tree.sharding()).orElseThrow()) {
            JobTree.itemNumber(name).ifPresent(item -> delete(tree.disabled(item)));
        }
    }

    /** In the job that chooses its instances, others are chosen. */
    void runOn(String selector) {
        if (isChoosing()) {
            define(InForce.definition(world.quorum().tree(), tree).toBuilder()
                    .runOn(selector)
                    .build());
        }
    }

    /** No item weighs more than what each process can carry. */
    private void becomesBearable() {
        if (isWeighing() && InForce.definition(world.quorum().tree(), tree).weight() > World.CAPACITY) {
            weigh(7);
        }
    }

    private boolean isWeighing() {
        return world.scenario().weighs() && InForce.isDefined(world.quorum().tree(), tree);
    }

    /** Of all items. Only the extension is written: what else there is stays as it is. */
    void weigh(int weight) {
        if (isWeighing()) {
            JobDefinition next = InForce.definition(world.quorum().tree(), tree).toBuilder()
                    .weight(weight)
                    .itemWeights("")
                    .build();
            commit(RegistryCommit.builder()
                    .set(
                            tree.extension(),
                            new JobDefinitionCodec()
                                    .extension(next, node(tree.extension()).map(RegistryNode::data)),
                            ANY));
        }
    }

    private boolean isChoosing() {
        return world.scenario().choosesInstances()
                && tree.jobName().equals(Scenario.JOB)
                && InForce.isDefined(world.quorum().tree(), tree);
    }

    // ------------------------------------------------------------------ pauses and drains

    private void letGo() {
        if (!InForce.isDefined(world.quorum().tree(), tree)) {
            return;
        }
        resume(tree.paused());
        resume(JobTree.namespacePaused());
        for (String id : world.quorum().tree().children(tree.drains()).orElse(List.of())) {
            if (isDrainedByOperator(id)) {
                world.oracle(tree.jobName()).holds().mayEnd(tree.drain(id));
                delete(tree.drain(id));
            }
        }
    }

    /** A command that was slow may be carried out after all is well again, also if its answer is never told. */
    void ended() {
        if (restored) {
            letGo();
        }
    }

    /** A request of a process that has crashed may arrive after all is well again, and nobody is told of its end. */
    private void letGoOfWhatTheDeadHaveSent() {
        Set<String> pauses = Set.of(tree.paused(), JobTree.namespacePaused());
        world.quorum().addWitness((session, changes) -> {
            boolean holds = changes.stream()
                    .map(Change::path)
                    .anyMatch(path -> pauses.contains(path) || path.startsWith(tree.drains() + "/"));
            boolean late = world.processes().stream()
                    .filter(process -> !process.isAlive())
                    .anyMatch(process -> process.connection().sessionId() == session);
            if (session != NO_SESSION && holds && late) {
                world.time().after(Duration.ZERO, this::letGo);
            }
        });
    }

    /** Somebody mends what failed, and resumes the job; at once when all is well again. */
    void resumesWhatPausesItself() {
        world.quorum()
                .addWitness((session, changes) -> changes.stream()
                        .filter(change -> change.path().equals(tree.paused()))
                        .flatMap(change -> change.after().stream())
                        .filter(node -> PauseSwitch.of(node).failures().isPresent())
                        .forEach(node -> world.time()
                                .after(
                                        restored ? Duration.ZERO : Duration.ofMillis(random.nextInt(8_000)),
                                        () -> resume(tree.paused()))));
    }

    /** By command mostly; else in a hurry, and undone at once, so that it is over before anybody plans. */
    private void switchPause(SimulatedProcess process, String path) {
        boolean job = path.equals(tree.paused());
        if (random.nextInt(4) == 0) {
            pause(path);
            resume(path);
        } else if (isPaused(path)) {
            JobAdmin admin = process.admin();
            world.note(process.name(), "is told to resume " + path);
            var done = job
                    ? admin.by(ACTOR).resume(tree.jobName())
                    : admin.by(ACTOR).resumeAll();
        } else {
            JobAdmin admin = process.admin();
            world.note(process.name(), "is told to pause " + path);
            (job ? admin.by(ACTOR).pause(tree.jobName()) : admin.by(ACTOR).pauseAll()).whenComplete((answer, error) -> {
                if (error == null && answer.inForce()) {
                    world.note("operator", path + " is in force");
                    world.oracle(tree.jobName()).holds().inForce(path);
                }
                ended();
            });
        }
    }

    /** In force at once, as the command says, unless a node is left. */
    void pauseWithNobodyThere() {
        Replica now = world.quorum().tree();
        if (InForce.isDefined(now, tree)) {
            pause(tree.paused());
            if (now.children(tree.instances()).orElse(List.of()).isEmpty()) {
                world.note("operator", tree.paused() + " is in force, as nobody is there");
                world.oracle(tree.jobName()).holds().inForce(tree.paused());
            }
        }
    }

    void pause(String path) {
        Optional<PauseSwitch> before = node(path).map(PauseSwitch::of);
        if (!isPaused(path)) {
            put(path, PauseSwitch.begun(before, "operator", ""));
            put(tree.necessary(), "");
        }
    }

    void resume(String path) {
        node(path).map(PauseSwitch::of).filter(PauseSwitch::paused).ifPresent(lasting -> {
            put(path, lasting.ended("operator", ""));
            put(tree.necessary(), "");
        });
    }

    private boolean isPaused(String path) {
        return node(path).map(PauseSwitch::of).filter(PauseSwitch::paused).isPresent();
    }

    private void switchDrain(SimulatedProcess process) {
        Optional<String> left = oneThatMayComeBack();
        if (left.isPresent() && random.nextBoolean()) {
            world.note("operator", "waits no longer for \"%s\"".formatted(left.get()));
            process.admin().by(ACTOR).drain(tree.jobName(), left.get()).whenComplete((answer, error) -> ended());
            return;
        }
        String id = process.instanceId();
        if (isDrainedByOperator(id)) {
            world.oracle(tree.jobName()).holds().mayEnd(tree.drain(id));
            process.admin().by(ACTOR).undrain(tree.jobName(), id);
            return;
        }
        world.note(process.name(), "is drained");
        process.admin().by(ACTOR).drain(tree.jobName(), id).whenComplete((answer, error) -> {
            if (error == null && answer.inForce()) {
                world.note("operator", "the drain of " + id + " is in force");
                world.oracle(tree.jobName()).holds().inForce(tree.drain(id));
            }
            ended();
        });
    }

    private Optional<String> oneThatMayComeBack() {
        return world.quorum().tree().children(tree.drains()).orElse(List.of()).stream()
                .filter(id -> node(tree.instance(id)).isEmpty())
                .filter(id -> node(tree.drain(id)).filter(LeaveMark::hasLeft).isPresent())
                .findFirst();
    }

    private boolean isDrainedByOperator(String id) {
        return node(tree.drain(id)).flatMap(OperatorDrain::of).isPresent();
    }

    void switchAllServers(String state) {
        for (String ip : world.quorum().tree().children(tree.servers()).orElseThrow()) {
            put(tree.server(ip), state);
        }
    }

    /** One item joins, if there is room for it. */
    Optional<Integer> addItem() {
        JobDefinition present = InForce.definition(world.quorum().tree(), tree);
        int items = present.shardingTotalCount();
        if (present.isOneOff()
                || !present.monitorExecution()
                || items >= world.scenario().mostItems()) {
            return Optional.empty();
        }
        define(present.toBuilder().shardingTotalCount(items + 1).build());
        return Optional.of(items);
    }

    /** Items go, and come back as new ones whose versions start anew. */
    private void downAndUp(JobDefinition present) {
        define(present.toBuilder().shardingTotalCount(1).build());
        world.time()
                .after(
                        Duration.ofMillis(1 + random.nextInt(3_000)),
                        () -> define(InForce.definition(world.quorum().tree(), tree).toBuilder()
                                .shardingTotalCount(present.shardingTotalCount())
                                .build()));
    }

    private void switchServer(String ip) {
        boolean disabled = node(tree.server(ip))
                .filter(node -> node.text().equals("DISABLED"))
                .isPresent();
        put(tree.server(ip), disabled ? "ENABLED" : "DISABLED");
    }

    private void trigger(SimulatedProcess process) {
        if (random.nextBoolean()) {
            asked++;
            ask(process, "run-" + asked);
        } else if (random.nextBoolean()) {
            put(tree.triggerOf(process.instanceId()), "");
        } else if (node(tree.instance(process.instanceId())).isPresent()) {
            put(tree.instance(process.instanceId()), "TRIGGER");
        }
    }

    /** Whoever gets no answer, or grows impatient, asks for the same run again; perhaps somewhere else. */
    private void ask(SimulatedProcess process, String run) {
        String parameter = PARAMETERS.get(random.nextInt(PARAMETERS.size()));
        RunRequest request = new RunRequest(run, parameter);
        runs().asks(run, parameter);
        ask(process, request, "is asked for ");
        if (random.nextBoolean()) {
            List<SimulatedProcess> living = world.living();
            SimulatedProcess other = living.get(random.nextInt(living.size()));
            world.time().after(Duration.ofMillis(random.nextInt(2_000)), () -> {
                if (other.isAlive()) {
                    ask(other, request, "is asked again for ");
                }
            });
        }
    }

    private void ask(SimulatedProcess process, RunRequest request, String what) {
        world.note(process.name(), what + request.runId());
        if (random.nextBoolean()) {
            process.admin().trigger(tree.jobName(), request);
        } else {
            runs().awaits(process, request.runId(), process.admin().run(tree.jobName(), request));
        }
    }

    // ------------------------------------------------------------------ cancelling, and running again

    private void cancel(SimulatedProcess process, int items) {
        List<Integer> busy = IntStream.range(0, items)
                .filter(item -> node(tree.trigger(item)).isPresent()
                        || node(tree.item(item))
                                .map(Recorded::of)
                                .filter(shown -> !shown.isOver())
                                .isPresent())
                .boxed()
                .toList();
        int item = busy.isEmpty() ? random.nextInt(items) : busy.get(random.nextInt(busy.size()));
        Optional<Recorded> shown = node(tree.item(item)).map(Recorded::of);
        Optional<String> waiting = node(tree.trigger(item))
                .map(RegistryNode::text)
                .filter(text -> text.contains("\"runId\":\""))
                .map(text -> text.replaceAll(".*?\"runId\":\"([^\",]*).*", "$1"));
        boolean waits = waiting.isPresent() && random.nextBoolean();
        if (!waits && (shown.isEmpty() || shown.get().is("NEW"))) {
            return;
        }
        int manner = random.nextInt(3);
        String cause = waits ? waiting.get() : shown.orElseThrow().cause().split(",")[0];
        boolean firing = !waits && shown.orElseThrow().runId() == null;
        if (manner == 0) {
            world.oracle(tree.jobName()).cancels().asksForAnything(item);
            cancel(process, CancelRequest.item(item));
            return;
        }
        CancelRequest run = CancelRequest.run(firing ? tree.jobName() + "@" + cause : cause);
        world.oracle(tree.jobName()).cancels().asks(manner == 1 ? Optional.of(item) : Optional.empty(), cause);
        cancel(process, manner == 1 ? run.onItem(item) : run);
        if (random.nextBoolean()) {
            world.time().after(Duration.ofMillis(random.nextInt(500)), () -> {
                if (process.isAlive()) {
                    cancel(process, manner == 1 ? run.onItem(item) : run);
                }
            });
        }
    }

    private void cancel(SimulatedProcess process, CancelRequest request) {
        world.note(process.name(), "is asked to cancel " + request);
        process.admin()
                .by(Actor.named("operator"))
                .cancel(tree.jobName(), request)
                .whenComplete((answer, error) -> {
                    world.note(process.name(), "has cancelled: " + (error == null ? answer : error));
                    if (error == null && process.isAlive()) {
                        world.oracle(tree.jobName()).cancels().answered(answer);
                    }
                });
    }

    private void again(SimulatedProcess process, int items) {
        List<Integer> failed = IntStream.range(0, items)
                .filter(item -> node(tree.item(item))
                        .map(Recorded::of)
                        .filter(shown -> shown.is("FAILED"))
                        .isPresent())
                .boxed()
                .toList();
        int item = failed.isEmpty() ? random.nextInt(items) : failed.get(random.nextInt(failed.size()));
        node(tree.item(item))
                .map(Recorded::of)
                .filter(shown -> !shown.is("NEW"))
                .ifPresent(shown -> {
                    asked++;
                    String again = "again-" + asked;
                    String run = shown.runId() == null
                            ? tree.jobName() + "@" + shown.scheduledAt()
                            : shown.runId().split(",")[0];
                    world.note(process.name(), "is asked to run " + run + " again, as " + again);
                    runs().awaits(process, again, process.admin().runAgain(tree.jobName(), run, again));
                });
    }

    private void backfill(SimulatedProcess process) {
        if (random.nextInt(4) == 0) {
            world.note(process.name(), "is asked to stop the backfill");
            process.admin()
                    .stopBackfill(tree.jobName())
                    .whenComplete((done, error) -> world.note(process.name(), "has stopped the backfill: " + error));
            return;
        }
        Instant now = world.time().instant();
        BackfillRequest request = new BackfillRequest(
                now.minusSeconds(1 + random.nextInt(30)), now.plusSeconds(random.nextInt(3)), 1 + random.nextInt(3));
        world.note(process.name(), "is asked for " + request);
        process.admin()
                .backfill(tree.jobName(), request)
                .whenComplete((answer, error) ->
                        world.note(process.name(), "has begun a backfill: " + (error == null ? answer : error)));
    }

    private RunChain runs() {
        return world.oracle(tree.jobName()).runs();
    }

    void define(JobDefinition next) {
        JobDefinitionCodec codec = new JobDefinitionCodec();
        RegistryCommit.Builder commit = RegistryCommit.builder();
        if (!codec.isWhole(next)) {
            commit.set(tree.config(), codec.config(next, node(tree.config()).map(RegistryNode::data)), ANY);
        }
        commit(commit.set(
                tree.extension(), codec.extension(next, node(tree.extension()).map(RegistryNode::data)), ANY));
    }

    private void toggle(String path) {
        if (node(path).isPresent()) {
            delete(path);
        } else {
            put(path, "");
        }
    }

    private void put(String path, String text) {
        RegistryCommit.Builder commit = RegistryCommit.builder();
        commit(node(path).isPresent() ? commit.set(path, text, ANY) : commit.create(path, text));
    }

    private void delete(String path) {
        if (node(path).isPresent()) {
            commit(RegistryCommit.builder().delete(path, ANY));
        }
    }

    private Optional<RegistryNode> node(String path) {
        return world.quorum().tree().node(path);
    }

    private void commit(RegistryCommit.Builder commit) {
        RegistryCommit built = commit.build();
        CommitOutcome outcome = world.quorum().commit(NO_SESSION, built);
        world.trace().note("operator", () -> Trace.describe(built) + " -> " + outcome);
    }
}
