package dev.elasticjob.engine;

import static dev.elasticjob.engine.OneEngine.TREE;
import static org.assertj.core.api.Assertions.assertThat;

import dev.elasticjob.definition.JobDefinition;
import dev.elasticjob.job.SimpleJob;
import dev.elasticjob.job.event.JobEvent;
import dev.elasticjob.job.event.JobEvent.DefinitionUnreadable;
import dev.elasticjob.job.event.JobState;
import dev.elasticjob.registry.RegistryCommit;
import dev.elasticjob.registry.RegistryNode;
import java.time.Duration;
import java.time.Instant;
import java.time.ZoneOffset;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.Test;

/** Somebody makes the definition of a running job unreadable, and mends it later. The job fires once a minute. */
class UnreadableDefinitionTest {
    private static final Instant NOON = Instant.parse("2026-03-01T12:00:00Z");
    private static final Duration SECOND = Duration.ofSeconds(1);
    private static final Duration MINUTES = Duration.ofSeconds(150);
    private static final JobDefinition EVERY_MINUTE = JobDefinition.builder("orders")
            .cron("0 * * * * ?")
            .timeZone(ZoneOffset.UTC)
            .shardingTotalCount(2)
            .build();

    private final List<String> runs = new ArrayList<>();
    private final SimpleJob noting = context -> runs.add(context.getShardingItem() + " " + context.getScheduledTime());

    @Test
    void nothingIsClaimedAndItIsToldOnce() {
        OneEngine one = started(noting);

        corrupt(one, TREE.config());
        one.pass(MINUTES);

        assertThat(one.waitingItems()).isZero();
        assertThat(told(one))
                .singleElement()
                .satisfies(told -> assertThat(told.node()).isEqualTo("/orders/config"));
        assertThat(one.engine.state("orders")).isEqualTo(JobState.SUSPENDED);
    }

    @Test
    void theExtensionIsHeldLikeTheConfig() {
        OneEngine one = started(noting);

        corrupt(one, TREE.extension());
        one.pass(MINUTES);

        assertThat(one.waitingItems()).isZero();
        assertThat(told(one))
                .singleElement()
                .satisfies(told -> assertThat(told.node()).isEqualTo("/orders/extension"));
    }

    @Test
    void nobodyAsksAgainUntilItIsMended() {
        OneEngine one = started(noting);
        corrupt(one, TREE.config());
        one.pass(SECOND);
        long before = one.requests();

        one.pass(Duration.ofMinutes(9));

        assertThat(one.requests() - before).isZero();
    }

    @Test
    void onceMendedItGoesOnByItself() {
        OneEngine one = started(noting);
        corrupt(one, TREE.config());
        one.pass(MINUTES);

        one.configure(EVERY_MINUTE);
        one.settle();
        one.runItems();

        assertThat(runs).containsExactlyInAnyOrder("0 2026-03-01T12:02:00Z", "1 2026-03-01T12:02:00Z");
        assertThat(one.engine.state("orders")).isEqualTo(JobState.ACTIVE);
    }

    @Test
    void anotherUnreadableTextIsToldAnew() {
        OneEngine one = started(noting);

        corrupt(one, TREE.config());
        one.pass(SECOND);
        one.operate(RegistryCommit.builder().set(TREE.config(), "{\"cron\":7}", RegistryCommit.ANY_VERSION));
        one.pass(SECOND);

        assertThat(told(one)).hasSize(2);
    }

    @Test
    void whatIsExecutingGoesOnAndWritesItsEnd() {
        OneEngine[] one = new OneEngine[1];
        one[0] = started(context -> {
            corrupt(one[0], TREE.config());
            one[0].pass(SECOND);
            noting.execute(context);
        });
        one[0].pass(Duration.ofSeconds(2));

        one[0].runItems();

        assertThat(runs).hasSize(2);
        assertThat(text(one[0], TREE.item(0))).contains("\"state\":\"COMPLETED\"");
        assertThat(one[0].read(TREE.running(0))).isEmpty();
    }

    @Test
    void whoeverLosesItsSessionMeanwhileComesBackOnceItIsMended() {
        OneEngine one = started(noting);
        corrupt(one, TREE.config());
        one.pass(SECOND);
        one.expireSession();
        one.pass(MINUTES);
        assertThat(one.read(TREE.instance("a@-@1"))).isEmpty();
        assertThat(told(one)).hasSize(1);

        one.configure(EVERY_MINUTE);
        one.settle();
        one.runItems();

        assertThat(runs).hasSize(2);
        assertThat(one.read(TREE.instance("a@-@1"))).isPresent();
    }

    @Test
    void everyInstanceGoesOnAlsoWhereNothingElseHasChanged() {
        SimulatedCluster cluster = SimulatedCluster.ofTwo(EVERY_MINUTE);
        String config = cluster.read(TREE.config()).orElseThrow().text();
        cluster.commit(RegistryCommit.builder().set(TREE.config(), "mend me", RegistryCommit.ANY_VERSION));
        cluster.pass(MINUTES);
        assertThat(cluster.executions()).isEmpty();

        cluster.commit(RegistryCommit.builder().set(TREE.config(), config, RegistryCommit.ANY_VERSION));
        cluster.settle();

        assertThat(cluster.executions())
                .extracting(SimulatedCluster.Execution::instance)
                .containsExactlyInAnyOrder("a@-@1", "b@-@1");
        assertThat(cluster.events().stream().filter(DefinitionUnreadable.class::isInstance))
                .as("each instance says it once")
                .hasSize(2);
    }

    /** No claim depends on the extension of a job without labels, weights or capacities. */
    @Test
    void anInstanceThatHasReadTheExtensionBeforeGoesOnUntilItReadsItAgain() {
        SimulatedCluster cluster = SimulatedCluster.ofTwo(EVERY_MINUTE);
        String extension = cluster.read(TREE.extension()).orElseThrow().text();
        String follower = cluster.read(TREE.leader()).orElseThrow().text().equals("a@-@1") ? "b@-@1" : "a@-@1";
        cluster.commit(RegistryCommit.builder().set(TREE.extension(), "mend me", RegistryCommit.ANY_VERSION));
        cluster.pass(MINUTES);
        assertThat(cluster.executions())
                .as("of the one that doesn't watch it, because it doesn't lead")
                .extracting(SimulatedCluster.Execution::instance)
                .containsOnly(follower);

        cluster.forget();
        cluster.commit(RegistryCommit.builder().set(TREE.extension(), extension, RegistryCommit.ANY_VERSION));
        cluster.pass(MINUTES);

        assertThat(cluster.executions())
                .extracting(SimulatedCluster.Execution::instance)
                .contains("a@-@1", "b@-@1");
    }

    private static OneEngine started(SimpleJob job) {
        return new OneEngine(NOON.minusSeconds(1), EVERY_MINUTE, job).started();
    }

    private static void corrupt(OneEngine one, String path) {
        one.operate(RegistryCommit.builder().set(path, "mend me", RegistryCommit.ANY_VERSION));
    }

    private static List<DefinitionUnreadable> told(OneEngine one) {
        List<JobEvent> events = one.events;
        return EventLog.only(DefinitionUnreadable.class, events);
    }

    private static String text(OneEngine one, String path) {
        return one.read(path).map(RegistryNode::text).orElse("absent");
    }
}
