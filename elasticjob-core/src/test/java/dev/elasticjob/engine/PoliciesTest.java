package dev.elasticjob.engine;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatExceptionOfType;

import dev.elasticjob.definition.InvalidJobDefinitionException;
import dev.elasticjob.definition.JobDefinition;
import dev.elasticjob.definition.RetrySettings;
import dev.elasticjob.definition.codec.JobDefinitionCodec;
import dev.elasticjob.job.ElasticJobListener;
import dev.elasticjob.job.ItemOutcome;
import dev.elasticjob.job.JobErrorHandler;
import dev.elasticjob.job.ShardingContexts;
import dev.elasticjob.job.event.JobEvent.ItemFinished;
import dev.elasticjob.job.event.JobEvent.ItemRetried;
import dev.elasticjob.registry.RegistryCommit;
import dev.elasticjob.registry.RegistryNode;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.time.Instant;
import java.time.ZoneOffset;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.Deque;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.Executor;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.RejectedExecutionException;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.concurrent.atomic.AtomicInteger;
import org.junit.jupiter.api.Test;

/** A whole engine with the policies of its job. */
class PoliciesTest {
    private static final Instant BEFORE = Instant.parse("2026-03-01T11:59:59Z");
    private static final Duration SECOND = Duration.ofSeconds(1);
    private static final String RECORD = OneEngine.TREE.item(0);

    private final List<Throwable> failures = new ArrayList<>();
    private final JobErrorHandler heard = (job, cause) -> failures.add(cause);

    @Test
    void anItemStaysLockedWhileItWaitsForItsRetry() {
        OneEngine one = failing(retrying(RetrySettings.of(3, Duration.ofSeconds(30))));

        one.passRunning(Duration.ofSeconds(25));

        assertThat(record(one)).contains("\"RUNNING\"");
        assertThat(one.read(OneEngine.TREE.running(0))).isPresent();
    }

    @Test
    void whoDrainsReleasesWhatWaitsForItsRetryAtOnce() {
        OneEngine one =
                failing(retrying(RetrySettings.of(3, Duration.ofMinutes(10))).failover(true));
        one.passRunning(SECOND.multipliedBy(2));

        CompletableFuture<Void> stopped = one.engine.stop().toCompletableFuture();
        one.settle();

        assertThat(stopped).isCompleted();
        assertThat(record(one)).contains("\"INTERRUPTED\"", "provoked by this test");
        assertThat(one.read(OneEngine.TREE.running(0))).isEmpty();
        assertThat(one.read(OneEngine.TREE.failoverItem(0)))
                .as("another instance is called")
                .isPresent();
    }

    @Test
    void whatWaitsForItsRetryWhenTheSessionIsLostIsInterrupted() {
        OneEngine one = failing(retrying(RetrySettings.of(3, Duration.ofMinutes(10))));
        one.passRunning(SECOND.multipliedBy(2));

        one.registry.disconnect();
        one.passRunning(Duration.ofSeconds(30));

        assertThat(told(one, ItemFinished.class)).hasSize(1);
    }

    @Test
    void whatAnOperatorSetsHoldsFromTheNextClaimOn() {
        OneEngine one = failing(daily());
        one.passRunning(SECOND.multipliedBy(2));
        assertThat(told(one, ItemRetried.class)).isEmpty();

        configure(
                one,
                retrying(RetrySettings.of(2, SECOND))
                        .jobExceptionHandler("IGNORE")
                        .build());
        failures.clear();
        one.passRunning(Duration.ofDays(1));

        assertThat(told(one, ItemRetried.class)).hasSize(1);
        assertThat(failures).as("the handler is another one").isEmpty();
    }

    @Test
    void itemsRunOnTheExecutorThatTheJobNames() {
        Deque<Runnable> own = new ArrayDeque<>();
        OneEngine one = new OneEngine(
                        BEFORE,
                        daily().executorServiceHandler("own").build(),
                        context -> {},
                        settings -> settings.executors(Map.of("own", own::add)))
                .started();

        one.pass(SECOND.multipliedBy(2));
        assertThat(own)
                .as("the coordination's thread calls nobody who may make it wait")
                .isEmpty();
        one.runItems();

        assertThat(own).hasSize(1);
    }

    @Test
    void anExecutorThatMakesItsCallerWaitHarmsNoOtherJob() {
        List<String> others = new ArrayList<>();
        List<Integer> meanwhile = new ArrayList<>();
        List<Boolean> callerIsNeeded = new ArrayList<>();
        OneEngine[] one = new OneEngine[1];
        Executor waits = task -> {
            callerIsNeeded.add(one[0].isAtWork());
            one[0].passRunning(Duration.ofSeconds(30));
            meanwhile.add(others.size());
        };
        one[0] = new OneEngine(
                BEFORE,
                daily().executorServiceHandler("own").build(),
                context -> {},
                settings -> settings.executors(Map.of("own", waits)));
        one[0].engine.register(
                JobDefinition.builder("others").cron("* * * * * ?").build(), context -> others.add("ran"));
        one[0].started();

        one[0].passRunning(SECOND.multipliedBy(2));

        assertThat(callerIsNeeded).as("the engine's own thread has to wait").containsExactly(false);
        assertThat(meanwhile).singleElement().satisfies(ran -> assertThat(ran).isGreaterThanOrEqualTo(29));
    }

    @Test
    void anExecutorThatRefusesIsAskedLessAndLessOftenUntilItAccepts() {
        AtomicInteger asked = new AtomicInteger();
        AtomicBoolean full = new AtomicBoolean(true);
        List<Integer> runs = new ArrayList<>();
        Deque<Runnable> own = new ArrayDeque<>();
        Executor refusing = task -> {
            asked.incrementAndGet();
            if (full.get()) {
                throw new RejectedExecutionException("provoked by this test");
            }
            own.add(task);
        };
        OneEngine one = new OneEngine(
                        BEFORE,
                        daily().shardingTotalCount(10)
                                .executorServiceHandler("own")
                                .build(),
                        context -> runs.add(context.getShardingItem()),
                        settings -> settings.executors(Map.of("own", refusing)))
                .started();

        one.passRunning(Duration.ofMinutes(1));
        int inTheFirstMinute = asked.getAndSet(0);
        one.passRunning(Duration.ofMinutes(5));
        int inTheNextFive = asked.get();
        full.set(false);
        one.passRunning(Duration.ofSeconds(26));
        while (!own.isEmpty()) {
            own.remove().run();
            one.settle();
        }

        assertThat(inTheFirstMinute).isLessThanOrEqualTo(10 * 8);
        assertThat(inTheNextFive).isLessThanOrEqualTo(10 * 5 * 3);
        assertThat(runs).containsExactlyInAnyOrder(0, 1, 2, 3, 4, 5, 6, 7, 8, 9);
    }

    @Test
    void whatAnExecutorRefusesIsTakenOverAgainAfterAPauseAndNotAtOnce() {
        AtomicInteger refused = new AtomicInteger();
        Executor full = task -> {
            if (refused.incrementAndGet() < 50) {
                throw new RejectedExecutionException("provoked by this test");
            }
        };
        OneEngine one = new OneEngine(
                        BEFORE.minusSeconds(3600),
                        daily().failover(true).executorServiceHandler("own").build(),
                        context -> {},
                        settings -> settings.executors(Map.of("own", full)))
                .started();
        String interrupted = """
                {"scheduledAt":"2026-02-28T12:00:00Z","state":"INTERRUPTED","instance":"b@-@1","attempt":1,
                "startedAt":"2026-02-28T12:00:00Z","finishedAt":"2026-02-28T12:00:05Z"}""";

        // Where there is another one, they take under the latch: later than an end is written.
        one.joins("z@-@1");
        one.settle();
        one.operate(RegistryCommit.builder()
                .set(RECORD, interrupted.getBytes(StandardCharsets.UTF_8), RegistryCommit.ANY_VERSION)
                .create(OneEngine.TREE.failoverItem(0)));
        one.passRunning(SECOND);

        assertThat(refused).hasValueBetween(2, 3);
    }

    @Test
    void anEngineThatIsClosedLeavesTheExecutorToItsOwner() {
        ExecutorService own = Executors.newSingleThreadExecutor();
        try {
            JobDefinition there = daily().executorServiceHandler("own").build();
            OneEngine one = new OneEngine(
                            BEFORE, there, context -> {}, settings -> settings.executors(Map.of("own", own)))
                    .started();

            one.engine.stop();
            one.settle();
            one.engine.close();

            assertThat(own.isShutdown()).isFalse();
        } finally {
            own.shutdown();
        }
    }

    @Test
    void listenersHearOfTheirJobsOnly() {
        List<String> before = new ArrayList<>();
        OneEngine one = new OneEngine(
                        BEFORE,
                        daily().build(),
                        context -> {},
                        settings ->
                                settings.jobListeners(List.of(listener("orders", before), listener("billing", before))))
                .started();

        one.passRunning(SECOND.multipliedBy(2));

        assertThat(before).containsExactly("orders");
    }

    @Test
    void anEngineStopsWhenItsListenersHaveHeardOfTheEnd() {
        List<Boolean> stopped = new ArrayList<>();
        List<CompletableFuture<Void>> stop = new ArrayList<>();
        OneEngine[] one = new OneEngine[1];
        ElasticJobListener looks = new ElasticJobListener() {
            @Override
            public void afterJobExecuted(ShardingContexts contexts, Map<Integer, ItemOutcome> outcomes) {
                stop.add(one[0].engine.stop().toCompletableFuture());
                one[0].settle();
                stopped.add(stop.get(0).isDone());
            }
        };
        one[0] = new OneEngine(
                        BEFORE, daily().build(), context -> {}, settings -> settings.jobListeners(List.of(looks)))
                .started();

        one[0].pass(SECOND.multipliedBy(2));
        one[0].runItems();

        assertThat(stopped).containsExactly(false);
        assertThat(stop).singleElement().satisfies(done -> assertThat(done).isCompleted());
    }

    @Test
    void unknownNamesAreRefusedWithThoseThatAreKnown() {
        JobDefinition wrong = daily().jobExceptionHandler("MAIL")
                .executorServiceHandler("pool")
                .build();

        assertThatExceptionOfType(InvalidJobDefinitionException.class)
                .isThrownBy(() -> new OneEngine(
                        BEFORE,
                        wrong,
                        context -> {},
                        settings ->
                                settings.errorHandlers(Map.of("heard", heard)).executors(Map.of("own", Runnable::run))))
                .withMessageContaining("jobExceptionHandler is \"MAIL\"")
                .withMessageContaining("expected one of LOG, IGNORE, THROW, heard,")
                .withMessageContaining("executorServiceHandler is \"pool\"")
                .withMessageContaining("expected one of these beans: own.");
    }

    // ------------------------------------------------------------------ what follows

    private static ElasticJobListener listener(String wanted, List<String> before) {
        return new ElasticJobListener() {
            @Override
            public boolean appliesTo(String jobName) {
                return jobName.equals(wanted);
            }

            @Override
            public void beforeJobExecuted(ShardingContexts contexts) {
                before.add(wanted);
            }
        };
    }

    private OneEngine failing(JobDefinition.Builder definition) {
        return new OneEngine(
                        BEFORE,
                        definition.jobExceptionHandler("heard").build(),
                        context -> {
                            throw new IllegalStateException("provoked by this test");
                        },
                        settings -> settings.errorHandlers(Map.of("heard", heard)))
                .started();
    }

    private static void configure(OneEngine one, JobDefinition definition) {
        JobDefinitionCodec codec = new JobDefinitionCodec();
        one.configure(definition);
        Optional<byte[]> stored = one.read(OneEngine.TREE.extension()).map(RegistryNode::data);
        one.operate(RegistryCommit.builder()
                .set(OneEngine.TREE.extension(), codec.extension(definition, stored), RegistryCommit.ANY_VERSION));
    }

    private static String record(OneEngine one) {
        return one.read(RECORD).orElseThrow().text();
    }

    private static <E> List<E> told(OneEngine one, Class<E> kind) {
        return one.events.stream().filter(kind::isInstance).map(kind::cast).toList();
    }

    private static JobDefinition.Builder retrying(RetrySettings retry) {
        return daily().retry(retry);
    }

    private static JobDefinition.Builder daily() {
        return JobDefinition.builder("orders").cron("0 0 12 * * ?").timeZone(ZoneOffset.UTC);
    }
}
