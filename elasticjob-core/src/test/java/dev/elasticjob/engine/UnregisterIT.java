package dev.elasticjob.engine;

import static org.assertj.core.api.Assertions.assertThat;

import dev.elasticjob.definition.JobDefinition;
import dev.elasticjob.job.SimpleJob;
import dev.elasticjob.job.event.JobEvent.AssignmentChanged;
import dev.elasticjob.job.event.JobEvent.ItemFinished;
import dev.elasticjob.registry.JobTree;
import dev.elasticjob.registry.Registry;
import dev.elasticjob.registry.RegistryRead;
import dev.elasticjob.registry.curator.CuratorRegistry;
import dev.elasticjob.registry.curator.RegistrySettings;
import dev.elasticjob.testing.Opened;
import dev.elasticjob.testing.ZooKeeperTestServer;
import java.lang.ref.ReferenceQueue;
import java.lang.ref.WeakReference;
import java.time.Duration;
import java.util.HashSet;
import java.util.List;
import java.util.Set;
import java.util.concurrent.CompletionStage;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.RegisterExtension;

/** Jobs that come and go on one of two instances. The server is in this JVM: it tells its watches and nodes. */
@Tag("proof")
class UnregisterIT {
    private static final JobTree TREE = new JobTree("orders");
    private static final String NEVER = "0 0 0 1 1 ?";
    private static final int ROUNDS = Integer.getInteger("unregister.rounds", 1_000);
    private static final int FIRST_ROUNDS = 10;

    @RegisterExtension
    final Opened opened = new Opened();

    private final ZooKeeperTestServer server = opened.add(ZooKeeperTestServer.start());
    private final Registry reader = registry();
    private final EventLog events = new EventLog();
    private final ElasticJobEngine a = engine("a@-@1");
    private final ElasticJobEngine b = engine("b@-@1");

    @Test
    void theOtherInstanceTakesAllItemsAndWhatRunsIsHandedOver() throws InterruptedException {
        CountDownLatch running = new CountDownLatch(1);
        CountDownLatch mayReturn = new CountDownLatch(1);
        start();
        get(b.register(everySecond(), context -> {}));
        get(a.register(everySecond(), context -> {
            running.countDown();
            mayReturn.await(30, TimeUnit.SECONDS);
        }));
        assertThat(running.await(30, TimeUnit.SECONDS)).isTrue();
        events.clear();

        var left = a.unregister("orders").toCompletableFuture();
        events.await(
                AssignmentChanged.class,
                change -> change.instance().equals("b@-@1") && change.items().size() == 2);
        boolean waited = !left.isDone();
        mayReturn.countDown();
        get(left);
        events.awaitAll(ItemFinished.class, run -> run.instance().equals("b@-@1") && run.item() == 0, 2);
        events.awaitAll(ItemFinished.class, run -> run.instance().equals("b@-@1") && run.item() == 1, 2);

        assertThat(waited).isTrue();
        assertThat(children(TREE.instances())).containsExactly("b@-@1");
        assertThat(children(TREE.drains())).isEmpty();
    }

    @Test
    void aThousandRoundsLeaveWhatTheFirstTenHaveLeft() throws InterruptedException {
        start();
        get(b.register(manual("shared"), context -> {}));
        Left others = left();
        ReferenceQueue<SimpleJob> forgotten = new ReferenceQueue<>();
        Set<WeakReference<SimpleJob>> jobs = new HashSet<>();
        for (int round = 0; round < FIRST_ROUNDS; round++) {
            jobs.add(round(round, forgotten));
        }
        Left before = left();

        for (int round = FIRST_ROUNDS; round < ROUNDS; round++) {
            jobs.add(round(round, forgotten));
        }

        Left after = left();
        assertThat(before.watched()).as("watched after ten rounds").isEqualTo(others.watched());
        assertThat(after.watched()).isEqualTo(others.watched());
        assertThat(after.watches()).isEqualTo(others.watches());
        assertThat(after.nodes()).isEqualTo(before.nodes());
        assertThat(after.jobs()).isEqualTo(before.jobs());
        assertThat(after.threads()).isEqualTo(before.threads());
        System.gc();
        for (int job = 0; job < ROUNDS; job++) {
            assertThat(forgotten.remove(10_000))
                    .as("one of %d jobs that are gone", ROUNDS)
                    .isNotNull();
        }
        assertThat(jobs).hasSize(ROUNDS);
    }

    /** What is there for the jobs of all instances. */
    private record Left(List<String> watched, int watches, int nodes, Set<String> jobs, long threads) {}

    private Left left() {
        // A write in each session: what was sent before has been carried out.
        get(a.admin().reshard("shared"));
        planned();
        // A plan without the instance that has just left fires the one-shot watch on the assignment. The leader sets it
        // again before it answers the next request, so after that one nothing is missing for a moment.
        planned();
        events.clear();
        long threads = Thread.getAllStackTraces().keySet().stream()
                .filter(thread -> thread.getName().startsWith("elasticjob-")
                        && !thread.getName().contains("worker"))
                .count();
        return new Left(server.watchedPaths(), server.watches(), server.nodes(), a.jobNames(), threads);
    }

    /** The leader has answered one more request for a plan. */
    private void planned() {
        get(b.admin().reshard("shared"));
        get(reader.awaitAbsence(new JobTree("shared").necessary()));
    }

    /** Alone or beside the other instance, each with a run and without. In a method of its own, for its locals. */
    private WeakReference<SimpleJob> round(int round, ReferenceQueue<SimpleJob> forgotten) {
        JobDefinition definition = manual(round % 4 < 2 ? "alone" : "shared");
        SimpleJob job = context -> assertThat(round).isNotNegative();
        get(a.register(definition, job));
        if (round % 2 == 0) {
            get(a.admin().trigger(definition.jobName()));
            events.await(ItemFinished.class, run -> run.jobName().equals(definition.jobName()) && run.item() == 0);
            events.await(ItemFinished.class, run -> run.jobName().equals(definition.jobName()) && run.item() == 1);
        }
        get(a.unregister(definition.jobName()));
        events.clear();
        return new WeakReference<>(job, forgotten);
    }

    // ------------------------------------------------------------------ the cast

    private void start() {
        get(a.start());
        get(b.start());
    }

    private static JobDefinition everySecond() {
        return JobDefinition.builder("orders")
                .cron("* * * * * ?")
                .shardingTotalCount(2)
                .build();
    }

    private static JobDefinition manual(String name) {
        return JobDefinition.builder(name)
                .cron(NEVER)
                .shardingTotalCount(2)
                .failover(true)
                .build();
    }

    private ElasticJobEngine engine(String instance) {
        return opened.add(ElasticJobEngine.builder(registry())
                .instanceId(instance)
                .ip("10.0.0." + (instance.charAt(0) - 'a' + 1))
                .shutdownTimeout(Duration.ofSeconds(20))
                .listener(events)
                .build());
    }

    private Registry registry() {
        return opened.add(CuratorRegistry.connect(
                RegistrySettings.of(server.connectString(), "shop").withSessionTimeout(Duration.ofSeconds(6))));
    }

    private List<String> children(String path) {
        return get(reader.read(List.of(RegistryRead.children(path)))).children(path);
    }

    private static <T> T get(CompletionStage<T> stage) {
        return stage.toCompletableFuture().orTimeout(60, TimeUnit.SECONDS).join();
    }
}
