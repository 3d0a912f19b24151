package dev.elasticjob.engine;

import static dev.elasticjob.engine.OneEngine.TREE;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.elasticjob.admin.Attention.Finding;
import dev.elasticjob.admin.Attention.Finding.Kind;
import dev.elasticjob.admin.RegistryJobAdmin;
import dev.elasticjob.admin.command.Actor;
import dev.elasticjob.admin.command.CommandLog;
import dev.elasticjob.admin.command.PausedBy;
import dev.elasticjob.admin.explain.Explanation;
import dev.elasticjob.definition.JobDefinition;
import dev.elasticjob.job.ShardingContext;
import dev.elasticjob.job.SimpleJob;
import dev.elasticjob.job.event.JobEvent;
import dev.elasticjob.registry.RegistryCommit;
import dev.elasticjob.registry.RegistryNode;
import dev.elasticjob.testing.LoggedLines;
import java.time.Duration;
import java.time.Instant;
import java.time.ZoneOffset;
import java.util.ArrayList;
import java.util.List;
import java.util.function.Predicate;
import java.util.function.UnaryOperator;
import org.junit.jupiter.api.Test;

/** A job that pauses itself when one of its items has failed three times in a row. It is due at 10 s past each minute. */
class PauseAfterFailuresTest {
    private static final Duration MINUTE = Duration.ofMinutes(1);
    private static final JobDefinition ORDERS = JobDefinition.builder("orders")
            .cron("10 * * * * ?")
            .timeZone(ZoneOffset.UTC)
            .shardingTotalCount(3)
            .failover(true)
            .pauseAfterFailures(3)
            .build();
    private static final int MOMENTS = 60;
    private static final Instant BEFORE = Instant.parse("2026-03-01T12:00:09Z");

    private final SimulatedCluster cluster = new SimulatedCluster(5);
    private final RegistryJobAdmin admin =
            new RegistryJobAdmin(cluster.operator(), new CommandLog(event -> {}, Actor.UNKNOWN), cluster.timer());
    private final List<String> executed = new ArrayList<>();

    @Test
    void itIsPausedAsByAnOperatorAndSaysWhy() {
        start("a@-@1", ORDERS, context -> context.getShardingItem() == 1);
        start("b@-@1", ORDERS, context -> context.getShardingItem() == 1);

        try (LoggedLines log = new LoggedLines()) {
            cluster.pass(MINUTE.multipliedBy(6));

            assertThat(log.all())
                    .filteredOn(line -> line.startsWith("WARN") && line.contains("carried out \"pause\""))
                    .singleElement()
                    .asString()
                    .contains("\"pauseAfterFailures\"", "item 1 has failed 3 times in a row");
        }

        assertThat(executed).filteredOn("1"::equals).hasSize(3);
        assertThat(executed).filteredOn("0"::equals).hasSize(3);
        PausedBy pause = cluster.get(admin.pause("orders")).paused().orElseThrow();
        assertThat(pause.actor()).isEqualTo("pauseAfterFailures");
        assertThat(pause.reason())
                .isEqualTo(
                        "item 1 has failed 3 times in a row, at last with: java.lang.IllegalStateException: disk full");
        assertThat(pause.failures())
                .contains(new PausedBy.RepeatedFailure(1, 3, "java.lang.IllegalStateException: disk full"));
        assertThat(pauses()).singleElement().satisfies(told -> {
            assertThat(told.actor()).isEqualTo("pauseAfterFailures");
            assertThat(told.reason()).contains(pause.reason());
            assertThat(told.succeeded()).isTrue();
        });
        assertThat(text("/orders/commands")).contains("\"command\":\"pause\"", "\"actor\":\"pauseAfterFailures\"");
        List<Finding> findings = cluster.get(cluster.inspector().attention());
        assertThat(findings)
                .filteredOn(finding -> finding.kind() == Kind.PAUSED_AFTER_FAILURES)
                .singleElement()
                .satisfies(finding -> assertThat(finding.fact().text())
                        .isEqualTo("The job paused itself after item 1 had failed 3 times in a row, as its"
                                + " pauseAfterFailures says: java.lang.IllegalStateException: disk full"));
        Explanation explained =
                cluster.get(cluster.inspector().explain("orders", 0)).orElseThrow();
        assertThat(explained.conditions().get(0).reason()).isEqualTo(Explanation.Reason.PAUSED);
        assertThat(explained.conditions().get(0).fact().text()).contains("item 1 had failed 3 times in a row");
    }

    @Test
    void aResumeLetsTheCountBeginAnew() {
        start("a@-@1", ORDERS, context -> true);
        cluster.pass(MINUTE.multipliedBy(5));
        int before = executed.size();

        cluster.get(admin.resume("orders"));
        cluster.pass(MINUTE.multipliedBy(2));
        boolean pausedAtOnce = isPaused();
        cluster.pass(MINUTE.multipliedBy(3));

        assertThat(before).isEqualTo(9);
        assertThat(pausedAtOnce).isFalse();
        assertThat(executed).hasSize(18);
        assertThat(isPaused()).isTrue();
        assertThat(pauses()).hasSize(2);
    }

    @Test
    void aSuccessLetsTheCountBeginAnew() {
        start(
                "a@-@1",
                ORDERS,
                context -> context.getScheduledTime().atOffset(ZoneOffset.UTC).getMinute() % 3 != 0);

        cluster.pass(MINUTE.multipliedBy(20));

        assertThat(isPaused()).isFalse();
        assertThat(executed).hasSize(60);
    }

    /** A manual run is an execution like any other. */
    @Test
    void aManualRunCounts() {
        JobDefinition once = ORDERS.toBuilder().cron("0 0 12 * * ?").build();
        start("a@-@1", once, context -> true);
        cluster.pass(MINUTE);
        for (int run = 1; run <= 3; run++) {
            cluster.get(admin.trigger("orders", "r" + run));
            cluster.pass(MINUTE);
        }

        assertThat(executed).hasSize(9);
        assertThat(isPaused()).isTrue();
        assertThatThrownBy(() -> cluster.get(admin.trigger("orders", "r4"))).hasMessageContaining("has failed 3 times");
    }

    @Test
    void theCountOutlivesTheInstanceAndTheOneThatComesNextPauses() {
        start("a@-@1", ORDERS, context -> true);
        cluster.pass(MINUTE.multipliedBy(2));
        cluster.get(cluster.engine("a@-@1").stop());
        start("b@-@1", ORDERS, context -> true);
        cluster.pass(MINUTE.multipliedBy(4));

        assertThat(executed).hasSize(9);
        assertThat(isPaused()).isTrue();
    }

    /** As if the instance had died right after the end of the third one, when a manual run was requested already. */
    @Test
    void anItemThatHasFailedSoOftenIsNotStartedByAnInstanceThatFindsItSo() {
        JobDefinition once = ORDERS.toBuilder().cron("0 0 12 * * ?").build();
        start("a@-@1", once, context -> false);
        cluster.pass(MINUTE);
        cluster.get(cluster.engine("a@-@1").stop());
        cluster.commit(RegistryCommit.builder()
                .set(
                        TREE.item(2),
                        "{\"scheduledAt\":\"2026-02-28T12:00:00Z\",\"state\":\"FAILED\",\"attempt\":1,\"instance\":\"a@-@1\","
                                + "\"failing\":{\"times\":3},\"counted\":{\"times\":3,\"under\":0}}",
                        RegistryCommit.ANY_VERSION)
                .create(TREE.trigger(2), "{\"runId\":\"r1\"}"));

        start("b@-@1", once, context -> false);
        cluster.pass(MINUTE);

        assertThat(executed).isEmpty();
        assertThat(isPaused()).isTrue();
    }

    /** Of an earlier version, or of a time without the setting. */
    @Test
    void whatWasNotCountedDoesNotCount() {
        start("a@-@1", ORDERS.toBuilder().pauseAfterFailures(0).build(), context -> true);
        cluster.pass(MINUTE.multipliedBy(4));
        String uncounted = text(TREE.item(0));

        cluster.get(admin.redefine(
                "orders", now -> now.toBuilder().pauseAfterFailures(3).build()));
        cluster.pass(MINUTE.multipliedBy(2));
        boolean pausedAtOnce = isPaused();
        cluster.pass(MINUTE.multipliedBy(3));

        assertThat(uncounted).contains("\"failing\":{\"times\":4").doesNotContain("counted");
        assertThat(pausedAtOnce).isFalse();
        assertThat(executed).hasSize(21);
        assertThat(isPaused()).isTrue();
    }

    @Test
    void aLowerNumberCountsWhatWasCountedBefore() {
        start("a@-@1", ORDERS.toBuilder().pauseAfterFailures(9).build(), context -> true);
        cluster.pass(MINUTE.multipliedBy(4));

        cluster.get(admin.redefine(
                "orders", now -> now.toBuilder().pauseAfterFailures(3).build()));
        cluster.pass(MINUTE.multipliedBy(2));

        assertThat(executed).hasSize(12);
        assertThat(isPaused()).isTrue();
    }

    @Test
    void itIsPausedAndToldOnceWheneverTheConnectionIsCut() {
        SimpleJob failing = context -> {
            throw new IllegalStateException("disk full");
        };
        JobDefinition once =
                ORDERS.toBuilder().pauseAfterFailures(1).shardingTotalCount(1).build();
        for (int moment = 0; moment < MOMENTS; moment++) {
            OneEngine one = new OneEngine(BEFORE, once, failing).started();
            one.pass(Duration.ofSeconds(2));
            one.runItems();

            for (int step = 0; step < moment; step++) {
                one.runOne();
            }
            one.registry.disconnect();
            one.pass(Duration.ofMillis(100));
            one.registry.reconnect();
            one.passRunning(Duration.ofMinutes(3));

            assertThat(one.read(TREE.paused()).map(RegistryNode::version))
                    .as("cut at moment %d", moment)
                    .contains(0);
            assertThat(EventLog.only(JobEvent.ItemStarted.class, one.events))
                    .as("cut at moment %d", moment)
                    .hasSize(1);
            assertThat(EventLog.only(JobEvent.CommandEnded.class, one.events))
                    .as("cut at moment %d", moment)
                    .hasSize(1);
        }
    }

    private void start(String instance, JobDefinition definition, Predicate<ShardingContext> fails) {
        SimpleJob job = context -> {
            executed.add(String.valueOf(context.getShardingItem()));
            if (fails.test(context)) {
                throw new IllegalStateException("disk full\nsecond line");
            }
        };
        cluster.start(instance, definition, job, UnaryOperator.identity());
    }

    private boolean isPaused() {
        return text(TREE.paused()).contains("\"paused\":true");
    }

    private String text(String path) {
        return cluster.read(path).map(RegistryNode::text).orElse("");
    }

    private List<JobEvent.CommandEnded> pauses() {
        return EventLog.only(JobEvent.CommandEnded.class, cluster.events());
    }
}
