package dev.elasticjob.spring.trace;

import static dev.elasticjob.spring.trace.Traces.A;
import static dev.elasticjob.spring.trace.Traces.NOON;
import static dev.elasticjob.spring.trace.Traces.finished;
import static dev.elasticjob.spring.trace.Traces.started;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.elasticjob.definition.JobDefinition;
import dev.elasticjob.engine.ElasticJobEngine;
import dev.elasticjob.job.SimpleJob;
import dev.elasticjob.job.event.JobEvent;
import dev.elasticjob.job.event.JobEventListener;
import dev.elasticjob.registry.memory.InMemoryEnsemble;
import dev.elasticjob.registry.memory.InMemoryRegistry;
import dev.elasticjob.spring.OnMemory;
import dev.elasticjob.spring.history.HistoryQuery;
import dev.elasticjob.spring.history.HistoryUnavailableException;
import dev.elasticjob.spring.history.JdbcJobHistory;
import dev.elasticjob.testing.Heard;
import dev.elasticjob.testing.LoggedLines;
import java.time.Clock;
import java.time.Duration;
import java.time.Instant;
import java.time.temporal.ChronoUnit;
import java.util.List;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.Executors;
import java.util.concurrent.ScheduledExecutorService;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.springframework.core.task.SimpleAsyncTaskExecutor;

/** What the event trace does on every database that is a server: it can be away, be slow, or its answers can be lost. */
abstract class ServerEventTraceContract extends EventTraceContract {
    /** Of the load; a minute by hand: {@code -Dtrace.load.seconds=60}. */
    private static final int LOAD_SECONDS = Integer.getInteger("trace.load.seconds", 10);

    private static final int PER_SECOND = 1_000;
    private static final int PER_TICK = 10;
    /** How long the database is away: 30 s by hand, {@code -Dtrace.away.seconds=30}. */
    private static final int AWAY_SECONDS = Integer.getInteger("trace.away.seconds", 3);

    private LoggedLines log;

    @BeforeEach
    void listen() {
        log = new LoggedLines();
    }

    @AfterEach
    void reconnect() {
        database().reconnect();
        log.close();
    }

    @Test
    void aThousandExecutionsASecondAreAllRecorded() throws Exception {
        EventTrace trace = open(Traces.properties());

        load(trace, LOAD_SECONDS);
        trace.stop();

        assertThat(trace.dropped()).isZero();
        assertThat(count("JOB_EXECUTION_LOG")).isEqualTo(LOAD_SECONDS * PER_SECOND);
        assertThat(count("JOB_STATUS_TRACE_LOG")).isEqualTo(2 * LOAD_SECONDS * PER_SECOND);
        assertThat(completed()).isEqualTo(LOAD_SECONDS * PER_SECOND);
    }

    @Test
    void whileTheDatabaseIsAwayEventsWaitAndNothingThatFitsIsLost() throws Exception {
        EventTrace trace = open(Traces.properties(2 * PER_SECOND * (AWAY_SECONDS + 60), Duration.ZERO));
        load(trace, 1);

        database().relay().cut();
        load(trace, AWAY_SECONDS);
        log.await("The event trace can't be written at present");
        database().relay().mend();
        log.await("The event trace is written again");
        trace.stop();

        assertThat(trace.dropped()).isZero();
        assertThat(count("JOB_EXECUTION_LOG")).isEqualTo((AWAY_SECONDS + 1) * PER_SECOND);
        assertThat(completed()).isEqualTo((AWAY_SECONDS + 1) * PER_SECOND);
    }

    @Test
    void whatDoesNotFitWhileTheDatabaseIsAwayIsCountedAndReportedOnce() throws Exception {
        database().relay().cut();
        EventTrace trace = open(Traces.properties(100, Duration.ZERO));
        trace.onEvent(started(0, NOON, 1, A));
        log.await("The event trace can't be written at present");

        for (int item = 1; item <= 150; item++) {
            trace.onEvent(started(item, NOON, 1, A));
        }
        database().relay().mend();
        log.await("50 events were not recorded");
        trace.stop();

        assertThat(trace.dropped()).isEqualTo(50);
        assertThat(count("JOB_EXECUTION_LOG")).isEqualTo(101);
        assertThat(log.all().stream().filter(line -> line.contains("drops events")))
                .hasSize(1);
    }

    @Test
    void theStopWaitsForAHangingDatabaseOnlyAsLongAsItMay() {
        EventTrace trace = open(Traces.properties(100, Duration.ZERO, Duration.ofMillis(300)));
        database().relay().hold();
        trace.onEvent(started(0, NOON, 1, A));

        trace.stop();

        log.await("could not be written within 300 ms");
        assertThat(trace.isRunning()).isFalse();
    }

    @Test
    void aHangingDatabaseDelaysNoJob() {
        database().relay().hold();
        EventTrace trace = open(Traces.properties(50, Duration.ZERO, Duration.ofMillis(300)));
        Lateness traced = new Lateness();
        Lateness untraced = new Lateness();
        ElasticJobEngine one = twentyJobs("a", List.of(traced, trace));
        ElasticJobEngine other = twentyJobs("b", List.of(untraced));
        try {
            OnMemory.get(one.start());
            OnMemory.get(other.start());
            traced.awaitHundreds();
            untraced.awaitHundreds();
        } finally {
            OnMemory.get(one.stop());
            OnMemory.get(other.stop());
            trace.stop();
        }

        assertThat(trace.dropped()).isPositive();
        assertThat(traced.median())
                .as("beside the same jobs without a trace, %s", untraced.median())
                .isLessThan(untraced.median().multipliedBy(3));
    }

    private static ElasticJobEngine twentyJobs(String instance, List<JobEventListener> listeners) {
        var registry =
                new InMemoryRegistry(new InMemoryEnsemble(Clock.systemUTC()), new SimpleAsyncTaskExecutor("registry-"));
        ElasticJobEngine engine = ElasticJobEngine.builder(registry)
                .instanceId(instance)
                .listeners(() -> listeners)
                .build();
        for (int job = 0; job < 20; job++) {
            engine.register(
                    JobDefinition.builder("job-" + job).cron("* * * * * ?").build(), (SimpleJob) context -> {});
        }
        return engine;
    }

    /** How long after its scheduled time each execution started. */
    private static final class Lateness implements JobEventListener {
        private final Heard<Duration> all = new Heard<>();

        @Override
        public void onEvent(JobEvent event) {
            if (event instanceof JobEvent.ItemStarted started) {
                all.add(Duration.between(started.scheduledAt(), started.startedAt()));
            }
        }

        void awaitHundreds() {
            all.await("200 executions", latenesses -> latenesses.size() >= 200);
        }

        Duration median() {
            List<Duration> sorted = all.all().stream().sorted().toList();
            return sorted.get(sorted.size() / 2);
        }
    }

    @Test
    void aQuestionToAHangingDatabaseIsGivenUp() {
        var impatient =
                new JdbcJobHistory(database().jdbc(), new SimpleAsyncTaskExecutor("history-"), Duration.ofMillis(300));
        database().relay().hold();

        assertThatThrownBy(() -> impatient.executions(HistoryQuery.all()))
                .isInstanceOf(HistoryUnavailableException.class)
                .hasMessageContaining("within 300 ms");
    }

    private int completed() {
        Integer found = database()
                .jdbc()
                .queryForObject("SELECT COUNT(*) FROM JOB_EXECUTION_LOG WHERE outcome = 'COMPLETED'", Integer.class);
        return found == null ? 0 : found;
    }

    /** A thousand starts and as many ends a second, evenly. */
    private static void load(EventTrace trace, int seconds) throws InterruptedException {
        ScheduledExecutorService clock = Executors.newSingleThreadScheduledExecutor();
        int ticks = seconds * PER_SECOND / PER_TICK;
        CountDownLatch left = new CountDownLatch(ticks);
        Instant first = NOON.plus(System.nanoTime() / 1_000_000, ChronoUnit.MILLIS);
        try {
            clock.scheduleAtFixedRate(
                    () -> {
                        long tick = ticks - left.getCount();
                        if (tick < ticks) {
                            for (int item = 0; item < PER_TICK; item++) {
                                trace.onEvent(started(item, first.plusMillis(tick), 1, A));
                                trace.onEvent(finished(item, first.plusMillis(tick), 1, A));
                            }
                            left.countDown();
                        }
                    },
                    0,
                    TimeUnit.SECONDS.toMicros(1) * PER_TICK / PER_SECOND,
                    TimeUnit.MICROSECONDS);
            assertThat(left.await(seconds + 60L, TimeUnit.SECONDS)).isTrue();
        } finally {
            clock.shutdownNow();
        }
    }
}
