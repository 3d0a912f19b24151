package dev.elasticjob.engine;

import static org.assertj.core.api.Assertions.assertThat;

import dev.elasticjob.admin.Attention.Finding;
import dev.elasticjob.admin.Attention.Finding.Kind;
import dev.elasticjob.admin.explain.Explanation.Reason;
import dev.elasticjob.coordination.state.NodeCodec;
import dev.elasticjob.coordination.view.OperatorDrain;
import dev.elasticjob.definition.JobDefinition;
import dev.elasticjob.definition.codec.JobDefinitionCodec;
import dev.elasticjob.job.event.JobEvent.ClockDiffers;
import dev.elasticjob.registry.JobTree;
import dev.elasticjob.registry.RegistryCommit;
import dev.elasticjob.registry.RegistryNode;
import java.time.Duration;
import java.time.Instant;
import java.time.InstantSource;
import java.time.ZoneOffset;
import java.time.temporal.ChronoUnit;
import java.util.List;
import java.util.Optional;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

/** An instance whose clock differs by more than the job tolerates gives its items away until it does not. */
class ToleratedDifferenceTest {
    private static final JobTree TREE = new JobTree("orders");
    private static final String RIGHT = "a@-@1";
    private static final String WRONG = "b@-@1";
    private static final Duration SECONDS = Duration.ofSeconds(5);

    private final SimulatedCluster cluster = new SimulatedCluster(7);
    private List<String> wrongClock = List.of(WRONG);
    private Duration ahead = Duration.ofSeconds(40);

    @ParameterizedTest
    @ValueSource(longs = {40, -40, 3_600, -3_600})
    void othersRunItsItemsInTime(long difference) {
        ahead = Duration.ofSeconds(difference);
        both(hourly(5));

        passUntilASecondAfterTheFiring();

        assertThat(runs()).containsExactly(RIGHT + ":0", RIGHT + ":1");
        assertThat(cluster.events()).filteredOn(ClockDiffers.class::isInstance).isNotEmpty();
    }

    @Test
    void itHasItemsAgainAMinuteAfterTheClocksAgree() {
        both(hourly(5));
        cluster.pass(Duration.ofMinutes(10));
        assertThat(owners()).containsOnly(RIGHT);

        ahead = Duration.ZERO;
        cluster.pass(Duration.ofSeconds(65));

        assertThat(owners()).containsOnly(RIGHT, WRONG);
    }

    @ParameterizedTest
    @CsvSource({"90, -300", "5, 40", "5, -40"})
    void aClockThatIsSetWhileItOwnsItemsIsNoticedBeforeTheNextFiring(int tolerated, long difference) {
        ahead = Duration.ZERO;
        both(hourly(tolerated));
        cluster.pass(Duration.ofMinutes(10));
        assertThat(owners()).containsOnly(RIGHT, WRONG);

        ahead = Duration.ofSeconds(difference);
        cluster.pass(Duration.ofMinutes(2));

        assertThat(owners()).containsOnly(RIGHT);
    }

    @Test
    void whatOperatorsDrainMeanwhileStaysDrained() {
        both(hourly(5));
        cluster.pass(SECONDS);
        cluster.commit(RegistryCommit.builder().create(TREE.drain(WRONG), OperatorDrain.text("ops", "reboot")));

        ahead = Duration.ZERO;
        cluster.pass(Duration.ofMinutes(5));

        assertThat(owners()).containsOnly(RIGHT);
        assertThat(cluster.read(TREE.instance(WRONG)).orElseThrow().text()).doesNotContain("clock");
    }

    @Test
    void whereAllClocksDifferNobodyLosesItems() {
        wrongClock = List.of(RIGHT, WRONG);
        ahead = Duration.ZERO;
        both(hourly(5));
        int before = epoch();

        ahead = Duration.ofSeconds(40);
        cluster.pass(Duration.ofMinutes(2));
        assertThat(owners()).containsOnly(RIGHT, WRONG);
        ahead = Duration.ZERO;
        cluster.pass(Duration.ofMinutes(2));

        assertThat(owners()).containsOnly(RIGHT, WRONG);
        assertThat(epoch() - before).as("plans, for two changes of two clocks").isBetween(1, 4);
    }

    @Test
    void whatOneThatIsAloneHasRefusedRunsOnceItsClockIsRight() {
        cluster.start(WRONG, hourly(5), builder -> builder.clock(wrong().withZone(ZoneOffset.UTC)));
        cluster.pass(SECONDS);
        cluster.pass(Duration.ofHours(1));
        assertThat(runs()).isEmpty();

        ahead = Duration.ZERO;
        cluster.pass(Duration.ofSeconds(65));

        assertThat(runs()).containsExactly(WRONG + ":0", WRONG + ":1");
    }

    @Test
    void attentionNamesItWhetherOrNotOthersRunItsItems() {
        both(hourly(5));
        cluster.pass(SECONDS);

        assertThat(cluster.get(cluster.inspector().attention())).singleElement().satisfies(finding -> {
            assertThat(finding.kind()).isEqualTo(Kind.CLOCK_DIFFERS);
            assertThat(finding.fact().text()).contains(WRONG);
        });
    }

    @Test
    void explainSaysWhyNothingStartsWhereAllClocksDiffer() {
        wrongClock = List.of(RIGHT, WRONG);
        both(hourly(5));
        passUntilASecondAfterTheFiring();

        assertThat(runs()).isEmpty();
        assertThat(cluster.get(cluster.inspector().attention()))
                .extracting(Finding::kind)
                .first()
                .isEqualTo(Kind.ALL_CLOCKS_DIFFER);
        assertThat(cluster.get(cluster.inspector().explain("orders", 0))
                        .orElseThrow()
                        .conditions()
                        .get(0)
                        .reason())
                .isEqualTo(Reason.CLOCK_DIFFERS);
    }

    @Test
    void aClockAtTheLimitMovesItemsOnceAMinuteAtMost() {
        ahead = Duration.ofMillis(5_001);
        both(hourly(5));
        int before = epoch();
        for (int second = 0; second < 600; second++) {
            ahead = Duration.ofMillis(second % 2 == 0 ? 4_999 : 5_001);
            cluster.pass(Duration.ofSeconds(1));
        }
        assertThat(epoch() - before).isBetween(1, 10);
    }

    @Test
    void onceTheDifferenceIsToleratedItsItemsRun() {
        both(hourly(5));
        cluster.pass(Duration.ofHours(1).plusMinutes(5));
        assertThat(owners()).containsOnly(RIGHT);

        RegistryNode config = cluster.read(TREE.config()).orElseThrow();
        byte[] relaxed = new JobDefinitionCodec().config(hourly(-1), Optional.of(config.data()));
        cluster.commit(RegistryCommit.builder().set(TREE.config(), relaxed, config.version()));
        cluster.pass(Duration.ofMinutes(1).plus(SECONDS));

        assertThat(owners()).containsOnly(RIGHT, WRONG);
    }

    private void both(JobDefinition job) {
        for (String instance : List.of(RIGHT, WRONG)) {
            cluster.start(
                    instance,
                    job,
                    builder ->
                            wrongClock.contains(instance) ? builder.clock(wrong().withZone(ZoneOffset.UTC)) : builder);
            cluster.pass(SECONDS);
        }
    }

    private InstantSource wrong() {
        return () -> cluster.now().plus(ahead);
    }

    private int epoch() {
        return cluster.read(TREE.sharding()).orElseThrow().version();
    }

    private List<String> owners() {
        return List.copyOf(NodeCodec.readAssignment(
                        TREE.sharding(),
                        cluster.read(TREE.sharding()).orElseThrow().data())
                .owners()
                .values());
    }

    private List<String> runs() {
        return cluster.executions().stream()
                .map(run -> run.instance() + ":" + run.item())
                .sorted()
                .toList();
    }

    private void passUntilASecondAfterTheFiring() {
        Instant firing = cluster.now().truncatedTo(ChronoUnit.HOURS).plus(Duration.ofHours(1));
        cluster.pass(Duration.between(cluster.now(), firing).plusSeconds(1));
    }

    private static JobDefinition hourly(int maxTimeDiffSeconds) {
        return JobDefinition.builder("orders")
                .cron("0 0 * * * ?")
                .timeZone(ZoneOffset.UTC)
                .shardingTotalCount(2)
                .maxTimeDiffSeconds(maxTimeDiffSeconds)
                .reconcileIntervalMinutes(0)
                .build();
    }
}
