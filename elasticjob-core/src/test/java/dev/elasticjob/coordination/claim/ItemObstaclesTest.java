package dev.elasticjob.coordination.claim;

import static dev.elasticjob.coordination.Samples.NOON;
import static dev.elasticjob.coordination.Samples.THEM;
import static dev.elasticjob.coordination.Samples.US;
import static org.assertj.core.api.Assertions.assertThat;

import dev.elasticjob.admin.explain.Explanation;
import dev.elasticjob.admin.explain.Explanation.Condition;
import dev.elasticjob.admin.explain.Explanation.Reason;
import dev.elasticjob.admin.explain.ItemConditions;
import dev.elasticjob.admin.explain.ItemConditions.Local;
import dev.elasticjob.admin.explain.ItemConditions.Viewpoint;
import dev.elasticjob.admin.explain.ItemNodes;
import dev.elasticjob.coordination.Samples;
import dev.elasticjob.coordination.claim.ItemDecision.Commit;
import dev.elasticjob.coordination.item.ItemChange;
import dev.elasticjob.coordination.state.Assignment;
import dev.elasticjob.coordination.state.Cancellation;
import dev.elasticjob.coordination.state.FiringPlan;
import dev.elasticjob.coordination.state.ItemEnds;
import dev.elasticjob.coordination.state.ItemRecord;
import dev.elasticjob.coordination.state.ItemRecordCodec;
import dev.elasticjob.coordination.state.ItemState;
import dev.elasticjob.coordination.state.ManualRun;
import dev.elasticjob.coordination.state.NodeCodec;
import dev.elasticjob.coordination.state.OpenFiring;
import dev.elasticjob.coordination.state.OpenFiring.Phase;
import dev.elasticjob.coordination.state.OpenFirings;
import dev.elasticjob.coordination.state.RepeatedRun;
import dev.elasticjob.coordination.state.WaitingRuns;
import dev.elasticjob.coordination.view.ItemView;
import dev.elasticjob.coordination.view.JobSnapshot;
import dev.elasticjob.coordination.view.JobView;
import dev.elasticjob.coordination.view.JobViewReader;
import dev.elasticjob.coordination.view.NamespacePause;
import dev.elasticjob.coordination.view.Ownership;
import dev.elasticjob.coordination.view.PauseSwitch;
import dev.elasticjob.definition.JobDefinition;
import dev.elasticjob.definition.codec.JobDefinitionCodec;
import dev.elasticjob.definition.text.InstanceLabels;
import dev.elasticjob.registry.JobTree;
import dev.elasticjob.registry.RegistryCommit;
import dev.elasticjob.registry.memory.InMemoryEnsemble;
import dev.elasticjob.registry.memory.InMemoryRegistry;
import dev.elasticjob.time.manual.ManualTime;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import java.util.NavigableMap;
import java.util.NavigableSet;
import java.util.Optional;
import java.util.OptionalInt;
import java.util.Random;
import java.util.TreeMap;
import java.util.TreeSet;
import java.util.concurrent.CompletionStage;
import org.junit.jupiter.api.Test;

/**
 * Random trees of a job, read once as the item's owner reads them, and once as anybody does who asks why. The owner's
 * planner is the judge.
 */
class ItemObstaclesTest {
    private static final JobTree TREE = Samples.TREE;
    private static final JobDefinitionCodec CODEC = new JobDefinitionCodec();
    private static final int TREES = 1_000;

    @Test
    void itemIsDueNowExactlyWhereItsOwnersPlannerStartsIt() {
        int started = 0;
        for (int seed = 0; seed < TREES; seed++) {
            Drawn drawn = new Drawn(seed);

            Explanation explanation = drawn.explanation();

            assertThat(explanation.isDueNow())
                    .as("seed %d: %s, but the planner decides %s", seed, explanation, drawn.decision())
                    .isEqualTo(drawn.starts());
            started += drawn.starts() ? 1 : 0;
        }
        assertThat(started).as("trees in which the item starts").isBetween(TREES / 20, TREES * 19 / 20);
    }

    @Test
    void whatIsInTheWayIsNamedEvenBehindOtherObstacles() {
        for (int seed = 0; seed < TREES; seed++) {
            Drawn drawn = new Drawn(seed);
            List<Reason> named = drawn.explanation().conditions().stream()
                    .map(Condition::reason)
                    .toList();

            ItemView item = drawn.item();
            if (item.isReadable() && drawn.starting.contains(TREE.disabled(0))) {
                assertThat(named).as("seed %d", seed).contains(Reason.ITEM_DISABLED);
            }
            if (item.isReadable() && drawn.starting.contains(TREE.running(0))) {
                assertThat(named).as("seed %d", seed).contains(Reason.RUNS);
            }
            assertThat(named.contains(Reason.PAUSED)).as("seed %d", seed).isEqualTo(drawn.paused);
            assertThat(named.contains(Reason.RECORD_UNREADABLE)).isEqualTo(!item.isReadable());
            assertThat(named).as("seed %d", seed).doesNotHaveDuplicates();
        }
    }

    /** A tree, a moment, and what the item's owner makes of them. */
    private static final class Drawn {
        private final Random random;
        private final InMemoryRegistry registry;
        private final JobDefinition definition;
        private final Assignment plan;
        private final String owner;
        private final Instant now;
        private final Instant registryNow;
        private final int freeThreads;
        private final OpenFirings open;
        final boolean paused;
        final List<String> starting = new ArrayList<>();

        Drawn(long seed) {
            this.random = new Random(seed);
            this.definition = definition();
            this.owner = one(US, THEM);
            this.paused = random.nextInt(8) == 0;
            this.plan = paused ? plan().withOwners(new TreeMap<>(), "") : resumed(plan());
            this.now =
                    NOON.plus(one(Duration.ZERO, Duration.ofMillis(20), Duration.ofSeconds(-1), Duration.ofHours(2)));
            this.registryNow = now.plus(one(
                    Duration.ZERO,
                    Duration.ZERO,
                    Duration.ofSeconds(-50),
                    Duration.ofSeconds(-70),
                    Duration.ofHours(1)));
            this.freeThreads = random.nextInt(3);
            this.open = open();
            ManualTime time = new ManualTime(registryNow.minus(one(Duration.ofSeconds(3), Duration.ofMinutes(20))));
            this.registry = new InMemoryRegistry(new InMemoryEnsemble(time), Runnable::run);
            write();
        }

        @SafeVarargs
        private <T> T one(T... values) {
            return values[random.nextInt(values.length)];
        }

        private JobDefinition definition() {
            String cron = one("0 * * * * ?", "0 0 * * * ?", "0 0 12 1 1 ?", "");
            boolean monitored = cron.isEmpty() || random.nextInt(10) > 0;
            return Samples.definition()
                    .cron(cron)
                    .shardingTotalCount(1)
                    .misfire(random.nextBoolean())
                    .monitorExecution(monitored)
                    .failover(monitored && random.nextInt(3) > 0)
                    .maxFailovers(3)
                    .maxTimeDiffSeconds(one(-1, -1, 30))
                    .build();
        }

        private Assignment plan() {
            Instant since = NOON.minus(one(Duration.ofHours(1), Duration.ofSeconds(30), Duration.ofDays(2)));
            NavigableMap<Integer, String> owners = new TreeMap<>();
            owners.put(0, owner);
            FiringPlan followed = new FiringPlan(false, NOON.minus(Duration.ofDays(1)), new TreeMap<>());
            Assignment first =
                    Samples.assignment(definition, since).withOwners(owners, "").withFirings(one(null, null, followed));
            return one(
                    first,
                    first,
                    first.withSchedule(definition.schedule(), definition.monitorExecution(), NOON, Optional.empty())
                            .withOwners(owners, ""));
        }

        /** A pause may be over. */
        private Assignment resumed(Assignment unpaused) {
            return random.nextInt(8) == 0
                    ? unpaused.resumed(NOON.minus(Duration.ofMinutes(30)), NOON.minusSeconds(20))
                    : unpaused;
        }

        /** Open or over, with the item or without it. */
        private OpenFirings open() {
            if (!plan.opensFirings()) {
                return OpenFirings.NONE;
            }
            Instant firing = NOON.minus(one(Duration.ZERO, Duration.ofMinutes(1)));
            NavigableSet<Integer> items = new TreeSet<>(List.of(one(0, 0, 5)));
            OpenFirings opened = OpenFirings.NONE.with(
                    OpenFiring.scheduled(firing, items, Phase.ITEMS, OpenFiring.Hook.NONE, firing));
            return one(OpenFirings.NONE, opened, opened, opened.without(OpenFiring.idOf(firing)));
        }

        private ItemRecord record() {
            Instant firing = NOON.minus(one(Duration.ZERO, Duration.ofMinutes(1), Duration.ofHours(3)));
            ItemRecord running = one(
                    Samples.running(firing),
                    ItemRecord.NEW.claimed(firing, THEM, firing, ItemEnds.NONE.opened(plan.opensFirings())),
                    ItemRecord.NEW.claimedFor(ManualRun.of("earlier"), THEM, firing));
            ItemRecord crashed = running.orphaned(firing.plusSeconds(5));
            for (int crash = random.nextInt(4); crash > 0; crash--) {
                crashed = crashed.taken(THEM, firing).orphaned(firing.plusSeconds(6));
            }
            return one(
                    ItemRecord.NEW,
                    ItemRecord.startingAt(firing),
                    running,
                    running.ended(
                            ItemState.COMPLETED, firing, firing.plus(one(Duration.ZERO, Duration.ofMinutes(1))), null),
                    running.ended(ItemState.FAILED, firing, firing.plusSeconds(1), "x"),
                    crashed);
        }

        private void write() {
            RegistryCommit.Builder job = RegistryCommit.builder().create(TREE.root());
            TREE.parents().forEach(job::create);
            if (CODEC.isWhole(definition)) {
                job.create(TREE.extension(), CODEC.extension(definition, Optional.empty()));
            } else {
                job.create(TREE.config(), CODEC.config(definition, Optional.empty()))
                        .create(TREE.extension(), CODEC.extension(definition, Optional.empty()));
            }
            for (String id : List.of(US, THEM)) {
                String ip = id.substring(0, id.indexOf('@'));
                job.create(TREE.server(ip))
                        .createEphemeral(
                                TREE.instance(id),
                                NodeCodec.instance(id, ip, InstanceLabels.NONE, OptionalInt.empty(), false));
            }
            job.createEphemeral(TREE.leader(), US).create(TREE.sharding(), NodeCodec.write(plan));
            byte[] record = random.nextInt(30) == 0 ? new byte[] {'?'} : ItemRecordCodec.write(record());
            job.create(TREE.item(0), record);
            if (!open.equals(OpenFirings.NONE)) {
                job.create(TREE.firings(), NodeCodec.write(open));
            }
            writePause(job);
            drawn(TREE.disabled(0), 5, job);
            drawn(TREE.failoverItem(0), 5, job);
            if (random.nextInt(6) == 0) {
                job.createEphemeral(TREE.running(0), THEM);
                starting.add(TREE.running(0));
            }
            if (random.nextInt(5) == 0) {
                job.create(TREE.trigger(0), NodeCodec.write(WaitingRuns.of(waiting())));
            }
            done(registry.commit(registry.session().orElseThrow(), job.build()));
        }

        /** Of the job or of its namespace, in force or over. */
        private void writePause(RegistryCommit.Builder job) {
            String begun = PauseSwitch.begun(Optional.empty(), "alice", "");
            if (paused) {
                job.create(one(TREE.paused(), JobTree.namespacePaused()), begun);
            } else if (random.nextInt(4) == 0) {
                job.create(one(TREE.paused(), JobTree.namespacePaused()), "{\"paused\":false,\"actor\":\"alice\"}");
            }
        }

        /** One that begins, one that an operator has cancelled, and one that repeats what isn't there any more. */
        private ManualRun waiting() {
            ManualRun run = ManualRun.of("month-end");
            return one(
                    run,
                    run,
                    run.dropped(Cancellation.of("alice", "")),
                    run.repeating(new RepeatedRun(NOON.minus(Duration.ofDays(1)), null, 2)));
        }

        private void drawn(String path, int oneIn, RegistryCommit.Builder job) {
            if (random.nextInt(oneIn) == 0) {
                job.create(path);
                starting.add(path);
            }
        }

        // -------------------------------------------------------------- as its owner sees it

        ItemView item() {
            return done(new JobViewReader(TREE, registry).items(List.of(0)))
                    .items()
                    .get(0);
        }

        ItemDecision decision() {
            JobView view =
                    done(new JobViewReader(TREE, registry).asMember(owner, owner.substring(0, owner.indexOf('@'))));
            Ownership own = Ownership.of(
                    registry.session().orElseThrow(),
                    view,
                    view.assignment().orElseThrow(),
                    definition,
                    view.standing(),
                    OptionalInt.empty(),
                    false);
            return ItemPlanner.plan(own, List.of(item()), new ItemPlanner.Moment(now, registryNow, freeThreads, open))
                    .get(0);
        }

        boolean starts() {
            return decision() instanceof Commit commit && commit.change() instanceof ItemChange.Start;
        }

        // -------------------------------------------------------------- as it is explained

        Explanation explanation() {
            JobSnapshot overview =
                    JobSnapshot.of(TREE, done(NamespacePause.readWith(registry, JobSnapshot.reads(TREE))));
            JobSnapshot job = overview.withMembers(done(registry.read(overview.memberReads())));
            Optional<ItemView> item = Optional.of(item());
            ItemNodes nodes = ItemNodes.of(TREE, 0, item, done(registry.read(ItemNodes.reads(TREE, 0, item))));
            Local local = new Local(owner, Optional.empty(), freeThreads);
            return ItemConditions.explain(
                    job,
                    0,
                    nodes,
                    new Viewpoint(registry.session().orElseThrow(), now, registryNow, Optional.of(local)),
                    ItemConditions.Around.NOTHING);
        }

        private static <T> T done(CompletionStage<T> stage) {
            return stage.toCompletableFuture().join();
        }
    }
}
