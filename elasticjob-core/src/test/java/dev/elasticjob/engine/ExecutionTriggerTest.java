package dev.elasticjob.engine;

import static org.assertj.core.api.Assertions.assertThat;

import dev.elasticjob.definition.JobDefinition;
import dev.elasticjob.job.event.ExecutionTrigger;
import dev.elasticjob.job.event.JobEvent;
import dev.elasticjob.job.event.JobEvent.ItemStarted;
import dev.elasticjob.job.event.JobEvent.Resharded;
import java.time.Duration;
import java.time.ZoneOffset;
import java.util.List;
import java.util.function.UnaryOperator;
import org.junit.jupiter.api.Test;

/** What events say about an execution's cause, and about a new assignment. */
class ExecutionTriggerTest {
    private static final Duration MINUTE = Duration.ofMinutes(1);
    private static final JobDefinition ORDERS = JobDefinition.builder("orders")
            .cron("0 * * * * ?")
            .timeZone(ZoneOffset.UTC)
            .shardingTotalCount(1)
            .failover(true)
            .build();

    private final SimulatedCluster cluster = new SimulatedCluster(1);

    @Test
    void aFiringThatIsDueIsScheduled() {
        cluster.start("a@-@1", ORDERS);
        cluster.pass(MINUTE);

        assertThat(triggers()).containsExactly(ExecutionTrigger.SCHEDULE);
    }

    @Test
    void aRunThatSomebodyRequestsIsManual() {
        cluster.start("a@-@1", ORDERS);
        cluster.pass(Duration.ofSeconds(5));
        cluster.get(cluster.engine("a@-@1").admin().trigger("orders"));
        cluster.pass(Duration.ofSeconds(5));

        assertThat(triggers()).containsExactly(ExecutionTrigger.MANUAL);
    }

    @Test
    void anExecutionThatRepeatsAnInterruptedOneIsAFailover() {
        cluster.start("a@-@1", ORDERS, context -> lasting(), UnaryOperator.identity());
        cluster.pass(Duration.ofSeconds(90));

        assertThat(triggers()).containsExactly(ExecutionTrigger.SCHEDULE, ExecutionTrigger.FAILOVER);
    }

    /** Its session ends in the middle, and another instance is there. */
    private void lasting() {
        cluster.start("b@-@1", ORDERS);
        cluster.expire("a@-@1");
        cluster.pass(Duration.ofSeconds(20));
    }

    @Test
    void theLeaderTellsHowManyItemsMoved() {
        JobDefinition ten = ORDERS.toBuilder().shardingTotalCount(10).build();

        cluster.start("a@-@1", ten);
        cluster.pass(Duration.ofSeconds(5));
        cluster.start("b@-@1", ten);
        cluster.pass(Duration.ofSeconds(5));

        List<Resharded> told = EventLog.only(Resharded.class, cluster.events());
        assertThat(told).extracting(Resharded::items).containsExactly(10, 10);
        assertThat(told).extracting(Resharded::moved).containsExactly(10, 5);
        assertThat(told).allSatisfy(each -> assertThat(each.took()).isBetween(Duration.ZERO, MINUTE));
    }

    private List<ExecutionTrigger> triggers() {
        List<JobEvent> events = cluster.events();
        return EventLog.only(ItemStarted.class, events).stream()
                .map(ItemStarted::trigger)
                .toList();
    }
}
