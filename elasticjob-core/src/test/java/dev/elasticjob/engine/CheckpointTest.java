package dev.elasticjob.engine;

import static dev.elasticjob.engine.OneEngine.TREE;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.elasticjob.definition.JobDefinition;
import dev.elasticjob.definition.RetrySettings;
import dev.elasticjob.job.ShardingContext;
import dev.elasticjob.job.SimpleJob;
import dev.elasticjob.registry.RegistryCommit;
import dev.elasticjob.registry.RegistryNode;
import java.time.Duration;
import java.time.Instant;
import java.time.ZoneOffset;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import org.junit.jupiter.api.Test;

/** Where executions say they have come, and where the next ones go on. */
class CheckpointTest {
    private static final Instant BEFORE = Instant.parse("2026-03-01T11:59:59Z");
    private static final Duration A_DAY = Duration.ofDays(1);
    private static final JobDefinition DAILY = JobDefinition.builder("orders")
            .cron("0 0 12 * * ?")
            .timeZone(ZoneOffset.UTC)
            .failover(true)
            .build();

    private final List<Optional<String>> foundAtFirst = new ArrayList<>();
    private SimpleJob body = context -> {};

    @Test
    void theNextFiringGoesOnWhereTheLastOneStopped() {
        body = context -> context.checkpoint("line " + foundAtFirst.size());
        OneEngine one = fired(DAILY);
        one.runItems();
        one.pass(A_DAY);
        one.runItems();

        assertThat(foundAtFirst).containsExactly(Optional.empty(), Optional.of("line 1"));
        assertThat(stored(one)).contains("line 2");
    }

    @Test
    void itIsStoredWhileTheExecutionGoesOn() {
        OneEngine[] one = new OneEngine[1];
        body = context -> {
            context.checkpoint("first");
            one[0].settle();
            assertThat(stored(one[0])).contains("first");
            assertThat(record(one[0])).contains("RUNNING");
            context.checkpoint("second");
            one[0].pass(Duration.ofSeconds(1));
            assertThat(stored(one[0])).contains("second");
        };
        one[0] = fired(DAILY);
        one[0].runItems();

        assertThat(record(one[0])).contains("COMPLETED");
    }

    @Test
    void whoSaysItAfterEachBatchIsWrittenOnceASecondAndInTheEnd() {
        OneEngine[] one = new OneEngine[1];
        body = context -> {
            for (int line = 1; line <= 3_000; line++) {
                context.checkpoint("line " + line);
                one[0].pass(Duration.ofMillis(1));
            }
            context.checkpoint("the last line");
        };
        one[0] = fired(DAILY);
        one[0].runItems();

        assertThat(stored(one[0])).contains("the last line");
        RegistryNode node = one[0].read(TREE.checkpoint(0)).orElseThrow();
        assertThat(node.version()).as("sets after its creation").isBetween(3, 4);
    }

    @Test
    void aFailureKeepsItAndTheNextTryGoesOnThere() {
        body = context -> {
            if (context.getLastCheckpoint().isEmpty()) {
                context.checkpoint("half");
                throw new IllegalStateException("a hiccup");
            }
        };
        OneEngine one = fired(DAILY.toBuilder()
                .retry(RetrySettings.of(2, Duration.ofSeconds(1)))
                .build());
        one.runItems();
        one.pass(Duration.ofSeconds(1));
        one.runItems();

        assertThat(foundAtFirst).containsExactly(Optional.empty(), Optional.of("half"));
        assertThat(stored(one)).contains("half");
        assertThat(record(one)).contains("COMPLETED");
    }

    @Test
    void anEndThatIsWrittenInALaterSessionBringsItAlong() {
        OneEngine[] one = new OneEngine[1];
        body = context -> {
            one[0].expireSession();
            one[0].settle();
            context.checkpoint("late");
            one[0].pass(Duration.ofSeconds(3));
            assertThat(stored(one[0])).as("not in the session of another claim").isEmpty();
        };
        one[0] = fired(DAILY);
        one[0].runItems();
        one[0].pass(Duration.ofSeconds(3));

        assertThat(stored(one[0])).contains("late");
        assertThat(record(one[0])).contains("COMPLETED").contains("\"attempt\":1");
    }

    @Test
    void aReshardOrAnOperatorsDeletionDoesNotKeepItFromBeingStored() {
        OneEngine[] one = new OneEngine[1];
        body = context -> {
            context.checkpoint("before");
            one[0].settle();
            one[0].operate(RegistryCommit.builder()
                    .delete(TREE.checkpoint(0), RegistryCommit.ANY_VERSION)
                    .set(
                            TREE.sharding(),
                            one[0].read(TREE.sharding()).orElseThrow().text(),
                            RegistryCommit.ANY_VERSION));
            context.checkpoint("after");
            one[0].pass(Duration.ofSeconds(1));
            assertThat(stored(one[0])).contains("after");
        };
        one[0] = fired(DAILY);
        one[0].runItems();

        assertThat(record(one[0])).contains("COMPLETED");
    }

    @Test
    void anEmptyOneBeginsAnew() {
        body = context -> context.checkpoint(foundAtFirst.size() == 1 ? "somewhere" : "");
        OneEngine one = fired(DAILY);
        one.runItems();
        one.pass(A_DAY);
        one.runItems();
        one.pass(A_DAY);
        one.runItems();

        assertThat(foundAtFirst).containsExactly(Optional.empty(), Optional.of("somewhere"), Optional.empty());
    }

    @Test
    void oneThatIsTooLongIsRefusedAndTheOneBeforeStays() {
        List<Throwable> refusals = new ArrayList<>();
        body = context -> {
            context.checkpoint("ü".repeat(2_048));
            try {
                context.checkpoint("ü".repeat(2_049));
            } catch (IllegalArgumentException e) {
                refusals.add(e);
            }
        };
        OneEngine one = fired(DAILY);
        one.runItems();

        assertThat(refusals)
                .singleElement()
                .satisfies(e -> assertThat(e)
                        .hasMessageContainingAll("at most 4096 bytes", "but has 4098", "store large data elsewhere"));
        assertThat(stored(one)).contains("ü".repeat(2_048));
    }

    @Test
    void aJobThatIsNotMonitoredKeepsNone() {
        List<Throwable> refusals = new ArrayList<>();
        body = context -> {
            try {
                context.checkpoint("somewhere");
            } catch (IllegalStateException e) {
                refusals.add(e);
            }
        };
        OneEngine one =
                fired(DAILY.toBuilder().monitorExecution(false).failover(false).build());
        one.runItems();

        assertThat(refusals)
                .singleElement()
                .satisfies(e -> assertThat(e).hasMessageContainingAll("orders", "monitorExecution"));
    }

    @Test
    void nothingIsHeardOfAnExecutionThatHasEnded() {
        List<ShardingContext> contexts = new ArrayList<>();
        body = contexts::add;
        OneEngine one = fired(DAILY);
        one.runItems();

        assertThatThrownBy(() -> contexts.get(0).checkpoint("too late"))
                .isInstanceOf(IllegalStateException.class)
                .hasMessageContaining("the execution of item 0 has ended");
        one.pass(Duration.ofSeconds(2));
        assertThat(stored(one)).isEmpty();
    }

    private OneEngine fired(JobDefinition definition) {
        OneEngine one = new OneEngine(BEFORE, definition, context -> {
                    foundAtFirst.add(context.getLastCheckpoint());
                    body.execute(context);
                })
                .started();
        one.pass(Duration.ofSeconds(1));
        assertThat(one.waitingItems()).isEqualTo(1);
        return one;
    }

    private static Optional<String> stored(OneEngine one) {
        return one.read(TREE.checkpoint(0)).map(RegistryNode::text);
    }

    private static String record(OneEngine one) {
        return one.read(TREE.item(0)).orElseThrow().text();
    }
}
