package dev.elasticjob.engine;

import static dev.elasticjob.engine.OneEngine.TREE;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import ch.qos.logback.classic.Level;
import ch.qos.logback.classic.Logger;
import ch.qos.logback.classic.spi.ILoggingEvent;
import ch.qos.logback.core.AppenderBase;
import dev.elasticjob.definition.JobConflictException;
import dev.elasticjob.definition.JobDefinition;
import dev.elasticjob.definition.JobType;
import dev.elasticjob.job.SimpleJob;
import dev.elasticjob.job.event.JobState;
import dev.elasticjob.registry.JobTree;
import dev.elasticjob.registry.Registry.Latch;
import dev.elasticjob.registry.RegistryCommit;
import dev.elasticjob.testing.LoggedLines;
import java.lang.ref.WeakReference;
import java.time.Duration;
import java.time.Instant;
import java.time.ZoneOffset;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.function.Consumer;
import org.junit.jupiter.api.Test;
import org.slf4j.LoggerFactory;

/** Jobs that come and go while their engine runs. */
class UnregisterTest {
    private static final Instant NOON = Instant.parse("2026-03-01T12:00:00Z");
    private static final Instant BEFORE = NOON.minusSeconds(1);
    private static final Duration A_WHILE = Duration.ofSeconds(60);
    private static final JobDefinition DAILY = daily("orders");
    private static final JobTree LATE_TREE = new JobTree("late");
    private static final JobDefinition LATE = daily("late");
    private static final String US = "/a@-@1";

    private final List<String> runs = new ArrayList<>();

    // ------------------------------------------------------------------ register

    @Test
    void aJobThatIsRegisteredWithARunningEngineJoinsAtOnce() {
        OneEngine one = new OneEngine(BEFORE, DAILY, noting("orders")).started();

        CompletableFuture<Void> joined = register(one, LATE, noting("late"));
        one.settle();
        JobState state = one.engine.state("late");
        one.passRunning(Duration.ofSeconds(2));

        assertThat(joined).isCompleted();
        assertThat(state).isEqualTo(JobState.ACTIVE);
        assertThat(runs).containsExactlyInAnyOrder("orders", "late");
    }

    @Test
    void aJobOfAnotherTypeIsRefusedAndCanBeRegisteredRightly() {
        OneEngine one =
                new OneEngine(BEFORE, LATE.toBuilder().jobClass("shop.Late").build(), noting("late")).started();
        unregister(one, "late");

        CompletableFuture<Void> refused = register(
                one,
                LATE.toBuilder()
                        .jobClass("shop.Other")
                        .jobType(JobType.DATAFLOW)
                        .build(),
                noting("other"));
        one.settle();
        JobState state = one.engine.state("late");
        unregister(one, "late");
        CompletableFuture<Void> joined = register(one, LATE, noting("late"));
        one.settle();

        assertThat(refused).isCompletedExceptionally();
        assertThatThrownBy(refused::join)
                .hasCauseInstanceOf(JobConflictException.class)
                .hasMessageContainingAll("SIMPLE in the registry", "DATAFLOW in this application");
        assertThat(state).isEqualTo(JobState.STOPPED);
        assertThat(joined).isCompleted();
    }

    @Test
    void aJobWhoseClassWasRenamedGoesOnByTheRegistrysSettings() {
        JobDefinition before =
                LATE.toBuilder().jobClass("shop.Late").jobParameter("operators").build();
        OneEngine one = new OneEngine(BEFORE, before, noting("late")).started();
        unregister(one, "late");

        try (LoggedLines log = new LoggedLines()) {
            JobDefinition renamed = LATE.toBuilder()
                    .jobClass("shop.LateJob")
                    .jobParameter("mine")
                    .build();
            CompletableFuture<Void> joined = register(one, renamed, context -> runs.add(context.getJobParameter()));
            one.passRunning(Duration.ofSeconds(2));

            assertThat(joined).isCompleted();
            assertThat(log.all())
                    .filteredOn(line -> line.contains("shop.LateJob"))
                    .singleElement()
                    .asString()
                    .contains("WARN", "\"late\"", "class \"shop.Late\"", "class \"shop.LateJob\"");
        }
        assertThat(runs).containsExactly("operators");
    }

    @Test
    void twoJobsOfOneNameAreRefusedWhileTheEngineRuns() {
        OneEngine one = new OneEngine(BEFORE, DAILY, noting("orders")).started();

        assertThatThrownBy(() -> one.engine.register(DAILY, noting("again")))
                .isInstanceOf(IllegalArgumentException.class)
                .hasMessageContaining("two jobs named \"orders\"");
    }

    // ------------------------------------------------------------------ what is left

    @Test
    void whatIsUnregisteredLeavesItsRecordsAndNothingElse() {
        OneEngine one = new OneEngine(BEFORE, DAILY, noting("orders")).started();
        one.passRunning(Duration.ofSeconds(2));

        CompletableFuture<Void> left = one.engine.unregister("orders").toCompletableFuture();
        boolean unknownAtOnce = one.engine.jobNames().isEmpty();
        one.settle();

        assertThat(unknownAtOnce).isTrue();
        assertThat(left).isCompleted();
        assertThat(one.tree()).doesNotContain(US).contains("COMPLETED");
        one.pass(A_WHILE);
        assertThat(one.time.nextTask()).as("a timer that is armed").isEmpty();
    }

    @Test
    void aJobThatIsGoneIsForgottenByEverything() {
        OneEngine one = new OneEngine(BEFORE, LATE, noting("kept")).started();

        List<WeakReference<SimpleJob>> jobs = new ArrayList<>();
        for (int round = 0; round < 3; round++) {
            jobs.add(roundTrip(one, round));
        }
        one.pass(A_WHILE);
        System.gc();

        assertThat(jobs).allSatisfy(job -> assertThat(job.get()).isNull());
    }

    @Test
    void aJobThatIsGoneIsForgottenThoughOneOfItsItemsIsLockedElsewhere() {
        OneEngine one = new OneEngine(BEFORE, LATE, noting("kept")).started();
        roundTrip(one, 0);
        one.operate(RegistryCommit.builder().create(TREE.running(0)));
        one.pass(Duration.ofDays(1).minusSeconds(2));

        WeakReference<SimpleJob> job = roundTrip(one, 1);
        one.pass(A_WHILE);
        System.gc();

        assertThat(runs).as("what is locked is waited for when it is due").doesNotContain("round 1");
        assertThat(job.get()).isNull();
    }

    /** In a method of its own, whose locals are gone when it is over. */
    private WeakReference<SimpleJob> roundTrip(OneEngine one, int round) {
        SimpleJob job = context -> runs.add("round " + round);
        register(one, DAILY, job);
        one.passRunning(Duration.ofSeconds(2));
        unregister(one, "orders");
        return new WeakReference<>(job);
    }

    @Test
    void aThousandRoundsCostAsMuchAsTheFirstTen() {
        OneEngine one = new OneEngine(BEFORE, LATE, noting("kept")).started();
        rounds(one, 10);
        long before = one.requests();
        rounds(one, 10);
        long ten = one.requests() - before;

        rounds(one, 970);
        before = one.requests();
        rounds(one, 10);

        assertThat(one.requests() - before).isEqualTo(ten);
        assertThat(one.engine.jobNames()).containsExactly("late");
        assertThat(one.tree()).doesNotContain("/orders/instances" + US).doesNotContain("orders/leader/election" + US);
    }

    /** Every other one with a firing. */
    private void rounds(OneEngine one, int count) {
        JobDefinition often =
                DAILY.toBuilder().cron("* * * * * ?").shardingTotalCount(2).build();
        for (int round = 0; round < count; round++) {
            int before = runs.size();
            CompletableFuture<Void> joined = register(one, often, noting("orders"));
            one.settle();
            assertThat(joined).isCompleted();
            if (round % 2 == 0) {
                one.passRunning(Duration.ofSeconds(1));
                one.runItems();
                assertThat(runs).hasSizeGreaterThan(before);
            }
            unregister(one, "orders");
        }
    }

    @Test
    void atWhateverMomentOfTheJoinItIsUnregisteredNothingIsLeft() {
        int moments = 0;
        boolean joined = false;
        while (!joined) {
            OneEngine one = new OneEngine(BEFORE, LATE, noting("late")).started();
            CompletableFuture<Void> joining = register(one, DAILY, noting("orders"));
            for (int task = 0; task < moments; task++) {
                one.runOne();
            }
            joined = joining.isDone();

            unregister(one, "orders");
            one.pass(A_WHILE);

            String ours =
                    one.tree().lines().filter(line -> line.contains("/orders")).reduce("", (a, b) -> a + "\n" + b);
            assertThat(ours).as("unregistered after %d tasks", moments).doesNotContain(US);
            assertThat(joining).isDone();
            moments++;
        }
        assertThat(moments).isGreaterThan(10);
    }

    // ------------------------------------------------------------------ again

    @Test
    void whatIsRegisteredAgainAtOnceJoinsWhenTheOtherHasLeft() {
        OneEngine one = new OneEngine(BEFORE, DAILY, noting("before")).started();

        CompletableFuture<Void> left = one.engine.unregister("orders").toCompletableFuture();
        CompletableFuture<Void> joined = register(one, DAILY, noting("after"));
        one.settle();
        one.passRunning(Duration.ofSeconds(2));

        assertThat(left).isCompleted();
        assertThat(joined).isCompleted();
        assertThat(runs).containsExactly("after");
    }

    @Test
    void whoComesAndGoesAtOnceLeavesNothing() {
        OneEngine one = new OneEngine(BEFORE, DAILY, noting("first")).started();

        List<CompletableFuture<Void>> stages = new ArrayList<>();
        for (int round = 0; round < 5; round++) {
            stages.add(one.engine.unregister("orders").toCompletableFuture());
            stages.add(register(one, DAILY, noting("again")));
        }
        stages.add(one.engine.unregister("orders").toCompletableFuture());
        one.settle();

        assertThat(stages).allSatisfy(stage -> assertThat(stage).isDone());
        assertThat(one.tree()).doesNotContain(US);
    }

    // ------------------------------------------------------------------ what still runs

    @Test
    void whatRunsMayEndAndItsItemsAreGivenAwayMeanwhile() {
        List<String> assignments = new ArrayList<>();
        List<Boolean> waiting = new ArrayList<>();
        OneEngine one = inMidItem(engine -> {
            CompletableFuture<Void> left = engine.engine.unregister("orders").toCompletableFuture();
            engine.pass(Duration.ofSeconds(2));
            waiting.add(left.isDone());
            assignments.add(engine.read(TREE.sharding()).orElseThrow().text());
        });

        assertThat(waiting).containsExactly(false);
        assertThat(assignments).singleElement().asString().contains("\"owners\":{}");
        assertThat(one.tree()).doesNotContain(US).contains("COMPLETED");
    }

    @Test
    void whatIgnoresItsInterruptionKeepsItsItemFromTheJobThatComesAfterIt() {
        List<Boolean> left = new ArrayList<>();
        OneEngine one = inMidItem(engine -> {
            CompletableFuture<Void> leaving = engine.engine.unregister("orders").toCompletableFuture();
            engine.pass(Duration.ofSeconds(40));
            left.add(leaving.isDone());
            engine.expireSession();
            register(engine, DAILY, noting("after"));
            engine.passRunning(Duration.ofDays(1).plusSeconds(5));
            left.add(runs.isEmpty());
            Thread.interrupted();
        });
        one.passRunning(Duration.ofSeconds(5));

        assertThat(left)
                .as("it is left after the timeout, and nothing runs beside the thread")
                .containsExactly(true, true);
        assertThat(runs).containsExactly("after");
    }

    @Test
    void whatWaitsForAThreadThatAnotherJobHasIsNotLeftLocked() {
        List<String> locks = new ArrayList<>();
        OneEngine[] one = new OneEngine[1];
        one[0] = new OneEngine(
                        BEFORE,
                        DAILY,
                        context -> {
                            one[0].settle();
                            locks.add(String.valueOf(
                                    one[0].read(LATE_TREE.running(0)).isPresent()));
                            unregister(one[0], "late");
                            locks.add(String.valueOf(
                                    one[0].read(LATE_TREE.running(0)).isPresent()));
                        },
                        settings -> settings.maxThreads(1))
                .started();
        register(one[0], LATE, noting("late"));

        one[0].passRunning(Duration.ofSeconds(2));

        assertThat(locks).as("while it waits, and when it has left").containsExactly("true", "false");
        assertThat(one[0].read(LATE_TREE.item(0)).orElseThrow().text()).doesNotContain("RUNNING");
    }

    @Test
    void aJobThatIsGoneIsForgottenThoughItGaveItsItemsAway() {
        OneEngine one = new OneEngine(BEFORE, LATE, noting("kept")).started();

        WeakReference<SimpleJob> job = drained(one);
        one.pass(A_WHILE);
        System.gc();

        assertThat(job.get()).isNull();
    }

    /** The plan without this instance comes while its item still runs. */
    private static WeakReference<SimpleJob> drained(OneEngine one) {
        SimpleJob job = context -> {
            one.engine.unregister("orders");
            one.pass(Duration.ofSeconds(2));
        };
        register(one, DAILY.toBuilder().failover(true).build(), job);
        one.passRunning(Duration.ofSeconds(4));
        return new WeakReference<>(job);
    }

    @Test
    void aJobThatIsGoneIsForgottenThoughOneOfItsItemsOutlivedIt() {
        List<WeakReference<SimpleJob>> between = new ArrayList<>();
        List<Boolean> forgotten = new ArrayList<>();
        inMidItem(engine -> {
            engine.engine.unregister("orders");
            engine.pass(Duration.ofSeconds(40));
            between.add(roundTrip(engine, 1));
            engine.pass(A_WHILE);
            System.gc();
            forgotten.add(between.get(0).get() == null);
            Thread.interrupted();
        });

        assertThat(forgotten).containsExactly(true);
    }

    // ------------------------------------------------------------------ trouble

    @Test
    void withoutAConnectionItLeavesAsSoonAsThereIsOne() {
        OneEngine one = new OneEngine(BEFORE, DAILY, noting("orders")).started();
        one.registry.disconnect();
        one.settle();

        CompletableFuture<Void> left = one.engine.unregister("orders").toCompletableFuture();
        one.pass(Duration.ofSeconds(6));
        boolean notWaitedForLong = left.isDone();
        one.registry.reconnect();
        one.pass(Duration.ofSeconds(10));

        assertThat(notWaitedForLong).isTrue();
        assertThat(one.tree()).doesNotContain(US);
    }

    @Test
    void theEngineMayStopMeanwhile() {
        List<CompletableFuture<Void>> stages = new ArrayList<>();
        List<Boolean> waiting = new ArrayList<>();
        OneEngine one = inMidItem(engine -> {
            stages.add(engine.engine.unregister("orders").toCompletableFuture());
            engine.pass(Duration.ofSeconds(1));
            stages.add(engine.engine.stop().toCompletableFuture());
            engine.pass(Duration.ofSeconds(1));
            waiting.add(stages.stream().noneMatch(CompletableFuture::isDone));
        });

        one.engine.start();
        one.settle();

        assertThat(waiting).as("both wait for what runs").containsExactly(true);
        assertThat(stages).hasSize(2).allMatch(CompletableFuture::isDone);
        assertThat(one.engine.jobNames()).isEmpty();
        assertThat(one.tree()).doesNotContain(US);
    }

    @Test
    void aFailureInTheMiddleOfItKeepsNeitherItNorTheEngineFromStopping() {
        List<CompletableFuture<Void>> stages = new ArrayList<>();
        OneEngine one = inMidItem(engine -> {
            try (FailingLog log = new FailingLog()) {
                stages.add(engine.engine.unregister("orders").toCompletableFuture());
                engine.settle();
            }
            stages.add(engine.engine.stop().toCompletableFuture());
            engine.pass(Duration.ofSeconds(1));
        });

        assertThat(stages).hasSize(2).allSatisfy(stage -> assertThat(stage).isCompleted());
        assertThat(one.tree()).doesNotContain(US).contains("COMPLETED");
    }

    /** Fails with the line that says which items still run. */
    private static final class FailingLog extends AppenderBase<ILoggingEvent> implements AutoCloseable {
        private final Logger logger = (Logger) LoggerFactory.getLogger("dev.elasticjob.engine.JobRuntime");

        FailingLog() {
            setContext(logger.getLoggerContext());
            start();
            logger.addAppender(this);
            logger.setLevel(Level.INFO);
        }

        @Override
        public synchronized void doAppend(ILoggingEvent event) {
            if (event.getFormattedMessage().contains(": draining: ")) {
                throw new IllegalStateException("provoked by this test");
            }
        }

        @Override
        protected void append(ILoggingEvent event) {
            // All is done, or fails, before.
        }

        @Override
        public void close() {
            logger.detachAppender(this);
            logger.setLevel(null);
        }
    }

    @Test
    void whoWaitsForTheLatchWaitsNoLonger() {
        OneEngine one = new OneEngine(BEFORE, DAILY.toBuilder().failover(true).build(), noting("orders")).started();
        one.joins("z@-@1");
        Latch others = one.holdLatch();
        one.settle();
        one.operate(RegistryCommit.builder().create(TREE.failoverItem(0)));
        one.settle();
        String before = latch(one);

        unregister(one, "orders");

        assertThat(before).endsWith(": z@-@1, a@-@1");
        assertThat(latch(one)).endsWith(": z@-@1");
        others.close();
    }

    @Test
    void atWhateverMomentOfATakeoverItIsUnregisteredItIsInNoLatch() {
        boolean waited = false;
        for (int tasks = 0; !waited; tasks++) {
            OneEngine one =
                    new OneEngine(BEFORE, DAILY.toBuilder().failover(true).build(), noting("orders")).started();
            one.joins("z@-@1");
            one.holdLatch();
            one.settle();
            one.operate(RegistryCommit.builder().create(TREE.failoverItem(0)));
            for (int task = 0; task < tasks; task++) {
                waited = !one.runOne();
            }

            unregister(one, "orders");

            assertThat(latch(one)).as("unregistered after %d tasks", tasks).endsWith(": z@-@1");
        }
    }

    /** Who is in it, in order. */
    private static String latch(OneEngine one) {
        return one.tree()
                .lines()
                .filter(line -> line.startsWith("latch "))
                .findFirst()
                .orElseThrow();
    }

    @Test
    void anUnknownJobIsRefusedByName() {
        OneEngine one = new OneEngine(BEFORE, DAILY, noting("orders"));

        assertThatThrownBy(() -> one.engine.unregister("nobody"))
                .isInstanceOf(IllegalArgumentException.class)
                .hasMessage("There is no job \"nobody\" in this engine; its jobs are [orders]");
    }

    @Test
    void whatIsUnregisteredBeforeTheStartIsNotStarted() {
        OneEngine one = new OneEngine(BEFORE, DAILY, noting("orders"));

        CompletableFuture<Void> left = one.engine.unregister("orders").toCompletableFuture();
        one.started();

        assertThat(left).isCompleted();
        assertThat(one.tree()).doesNotContain(LATE_TREE.root()).doesNotContain(TREE.root());
    }

    // ------------------------------------------------------------------ the cast

    private SimpleJob noting(String what) {
        return context -> runs.add(what);
    }

    private static CompletableFuture<Void> register(OneEngine one, JobDefinition definition, SimpleJob job) {
        return one.engine.register(definition, job).toCompletableFuture();
    }

    private static void unregister(OneEngine one, String job) {
        CompletableFuture<Void> left = one.engine.unregister(job).toCompletableFuture();
        one.settle();
        assertThat(left).isCompleted();
    }

    /** Lets things happen within the execution of an item of the first job, and time pass behind it. */
    private static OneEngine inMidItem(Consumer<OneEngine> meanwhile) {
        OneEngine[] one = new OneEngine[1];
        one[0] = new OneEngine(BEFORE, DAILY, context -> meanwhile.accept(one[0])).started();

        one[0].pass(Duration.ofSeconds(1));
        one[0].runItems();
        one[0].pass(A_WHILE);
        return one[0];
    }

    private static JobDefinition daily(String name) {
        return JobDefinition.builder(name)
                .cron("0 0 12 * * ?")
                .timeZone(ZoneOffset.UTC)
                .shardingTotalCount(1)
                .build();
    }
}
