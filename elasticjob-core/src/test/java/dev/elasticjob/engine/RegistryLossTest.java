package dev.elasticjob.engine;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.elasticjob.admin.RegistryJobAdmin;
import dev.elasticjob.admin.table.CommandTable;
import dev.elasticjob.admin.table.OperatorCommand;
import dev.elasticjob.definition.JobDefinition;
import dev.elasticjob.definition.OnDataLoss;
import dev.elasticjob.job.ShardingContext;
import dev.elasticjob.job.event.JobEvent;
import dev.elasticjob.job.event.RegistryLoss;
import dev.elasticjob.registry.JobTree;
import dev.elasticjob.registry.RegistryCommit;
import dev.elasticjob.registry.memory.InMemoryEnsemble;
import dev.elasticjob.testing.LoggedLines;
import java.time.Duration;
import java.time.ZoneOffset;
import java.util.ArrayList;
import java.util.Collections;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import java.util.function.UnaryOperator;
import org.assertj.core.groups.Tuple;
import org.junit.jupiter.api.Test;

/** The registry loses its data, or goes back to an older copy. Two instances, four items, a firing every ten seconds. */
class RegistryLossTest {
    private static final JobDefinition ORDERS = JobDefinition.builder("orders")
            .cron("*/10 * * * * ?")
            .timeZone(ZoneOffset.UTC)
            .shardingTotalCount(4)
            .failover(true)
            .build();

    private static final long ABOVE = 4_294_967_296_489L;

    private final SimulatedCluster cluster = new SimulatedCluster(1);
    private final List<Long> tokens = new ArrayList<>();
    private final Map<Integer, List<Long>> byItem = new TreeMap<>();

    @Test
    void withoutALossNothingIsSaid() {
        startTwo();
        cluster.expire("a");
        cluster.pass(Duration.ofMinutes(1));

        assertThat(losses()).isEmpty();
        assertThat(cluster.engine("a").figures().dataLoss()).isEmpty();
    }

    @Test
    void anEmptiedRegistryIsToldByEachInstance() {
        startTwo();
        try (LoggedLines log = new LoggedLines()) {
            cluster.ensemble().empty();
            cluster.pass(Duration.ofMinutes(1));

            assertThat(log.all())
                    .filteredOn(line -> line.startsWith("ERROR The registry has lost its data"))
                    .hasSize(2)
                    .allMatch(line -> line.contains("The jobs go on with what the registry has now"));
        }
        assertThat(losses())
                .extracting(JobEvent.RegistryDataLost::instance, JobEvent.RegistryDataLost::loss)
                .containsExactlyInAnyOrder(told("a", RegistryLoss.EMPTIED), told("b", RegistryLoss.EMPTIED));
        assertThat(cluster.engine("a").figures().dataLoss())
                .hasValueSatisfying(fact -> assertThat(fact).startsWith("The registry has lost its data"));
    }

    @Test
    void oneThatHasGoneBackIsToldByEachInstanceAlsoIfItsServersNumberOn() {
        for (boolean newLeader : List.of(false, true)) {
            var other = new RegistryLossTest();
            other.goesBack(newLeader);
        }
    }

    private void goesBack(boolean newLeader) {
        startTwo();
        InMemoryEnsemble.Copy copy = cluster.ensemble().copy();
        cluster.pass(Duration.ofMinutes(1));
        if (newLeader) {
            cluster.ensemble().restoreUnderNewLeader(copy);
        } else {
            cluster.ensemble().restore(copy);
        }
        cluster.pass(Duration.ofMinutes(1));

        assertThat(losses())
                .as("with a new leader: %s", newLeader)
                .extracting(JobEvent.RegistryDataLost::instance, JobEvent.RegistryDataLost::loss)
                .containsExactlyInAnyOrder(told("a", RegistryLoss.WENT_BACK), told("b", RegistryLoss.WENT_BACK));
    }

    @Test
    void onePutInItsPlaceIsTold() {
        InMemoryEnsemble.Copy before = cluster.ensemble().copy();
        startTwo();
        cluster.ensemble().restore(before);
        cluster.commit(RegistryCommit.builder().create(JobTree.registry(), "{\"id\":\"other\"}"));
        cluster.pass(Duration.ofMinutes(1));

        assertThat(losses()).extracting(JobEvent.RegistryDataLost::loss).contains(RegistryLoss.REPLACED);
    }

    @Test
    void tokensGoOnGrowing() {
        startTwo();
        InMemoryEnsemble.Copy copy = cluster.ensemble().copy();
        cluster.pass(Duration.ofMinutes(5));
        cluster.ensemble().empty();
        cluster.pass(Duration.ofMinutes(1));
        cluster.ensemble().restore(copy);
        cluster.pass(Duration.ofMinutes(1));

        assertThat(byItem.values())
                .hasSize(4)
                .allSatisfy(ofItem -> assertThat(ofItem).hasSizeGreaterThan(30).isSorted());
    }

    /** As when no instance is left that saw the tokens that a job's storage has. */
    @Test
    void anOperatorRaisesTheTokensOfRunningInstances() {
        var admin = new RegistryJobAdmin(cluster.operator());
        startTwo();
        long seen = Collections.max(tokens);
        long above = seen + 1_000_000;
        assertThat(cluster.get(admin.raiseFencingTokens(above))).isTrue();
        cluster.pass(Duration.ofSeconds(10));
        tokens.clear();

        cluster.pass(Duration.ofMinutes(1));
        assertThat(tokens).hasSizeGreaterThan(20).allMatch(token -> token > above);

        assertThat(cluster.get(admin.raiseFencingTokens(seen)))
                .as("they are higher already")
                .isFalse();
        tokens.clear();
        cluster.pass(Duration.ofMinutes(1));
        assertThat(tokens).hasSizeGreaterThan(20).allMatch(token -> token > above);
    }

    @Test
    void tokensAreNotRaisedBeforeAnInstanceHasStartedNorBeyondAllNumbers() {
        var admin = new RegistryJobAdmin(cluster.operator());

        assertThatThrownBy(() -> cluster.get(admin.raiseFencingTokens(50_489)))
                .hasRootCauseInstanceOf(IllegalStateException.class)
                .hasMessageContaining("no instance has started in this namespace yet");
        assertThatThrownBy(() -> admin.raiseFencingTokens(Long.MAX_VALUE))
                .isInstanceOf(IllegalArgumentException.class)
                .hasMessageContaining("Expected a fencing token from 0 to ");
    }

    @Test
    void aDryRunSaysWhatTheCommandsOfTheNamespaceWouldDo() {
        var admin = new RegistryJobAdmin(cluster.operator());
        assertThat(wouldDo(CommandTable.RAISE_FENCING_TOKENS)).isEqualTo("REFUSED NEVER_STARTED 0");
        startTwo();

        assertThat(wouldDo(CommandTable.RAISE_FENCING_TOKENS)).isEqualTo("CHANGES ALL_JOBS 1, TOKENS_RAISED 0");
        assertThat(wouldDo(CommandTable.RESUME_ALL)).isEqualTo("NOTHING ALREADY 0");
        assertThat(wouldDo(CommandTable.PAUSE_ALL)).isEqualTo("CHANGES ALL_JOBS 1, NOTHING_STARTS 0");
        assertThat(wouldDo(CommandTable.CONFIRM_DATA_LOSS)).isEqualTo("NOTHING NO_LOSS 0");

        cluster.get(admin.raiseFencingTokens(ABOVE));
        cluster.get(admin.pauseAll());
        assertThat(wouldDo(CommandTable.RAISE_FENCING_TOKENS)).isEqualTo("NOTHING ALREADY 0");
        assertThat(wouldDo(CommandTable.RESUME_ALL)).isEqualTo("CHANGES ALL_JOBS 1, STARTS_AGAIN 0");
        assertThat(wouldDo(CommandTable.PAUSE_ALL)).isEqualTo("NOTHING ALREADY 0");

        cluster.ensemble().empty();
        cluster.pass(Duration.ofMinutes(1));
        assertThat(wouldDo(CommandTable.CONFIRM_DATA_LOSS)).isEqualTo("CHANGES ALL_JOBS 1, LOSS_CONFIRMED 0");
        cluster.get(admin.confirmDataLoss());
        assertThat(wouldDo(CommandTable.CONFIRM_DATA_LOSS)).isEqualTo("NOTHING NO_LOSS 0");
    }

    private String wouldDo(OperatorCommand command) {
        return new DryRuns(cluster).text(command, Map.of("above", ABOVE));
    }

    @Test
    void whatWasInterruptedIsToldAsLost() {
        startTwo();
        cluster.holdItems();
        cluster.pass(Duration.ofSeconds(10));
        cluster.ensemble().empty();
        cluster.pass(Duration.ofSeconds(1));
        cluster.letItemsBegin();
        cluster.pass(Duration.ofMinutes(1));

        assertThat(cluster.events())
                .filteredOn(JobEvent.FiringsLost.class::isInstance)
                .extracting(event -> ((JobEvent.FiringsLost) event).item())
                .containsExactlyInAnyOrder(0, 1, 2, 3);
    }

    @Test
    void heldJobsStartNothingUntilAnOperatorConfirms() {
        startTwo(engine -> engine.onDataLoss(OnDataLoss.HOLD));
        cluster.ensemble().empty();
        cluster.pass(Duration.ofMinutes(1));
        cluster.forget();
        tokens.clear();

        cluster.pass(Duration.ofMinutes(1));
        assertThat(tokens).as("executions while held").isEmpty();
        assertThat(cluster.engine("a").figures().isHeldByDataLoss()).isTrue();

        cluster.get(new RegistryJobAdmin(cluster.operator()).confirmDataLoss());
        cluster.pass(Duration.ofMinutes(1));

        assertThat(tokens).as("executions afterwards").hasSizeGreaterThan(20);
        assertThat(cluster.engine("a").figures().dataLoss()).isEmpty();
        assertThat(losses()).isEmpty();
    }

    @Test
    void anInstanceThatStartsLaterIsHeldToo() {
        startTwo(engine -> engine.onDataLoss(OnDataLoss.HOLD));
        cluster.ensemble().empty();
        cluster.pass(Duration.ofMinutes(1));
        tokens.clear();
        start("c", engine -> engine.onDataLoss(OnDataLoss.HOLD));

        cluster.pass(Duration.ofMinutes(1));

        assertThat(tokens).isEmpty();
    }

    private static Tuple told(String instance, RegistryLoss loss) {
        return Tuple.tuple(instance, loss);
    }

    private List<JobEvent.RegistryDataLost> losses() {
        return cluster.events().stream()
                .filter(JobEvent.RegistryDataLost.class::isInstance)
                .map(JobEvent.RegistryDataLost.class::cast)
                .toList();
    }

    private void startTwo() {
        startTwo(UnaryOperator.identity());
    }

    private void startTwo(UnaryOperator<ElasticJobEngineBuilder> settings) {
        start("a", settings);
        start("b", settings);
        cluster.pass(Duration.ofMinutes(1));
    }

    private void start(String instance, UnaryOperator<ElasticJobEngineBuilder> settings) {
        cluster.start(instance, ORDERS, this::note, settings);
    }

    private void note(ShardingContext context) {
        tokens.add(context.getFencingToken());
        byItem.computeIfAbsent(context.getShardingItem(), any -> new ArrayList<>())
                .add(context.getFencingToken());
    }
}
