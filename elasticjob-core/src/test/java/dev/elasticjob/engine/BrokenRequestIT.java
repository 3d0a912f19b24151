package dev.elasticjob.engine;

import static dev.elasticjob.engine.RealEngines.get;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.elasticjob.admin.JobAdmin;
import dev.elasticjob.admin.RegistryJobAdmin;
import dev.elasticjob.admin.command.RunRequest;
import dev.elasticjob.definition.JobDefinition;
import dev.elasticjob.job.SimpleJob;
import dev.elasticjob.job.cluster.ClusterFiring;
import dev.elasticjob.job.cluster.ClusterJobListener;
import dev.elasticjob.job.cluster.FiringOutcomes;
import dev.elasticjob.job.event.JobEvent.AssignmentChanged;
import dev.elasticjob.testing.Heard;
import java.util.List;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.RegisterExtension;

/** A manual run whose request takes several transactions, in a job with a cluster listener, on a real ZooKeeper. */
@Tag("proof")
class BrokenRequestIT {
    private static final int ITEMS = 1_200;

    /** Two transactions for all items. */
    private static final RunRequest BROKEN = new RunRequest("broken", "p".repeat(500));

    @RegisterExtension
    final RealEngines engines = new RealEngines();

    private final Heard<String> told = new Heard<>();

    @Test
    void aRequestWhoseProcessDiesInTheMiddleIsCompletedAndTheRunIsOneFiring() {
        List.of("a@-@1", "b@-@1", "c@-@1").forEach(this::start);
        engines.events()
                .awaitThat(
                        "a share of a third",
                        all -> EventLog.only(AssignmentChanged.class, all).stream()
                                .anyMatch(now -> now.items().size() == ITEMS / 3));
        JobAdmin dying = new RegistryJobAdmin(new DyingAfterOneCommit(engines.registry()));

        assertThatThrownBy(() -> get(dying.trigger("orders", BROKEN))).hasMessageContaining("the process is dead");
        assertThat(told.all()).as("what has begun before all items are asked").isEmpty();
        told.await("the call after the last item", all -> all.contains("after"));

        assertThat(told.all())
                .startsWith("before")
                .endsWith("after")
                .hasSize(ITEMS + 2)
                .doesNotHaveDuplicates();
    }

    private void start(String instance) {
        ElasticJobEngine engine = engines.engine(instance, builder -> builder.clusterListeners(List.of(new Calls())));
        engine.register(
                JobDefinition.builder("orders")
                        .cron("0 0 0 1 1 ?")
                        .shardingTotalCount(ITEMS)
                        .build(),
                (SimpleJob) context -> told.add("item " + context.getShardingItem()));
        engine.start();
    }

    private final class Calls implements ClusterJobListener {
        @Override
        public void beforeFirstItem(ClusterFiring firing) {
            told.add("before");
        }

        @Override
        public void afterLastItem(ClusterFiring firing, FiringOutcomes outcomes) {
            told.add("after");
        }
    }
}
