package dev.elasticjob.engine;

import static dev.elasticjob.engine.RealEngines.get;
import static org.assertj.core.api.Assertions.assertThat;

import dev.elasticjob.admin.JobAdmin;
import dev.elasticjob.admin.RegistryJobAdmin;
import dev.elasticjob.admin.command.Actor;
import dev.elasticjob.admin.command.BackfillRequest;
import dev.elasticjob.admin.command.RunRequest;
import dev.elasticjob.admin.command.VersionedDefinition;
import dev.elasticjob.definition.JobDefinition;
import dev.elasticjob.job.ShardingContext;
import dev.elasticjob.job.event.JobEvent.AssignmentChanged;
import dev.elasticjob.job.event.JobEvent.ItemFinished;
import dev.elasticjob.job.event.JobEvent.ItemStarted;
import dev.elasticjob.registry.CommitOutcome;
import dev.elasticjob.registry.JobTree;
import dev.elasticjob.registry.Registry;
import dev.elasticjob.registry.RegistryCommit;
import dev.elasticjob.registry.RegistrySession;
import dev.elasticjob.testing.ChangedRegistry;
import dev.elasticjob.testing.TestZooKeeper;
import java.time.Instant;
import java.time.ZoneOffset;
import java.util.List;
import java.util.Map;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionStage;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.function.Consumer;
import java.util.function.Function;
import java.util.function.Predicate;
import java.util.stream.Collectors;
import java.util.stream.Stream;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.extension.RegisterExtension;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;

/**
 * Each command on three instances and a real ZooKeeper. The leader dies after the command's first transaction, before the
 * command goes on. {@code CancelIT}, {@code PauseIT} and {@code BackfillIT} have those that need more than a row here.
 */
@Tag("proof")
class CommandFaultsIT {
    private static final JobTree ORDERS = new JobTree("orders");
    private static final String LEADER = "a@-@1";
    private static final String SECOND = "b@-@1";
    private static final String THIRD = "c@-@1";
    private static final String SERVER_OF_SECOND = "10.0.0.2";
    private static final AtomicInteger NUMBER = new AtomicInteger();
    private static TestZooKeeper server;
    private static RealEngines beat;

    @RegisterExtension
    final RealEngines engines = new RealEngines(server, "row-" + NUMBER.incrementAndGet());

    private final EventLog events = engines.events();
    private final CountDownLatch released = new CountDownLatch(1);

    @BeforeAll
    static void startServer() {
        server = TestZooKeeper.start();
        beat = new RealEngines(server, "beat");
        ElasticJobEngine engine = beat.engine("a@-@1");
        engine.register(job("beat", "* * * * * ?"), context -> {});
        get(engine.start());
    }

    @AfterAll
    static void stopServer() throws Exception {
        beat.close();
        server.close();
    }

    /**
     * @param name of the command
     * @param before commands that make it one that changes something
     * @param effect asserts what holds from the answer on
     */
    private record Row(
            String name,
            Function<JobAdmin, CompletionStage<?>> before,
            Function<JobAdmin, CompletionStage<?>> command,
            Consumer<Effect> effect) {
        @Override
        public String toString() {
            return name;
        }
    }

    static Stream<Row> rows() {
        return Stream.of(
                row("trigger", admin -> admin.trigger("yearly", "now"), effect -> effect.runs("yearly", "now", 1)),
                row(
                        "run again",
                        admin -> admin.run("yearly", new RunRequest("fails", "")),
                        admin -> admin.triggerAgain("yearly", "fails", "repaired"),
                        effect -> effect.runs("yearly", "fails", 2)),
                row(
                        "backfill",
                        admin -> admin.backfill("yearly", years("2014", "2015")),
                        effect -> Stream.of("2014", "2015")
                                .forEach(year -> effect.runs("yearly", "yearly@" + year + "-01-01T00:00:00Z", 1))),
                row(
                        "stop backfill",
                        admin -> admin.backfill("yearly", years("2013", "2018")),
                        admin -> admin.stopBackfill("yearly"),
                        Effect::nothingIsBackfilledAfter2013),
                row("reshard", admin -> admin.reshard("orders"), Effect::allItemsRun),
                row("disable", admin -> admin.disable("orders"), effect -> effect.never(run -> true)),
                row("enable", admin -> admin.disable("orders"), admin -> admin.enable("orders"), Effect::allItemsRun),
                row(
                        "disable server",
                        admin -> admin.disableServer("orders", SERVER_OF_SECOND),
                        effect -> effect.all().never(run -> run.instance().equals(SECOND))),
                row(
                        "enable server",
                        admin -> admin.disableServer("orders", SERVER_OF_SECOND),
                        admin -> admin.enableServer("orders", SERVER_OF_SECOND),
                        effect -> effect.soon(run -> run.instance().equals(SECOND))),
                row(
                        "disable item",
                        admin -> admin.disableItem("orders", 1),
                        effect -> effect.soon(run -> run.item() == 0)
                                .soon(run -> run.item() == 2)
                                .never(run -> run.item() == 1)),
                row(
                        "enable item",
                        admin -> admin.disableItem("orders", 1),
                        admin -> admin.enableItem("orders", 1),
                        Effect::allItemsRun),
                row(
                        "redefine",
                        admin -> admin.redefine(
                                "orders",
                                job -> job.toBuilder().shardingTotalCount(5).build()),
                        effect -> effect.all().soon(run -> run.item() == 4)),
                row(
                        "redefine a version",
                        admin -> admin.versionedDefinition("orders").thenCompose(read -> ofVersion(admin, read)),
                        effect -> effect.all().soon(run -> run.item() == 4)),
                row(
                        "remove",
                        admin -> admin.remove("orders"),
                        effect -> effect.never(run -> true).isGone(ORDERS.root())),
                row("pause all", JobAdmin::pauseAll, effect -> effect.never(run -> true)),
                row("resume all", JobAdmin::pauseAll, JobAdmin::resumeAll, Effect::allItemsRun),
                row(
                        "drain all",
                        admin -> admin.drainAll(SECOND),
                        effect -> effect.all().never(run -> run.instance().equals(SECOND))),
                row(
                        "undrain all",
                        admin -> admin.drainAll(SECOND),
                        admin -> admin.undrainAll(SECOND),
                        effect -> effect.soon(run -> run.instance().equals(SECOND))));
    }

    private static Row row(String name, Function<JobAdmin, CompletionStage<?>> command, Consumer<Effect> effect) {
        return row(name, admin -> CompletableFuture.completedFuture(admin), command, effect);
    }

    private static Row row(
            String name,
            Function<JobAdmin, CompletionStage<?>> before,
            Function<JobAdmin, CompletionStage<?>> command,
            Consumer<Effect> effect) {
        return new Row(name, before, command, effect);
    }

    private static CompletionStage<?> ofVersion(JobAdmin admin, VersionedDefinition read) {
        return admin.redefine("orders", read.version(), Map.of("shardingTotalCount", 5));
    }

    private static BackfillRequest years(String from, String until) {
        return BackfillRequest.of(Instant.parse(from + "-01-01T00:00:00Z"), Instant.parse(until + "-01-01T00:00:00Z"));
    }

    @ParameterizedTest(name = "{0}")
    @MethodSource("rows")
    void itHoldsThoughTheLeaderDiesInTheMiddle(Row row) {
        startThree();
        get(row.before().apply(admin(engines.registry())));
        if (row.name().equals("stop backfill")) {
            events.awaitAll(ItemStarted.class, run -> run.runId().equals("yearly@2013-01-01T00:00:00Z"), 3);
        }

        get(row.command().apply(admin(killingTheLeader())));

        row.effect().accept(new Effect(Instant.now()));
        assertThat(engines.registryOf(LEADER).session())
                .as("the leader is dead")
                .isEmpty();
        assertThat(events.all(ItemStarted.class).stream()
                        .collect(Collectors.groupingBy(
                                run -> List.of(run.jobName(), run.runId(), run.item(), run.attempt()),
                                Collectors.counting())))
                .as("each execution starts once")
                .allSatisfy((run, times) -> assertThat(times).isEqualTo(1));
    }

    // ------------------------------------------------------------------ effects

    /** What holds after the command. */
    private final class Effect {
        private final Instant answered;

        Effect(Instant answered) {
            this.answered = answered;
        }

        /** A firing after the answer. */
        Effect soon(Predicate<ItemStarted> wanted) {
            events.await(
                    ItemStarted.class,
                    run -> run.jobName().equals("orders")
                            && run.scheduledAt().isAfter(answered)
                            && !run.instance().equals(LEADER)
                            && wanted.test(run));
            return this;
        }

        Effect all() {
            for (int item = 0; item < 3; item++) {
                int number = item;
                soon(run -> run.item() == number);
            }
            return this;
        }

        void allItemsRun() {
            all();
        }

        /** No firing that comes due a second after the answer or later, while another namespace sees two seconds pass. */
        Effect never(Predicate<ItemStarted> unwanted) {
            beat.events().await(ItemFinished.class, run -> run.scheduledAt().isAfter(answered.plusSeconds(2)));
            assertThat(events.all(ItemStarted.class))
                    .filteredOn(run -> run.jobName().equals("orders"))
                    .filteredOn(run -> run.scheduledAt().isAfter(answered.plusSeconds(1)))
                    .filteredOn(run -> !run.instance().equals(LEADER))
                    .noneMatch(unwanted);
            return this;
        }

        Effect isGone(String path) {
            assertThat(engines.exists(path)).isFalse();
            return this;
        }

        void runs(String job, String runId, int attempt) {
            events.awaitAll(
                    ItemStarted.class,
                    run -> run.jobName().equals(job) && run.runId().equals(runId) && run.attempt() == attempt,
                    3);
        }

        void nothingIsBackfilledAfter2013() {
            released.countDown();
            get(admin(engines.registry()).trigger("yearly", "next"));
            runs("yearly", "next", 1);
            assertThat(events.all(ItemStarted.class))
                    .extracting(ItemStarted::runId)
                    .filteredOn(run -> run.startsWith("yearly@"))
                    .containsOnly("yearly@2013-01-01T00:00:00Z");
        }
    }

    // ------------------------------------------------------------------ what there is

    private void startThree() {
        engines.add(released::countDown);
        for (String instance : List.of(LEADER, SECOND, THIRD)) {
            ElasticJobEngine engine = engines.engine(instance);
            engine.register(job("orders", "* * * * * ?"), this::run);
            engine.register(job("yearly", "0 0 0 1 1 ?"), this::run);
            get(engine.start());
        }
        for (String instance : List.of(LEADER, SECOND, THIRD)) {
            for (String job : List.of("orders", "yearly")) {
                events.await(
                        AssignmentChanged.class,
                        change -> change.jobName().equals(job)
                                && change.instance().equals(instance)
                                && change.items().size() == 1);
            }
        }
    }

    private static JobDefinition job(String name, String cron) {
        return JobDefinition.builder(name)
                .cron(cron)
                .timeZone(ZoneOffset.UTC)
                .shardingTotalCount(3)
                .failover(true)
                .build();
    }

    private void run(ShardingContext context) throws InterruptedException {
        if (context.getRunId().equals("fails") && context.getAttempt() == 1) {
            throw new IllegalStateException("bad data");
        }
        if (context.getRunId().contains("@2013-") && context.getAttempt() == 1) {
            released.await(60, TimeUnit.SECONDS);
        }
    }

    private JobAdmin admin(Registry registry) {
        return engines.add(new RegistryJobAdmin(registry))
                .by(Actor.named("alice").because("INC-7"));
    }

    /** A caller's connection: the first transaction is the last one that the leader lives to see. */
    private Registry killingTheLeader() {
        AtomicBoolean killed = new AtomicBoolean();
        return new ChangedRegistry(engines.registry()) {
            @Override
            public CompletionStage<CommitOutcome> commit(RegistrySession session, RegistryCommit commit) {
                CompletionStage<CommitOutcome> done = super.commit(session, commit);
                return killed.getAndSet(true)
                        ? done
                        : done.thenCompose(outcome -> CompletableFuture.runAsync(engines.registryOf(LEADER)::close)
                                .thenApply(closed -> outcome));
            }
        };
    }
}
