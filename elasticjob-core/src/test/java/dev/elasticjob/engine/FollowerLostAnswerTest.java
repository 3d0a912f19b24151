package dev.elasticjob.engine;

import static dev.elasticjob.engine.OneEngine.TREE;
import static org.assertj.core.api.Assertions.assertThat;

import dev.elasticjob.definition.AfterSettings;
import dev.elasticjob.definition.JobDefinition;
import dev.elasticjob.definition.codec.JobDefinitionCodec;
import dev.elasticjob.job.event.JobEvent;
import dev.elasticjob.registry.JobTree;
import dev.elasticjob.registry.RegistryCommit;
import dev.elasticjob.registry.RegistryNode;
import java.time.Duration;
import java.time.Instant;
import java.time.ZoneOffset;
import java.util.Optional;
import java.util.function.Consumer;
import org.junit.jupiter.api.Test;

/** Firings end, and are followed, once, also when the connection is cut at any moment, and an answer with it. */
class FollowerLostAnswerTest {
    private static final Instant NOON = Instant.parse("2026-03-01T12:00:00Z");
    private static final String ID = String.valueOf(NOON.toEpochMilli());
    private static final int MOMENTS = 60;
    private static final JobTree IMPORT = new JobTree("import");
    private static final JobTree REPORT = new JobTree("report");
    private static final JobDefinition DAILY = JobDefinition.builder("orders")
            .cron("0 0 12 * * ?")
            .timeZone(ZoneOffset.UTC)
            .shardingTotalCount(2)
            .failover(true)
            .build();
    private static final JobDefinition FOLLOWER = JobDefinition.builder("orders")
            .shardingTotalCount(2)
            .failover(true)
            .after(AfterSettings.of("import"))
            .build();

    @Test
    void theEndOfAFiringIsToldOnce() {
        atEveryMomentAfter(
                DAILY,
                one -> {
                    isFollowed(one);
                    one.pass(Duration.ofSeconds(1));
                    one.returnItems();
                },
                one -> {
                    assertThat(text(one, REPORT.after(ID))).contains("COMPLETED 0-1", "\"success\":true");
                    assertThat(one.read(REPORT.after(ID)).orElseThrow().version())
                            .isZero();
                    assertThat(text(one, TREE.firings())).doesNotContain("open");
                });
    }

    @Test
    void theRunForAnEndedFiringIsAskedForOnce() {
        atEveryMomentAfter(
                FOLLOWER,
                one -> one.operate(RegistryCommit.builder()
                        .create(TREE.after(ID), "{\"after\":[{\"job\":\"import\",\"runId\":\"r\",\"success\":true}]}")),
                one -> {
                    assertThat(EventLog.only(JobEvent.ItemStarted.class, one.events))
                            .extracting(run -> run.item() + " " + run.runId())
                            .containsExactlyInAnyOrder("0 after-" + ID, "1 after-" + ID);
                    assertThat(one.read(TREE.after(ID))).isEmpty();
                });
    }

    @Test
    void itIsListedByAParentThatComesLater() {
        atEveryMomentAfter(
                FOLLOWER,
                one -> one.operate(RegistryCommit.builder()
                        .create(IMPORT.root())
                        .create(IMPORT.root() + "/leader")
                        .create(IMPORT.flags())),
                one -> {
                    assertThat(one.read(IMPORT.follower("orders"))).isPresent();
                    assertThat(one.read(IMPORT.followers()).orElseThrow().version())
                            .isZero();
                    assertThat(one.read(IMPORT.necessary()))
                            .hasValueSatisfying(
                                    signal -> assertThat(signal.version()).isZero());
                });
    }

    /** Another job runs after this one. */
    private static void isFollowed(OneEngine one) {
        JobDefinition report = JobDefinition.builder("report")
                .after(AfterSettings.of("orders"))
                .build();
        one.operate(RegistryCommit.builder()
                .create(REPORT.root())
                .create(REPORT.extension(), new JobDefinitionCodec().extension(report, Optional.empty()))
                .create(REPORT.after())
                .create(TREE.followers())
                .create(TREE.follower("report"))
                .create(TREE.necessary()));
        one.settle();
    }

    private static String text(OneEngine one, String path) {
        return one.read(path).map(RegistryNode::text).orElse("absent");
    }

    private static void atEveryMomentAfter(
            JobDefinition definition, Consumer<OneEngine> happens, Consumer<OneEngine> check) {
        for (int moment = 0; moment < MOMENTS; moment++) {
            OneEngine one = new OneEngine(NOON.minusSeconds(1), definition, context -> {}).started();
            happens.accept(one);
            for (int step = 0; step < moment; step++) {
                one.runOne();
            }
            one.registry.disconnect();
            one.pass(Duration.ofMillis(100));
            one.registry.reconnect();
            one.pass(Duration.ofSeconds(10));
            one.runItems();
            one.pass(Duration.ofSeconds(10));

            int cutAt = moment;
            assertThat(one).as("cut at moment %d", cutAt).satisfies(check::accept);
        }
    }
}
