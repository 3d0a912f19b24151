package dev.elasticjob.engine;

import static dev.elasticjob.engine.OneEngine.TREE;
import static org.assertj.core.api.Assertions.assertThat;

import dev.elasticjob.definition.JobDefinition;
import dev.elasticjob.job.ShardingContext;
import dev.elasticjob.job.SimpleJob;
import dev.elasticjob.job.event.JobEvent;
import dev.elasticjob.registry.RegistryCommit;
import dev.elasticjob.registry.RegistryNode;
import java.time.Duration;
import java.time.Instant;
import java.time.ZoneOffset;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.Test;

/** What becomes of an execution whose lease runs out. Two items a minute; the first one is executing at noon. */
class SessionLossTest {
    private static final Instant NOON = Instant.parse("2026-03-01T12:00:00Z");
    private static final Duration TO_NOON = Duration.ofSeconds(1);
    private static final Duration SESSION_TIMEOUT = Duration.ofSeconds(20);
    private static final JobDefinition EVERY_MINUTE = JobDefinition.builder("orders")
            .cron("0 * * * * ?")
            .timeZone(ZoneOffset.UTC)
            .shardingTotalCount(2)
            .build();

    private final List<String> seen = new ArrayList<>();
    private OneEngine one;

    @Test
    void byDefaultItIsInterrupted() {
        one = new OneEngine(NOON.minus(TO_NOON), EVERY_MINUTE, this::outliveTheLease);

        executeAtNoon();

        assertThat(seen).startsWith("lease lost, interrupted");
    }

    @Test
    void toldToContinueItGoesOnAndKnowsThatItsLeaseIsLost() {
        one = engine(this::outliveTheLease);

        executeAtNoon();

        assertThat(seen).startsWith("lease lost");
    }

    @Test
    void nothingIsClaimedUntilThereIsASessionAgain() {
        one = engine(context -> {
            one.registry.disconnect();
            one.pass(Duration.ofMinutes(3));
            note(context);
        });

        executeAtNoon();

        assertThat(seen)
                .as("its lease was over before the second item could begin")
                .containsExactly("lease lost");
        assertThat(one.waitingItems()).isZero();
        one.registry.reconnect();
        one.pass(Duration.ofSeconds(1));
        assertThat(one.waitingItems()).isEqualTo(2);
    }

    @Test
    void withoutMonitoringNothingBeginsEitherWhileThereIsNoConnection() {
        one = unmonitored(() -> {
            one.registry.disconnect();
            one.pass(Duration.ofSeconds(1));
        });

        executeAtNoon();

        assertThat(seen)
                .as("the firing of 12:01 has met the items running, and waits")
                .containsExactly(String.valueOf(NOON), String.valueOf(NOON));
    }

    @Test
    void withoutMonitoringAFiringThatIsKeptInMemoryIsToldAsLostWithTheConnection() {
        one = unmonitored(() -> {
            one.registry.disconnect();
            one.pass(Duration.ofSeconds(1));
            one.registry.reconnect();
            one.pass(Duration.ofSeconds(1));
        });

        executeAtNoon();

        assertThat(seen).as("runs").containsExactly(String.valueOf(NOON), String.valueOf(NOON));
        assertThat(losses()).containsExactly(lostAtOnePastNoon(0), lostAtOnePastNoon(1));
    }

    @Test
    void withoutMonitoringAFiringThatIsKeptInMemoryIsToldAsLostWithItsItem() {
        one = unmonitored(() -> {
            one.operate(RegistryCommit.builder().set(TREE.server("10.0.0.1"), "DISABLED", RegistryCommit.ANY_VERSION));
            one.pass(Duration.ofSeconds(1));
        });

        executeAtNoon();

        assertThat(seen).as("runs").containsExactly(String.valueOf(NOON), String.valueOf(NOON));
        assertThat(losses()).containsExactly(lostAtOnePastNoon(0), lostAtOnePastNoon(1));
    }

    @Test
    void withoutMonitoringAFiringThatIsKeptInMemoryIsToldAsLostWhenTheEngineStops() {
        one = unmonitored(() -> {
            one.engine.stop();
            one.pass(Duration.ofSeconds(1));
        });

        executeAtNoon();

        assertThat(losses())
                .as("what was kept, and the second item's firing of noon, which has not begun")
                .containsExactlyInAnyOrder(
                        lostAtOnePastNoon(0),
                        lostAtOnePastNoon(1),
                        new JobEvent.FiringsLost("orders", 1, NOON, NOON, 1));
    }

    /** The first item lasts until the firing of 12:01 is kept for both, and something happens. */
    private OneEngine unmonitored(Runnable something) {
        JobDefinition unmonitored =
                EVERY_MINUTE.toBuilder().monitorExecution(false).failover(false).build();
        return new OneEngine(NOON.minus(TO_NOON), unmonitored, context -> {
            if (seen.isEmpty()) {
                one.pass(Duration.ofSeconds(70));
                assertThat(losses()).as("kept").isEmpty();
                something.run();
            }
            seen.add(String.valueOf(context.getScheduledTime()));
        });
    }

    private List<JobEvent.FiringsLost> losses() {
        return one.events.stream()
                .filter(JobEvent.FiringsLost.class::isInstance)
                .map(JobEvent.FiringsLost.class::cast)
                .toList();
    }

    private static JobEvent.FiringsLost lostAtOnePastNoon(int item) {
        Instant firing = NOON.plus(Duration.ofMinutes(1));
        return new JobEvent.FiringsLost("orders", item, firing, firing, 1);
    }

    @Test
    void whatItDidCountsInTheNextSessionIfNobodyHasTakenTheItemOver() {
        one = engine(context -> {
            if (context.getShardingItem() == 0) {
                long before = one.registry.session().orElseThrow().id();
                outliveTheLease(context);
                one.expireSession();
                one.registry.reconnect();
                one.pass(Duration.ofSeconds(1));
                assertThat(one.registry.session().orElseThrow().id()).isNotEqualTo(before);
                assertThat(one.read(TREE.running(0))).as("its lock is gone").isEmpty();
            }
        });

        executeAtNoon();

        assertThat(one.read(TREE.item(0)).map(RegistryNode::text).orElse("absent"))
                .contains("\"state\":\"COMPLETED\"")
                .contains("\"scheduledAt\":\"2026-03-01T12:00:00Z\"")
                .contains("\"attempt\":1");
        assertThat(one.read(TREE.running(0))).isEmpty();
    }

    @Test
    void theShutdownTimeoutInterruptsAllTheSame() {
        one = engine(context -> {
            one.engine.stop();
            one.pass(Duration.ofSeconds(25));
            note(context);
        });

        executeAtNoon();

        assertThat(seen).startsWith("interrupted");
    }

    // ------------------------------------------------------------------ helpers

    private static OneEngine engine(SimpleJob job) {
        return new OneEngine(
                NOON.minus(TO_NOON), EVERY_MINUTE, job, builder -> builder.onSessionLoss(SessionLoss.CONTINUE));
    }

    private void executeAtNoon() {
        one.started().pass(TO_NOON);
        one.runItems();
    }

    private void outliveTheLease(ShardingContext context) {
        one.registry.disconnect();
        one.pass(SESSION_TIMEOUT);
        note(context);
    }

    private void note(ShardingContext context) {
        List<String> found = new ArrayList<>();
        if (context.isLeaseLost()) {
            found.add("lease lost");
        }
        if (Thread.interrupted()) {
            found.add("interrupted");
        }
        seen.add(String.join(", ", found));
    }
}
