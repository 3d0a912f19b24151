package dev.elasticjob.coordination.leader;

import static dev.elasticjob.coordination.Samples.NOON;
import static dev.elasticjob.coordination.Samples.THEM;
import static dev.elasticjob.coordination.Samples.US;
import static dev.elasticjob.coordination.Samples.definition;
import static dev.elasticjob.coordination.Samples.unlabelled;
import static org.assertj.core.api.Assertions.assertThat;

import dev.elasticjob.job.ShardingStrategy;
import dev.elasticjob.job.ShardingStrategy.Measured;
import dev.elasticjob.time.manual.ManualTime;
import java.time.Duration;
import java.util.ArrayDeque;
import java.util.Deque;
import java.util.List;
import java.util.Map;
import java.util.NavigableMap;
import java.util.TreeMap;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.RejectedExecutionException;
import org.junit.jupiter.api.Test;

class ItemDivisionTest {
    private static final Map<Integer, String> ALL_THEIRS = Map.of(0, THEM, 1, THEM, 2, THEM);
    private static final Map<Integer, String> BY_DEFAULT = Map.of(0, THEM, 1, US, 2, THEM);

    private final ManualTime time = new ManualTime(NOON);
    private final Deque<Runnable> workers = new ArrayDeque<>();

    @Test
    void aBuiltInStrategyAnswersAtOnce() {
        assertThat(divide(request -> Map.of(), "")).isCompletedWithValueMatching(BY_DEFAULT::equals);
        assertThat(workers).isEmpty();
    }

    @Test
    void aStrategyOfTheUsersRunsOnAWorker() {
        var owners = divide(request -> Map.of(THEM, List.of(0, 1, 2)), "mine");

        assertThat(owners).isNotDone();
        workers.remove().run();

        assertThat(owners).isCompletedWithValueMatching(ALL_THEIRS::equals);
        assertThat(time.nextTask()).as("nobody waits any longer").isEmpty();
    }

    @Test
    void withoutInstancesNobodyOwnsAnything() {
        var owners = division(request -> Map.of())
                .divide(definition().build(), Candidates.of(unlabelled()), Map.of(), Map.of(), Measured.NOTHING);

        assertThat(owners.toCompletableFuture()).isCompletedWithValueMatching(Map::isEmpty);
    }

    @Test
    void anUnknownStrategyIsReplacedByTheDefault() {
        var owners = divide(request -> Map.of(), "no such thing");
        workers.remove().run();

        assertThat(owners).isCompletedWithValueMatching(BY_DEFAULT::equals);
    }

    @Test
    void theOnlyItemOfAJobStaysWhereItIsIfItsStrategyFails() {
        var owners = division(request -> Map.of())
                .divide(
                        definition()
                                .shardingTotalCount(1)
                                .jobShardingStrategyClass("mine")
                                .build(),
                        Candidates.of(unlabelled(THEM, US)),
                        Map.of(0, US),
                        Map.of(),
                        Measured.NOTHING)
                .toCompletableFuture();
        workers.remove().run();

        assertThat(owners).isCompletedWithValue(new TreeMap<>(Map.of(0, US)));
    }

    @Test
    void aStrategyThatFailsIsReplacedByTheDefault() {
        var thrown = divide(
                request -> {
                    throw new IllegalStateException("provoked by this test");
                },
                "mine");
        workers.remove().run();
        var broken = divide(
                request -> {
                    throw new StackOverflowError("provoked by this test");
                },
                "mine");
        workers.remove().run();
        var wrong = divide(request -> Map.of(US, List.of(0)), "mine");
        workers.remove().run();

        assertThat(thrown).isCompletedWithValueMatching(BY_DEFAULT::equals);
        assertThat(broken).isCompletedWithValueMatching(BY_DEFAULT::equals);
        assertThat(wrong).isCompletedWithValueMatching(BY_DEFAULT::equals);
    }

    @Test
    void aStrategyThatGivesNoAnswerInFiveSecondsIsReplacedByTheDefault() {
        var owners = divide(request -> Map.of(THEM, List.of(0, 1, 2)), "mine");

        time.advance(Duration.ofSeconds(5).minusNanos(1));
        assertThat(owners).isNotDone();
        time.advance(Duration.ofNanos(1));
        workers.remove().run();

        assertThat(owners).isCompletedWithValueMatching(BY_DEFAULT::equals);
    }

    @Test
    void aStrategyThatNoWorkerCanBeHadForIsReplacedByTheDefault() {
        ShardingStrategies mine =
                ShardingStrategies.builtIn().withCustom(Map.of("mine", request -> Map.of(THEM, List.of(0, 1, 2))));
        ItemDivision busy = new ItemDivision(
                mine,
                task -> {
                    throw new RejectedExecutionException("provoked by this test");
                },
                time);

        var owners = busy.divide(
                        definition().jobShardingStrategyClass("mine").build(),
                        Candidates.of(unlabelled(THEM, US)),
                        Map.of(0, US, 1, US, 2, US),
                        Map.of(),
                        Measured.NOTHING)
                .toCompletableFuture();

        assertThat(owners).isCompletedWithValueMatching(BY_DEFAULT::equals);
        assertThat(time.nextTask()).as("nobody waits").isEmpty();
    }

    private CompletableFuture<NavigableMap<Integer, String>> divide(ShardingStrategy mine, String wanted) {
        return division(mine)
                .divide(
                        definition().jobShardingStrategyClass(wanted).build(),
                        Candidates.of(unlabelled(THEM, US)),
                        Map.of(0, US, 1, US, 2, US),
                        Map.of(),
                        Measured.NOTHING)
                .toCompletableFuture();
    }

    private ItemDivision division(ShardingStrategy mine) {
        return new ItemDivision(ShardingStrategies.builtIn().withCustom(Map.of("mine", mine)), workers::add, time);
    }
}
