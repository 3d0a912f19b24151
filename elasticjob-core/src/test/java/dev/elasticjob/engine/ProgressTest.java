package dev.elasticjob.engine;

import static dev.elasticjob.engine.OneEngine.TREE;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.elasticjob.admin.JobReport.ItemReport;
import dev.elasticjob.admin.JobReport.Progress;
import dev.elasticjob.definition.JobDefinition;
import dev.elasticjob.job.ShardingContext;
import dev.elasticjob.job.SimpleJob;
import dev.elasticjob.job.event.JobState;
import dev.elasticjob.registry.RegistryCommit;
import dev.elasticjob.registry.RegistryNode;
import java.time.Duration;
import java.time.Instant;
import java.time.ZoneOffset;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** How far executions say that they have come, and what people see of it. */
class ProgressTest {
    private static final Instant BEFORE = Instant.parse("2026-03-01T11:59:59Z");
    private static final Duration SECOND = Duration.ofSeconds(1);
    private static final JobDefinition DAILY = JobDefinition.builder("orders")
            .cron("0 0 12 * * ?")
            .timeZone(ZoneOffset.UTC)
            .failover(true)
            .build();
    private static final String NODE = TREE.progress("a@-@1");

    private SimpleJob body = context -> {};
    private final OneEngine one = new OneEngine(BEFORE, DAILY, context -> body.execute(context));
    private final List<String> seen = new ArrayList<>();
    /** Of assertions in the job. */
    private final List<Throwable> failures = new ArrayList<>();

    @Test
    void whatAnExecutionReportsIsShownWhileItRuns() {
        body = context -> {
            context.progress(3, 10, "invoices");
            one.pass(SECOND);
            assertThat(progress()).contains(new Progress(3, 10, "invoices", one.time.instant()));
            context.progress(4, 0);
            one.pass(Duration.ofSeconds(5));
            assertThat(progress()).contains(new Progress(4, 0, "", one.time.instant()));
        };

        fire();

        assertThat(item().running()).isFalse();
        assertThat(progress()).isEmpty();
    }

    @Test
    void itIsWrittenEveryFiveSecondsHoweverOftenItIsReported() {
        body = context -> {
            for (int line = 1; line <= 20_000; line++) {
                context.progress(line, 20_000, "lines");
                one.pass(Duration.ofMillis(1));
            }
        };

        fire(() -> seen.add("versions up to " + node().orElseThrow().version()));

        // After 1, 6, 11 and 16 s.
        assertThat(seen).containsExactly("versions up to 3");
    }

    @Test
    void nothingIsWrittenWhileNothingChanges() {
        body = context -> {
            context.progress(1, 2);
            one.pass(SECOND);
            int before = node().orElseThrow().version();
            one.pass(Duration.ofMinutes(1));
            assertThat(node().orElseThrow().version()).isEqualTo(before);
        };

        fire();
    }

    @Test
    void anExecutionThatEndsAtOnceCostsNothing() {
        long[] requests = new long[2];
        requests[0] = requestsOf(context -> {});
        requests[1] = requestsOf(context -> context.progress(1, 1));

        assertThat(requests[1]).isEqualTo(requests[0]);
        assertThat(one.read(TREE.progress())).isEmpty();
    }

    private long requestsOf(SimpleJob job) {
        OneEngine other = new OneEngine(BEFORE, DAILY, job).started();
        other.pass(SECOND);
        long before = other.requests();
        other.runItems();
        other.pass(Duration.ofSeconds(10));
        return other.requests() - before;
    }

    @Test
    void theNodeGoesWhenNothingExecutesAnyMore() {
        body = context -> {
            context.progress(1, 2);
            one.pass(SECOND);
            assertThat(node()).isPresent();
        };

        fire();
        one.pass(Duration.ofSeconds(5));

        assertThat(node()).isEmpty();
        assertThat(one.read(TREE.progress())).isPresent();
    }

    @Test
    void itGoesAtOnceWhenTheInstanceLeavesTheJob() {
        body = context -> {
            context.progress(1, 2);
            one.pass(SECOND);
        };
        fire();

        one.engine.unregister("orders");
        one.settle();

        assertThat(node()).isEmpty();
    }

    @Test
    void aReportAfterTheEndHasNoEffect() {
        ShardingContext[] kept = new ShardingContext[1];
        body = context -> kept[0] = context;
        fire();

        kept[0].progress(1, 2);
        one.pass(Duration.ofSeconds(10));

        assertThat(one.read(TREE.progress())).isEmpty();
    }

    @Test
    void negativeNumbersAreRefused() {
        body = context -> assertThatThrownBy(() -> context.progress(-1, 10))
                .isInstanceOf(IllegalArgumentException.class)
                .hasMessage(
                        "Expected what is done and the total to be 0 or more, but they were -1 and 10. Use 0 for a total that isn't known");

        fire();

        assertThat(item().itemRecord().failure()).isEmpty();
    }

    @Test
    void aLongTextIsCutToOneLineOf128Bytes() {
        body = context -> {
            context.progress(1, 2, "第一行\n" + "行".repeat(1_000_000));
            one.pass(SECOND);
            assertThat(progress().orElseThrow().text()).isEqualTo("第一行 " + "行".repeat(39));
        };

        fire();
    }

    @Test
    void aNewSessionShowsOnlyWhatWasClaimedInIt() {
        body = context -> {
            context.progress(seen.size() + 1, 2);
            one.pass(SECOND);
            seen.add("day " + progress().orElseThrow().done());
            if (seen.size() == 1) {
                one.expireSession();
                one.pass(Duration.ofSeconds(10));
                assertThat(node()).isEmpty();
            }
        };

        fire();
        one.pass(Duration.ofDays(1));
        runItems();

        assertThat(seen).containsExactly("day 1", "day 2");
    }

    /** After each step of the writing: the request is sent then or not, and its answer lost or not. */
    @ParameterizedTest
    @ValueSource(ints = {0, 1, 2, 3, 4, 5, 6})
    void aLostConnectionDoesNotEndTheReports(int steps) {
        body = context -> {
            context.progress(1, 3);
            one.settle();
            one.time.advance(SECOND);
            for (int step = 0; step < steps; step++) {
                one.runOne();
            }
            one.registry.disconnect();
            one.settle();
            one.registry.reconnect();
            one.pass(Duration.ofSeconds(5));
            assertThat(progress().orElseThrow().done()).isEqualTo(1);
            context.progress(2, 3);
            one.pass(Duration.ofSeconds(5));
            assertThat(progress().orElseThrow().done()).isEqualTo(2);
        };

        fire();
        one.pass(Duration.ofSeconds(5));

        assertThat(node()).isEmpty();
    }

    @Test
    void theNodeOfAFormerSessionIsReplaced() {
        one.started();
        one.operate(RegistryCommit.builder().create(TREE.progress()).createEphemeral(NODE, "{\"executions\":{}}"));
        body = context -> {
            context.progress(1, 2);
            one.pass(SECOND);
            assertThat(node().orElseThrow().ephemeralOwner())
                    .isEqualTo(one.registry.session().orElseThrow().id());
            assertThat(progress().orElseThrow().done()).isEqualTo(1);
        };

        fire();
    }

    @Test
    void aNodeThatCannotBeReadIsNamedAndTheRestIsShown() {
        body = context -> {
            context.progress(1, 2);
            one.pass(SECOND);
            one.operate(RegistryCommit.builder().set(NODE, "{\"executions\":{\"0\":{\"token\":1,\"done\":-3}}}", -1));
            assertThat(progress()).isEmpty();
            assertThat(item().running()).isTrue();
            assertThat(item().progressProblem().orElseThrow())
                    .startsWith(
                            "The node \"/orders/progress/a@-@1\" can't be read: expected \"executions.0.done\" to be a whole"
                                    + " number from 0 on, but was -3");
            context.progress(2, 2);
            one.pass(Duration.ofSeconds(5));
            assertThat(progress().orElseThrow().done()).isEqualTo(2);
            assertThat(item().progressProblem()).isEmpty();
        };

        fire();
    }

    // ------------------------------------------------------------------ what happens

    private void fire() {
        fire(() -> {});
    }

    /** @param atTheEnd while the job's thread hasn't returned yet */
    private void fire(Runnable atTheEnd) {
        SimpleJob job = body;
        body = context -> {
            try {
                job.execute(context);
                atTheEnd.run();
            } catch (Throwable e) {
                failures.add(e);
            }
        };
        if (one.engine.state("orders") == JobState.LATENT) {
            one.started();
        }
        one.pass(SECOND);
        runItems();
    }

    private void runItems() {
        one.runItems();
        assertThat(failures).isEmpty();
    }

    private ItemReport item() {
        var asked = one.inspector().job("orders").toCompletableFuture();
        return asked.join().orElseThrow().items().get(0);
    }

    private Optional<Progress> progress() {
        return item().progress();
    }

    private Optional<RegistryNode> node() {
        return one.read(NODE);
    }
}
