package dev.elasticjob.engine;

import static org.assertj.core.api.Assertions.assertThat;

import dev.elasticjob.admin.JobAdmin;
import dev.elasticjob.admin.RegistryJobAdmin;
import dev.elasticjob.admin.command.CancelAnswer;
import dev.elasticjob.admin.command.CancelAnswer.Result;
import dev.elasticjob.admin.command.CancelRequest;
import dev.elasticjob.admin.command.RunRequest;
import dev.elasticjob.coordination.state.NodeCodec;
import dev.elasticjob.definition.JobDefinition;
import dev.elasticjob.job.cluster.ClusterFiring;
import dev.elasticjob.job.cluster.ClusterJobListener;
import dev.elasticjob.job.cluster.FiringOutcomes;
import dev.elasticjob.job.cluster.FiringOutcomes.End;
import dev.elasticjob.registry.JobTree;
import java.time.Duration;
import java.time.Instant;
import java.time.ZoneOffset;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.Test;

/** Operators who cancel a firing while the listeners before its first item are called. */
class CancelDuringListenersTest {
    private static final JobTree TREE = new JobTree("orders");
    private static final JobDefinition ORDERS = JobDefinition.builder("orders")
            .cron("0 0 3 * * ?")
            .timeZone(ZoneOffset.UTC)
            .shardingTotalCount(6)
            .build();
    private static final Instant FIRING = Instant.parse("2026-03-01T03:00:00Z");

    private final SimulatedCluster cluster = new SimulatedCluster(7);
    private final List<String> calls = new ArrayList<>();
    private final List<CancelAnswer> answers = new ArrayList<>();
    private final List<FiringOutcomes> outcomes = new ArrayList<>();

    private final ClusterJobListener cancelling = new ClusterJobListener() {
        @Override
        public void beforeFirstItem(ClusterFiring firing) {
            calls.add("before");
            if (answers.isEmpty()) {
                answers.add(cluster.get(admin().cancel("orders", CancelRequest.run(firing.runId()))));
            }
        }

        @Override
        public void afterLastItem(ClusterFiring firing, FiringOutcomes ends) {
            calls.add("after");
            outcomes.add(ends);
        }
    };

    @Test
    void noItemOfTheFiringBeginsAndTheNextOneRuns() {
        startThree();

        cluster.pass(Duration.between(cluster.now(), FIRING).plusSeconds(5));

        assertThat(answers.get(0).items().values()).hasSize(6).containsOnly(Result.SKIPPED);
        assertThat(calls).containsExactly("before");
        assertThat(openFirings()).isZero();

        cluster.pass(Duration.ofDays(1));

        assertThat(calls).hasSize(9).endsWith("after");
        assertThat(outcomes)
                .singleElement()
                .satisfies(ends -> assertThat(ends.items().values())
                        .extracting(FiringOutcomes.Outcome::end)
                        .hasSize(6)
                        .containsOnly(End.COMPLETED));
    }

    @Test
    void noItemOfAManualRunBegins() {
        startThree();

        cluster.get(admin().trigger("orders", new RunRequest("stocktaking", "")));
        cluster.pass(Duration.ofSeconds(10));

        assertThat(answers.get(0).items().values()).hasSize(6).containsOnly(Result.DROPPED);
        assertThat(calls).containsExactly("before");
        assertThat(openFirings()).isZero();
    }

    private JobAdmin admin() {
        return new RegistryJobAdmin(cluster.operator());
    }

    private void startThree() {
        for (String instance : List.of("a@-@1", "b@-@1", "c@-@1")) {
            cluster.start(
                    instance,
                    ORDERS,
                    context -> calls.add("item " + context.getShardingItem()),
                    engine -> engine.clusterListeners(List.of(cancelling)));
            cluster.pass(Duration.ofSeconds(3));
        }
    }

    private int openFirings() {
        return cluster.read(TREE.firings())
                .map(node -> NodeCodec.readFirings(node, TREE.firings()).open().size())
                .orElse(0);
    }
}
