package dev.elasticjob.engine;

import static org.assertj.core.api.Assertions.assertThat;

import dev.elasticjob.definition.JobDefinition;
import dev.elasticjob.job.event.JobEvent.FiringsLost;
import dev.elasticjob.job.event.JobEvent.ItemFinished;
import dev.elasticjob.job.event.JobEvent.Reconciled;
import dev.elasticjob.registry.RegistryCommit;
import dev.elasticjob.registry.RegistryCommit.Operation;
import dev.elasticjob.testing.ChangedRegistry;
import java.time.Duration;
import java.time.Instant;
import java.time.ZoneOffset;
import java.util.ArrayDeque;
import java.util.List;
import java.util.Queue;
import java.util.function.UnaryOperator;
import org.junit.jupiter.api.Test;

/** What foreign hands leave in a job's tree is found by the leader, repaired and counted. */
class ReconcileTest {
    private static final Instant MORNING = Instant.parse("2026-03-01T08:00:00Z");
    private static final Duration INTERVAL = Duration.ofMinutes(10);

    private final OneEngine one = new OneEngine(MORNING, job(10), context -> {}).started();

    @Test
    void aHealthyJobHasNothingToRepair() {
        one.pass(INTERVAL.multipliedBy(3));

        assertThat(repairs()).containsExactly(0, 0, 0);
    }

    @Test
    void aWrongOwnerIsShownRightAgain() {
        one.operate(RegistryCommit.builder().set(OneEngine.TREE.owner(0), "somebody", RegistryCommit.ANY_VERSION));

        one.pass(INTERVAL.multipliedBy(2));

        assertThat(repairs()).containsExactly(1, 0);
        assertThat(one.read(OneEngine.TREE.owner(0)))
                .hasValueSatisfying(owner -> assertThat(owner.text()).isEqualTo("a@-@1"));
    }

    @Test
    void anInstanceThatNoSessionOwnsIsRemoved() {
        one.operate(RegistryCommit.builder().create(OneEngine.TREE.instance("ghost@-@1"), ""));

        one.pass(INTERVAL.multipliedBy(2));

        assertThat(repairs()).containsExactly(1, 0);
        assertThat(one.read(OneEngine.TREE.instance("ghost@-@1"))).isEmpty();
    }

    @Test
    void theDrainOfAnInstanceThatIsGoneIsRemoved() {
        one.operate(RegistryCommit.builder().create(OneEngine.TREE.drain("gone@-@1"), "4711"));

        one.pass(INTERVAL.multipliedBy(2));

        assertThat(repairs()).containsExactly(1, 0);
        assertThat(one.read(OneEngine.TREE.drain("gone@-@1"))).isEmpty();
    }

    /** Two rounds running: a server that is being restarted keeps its node. */
    @Test
    void aServerWithoutInstancesIsRemovedAtTheSecondRoundUnlessItIsDisabled() {
        one.operate(RegistryCommit.builder()
                .create(OneEngine.TREE.server("10.0.0.8"), "")
                .create(OneEngine.TREE.server("10.0.0.9"), "DISABLED"));

        one.pass(INTERVAL.multipliedBy(3));

        assertThat(repairs()).containsExactly(0, 1, 0);
        assertThat(one.read(OneEngine.TREE.server("10.0.0.8"))).isEmpty();
        assertThat(one.read(OneEngine.TREE.server("10.0.0.9"))).isPresent();
    }

    @Test
    void aRecordFromTheFutureIsSetBackSoThatItsItemRunsAgain() {
        one.operate(RegistryCommit.builder()
                .set(
                        OneEngine.TREE.item(0),
                        "{\"scheduledAt\":\"2027-03-01T12:00:00Z\",\"state\":\"COMPLETED\",\"attempt\":1}",
                        RegistryCommit.ANY_VERSION));

        one.pass(INTERVAL.multipliedBy(2));
        one.pass(Duration.ofHours(4));
        one.runItems();
        one.settle();

        assertThat(repairs().subList(0, 2)).containsExactly(1, 0);
        assertThat(one.events.stream().filter(ItemFinished.class::isInstance)).hasSize(1);
    }

    @Test
    void anItemWhoseNodeWasDeletedIsMadeAnewAndRuns() {
        one.operate(RegistryCommit.builder()
                .delete(OneEngine.TREE.owner(0), RegistryCommit.ANY_VERSION)
                .delete(OneEngine.TREE.item(0), RegistryCommit.ANY_VERSION));

        one.pass(INTERVAL.multipliedBy(2));
        one.pass(Duration.ofHours(4));
        one.runItems();
        one.settle();

        assertThat(repairs().subList(0, 2)).containsExactly(1, 0);
        assertThat(one.events.stream().filter(ItemFinished.class::isInstance)).hasSize(1);
    }

    @Test
    void whatFailoverWasSwitchedOffForIsGivenUpThoughItsRecordIsWrittenJustThen() {
        String interrupted =
                "{\"scheduledAt\":\"2026-02-28T12:00:00Z\",\"state\":\"INTERRUPTED\",\"attempt\":1,\"crashes\":1}";
        JobDefinition failover = job(10).toBuilder().failover(true).build();
        OneEngine[] job = new OneEngine[1];
        Queue<RegistryCommit.Builder> justBefore = new ArrayDeque<>();
        job[0] = new OneEngine(
                        MORNING,
                        failover,
                        context -> {},
                        UnaryOperator.identity(),
                        registry -> new ChangedRegistry(registry) {
                            @Override
                            protected RegistryCommit sent(RegistryCommit commit) {
                                boolean written = commit.operations().stream()
                                        .anyMatch(step -> step instanceof Operation.Set
                                                && step.path().equals(OneEngine.TREE.item(0)));
                                if (written && !justBefore.isEmpty()) {
                                    job[0].operate(justBefore.remove());
                                }
                                return commit;
                            }
                        })
                .started();
        job[0].operate(RegistryCommit.builder().create(OneEngine.TREE.disabled(0)));
        job[0].operate(RegistryCommit.builder()
                .set(OneEngine.TREE.item(0), interrupted, RegistryCommit.ANY_VERSION)
                .create(OneEngine.TREE.failoverItem(0)));
        job[0].settle();
        justBefore.add(RegistryCommit.builder().set(OneEngine.TREE.item(0), interrupted, RegistryCommit.ANY_VERSION));

        job[0].configure(failover.toBuilder().failover(false).build());
        job[0].pass(Duration.ofSeconds(10));

        assertThat(justBefore).as("written just before").isEmpty();
        assertThat(job[0].read(OneEngine.TREE.failoverItem(0))).isEmpty();
        assertThat(job[0].events.stream().filter(FiringsLost.class::isInstance)).hasSize(1);
    }

    @Test
    void belowOneMinuteNothingIsCompared() {
        OneEngine never = new OneEngine(MORNING, job(0), context -> {}).started();

        never.pass(INTERVAL.multipliedBy(3));

        assertThat(never.events.stream().filter(Reconciled.class::isInstance)).isEmpty();
    }

    private List<Integer> repairs() {
        return one.events.stream()
                .filter(Reconciled.class::isInstance)
                .map(event -> ((Reconciled) event).repairs())
                .toList();
    }

    private static JobDefinition job(int minutes) {
        return JobDefinition.builder("orders")
                .cron("0 0 12 * * ?")
                .timeZone(ZoneOffset.UTC)
                .shardingTotalCount(1)
                .reconcileIntervalMinutes(minutes)
                .build();
    }
}
