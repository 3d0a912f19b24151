package dev.elasticjob.execution;

import static org.assertj.core.api.Assertions.assertThat;

import dev.elasticjob.coordination.state.ItemState;
import dev.elasticjob.definition.RetrySettings;
import dev.elasticjob.execution.invoker.JobInvoker;
import dev.elasticjob.job.ElasticJobListener;
import dev.elasticjob.job.ItemOutcome;
import dev.elasticjob.job.ShardingContexts;
import dev.elasticjob.job.event.ExecutionObserver;
import dev.elasticjob.job.event.ExecutionOutcome;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import org.junit.jupiter.api.Test;

class ExecutionObserverTest {
    private static final Duration SECOND = Duration.ofSeconds(1);

    private final List<String> notes = new ArrayList<>();
    private int attempts;

    @Test
    void anItemIsSurroundedFromItsStartToItsEnd() {
        one(context -> notes.add("work")).claim(OneRunner.job(), 1).runAll();

        assertThat(notes)
                .containsExactly("firing of 1", "item 0 SCHEDULE", "[", "work", "ended COMPLETED", "firing ended", "]");
    }

    @Test
    void aFiringEndsAfterItsLastItem() {
        one(context -> {}).claim(OneRunner.job(), 2).runAll();

        assertThat(notes).first().isEqualTo("firing of 2");
        assertThat(notes).filteredOn("firing ended"::equals).hasSize(1);
        assertThat(notes.lastIndexOf("ended COMPLETED")).isLessThan(notes.indexOf("firing ended"));
    }

    @Test
    void eachAttemptIsSurroundedAndTheItemEndsOnce() {
        OneRunner one = one(context -> {
            attempts++;
            if (attempts == 1) {
                throw new IllegalStateException("provoked by this test");
            }
        });

        one.claim(OneRunner.job().retry(RetrySettings.of(2, SECOND)), 1).runAll();
        one.pass(SECOND);

        assertThat(notes)
                .containsExactly(
                        "firing of 1",
                        "item 0 SCHEDULE",
                        "[",
                        "retried 1",
                        "]",
                        "[",
                        "ended COMPLETED",
                        "firing ended",
                        "]");
    }

    @Test
    void theErrorHandlerIsCalledWithinTheItem() {
        OneRunner one = one(context -> {
            throw new IllegalStateException("provoked by this test");
        });
        one.onFailure = () -> notes.add("error handler");

        one.claim(OneRunner.job(), 1).runAll();

        assertThat(notes)
                .containsExactly(
                        "firing of 1", "item 0 SCHEDULE", "[", "error handler", "ended FAILED", "firing ended", "]");
    }

    @Test
    void listenersAreCalledWithinTheFiring() {
        ElasticJobListener listener = new ElasticJobListener() {
            @Override
            public void beforeJobExecuted(ShardingContexts contexts) {
                notes.add("before");
            }

            @Override
            public void afterJobExecuted(ShardingContexts contexts, Map<Integer, ItemOutcome> outcomes) {
                notes.add("after");
            }
        };

        one(context -> {}, listener).claim(OneRunner.job(), 1).runAll();

        assertThat(notes)
                .containsExactly(
                        "firing of 1",
                        "(",
                        "before",
                        ")",
                        "item 0 SCHEDULE",
                        "[",
                        "ended COMPLETED",
                        "]",
                        "(",
                        "after",
                        ")",
                        "firing ended");
    }

    @Test
    void anItemThatNeverBeginsIsNotObserved() {
        OneRunner one = one(context -> {});

        one.claim(OneRunner.job(), 1);
        one.runner.beginNothingMore();
        one.runAll();

        assertThat(notes).containsExactly("firing of 1", "firing ended");
    }

    @Test
    void anObserverThatThrowsHarmsNoExecution() {
        OneRunner one = new OneRunner(context -> notes.add("work"));
        one.observer = items -> new Throwing();

        one.claim(OneRunner.job(), 1).runAll();

        assertThat(notes).containsExactly("work");
        assertThat(one.state(0)).isEqualTo(ItemState.COMPLETED);
        assertThat(one.runner.isIdle()).isTrue();
    }

    private static final class Throwing implements ExecutionObserver.Firing {
        @Override
        public ExecutionObserver.Item begins(ExecutionObserver.ItemStart item) {
            return new ExecutionObserver.Item() {
                @Override
                public void around(Runnable attempt) {
                    attempt.run();
                    throw new IllegalStateException("provoked by this test, after the attempt");
                }

                @Override
                public void ended(ExecutionOutcome outcome, Optional<Throwable> failure) {
                    throw new IllegalStateException("provoked by this test, at the end");
                }
            };
        }

        @Override
        public void ended() {
            throw new IllegalStateException("provoked by this test, at the end of the firing");
        }
    }

    @Test
    void anObserverThatThrowsBeforeTheAttemptDoesNotPreventIt() {
        OneRunner one = new OneRunner(context -> notes.add("work"));
        one.observer = items -> item -> new ExecutionObserver.Item() {
            @Override
            public void around(Runnable attempt) {
                throw new IllegalStateException("provoked by this test, before the attempt");
            }

            @Override
            public void ended(ExecutionOutcome outcome, Optional<Throwable> failure) {}
        };

        one.claim(OneRunner.job(), 1).runAll();

        assertThat(notes).containsExactly("work");
        assertThat(one.state(0)).isEqualTo(ItemState.COMPLETED);
    }

    private OneRunner one(JobInvoker job, ElasticJobListener... listeners) {
        OneRunner one = new OneRunner(job, listeners);
        one.observer = items -> {
            notes.add("firing of " + items.items().size());
            return new Noted();
        };
        return one;
    }

    private final class Noted implements ExecutionObserver.Firing {
        @Override
        public ExecutionObserver.Item begins(ExecutionObserver.ItemStart item) {
            notes.add("item " + item.context().getShardingItem() + " " + item.trigger());
            return new NotedItem();
        }

        @Override
        public void around(Runnable listeners) {
            notes.add("(");
            listeners.run();
            notes.add(")");
        }

        @Override
        public void ended() {
            notes.add("firing ended");
        }
    }

    private final class NotedItem implements ExecutionObserver.Item {
        @Override
        public void around(Runnable attempt) {
            notes.add("[");
            attempt.run();
            notes.add("]");
        }

        @Override
        public void retried(int failures, Duration pause, Throwable failure) {
            notes.add("retried " + failures);
        }

        @Override
        public void ended(ExecutionOutcome outcome, Optional<Throwable> failure) {
            notes.add("ended " + outcome);
        }
    }
}
