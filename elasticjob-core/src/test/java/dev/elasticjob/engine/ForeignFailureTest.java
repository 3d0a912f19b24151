package dev.elasticjob.engine;

import static dev.elasticjob.engine.OneEngine.TREE;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatCode;

import dev.elasticjob.definition.JobDefinition;
import dev.elasticjob.definition.RetrySettings;
import dev.elasticjob.job.ElasticJobListener;
import dev.elasticjob.job.ItemOutcome;
import dev.elasticjob.job.JobErrorHandler;
import dev.elasticjob.job.ShardingContext;
import dev.elasticjob.job.ShardingContexts;
import dev.elasticjob.job.ShardingStrategy;
import dev.elasticjob.job.event.JobEvent;
import dev.elasticjob.job.event.JobEventListener;
import dev.elasticjob.registry.CommitOutcome;
import dev.elasticjob.registry.Registry;
import dev.elasticjob.registry.Registry.WatchScope;
import dev.elasticjob.registry.RegistryAnswer;
import dev.elasticjob.registry.RegistryCommit;
import dev.elasticjob.registry.RegistryNode;
import dev.elasticjob.registry.RegistryRead;
import dev.elasticjob.registry.RegistrySession;
import dev.elasticjob.registry.Subscription;
import dev.elasticjob.testing.ChangedRegistry;
import dev.elasticjob.testing.Foreign;
import dev.elasticjob.testing.LoggedLines;
import java.time.Duration;
import java.time.Instant;
import java.time.ZoneOffset;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.Deque;
import java.util.EnumSet;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionStage;
import java.util.function.BiConsumer;
import java.util.function.Supplier;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.Arguments;
import org.junit.jupiter.params.provider.MethodSource;

/**
 * Foreign code fails in a way that nobody expects, wherever the engine calls it. The job has two items and fires once a
 * minute; after the failure, it goes on with the next firing at the latest.
 */
class ForeignFailureTest {
    private static final Instant BEFORE = Instant.parse("2026-03-01T11:59:59Z");
    private static final Duration STEP = Duration.ofMillis(100);
    private static final Duration MINUTES = Duration.ofSeconds(150);

    /** Where a failure costs a whole firing, or the place is called once. */
    private static final Set<Place> ONCE = EnumSet.of(Place.BEFORE, Place.STRATEGY, Place.ANSWER_OF_STRATEGY);

    private final List<String> done = new ArrayList<>();
    private final Deque<Runnable> threads = new ArrayDeque<>();
    /** Failures that are still to come, all at the one place. */
    private int left;

    private Place place;
    private Foreign kind;

    private enum Place {
        JOB,
        JOB_THAT_RETRIES,
        ERROR_HANDLER,
        BEFORE,
        AFTER,
        EVENT_LISTENER,
        STRATEGY,
        ANSWER_OF_STRATEGY,
        EXECUTOR,
        WORKERS,
        READ,
        ANSWER_TO_READ,
        COMMIT,
        ANSWER_TO_COMMIT,
        WATCH
    }

    static Stream<Arguments> everywhere() {
        return Arrays.stream(Place.values())
                .flatMap(place -> Arrays.stream(Foreign.values()).map(kind -> Arguments.of(place, kind)));
    }

    @ParameterizedTest(name = "{0} fails with {1}")
    @MethodSource("everywhere")
    void theJobGoesOnAndNothingStaysLocked(Place where, Foreign what) {
        place = where;
        kind = what;
        left = ONCE.contains(where) ? 1 : 3;

        try (LoggedLines lines = new LoggedLines()) {
            OneEngine one = engine();
            assertThatCode(() -> pass(one.started(), MINUTES))
                    .as("nothing reaches the engine's threads")
                    .doesNotThrowAnyException();

            assertThat(left).as("failures that were not provoked").isZero();
            assertThat(done).contains("0 2026-03-01T12:02:00Z", "1 2026-03-01T12:02:00Z");
            if (where == Place.JOB_THAT_RETRIES) {
                assertThat(done).contains("0 2026-03-01T12:00:00Z", "1 2026-03-01T12:00:00Z");
            }
            assertThat(done).as("once per firing").doesNotHaveDuplicates();
            assertThat(one.read(TREE.running(0))).isEmpty();
            assertThat(one.read(TREE.running(1))).isEmpty();
            assertThat(lines.all().stream().filter(line -> line.contains("a coordination step failed")))
                    .isEmpty();
        }
    }

    @Test
    void whatAJobFailsWithIsNamedByItsClassInItsRecord() {
        place = Place.JOB;
        kind = Foreign.UNPRINTABLE;
        left = 1;

        OneEngine one = engine().started();
        pass(one, Duration.ofSeconds(10));

        assertThat(one.read(TREE.item(0)).map(RegistryNode::text).orElseThrow())
                .contains("\"state\":\"FAILED\"", kind.failure().getClass().getName());
    }

    private void failAt(Place at) {
        if (place == at && left > 0) {
            left--;
            kind.thrown();
        }
    }

    private OneEngine engine() {
        JobDefinition.Builder everyMinute = JobDefinition.builder("orders")
                .cron("0 * * * * ?")
                .timeZone(ZoneOffset.UTC)
                .shardingTotalCount(2)
                .jobExceptionHandler(place == Place.ERROR_HANDLER ? "own" : "")
                .jobShardingStrategyClass(place == Place.STRATEGY || place == Place.ANSWER_OF_STRATEGY ? "own" : "")
                .executorServiceHandler(place == Place.EXECUTOR ? "own" : "");
        if (place == Place.JOB_THAT_RETRIES) {
            everyMinute.retry(RetrySettings.of(3, Duration.ofSeconds(1)));
        }
        return new OneEngine(
                BEFORE,
                everyMinute.build(),
                context -> {
                    failAt(Place.JOB);
                    failAt(Place.JOB_THAT_RETRIES);
                    if (place == Place.ERROR_HANDLER && left > 0) {
                        throw new IllegalStateException("for the error handler");
                    }
                    done.add(context.getShardingItem() + " " + context.getScheduledTime());
                },
                this::withForeignCode,
                Failing::new);
    }

    private ElasticJobEngineBuilder withForeignCode(ElasticJobEngineBuilder builder) {
        JobErrorHandler handler = new JobErrorHandler() {
            @Override
            public void handleException(String jobName, Throwable cause) {
                failAt(Place.ERROR_HANDLER);
            }

            @Override
            public void handleException(ShardingContext context, Throwable cause) {
                failAt(Place.ERROR_HANDLER);
            }
        };
        JobEventListener events = event -> {
            if (event instanceof JobEvent.ItemStarted || event instanceof JobEvent.ItemFinished) {
                failAt(Place.EVENT_LISTENER);
            }
        };
        ShardingStrategy strategy = request -> {
            failAt(Place.STRATEGY);
            return answer(request);
        };
        return builder.errorHandlers(Map.of("own", handler))
                .strategies(Map.of("own", strategy))
                .executors(Map.of("own", task -> {
                    failAt(Place.EXECUTOR);
                    threads.add(task);
                }))
                .workers(task -> {
                    failAt(Place.WORKERS);
                    threads.add(task);
                })
                .listener(events)
                .jobListeners(List.of(new Listening()));
    }

    private Map<String, List<Integer>> answer(ShardingStrategy.Request request) {
        Map<String, List<Integer>> ordinary = Map.of(request.instances().get(0), List.of(0, 1));
        return new HashMap<>(ordinary) {
            private static final long serialVersionUID = 1L;

            @Override
            public void forEach(BiConsumer<? super String, ? super List<Integer>> each) {
                failAt(Place.ANSWER_OF_STRATEGY);
                super.forEach(each);
            }
        };
    }

    /** Items begin as soon as they have a thread, and last for no time. */
    private void pass(OneEngine one, Duration duration) {
        for (Duration passed = Duration.ZERO; passed.compareTo(duration) < 0; passed = passed.plus(STEP)) {
            one.pass(STEP);
            while (!threads.isEmpty()) {
                threads.remove().run();
                one.settle();
            }
        }
    }

    private final class Listening implements ElasticJobListener {
        @Override
        public void beforeJobExecuted(ShardingContexts contexts) {
            failAt(Place.BEFORE);
        }

        @Override
        public void afterJobExecuted(ShardingContexts contexts, Map<Integer, ItemOutcome> outcomes) {
            failAt(Place.AFTER);
        }
    }

    /** The client of a registry: fails at a call, or with its answer. */
    private final class Failing extends ChangedRegistry {
        Failing(Registry registry) {
            super(registry);
        }

        @Override
        public CompletionStage<RegistryAnswer> read(List<RegistryRead> reads) {
            failAt(Place.READ);
            return answered(Place.ANSWER_TO_READ, () -> super.read(reads));
        }

        @Override
        public CompletionStage<CommitOutcome> commit(RegistrySession session, RegistryCommit commit) {
            failAt(Place.COMMIT);
            return answered(Place.ANSWER_TO_COMMIT, () -> super.commit(session, commit));
        }

        @Override
        public Subscription watch(String path, WatchScope scope, Runnable lookAgain) {
            failAt(Place.WATCH);
            return super.watch(path, scope, lookAgain);
        }

        private <T> CompletionStage<T> answered(Place at, Supplier<CompletionStage<T>> request) {
            CompletableFuture<T> answer = new CompletableFuture<>();
            request.get().whenComplete((value, error) -> {
                if (place == at && left > 0) {
                    left--;
                    answer.completeExceptionally(kind.failure());
                } else if (error == null) {
                    answer.complete(value);
                } else {
                    answer.completeExceptionally(error);
                }
            });
            return answer;
        }
    }
}
