package dev.elasticjob.engine;

import static org.assertj.core.api.Assertions.assertThat;

import dev.elasticjob.definition.JobDefinition;
import dev.elasticjob.definition.RetrySettings;
import dev.elasticjob.group.GroupEventListener;
import dev.elasticjob.job.ElasticJobListener;
import dev.elasticjob.job.ItemOutcome;
import dev.elasticjob.job.JobErrorHandler;
import dev.elasticjob.job.ShardingContexts;
import dev.elasticjob.job.ShardingStrategy;
import dev.elasticjob.job.cluster.ClusterFiring;
import dev.elasticjob.job.cluster.ClusterJobListener;
import dev.elasticjob.job.cluster.FiringOutcomes;
import dev.elasticjob.job.event.ExecutionObserver;
import dev.elasticjob.job.event.ExecutionOutcome;
import dev.elasticjob.job.event.RegistryRequestListener;
import dev.elasticjob.testing.LoggedLines;
import java.time.Duration;
import java.time.Instant;
import java.time.ZoneOffset;
import java.util.EnumSet;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.concurrent.Executor;
import java.util.concurrent.RejectedExecutionException;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

/**
 * Foreign code fails at each call in the same way, but for a number in the text: the log has the stack trace once. The job
 * has two items and fires once a minute.
 */
class RepeatedForeignFailureTest {
    private static final Instant BEFORE = Instant.parse("2026-03-01T11:59:59Z");
    private static final Duration FIVE_FIRINGS = Duration.ofMinutes(5);
    private static final Set<Place> WITH_OWN_STRATEGY = EnumSet.of(Place.STRATEGY);
    private static final Set<Place> WITH_OWN_EXECUTOR = EnumSet.of(Place.EXECUTOR, Place.EXECUTOR_THAT_STARTS);
    private static final Set<Place> WITH_A_FAILING_JOB =
            EnumSet.of(Place.ERROR_HANDLER, Place.OBSERVER_OF_RETRIES, Place.JOB);
    private static final Set<Place> WITH_CLUSTER_LISTENERS =
            EnumSet.of(Place.FURTHER_CLUSTER_LISTENER, Place.OBSERVER_OF_HOOKS, Place.THREADS_OF_CLUSTER_LISTENERS);
    private static final Set<Place> WITHOUT_THREADS = EnumSet.of(Place.THREADS, Place.THREADS_OF_CLUSTER_LISTENERS);

    private Place place = Place.JOB;
    private int failures;

    private enum Place {
        JOB,
        ERROR_HANDLER,
        AFTER,
        FURTHER_CLUSTER_LISTENER,
        EVENT_LISTENER,
        REQUEST_LISTENER,
        STRATEGY,
        EXECUTOR,
        EXECUTOR_THAT_STARTS,
        THREADS,
        THREADS_OF_CLUSTER_LISTENERS,
        OBSERVER_OF_FIRINGS,
        OBSERVER_OF_ITEMS,
        OBSERVER_AROUND_ITEMS,
        OBSERVER_OF_RETRIES,
        OBSERVER_OF_ENDS,
        OBSERVER_OF_HOOKS
    }

    @ParameterizedTest
    @EnumSource
    void theStackTraceIsLoggedOnce(Place where) {
        place = where;

        try (LoggedLines lines = new LoggedLines()) {
            OneEngine one = engine().started();
            one.passRunning(FIVE_FIRINGS);
            for (int i = 0; i < 3 && place == Place.STRATEGY; i++) {
                one.joins("z" + i + "@-@1");
                one.passRunning(Duration.ofSeconds(1));
            }

            assertThat(failures).as("failures").isGreaterThanOrEqualTo(3);
            assertThat(lines.withStackTraces()).as("stack traces").hasSize(1);
            assertThat(lines.all()).anyMatch(line -> line.contains("This is number 3 of the same failure"));
        }
    }

    @Test
    void thatOfANoticeIsLoggedOnce() {
        GroupCluster cluster = new GroupCluster();

        try (LoggedLines lines = new LoggedLines()) {
            cluster.start("a@-@1").failure = Optional.of(new IllegalStateException("provoked by this test"));
            cluster.start("b@-@2");
            cluster.start("c@-@3");
            cluster.start("d@-@4");

            assertThat(lines.withStackTraces()).as("stack traces").hasSize(1);
            assertThat(lines.all()).anyMatch(line -> line.contains("This is number 3 of the same failure"));
        }
    }

    @Test
    void thatOfAListenerOfAGroupIsLoggedOnce() {
        GroupCluster cluster = new GroupCluster();
        GroupEventListener failing = event -> fail();

        try (LoggedLines lines = new LoggedLines()) {
            cluster.start("a@-@1", "", builder -> builder.groupListeners(() -> List.of(failing)));
            cluster.start("b@-@2");
            cluster.start("c@-@3");

            assertThat(lines.withStackTraces()).as("stack traces").hasSize(1);
            assertThat(lines.all()).anyMatch(line -> line.contains("This is number 3 of the same failure"));
        }
    }

    private void failAt(Place at) {
        if (place == at) {
            fail();
        }
    }

    private void fail() {
        failures++;
        throw new IllegalStateException("provoked by this test, task@1f%d is number %d".formatted(failures, failures));
    }

    private OneEngine engine() {
        JobDefinition orders = JobDefinition.builder("orders")
                .cron("0 * * * * ?")
                .timeZone(ZoneOffset.UTC)
                .shardingTotalCount(2)
                .retry(RetrySettings.of(2, Duration.ofSeconds(1)))
                .jobExceptionHandler(
                        switch (place) {
                            case JOB -> "LOG";
                            case ERROR_HANDLER -> "own";
                            default -> "IGNORE";
                        })
                .jobShardingStrategyClass(WITH_OWN_STRATEGY.contains(place) ? "own" : "")
                .executorServiceHandler(WITH_OWN_EXECUTOR.contains(place) ? "own" : "")
                .build();
        return new OneEngine(
                BEFORE,
                orders,
                context -> {
                    if (WITH_A_FAILING_JOB.contains(place)) {
                        failures += place == Place.JOB ? 1 : 0;
                        throw new IllegalStateException("provoked by this test, in attempt " + context.getAttempt());
                    }
                },
                this::withForeignCode);
    }

    private ElasticJobEngineBuilder withForeignCode(ElasticJobEngineBuilder builder) {
        JobErrorHandler handler = (jobName, cause) -> failAt(Place.ERROR_HANDLER);
        ShardingStrategy strategy = request -> {
            failAt(Place.STRATEGY);
            return Map.of(request.instances().get(0), List.of(0, 1));
        };
        RegistryRequestListener requests = (kind, outcome, took) -> failAt(Place.REQUEST_LISTENER);
        Executor own = task -> {
            failAt(Place.EXECUTOR);
            task.run();
            failAt(Place.EXECUTOR_THAT_STARTS);
        };
        if (WITHOUT_THREADS.contains(place)) {
            builder.workers(task -> {
                failures++;
                throw new RejectedExecutionException("no thread for task@1f" + failures);
            });
        }
        if (WITH_CLUSTER_LISTENERS.contains(place)) {
            builder.clusterListeners(List.of(new AroundFirings(), new AroundFirings()));
        }
        if (place.name().startsWith("OBSERVER")) {
            builder.executionObserver(Observer::new);
        }
        return builder.errorHandlers(Map.of("own", handler))
                .strategies(Map.of("own", strategy))
                .executors(Map.of("own", own))
                .requestListeners(() -> List.of(requests))
                .listener(event -> failAt(Place.EVENT_LISTENER))
                .jobListeners(List.of(new AroundItems()));
    }

    private final class AroundItems implements ElasticJobListener {
        @Override
        public void afterJobExecuted(ShardingContexts contexts, Map<Integer, ItemOutcome> outcomes) {
            failAt(Place.AFTER);
        }
    }

    private final class AroundFirings implements ClusterJobListener {
        @Override
        public void afterLastItem(ClusterFiring firing, FiringOutcomes outcomes) {
            failAt(Place.FURTHER_CLUSTER_LISTENER);
        }
    }

    private final class Observer implements ExecutionObserver {
        @Override
        public Firing begins(ShardingContexts items) {
            failAt(Place.OBSERVER_OF_FIRINGS);
            return item -> {
                failAt(Place.OBSERVER_OF_ITEMS);
                return new Observed();
            };
        }

        @Override
        public Item begins(HookStart hook) {
            failAt(Place.OBSERVER_OF_HOOKS);
            return Item.NONE;
        }
    }

    private final class Observed implements ExecutionObserver.Item {
        @Override
        public void around(Runnable attempt) {
            failAt(Place.OBSERVER_AROUND_ITEMS);
            attempt.run();
        }

        @Override
        public void retried(int times, Duration pause, Throwable failure) {
            failAt(Place.OBSERVER_OF_RETRIES);
        }

        @Override
        public void ended(ExecutionOutcome outcome, Optional<Throwable> failure) {
            failAt(Place.OBSERVER_OF_ENDS);
        }
    }
}
