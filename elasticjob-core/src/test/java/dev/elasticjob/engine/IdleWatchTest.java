package dev.elasticjob.engine;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.elasticjob.admin.JobDemand;
import dev.elasticjob.definition.JobDefinition;
import dev.elasticjob.definition.OnDataLoss;
import dev.elasticjob.group.ShardAssignment;
import dev.elasticjob.group.ShardingNotice;
import dev.elasticjob.job.SimpleJob;
import dev.elasticjob.job.cluster.ClusterFiring;
import dev.elasticjob.job.cluster.ClusterJobListener;
import dev.elasticjob.job.cluster.FiringOutcomes;
import dev.elasticjob.testing.LoggedLines;
import java.time.Duration;
import java.time.Instant;
import java.time.ZoneOffset;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.CompletionStage;
import org.junit.jupiter.api.Test;

/** An engine that ends its work when it has had nothing to do for five minutes. */
class IdleWatchTest {
    private static final Instant NOON = Instant.parse("2026-03-01T12:00:00Z");
    private static final Duration IDLE = Duration.ofMinutes(5);
    private static final Duration MOMENT = Duration.ofSeconds(1);
    private static final String DAILY = "0 0 0 * * ?";

    private final List<Instant> ran = new ArrayList<>();

    @Test
    void itEndsWhenNothingIsLeftToDo() {
        OneEngine one = new OneEngine(NOON, job(DAILY), noting()).started();
        CompletionStage<Void> finished = one.engine.finishWhenIdle(IDLE);

        one.passRunning(IDLE.minus(MOMENT));
        assertThat(isDone(finished)).isFalse();
        one.passRunning(MOMENT);

        assertThat(isDone(finished)).isTrue();
    }

    @Test
    void theTimeBeginsAgainWithTheEndOfAnItem() {
        OneEngine one = new OneEngine(NOON, job("0 2 12 * * ?"), noting()).started();
        CompletionStage<Void> finished = one.engine.finishWhenIdle(IDLE);

        one.passRunning(IDLE.plusMinutes(2).minus(MOMENT));
        assertThat(ran).hasSize(1);
        assertThat(isDone(finished)).isFalse();
        one.passRunning(MOMENT.multipliedBy(2));

        assertThat(isDone(finished)).isTrue();
    }

    @Test
    void whatComesDueWithinTheTimeIsWaitedFor() {
        OneEngine one = new OneEngine(NOON, job("0 8 12 * * ?"), noting()).started();
        CompletionStage<Void> finished = one.engine.finishWhenIdle(IDLE);

        one.passRunning(Duration.ofMinutes(9));

        assertThat(ran).hasSize(1);
        assertThat(isDone(finished)).isFalse();
    }

    @Test
    void itStaysWhileAnItemRuns() {
        List<Boolean> finishedMeanwhile = new ArrayList<>();
        List<CompletionStage<Void>> finished = new ArrayList<>();
        OneEngine[] one = new OneEngine[1];
        one[0] = new OneEngine(NOON, job("0 1 12 * * ?"), context -> {
            one[0].pass(IDLE.multipliedBy(3));
            finishedMeanwhile.add(isDone(finished.get(0)));
        });
        one[0].started();
        finished.add(one[0].engine.finishWhenIdle(IDLE));

        one[0].passRunning(Duration.ofMinutes(2));
        one[0].passRunning(IDLE);

        assertThat(finishedMeanwhile).containsExactly(false);
        assertThat(isDone(finished.get(0))).isTrue();
    }

    @Test
    void itStaysWhileAClusterListenerIsCalled() {
        List<Boolean> finishedMeanwhile = new ArrayList<>();
        List<CompletionStage<Void>> finished = new ArrayList<>();
        OneEngine[] one = new OneEngine[1];
        ClusterJobListener lasting = new ClusterJobListener() {
            @Override
            public void afterLastItem(ClusterFiring firing, FiringOutcomes outcomes) {
                one[0].pass(IDLE.multipliedBy(3));
                finishedMeanwhile.add(isDone(finished.get(0)));
            }
        };
        one[0] = new OneEngine(NOON, job("0 1 12 * * ?"), noting(), engine -> engine.clusterListeners(List.of(lasting)))
                .started();
        finished.add(one[0].engine.finishWhenIdle(IDLE));

        one[0].passRunning(Duration.ofMinutes(2));
        one[0].passRunning(IDLE);

        assertThat(finishedMeanwhile).containsExactly(false);
        assertThat(isDone(finished.get(0))).isTrue();
    }

    @Test
    void aLookCostsTwoRequestsAtMost() {
        OneEngine without = new OneEngine(NOON, job("0 8 12 * * ?"), noting()).started();
        OneEngine with = new OneEngine(NOON, job("0 8 12 * * ?"), noting()).started();
        with.engine.finishWhenIdle(IDLE);

        without.passRunning(IDLE.plus(MOMENT));
        with.passRunning(IDLE.plus(MOMENT));

        assertThat(with.requests() - without.requests()).isBetween(1L, 2L);
    }

    @Test
    void afterwardsItClaimsNothingAndLeavesInGoodOrder() {
        OneEngine one = new OneEngine(NOON, job("0 0 13 * * ?"), noting()).started();
        CompletionStage<Void> finished = one.engine.finishWhenIdle(IDLE);
        one.passRunning(IDLE);
        assertThat(isDone(finished)).isTrue();

        one.passRunning(Duration.ofHours(1));
        assertThat(ran).isEmpty();
        one.engine.stop();
        one.settle();

        assertThat(one.read(OneEngine.TREE.instance("a@-@1"))).isEmpty();
        assertThat(demand(one).open()).isOne();
    }

    @Test
    void aPausedJobDoesNotKeepIt() {
        OneEngine one = new OneEngine(NOON, job("0 6 * * * ?"), noting()).started();
        one.admin().pause("orders");
        one.settle();

        CompletionStage<Void> finished = one.engine.finishWhenIdle(IDLE);
        one.passRunning(IDLE);

        assertThat(isDone(finished)).isTrue();
    }

    @Test
    void whatIsOpenInAJobInWhichItIsDrainedIsForOthers() {
        OneEngine one = new OneEngine(NOON, job("0 2 12 * * ?"), noting()).started();
        one.admin().drain("orders", "a@-@1");
        one.settle();

        CompletionStage<Void> finished = one.engine.finishWhenIdle(IDLE);
        List<String> lines;
        try (LoggedLines log = new LoggedLines()) {
            one.passRunning(IDLE);
            lines = log.all();
        }

        assertThat(demand(one).open()).isOne();
        assertThat(isDone(finished)).isTrue();
        assertThat(ran).isEmpty();
        assertThat(lines).anyMatch(line -> line.endsWith("left to other instances: orders"));
    }

    @Test
    void withoutAConnectionItStays() {
        OneEngine one = new OneEngine(NOON, job(DAILY), noting()).started();
        CompletionStage<Void> finished = one.engine.finishWhenIdle(IDLE);
        one.registry.disconnect();

        one.passRunning(IDLE.multipliedBy(3));
        assertThat(isDone(finished)).isFalse();
        one.registry.reconnect();
        one.passRunning(IDLE);

        assertThat(isDone(finished)).isTrue();
    }

    @Test
    void whileItIsHeldByALossOfDataItStays() {
        OneEngine one =
                new OneEngine(NOON, job(DAILY), noting(), engine -> engine.onDataLoss(OnDataLoss.HOLD)).started();
        one.passRunning(MOMENT);
        one.lose();
        one.passRunning(MOMENT.multipliedBy(30));
        assertThat(one.engine.figures().isHeldByDataLoss()).isTrue();

        CompletionStage<Void> finished = one.engine.finishWhenIdle(IDLE);
        one.passRunning(IDLE.multipliedBy(3));

        assertThat(isDone(finished)).isFalse();
    }

    /** Also before it has got an index. */
    @Test
    void anInstanceOfAGroupStays() {
        OneEngine one = new OneEngine(NOON, job(DAILY), noting()).started();
        CompletionStage<Void> finished = one.engine.finishWhenIdle(IDLE);
        one.passRunning(IDLE.minusMillis(1));

        one.engine.groups().join("", new ShardingNotice() {
            @Override
            public void startSharding() {}

            @Override
            public void shardingCompleted(ShardAssignment assignment) {}
        });
        one.passRunning(IDLE.multipliedBy(3));

        assertThat(isDone(finished)).isFalse();
    }

    @Test
    void beforeItsJobsAreStartedItStays() {
        OneEngine one = new OneEngine(NOON, job(DAILY), noting());
        CompletionStage<Void> finished = one.engine.finishWhenIdle(IDLE);

        one.passRunning(IDLE.multipliedBy(3));
        assertThat(isDone(finished)).isFalse();
        one.started();
        one.passRunning(IDLE.multipliedBy(2));

        assertThat(isDone(finished)).isTrue();
    }

    @Test
    void demandThatCanNotBeToldKeepsNobody() {
        JobDemand unknown = new JobDemand(
                "orders", 1, 0, 1, 0, Optional.empty(), Optional.of(NOON), Optional.of("damaged"), 0, Optional.empty());
        JobDemand open = new JobDemand(
                "bills", 2, 0, 2, 0, Optional.of(NOON), Optional.empty(), Optional.empty(), 1, Optional.empty());
        JobDemand soon = new JobDemand(
                "mails",
                0,
                0,
                0,
                0,
                Optional.empty(),
                Optional.of(NOON.plus(IDLE)),
                Optional.empty(),
                1,
                Optional.empty());
        JobDemand later = new JobDemand(
                "stock",
                0,
                3,
                0,
                3,
                Optional.empty(),
                Optional.of(NOON.plus(IDLE).plus(MOMENT)),
                Optional.empty(),
                1,
                Optional.empty());

        assertThat(IdleWatch.neededBy(List.of(unknown, later), NOON, IDLE)).isEmpty();
        assertThat(IdleWatch.neededBy(List.of(later, open), NOON, IDLE)).contains("job \"bills\" has 2 open items");
        assertThat(IdleWatch.neededBy(List.of(later, soon), NOON, IDLE)).contains("job \"mails\" is due soon");
    }

    @Test
    void aTimeThatIsNotPositiveIsRefused() {
        OneEngine one = new OneEngine(NOON, job(DAILY), noting());

        assertThatThrownBy(() -> one.engine.finishWhenIdle(Duration.ZERO))
                .isInstanceOf(IllegalArgumentException.class)
                .hasMessageContaining("positive");
    }

    private SimpleJob noting() {
        return context -> ran.add(NOON);
    }

    private static boolean isDone(CompletionStage<Void> stage) {
        return stage.toCompletableFuture().isDone();
    }

    private static JobDemand demand(OneEngine one) {
        return one.inspector().demand("orders").toCompletableFuture().join().orElseThrow();
    }

    private static JobDefinition job(String cron) {
        return JobDefinition.builder("orders")
                .cron(cron)
                .timeZone(ZoneOffset.UTC)
                .shardingTotalCount(1)
                .build();
    }
}
