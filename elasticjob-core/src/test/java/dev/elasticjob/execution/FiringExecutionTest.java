package dev.elasticjob.execution;

import static org.assertj.core.api.Assertions.assertThat;

import dev.elasticjob.coordination.item.ExecutionResult;
import dev.elasticjob.coordination.state.ItemState;
import dev.elasticjob.definition.RetrySettings;
import dev.elasticjob.job.ElasticJobListener;
import dev.elasticjob.job.ItemOutcome;
import dev.elasticjob.job.ItemOutcome.Kind;
import dev.elasticjob.job.ShardingContext;
import dev.elasticjob.job.ShardingContexts;
import dev.elasticjob.job.event.JobEvent.ItemFinished;
import dev.elasticjob.job.event.JobEvent.ItemStarted;
import dev.elasticjob.testing.Foreign;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.stream.Collectors;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

/** Listeners around the items of a claim. */
class FiringExecutionTest {
    private static final IllegalStateException REFUSAL = new IllegalStateException("not today, says this test");

    private final List<String> happened = new ArrayList<>();

    @Test
    void listenersNestAroundAllItemsOfTheClaim() {
        OneRunner one = oneWith(new Witness("outer"), new Witness("inner"));

        one.claim(OneRunner.job(), 2);
        assertThat(happened).as("on a thread of its own").isEmpty();
        one.runAll();

        assertThat(happened)
                .containsExactly(
                        "outer before 0,1",
                        "inner before 0,1",
                        "item 0",
                        "item 1",
                        "inner after {0=COMPLETED, 1=COMPLETED}",
                        "outer after {0=COMPLETED, 1=COMPLETED}");
    }

    @Test
    void afterComesWhenTheLastItemHasEndedWithTheOutcomeOfEach() {
        OneRunner[] one = new OneRunner[1];
        one[0] = new OneRunner(
                context -> {
                    if (context.getShardingItem() == 1) {
                        throw new IllegalStateException("provoked by this test");
                    }
                },
                new Witness("it"));
        RetrySettings twice = RetrySettings.of(2, Duration.ofSeconds(1));

        one[0].claim(OneRunner.job().retry(twice), 2).runAll();
        assertThat(happened).as("item 1 waits for its retry").containsExactly("it before 0,1");
        one[0].pass(Duration.ofSeconds(1));

        assertThat(happened).containsExactly("it before 0,1", "it after {0=COMPLETED, 1=FAILED}");
    }

    @Test
    void whoThrowsBeforeStopsTheFiringAndItsItemsHaveFailedWithThat() {
        OneRunner one = oneWith(new Witness("outer"), new Refusing(), new Witness("inner"));
        RetrySettings thrice = RetrySettings.of(3, Duration.ofSeconds(1));

        one.claim(OneRunner.job().retry(thrice), 2).runAll();

        assertThat(happened).containsExactly("outer before 0,1", "outer after {0=FAILED, 1=FAILED}");
        assertThat(one.state(0)).isEqualTo(ItemState.FAILED);
        assertThat(one.failure(1)).contains("not today, says this test");
        assertThat(one.failures).as("told once").containsExactly(REFUSAL);
        assertThat(one.told(ItemStarted.class)).hasSameSizeAs(one.told(ItemFinished.class));
        assertThat(one.time.nextTask()).as("no retry").isEmpty();
    }

    @ParameterizedTest
    @EnumSource
    void whoThrowsAfterwardsHarmsNobody(Foreign kind) {
        ElasticJobListener failing = new ElasticJobListener() {
            @Override
            public void afterJobExecuted(ShardingContexts contexts, Map<Integer, ItemOutcome> outcomes) {
                kind.thrown();
            }
        };
        OneRunner one = oneWith(new Witness("outer"), failing);

        one.claim(OneRunner.job(), 1).runAll();

        assertThat(happened).containsExactly("outer before 0", "item 0", "outer after {0=COMPLETED}");
        assertThat(one.state(0)).isEqualTo(ItemState.COMPLETED);
    }

    @Test
    void nothingIsAnnouncedWhereNothingMayBeginAnyMore() {
        OneRunner one = oneWith(new Witness("it"));

        one.claim(OneRunner.job(), 1);
        one.runner.beginNothingMore();
        one.runAll();

        assertThat(happened).isEmpty();
        assertThat(one.endings).containsEntry(0, new ExecutionResult.Unclaimed());
    }

    @Test
    void whatWaitsForItsListenersIsUnclaimedAtOnceAndTheirThreadIsNotWaitedFor() {
        OneRunner one = oneWith(new Witness("it"));

        one.claim(OneRunner.job(), 2);
        one.runner.beginNothingMore();

        assertThat(one.endings.values())
                .containsOnly(new ExecutionResult.Unclaimed())
                .hasSize(2);
        assertThat(one.runner.idle()).isCompleted();
        assertThat(one.bulkhead.free()).as("nothing of it is left in the queue").isPositive();
    }

    @Test
    void whatIsUnclaimedWhileListenersAreCalledIsSaidToHaveNotBegun() {
        OneRunner[] one = new OneRunner[1];
        List<Boolean> seen = new ArrayList<>();
        ElasticJobListener slow = new ElasticJobListener() {
            @Override
            public void beforeJobExecuted(ShardingContexts contexts) {
                one[0].runner.beginNothingMore();
                seen.add(one[0].endings.size() == 2);
                seen.add(one[0].runner.isIdle());
            }
        };
        one[0] = oneWith(new Witness("it"), slow);

        one[0].claim(OneRunner.job(), 2).runAll();

        assertThat(seen).as("unclaimed at once, but the listener is at work").containsExactly(true, false);
        assertThat(happened).containsExactly("it before 0,1", "it after {0=NOT_BEGUN, 1=NOT_BEGUN}");
        assertThat(one[0].runner.idle()).isCompleted();
    }

    @Test
    void itemsThatCouldNotBeginAreSaidToHaveNotBegun() {
        OneRunner[] one = new OneRunner[1];
        ElasticJobListener slow = new ElasticJobListener() {
            @Override
            public void beforeJobExecuted(ShardingContexts contexts) {
                one[0].time.advance(OneRunner.LEASE);
            }
        };
        one[0] = oneWith(new Witness("it"), slow);

        one[0].claim(OneRunner.job(), 1).runAll();

        assertThat(happened).containsExactly("it before 0", "it after {0=NOT_BEGUN}");
    }

    @Test
    void aListenerThatHangsIsInterruptedAtTheEndAndItsItemsAreUnclaimed() {
        OneRunner[] one = new OneRunner[1];
        ElasticJobListener hanging = new ElasticJobListener() {
            @Override
            public void beforeJobExecuted(ShardingContexts contexts) {
                one[0].runner.interruptAll("the engine is stopping");
                if (Thread.interrupted()) {
                    throw REFUSAL;
                }
            }
        };
        one[0] = oneWith(hanging);

        one[0].claim(OneRunner.job(), 1).runAll();

        assertThat(one[0].endings).containsEntry(0, new ExecutionResult.Unclaimed());
        assertThat(one[0].failures).as("it has not failed").isEmpty();
    }

    @Test
    void theRunnerIsIdleWhenTheLastListenerHasHeardOfTheEnd() {
        OneRunner[] one = new OneRunner[1];
        List<Boolean> idle = new ArrayList<>();
        ElasticJobListener looks = new ElasticJobListener() {
            @Override
            public void afterJobExecuted(ShardingContexts contexts, Map<Integer, ItemOutcome> outcomes) {
                one[0].runner.beginNothingMore();
                idle.add(one[0].runner.idle().toCompletableFuture().isDone());
            }
        };
        one[0] = oneWith(looks);

        one[0].claim(OneRunner.job(), 1).runAll();

        assertThat(idle).containsExactly(false);
        assertThat(one[0].runner.idle()).isCompleted();
    }

    // ------------------------------------------------------------------ what follows

    private OneRunner oneWith(ElasticJobListener... listeners) {
        return new OneRunner(context -> happened.add("item " + context.getShardingItem()), listeners);
    }

    private static final class Refusing implements ElasticJobListener {
        @Override
        public void beforeJobExecuted(ShardingContexts contexts) {
            throw REFUSAL;
        }
    }

    private final class Witness implements ElasticJobListener {
        private final String name;

        Witness(String name) {
            this.name = name;
        }

        @Override
        public void beforeJobExecuted(ShardingContexts contexts) {
            happened.add(name + " before "
                    + contexts.items().stream()
                            .map(ShardingContext::getShardingItem)
                            .map(String::valueOf)
                            .collect(Collectors.joining(",")));
        }

        @Override
        public void afterJobExecuted(ShardingContexts contexts, Map<Integer, ItemOutcome> outcomes) {
            Map<Integer, Kind> kinds = outcomes.entrySet().stream()
                    .collect(Collectors.toMap(
                            Map.Entry::getKey, end -> end.getValue().kind()));
            happened.add(name + " after " + kinds);
        }
    }
}
