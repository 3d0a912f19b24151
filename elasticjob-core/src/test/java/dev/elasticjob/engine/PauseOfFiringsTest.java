package dev.elasticjob.engine;

import static org.assertj.core.api.Assertions.assertThat;

import dev.elasticjob.admin.JobAdmin;
import dev.elasticjob.admin.RegistryJobAdmin;
import dev.elasticjob.admin.command.Actor;
import dev.elasticjob.admin.command.CommandLog;
import dev.elasticjob.definition.AfterSettings;
import dev.elasticjob.definition.JobDefinition;
import dev.elasticjob.job.SimpleJob;
import dev.elasticjob.job.cluster.ClusterFiring;
import dev.elasticjob.job.cluster.ClusterJobListener;
import dev.elasticjob.job.cluster.FiringOutcomes;
import dev.elasticjob.registry.JobTree;
import java.time.Duration;
import java.time.Instant;
import java.time.ZoneOffset;
import java.util.ArrayList;
import java.util.List;
import java.util.function.UnaryOperator;
import org.junit.jupiter.api.Test;

/** Pauses of jobs that have cluster listeners, and of jobs that run after others. They are due at 03:00. */
class PauseOfFiringsTest {
    private static final Instant FIRING = Instant.parse("2026-03-01T03:00:00Z");
    private static final Duration MINUTE = Duration.ofMinutes(1);

    private final SimulatedCluster cluster = new SimulatedCluster(3);
    private final JobAdmin admin = new RegistryJobAdmin(
                    cluster.operator(), new CommandLog(event -> {}, Actor.UNKNOWN), cluster.timer())
            .by(Actor.named("alice"));
    private final List<String> seen = new ArrayList<>();
    private Runnable before = () -> {};

    @Test
    void whatListenersWereCalledForBeforeThePauseRunsAfterIt() {
        startListening("a@-@1", "b@-@1");
        before = () -> cluster.get(admin.pause("orders"));

        cluster.pass(untilDue().plus(MINUTE));
        List<String> meanwhile = List.copyOf(seen);
        cluster.get(admin.resume("orders"));
        cluster.pass(MINUTE);

        assertThat(meanwhile).containsExactly("before " + FIRING);
        assertThat(seen)
                .containsExactlyInAnyOrder(
                        "before " + FIRING, "0 of " + FIRING, "1 of " + FIRING, "after " + FIRING + " COMPLETED 2")
                .endsWith("after " + FIRING + " COMPLETED 2");
    }

    @Test
    void listenersAreNotCalledForWhatComesDueInAPause() {
        startListening("a@-@1", "b@-@1");

        cluster.get(admin.pause("orders"));
        cluster.pass(untilDue().plus(MINUTE));
        cluster.get(admin.resume("orders"));
        cluster.pass(MINUTE);
        List<String> of = List.copyOf(seen);
        cluster.pass(Duration.ofHours(24));

        assertThat(of).isEmpty();
        assertThat(cluster.read(new JobTree("orders").firings()))
                .hasValueSatisfying(firings -> assertThat(firings.text()).doesNotContain("open"));
        assertThat(seen).hasSize(4).startsWith("before " + FIRING.plus(Duration.ofDays(1)));
    }

    @Test
    void aPausedFollowerRunsOnceItIsResumed() {
        start(job("orders"), "a@-@1");
        start(follower(), "b@-@1");

        cluster.get(admin.pause("report"));
        cluster.pass(untilDue().plus(MINUTE));
        List<String> meanwhile = List.copyOf(seen);
        cluster.get(admin.resume("report"));
        cluster.pass(MINUTE);

        assertThat(meanwhile).containsExactlyInAnyOrder("orders 0", "orders 1");
        assertThat(seen).containsExactlyInAnyOrder("orders 0", "orders 1", "report 0", "report 1");
    }

    @Test
    void nothingRunsAfterWhatWasNotRunInAPause() {
        start(job("orders"), "a@-@1");
        start(follower(), "b@-@1");

        cluster.get(admin.pause("orders"));
        cluster.pass(untilDue().plus(MINUTE));
        cluster.get(admin.resume("orders"));
        cluster.pass(MINUTE);

        assertThat(seen).isEmpty();
    }

    private Duration untilDue() {
        return Duration.between(cluster.now(), FIRING);
    }

    private static JobDefinition job(String name) {
        return JobDefinition.builder(name)
                .cron("0 0 3 * * ?")
                .timeZone(ZoneOffset.UTC)
                .shardingTotalCount(2)
                .build();
    }

    private static JobDefinition follower() {
        return JobDefinition.builder("report")
                .after(AfterSettings.of("orders"))
                .shardingTotalCount(2)
                .build();
    }

    private void start(JobDefinition definition, String instance) {
        SimpleJob body = context -> seen.add(context.getJobName() + " " + context.getShardingItem());
        cluster.start(instance, definition, body, UnaryOperator.identity());
        cluster.pass(Duration.ofSeconds(5));
    }

    private void startListening(String... instances) {
        SimpleJob body = context -> seen.add(context.getShardingItem() + " of " + context.getScheduledTime());
        for (String instance : instances) {
            cluster.start(instance, job("orders"), body, engine -> engine.clusterListeners(List.of(new Noting(this))));
        }
        cluster.pass(Duration.ofSeconds(5));
    }

    private record Noting(PauseOfFiringsTest test) implements ClusterJobListener {
        @Override
        public void beforeFirstItem(ClusterFiring firing) {
            test.seen.add("before " + firing.scheduledTime().orElseThrow());
            test.before.run();
        }

        @Override
        public void afterLastItem(ClusterFiring firing, FiringOutcomes ends) {
            test.seen.add("after %s %s %d"
                    .formatted(
                            firing.scheduledTime().orElseThrow(),
                            ends.isSuccess() ? "COMPLETED" : "otherwise",
                            ends.items().size()));
        }
    }
}
