package dev.elasticjob.engine;

import static dev.elasticjob.engine.OneEngine.TREE;
import static org.assertj.core.api.Assertions.assertThat;

import dev.elasticjob.definition.JobDefinition;
import dev.elasticjob.job.event.JobEvent;
import dev.elasticjob.registry.RegistryCommit;
import dev.elasticjob.registry.RegistryNode;
import java.time.Duration;
import java.time.Instant;
import java.time.ZoneOffset;
import java.util.List;
import java.util.function.Consumer;
import org.junit.jupiter.api.Test;

/** What is told by a commit is told once, also when the connection is cut at any moment, and its answer with it. */
class LostAnswerTest {
    private static final Instant NOON = Instant.parse("2026-03-01T12:00:00Z");
    private static final Instant BEFORE = NOON.minusSeconds(1);
    private static final Instant YESTERDAY = Instant.parse("2026-02-28T12:00:00Z");
    private static final int MOMENTS = 60;
    private static final int ANY = RegistryCommit.ANY_VERSION;
    private static final String INTERRUPTED =
            "{\"scheduledAt\":\"%s\",\"state\":\"INTERRUPTED\",\"attempt\":1,\"crashes\":1}".formatted(YESTERDAY);
    private static final JobDefinition DAILY = JobDefinition.builder("orders")
            .cron("0 0 12 * * ?")
            .timeZone(ZoneOffset.UTC)
            .shardingTotalCount(2)
            .failover(true)
            .maxFailovers(1)
            .build();

    @Test
    void theLossOfAnExecutionGivenUpAfterItsCrashes() {
        Consumer<OneEngine> twoCrashed = one -> one.operate(
                RegistryCommit.builder().set(TREE.item(0), INTERRUPTED, ANY).create(TREE.failoverItem(0)));

        atEveryMomentAfter(
                DAILY,
                twoCrashed,
                one -> assertThat(told(one, JobEvent.FiringsLost.class))
                        .containsExactly(new JobEvent.FiringsLost("orders", 0, YESTERDAY, YESTERDAY, 1)));
    }

    /** Nothing else wakes the owner for it before the next firing. */
    @Test
    void aManualRunThatWaitedBehindAnExecutionGivenUp() {
        JobDefinition later = DAILY.toBuilder().cron("0 0 18 * * ?").build();
        Consumer<OneEngine> crashed = one -> one.operate(RegistryCommit.builder()
                .create(TREE.trigger(0), "{\"runId\":\"r1\"}")
                .set(TREE.item(0), INTERRUPTED, ANY)
                .create(TREE.failoverItem(0)));

        atEveryMomentAfter(
                later,
                crashed,
                one -> assertThat(told(one, JobEvent.ItemStarted.class))
                        .singleElement()
                        .satisfies(run -> assertThat(run.runId()).isEqualTo("r1")));
    }

    @Test
    void theLossOfAnExecutionForWhichFailoverWasSwitchedOff() {
        JobDefinition patient = DAILY.toBuilder().maxFailovers(3).build();
        Consumer<OneEngine> switchedOff = one -> {
            // Without a free slot it waits.
            one.operate(RegistryCommit.builder().create(TREE.disabled(0)));
            one.operate(
                    RegistryCommit.builder().set(TREE.item(0), INTERRUPTED, ANY).create(TREE.failoverItem(0)));
            one.settle();
            one.configure(patient.toBuilder().failover(false).build());
        };

        atEveryMomentAfter(
                patient,
                switchedOff,
                one -> assertThat(told(one, JobEvent.FiringsLost.class))
                        .containsExactly(new JobEvent.FiringsLost("orders", 0, YESTERDAY, YESTERDAY, 1)));
    }

    @Test
    void theLossOfAnExecutionBeyondTheTotal() {
        JobDefinition patient = DAILY.toBuilder().maxFailovers(3).build();
        Consumer<OneEngine> lowered = one -> {
            one.operate(RegistryCommit.builder().create(TREE.disabled(1)));
            one.operate(RegistryCommit.builder().set(TREE.item(1), INTERRUPTED, ANY));
            one.settle();
            one.configure(patient.toBuilder().shardingTotalCount(1).build());
        };

        atEveryMomentAfter(
                patient,
                lowered,
                one -> assertThat(told(one, JobEvent.FiringsLost.class))
                        .containsExactly(new JobEvent.FiringsLost("orders", 1, YESTERDAY, YESTERDAY, 1)));
    }

    @Test
    void aManualRunThatADisabledItemLetsPass() {
        Consumer<OneEngine> disabledSince = one -> one.operate(RegistryCommit.builder()
                .create(TREE.disabled(0))
                .create(TREE.trigger(0), "{\"runId\":\"r1\"}")
                .set(TREE.triggers(), "[\"r1\"]", ANY));

        atEveryMomentAfter(
                DAILY,
                disabledSince,
                one -> assertThat(told(one, JobEvent.ManualRunDropped.class))
                        .containsExactly(
                                new JobEvent.ManualRunDropped("orders", 0, List.of("r1"), "the item is disabled")));
    }

    @Test
    void aManualRunOfAnItemThatIsNotMonitored() {
        JobDefinition unmonitored = DAILY.toBuilder()
                .cron("0 0 18 * * ?")
                .monitorExecution(false)
                .failover(false)
                .build();
        Consumer<OneEngine> asked = one -> one.operate(RegistryCommit.builder()
                .create(TREE.trigger(0), "{\"runId\":\"r1\"}")
                .set(TREE.triggers(), "[\"r1\"]", ANY));

        atEveryMomentAfter(
                unmonitored,
                asked,
                one -> assertThat(told(one, JobEvent.ItemStarted.class))
                        .singleElement()
                        .satisfies(run -> assertThat(run.item()).isZero()));
    }

    /** The plan moves while the answer is lost, so the owner can't tell by the epoch at which it took the run. */
    @Test
    void aManualRunOfAnItemThatIsNotMonitoredThoughThePlanMovesMeanwhile() {
        JobDefinition unmonitored = DAILY.toBuilder()
                .cron("0 0 18 * * ?")
                .monitorExecution(false)
                .failover(false)
                .build();
        for (int moment = 0; moment < MOMENTS; moment++) {
            OneEngine one = new OneEngine(BEFORE, unmonitored, context -> {}).started();
            one.operate(RegistryCommit.builder()
                    .create(TREE.trigger(0), "{\"runId\":\"r1\"}")
                    .set(TREE.triggers(), "[\"r1\"]", ANY));

            cutAfter(moment, one);
            one.operate(RegistryCommit.builder()
                    .set(
                            TREE.sharding(),
                            one.read(TREE.sharding()).orElseThrow().data(),
                            ANY));
            one.registry.reconnect();
            one.pass(Duration.ofSeconds(10));
            one.runItems();

            assertThat(told(one, JobEvent.ItemStarted.class))
                    .as("cut at moment %d", moment)
                    .singleElement()
                    .satisfies(run -> assertThat(run.runId()).isEqualTo("r1"));
            assertThat(one.read(TREE.item(0)).map(RegistryNode::text).orElse("absent"))
                    .as("cut at moment %d", moment)
                    .contains("COMPLETED", "r1");
        }
    }

    /** The repetition of a plan that is stored already is refused. Its leader owns items, and goes on. */
    @Test
    void thePlanOfALeaderThatOwnsItems() {
        atEveryMomentAfter(
                DAILY,
                one -> one.configure(DAILY.toBuilder().shardingTotalCount(3).build()),
                one -> assertThat(told(one, JobEvent.ItemStarted.class))
                        .extracting(JobEvent.ItemStarted::item)
                        .contains(0, 1));
    }

    /** The session lives on, perhaps for other jobs, so nothing but this instance would ever unlock the item. */
    @Test
    void nothingStaysLockedByAClaimOfAJobThatIsStoppedHereBeforeItKnowsOfIt() {
        for (int first = 0; first < MOMENTS; first++) {
            for (int second = 0; second < 8; second++) {
                OneEngine one = new OneEngine(BEFORE, DAILY, context -> {}).started();
                one.operate(RegistryCommit.builder()
                        .create(TREE.trigger(0), "{\"runId\":\"r1\"}")
                        .set(TREE.triggers(), "[\"r1\"]", ANY));

                cutAfter(first, one);
                one.registry.reconnect();
                cutAfter(second, one);
                one.operate(RegistryCommit.builder().delete(TREE.instance("a@-@1"), ANY));
                one.registry.reconnect();
                one.pass(Duration.ofSeconds(10));
                one.runItems();

                assertThat(one.read(TREE.running(0)))
                        .as("the lock, cut at moments %d and %d", first, second)
                        .isEmpty();
            }
        }
    }

    private static void cutAfter(int steps, OneEngine one) {
        for (int step = 0; step < steps; step++) {
            one.runOne();
        }
        one.registry.disconnect();
        one.pass(Duration.ofMillis(100));
    }

    /** Cuts the connection for a while after so and so many steps behind what has happened, then checks. */
    private static void atEveryMomentAfter(
            JobDefinition definition, Consumer<OneEngine> happens, Consumer<OneEngine> check) {
        for (int moment = 0; moment < MOMENTS; moment++) {
            OneEngine one = new OneEngine(BEFORE, definition, context -> {}).started();
            happens.accept(one);

            cutAfter(moment, one);
            one.registry.reconnect();
            one.pass(Duration.ofSeconds(10));
            one.runItems();

            int cutAt = moment;
            assertThat(one).as("cut at moment %d", cutAt).satisfies(check::accept);
        }
    }

    private static <E extends JobEvent> List<E> told(OneEngine one, Class<E> kind) {
        return EventLog.only(kind, one.events);
    }
}
