package dev.elasticjob.engine;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.elasticjob.admin.JobReport.DrainedBy;
import dev.elasticjob.admin.RegistryJobAdmin;
import dev.elasticjob.admin.ServerReport;
import dev.elasticjob.admin.ServerReport.InstanceOnServer;
import dev.elasticjob.admin.ServerReport.JobOnServer;
import dev.elasticjob.admin.ServerReport.Part;
import dev.elasticjob.admin.ServerReport.State;
import dev.elasticjob.admin.command.Actor;
import dev.elasticjob.admin.command.UnknownTargetException;
import dev.elasticjob.admin.table.CommandTable;
import dev.elasticjob.admin.table.OperatorCommand;
import dev.elasticjob.definition.JobDefinition;
import dev.elasticjob.registry.JobTree;
import dev.elasticjob.registry.RegistryCommit;
import java.time.Duration;
import java.time.Instant;
import java.time.ZoneOffset;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.OptionalInt;
import java.util.function.UnaryOperator;
import java.util.stream.IntStream;
import org.junit.jupiter.api.Test;

/** "May I reboot it?", of two servers with an instance of two jobs each. */
class ServersOfClusterTest {
    private static final JobDefinition ORDERS = job("orders", "0 * * * * ?");
    private static final JobDefinition BILLS = job("bills", "0 0 5 1 1 ?");
    private static final Duration A_WHILE = Duration.ofSeconds(10);

    private final SimulatedCluster cluster = new SimulatedCluster(7);
    private final RegistryJobAdmin admin = new RegistryJobAdmin(cluster.operator());

    private static JobDefinition job(String name, String cron) {
        return JobDefinition.builder(name)
                .cron(cron)
                .timeZone(ZoneOffset.UTC)
                .shardingTotalCount(2)
                .build();
    }

    private void start(String instance, JobDefinition... jobs) {
        cluster.start(
                instance,
                engine -> List.of(jobs).forEach(job -> engine.register(job, context -> {})),
                UnaryOperator.identity());
        cluster.pass(Duration.ofSeconds(2));
    }

    private ServerReport server(String address) {
        return cluster.get(cluster.inspector().servers()).stream()
                .filter(server -> server.server().equals(address))
                .findFirst()
                .orElseThrow();
    }

    private InstanceOnServer instance(String id) {
        return cluster.get(cluster.inspector().instance(id)).orElseThrow();
    }

    @Test
    void aDrainedInstanceSaysWhoWhatStillRunsAndSinceWhenItIsEmpty() {
        List<InstanceOnServer> seen = new ArrayList<>();
        start("a", ORDERS, BILLS);
        start("b", ORDERS, BILLS);
        cluster.stop("a");
        cluster.pass(A_WHILE);
        cluster.start("a", ORDERS, context -> seenInTheMiddle(seen), UnaryOperator.identity());
        cluster.pass(A_WHILE);
        cluster.pass(Duration.ofMinutes(1));

        InstanceOnServer busy = seen.get(0);
        InstanceOnServer leaving = seen.get(1);
        InstanceOnServer empty = instance("a");

        assertThat(busy.state()).isEqualTo(State.TAKES_PART);
        assertThat(busy.parts()).extracting(Part::job).containsExactly("orders");
        assertThat(busy.items()).isEqualTo(1);
        assertThat(busy.running()).isEqualTo(1);
        assertThat(busy.drainedBy()).isEmpty();
        assertThat(busy.emptySince()).isEmpty();
        assertThat(leaving.state()).isEqualTo(State.LEAVING);
        assertThat(leaving.items()).isZero();
        assertThat(leaving.parts().get(0).running())
                .isEqualTo(busy.parts().get(0).items());
        assertThat(leaving.drainedBy())
                .hasValueSatisfying(drain -> assertThat(drain)
                        .extracting(DrainedBy::actor, DrainedBy::reason)
                        .containsExactly("mei", "new kernel"));
        assertThat(leaving.emptySince()).isEmpty();
        assertThat(empty.state()).isEqualTo(State.EMPTY);
        assertThat(empty.emptySince()).hasValue(lastEndOf("a"));
        assertThat(cluster.get(cluster.inspector().servers()))
                .flatExtracting(ServerReport::instances)
                .contains(empty);
    }

    @Test
    void anInstanceSaysHowFullItIsOverAllItsJobs() {
        List<InstanceOnServer> seen = new ArrayList<>();
        JobDefinition heavy =
                job("heavy", "0 * * * * ?").toBuilder().itemWeights("0=3,1=2").build();
        cluster.start(
                "a",
                engine -> {
                    engine.register(heavy, context -> seen.add(instance("a")));
                    engine.register(ORDERS, context -> seen.add(instance("a")));
                },
                engine -> engine.capacity(8));
        start("b", BILLS);
        cluster.pass(Duration.ofMinutes(2));

        assertThat(seen).extracting(InstanceOnServer::capacity).containsOnly(OptionalInt.of(8));
        assertThat(seen.stream().mapToLong(InstanceOnServer::used).max()).hasValue(7);
        assertThat(instance("a").used()).as("all has ended").isZero();
        assertThat(instance("b").capacity()).isEmpty();
    }

    /** While an item runs, its instance is drained; the other one has ended its item then. */
    private void seenInTheMiddle(List<InstanceOnServer> seen) {
        cluster.pass(Duration.ofSeconds(5));
        seen.add(instance("a"));
        cluster.get(admin.by(Actor.named("mei").because("new kernel")).drainAll("a"));
        cluster.pass(A_WHILE);
        seen.add(instance("a"));
    }

    private Instant lastEndOf(String instance) {
        return cluster.get(cluster.inspector().job("orders")).orElseThrow().items().stream()
                .filter(item ->
                        item.itemRecord().instance().filter(instance::equals).isPresent())
                .flatMap(item -> item.itemRecord().finishedAt().stream())
                .max(Instant::compareTo)
                .orElseThrow();
    }

    @Test
    void whenLaterExecutionsHaveReplacedItsRecordsItIsEmptyAndNobodyKnowsSinceWhen() {
        start("a", ORDERS, BILLS);
        start("b", ORDERS, BILLS);
        cluster.pass(Duration.ofMinutes(1));
        cluster.get(admin.drainAll("a"));
        cluster.pass(Duration.ofMinutes(2));

        InstanceOnServer empty = instance("a");

        assertThat(empty.state()).isEqualTo(State.EMPTY);
        assertThat(empty.emptySince()).isEmpty();
        cluster.get(admin.undrainAll("a"));
        cluster.pass(A_WHILE);
        assertThat(instance("a").state()).isEqualTo(State.TAKES_PART);
        assertThat(instance("a").items()).isEqualTo(2);
    }

    @Test
    void whereExecutionsAreNotRecordedItIsNotCalledEmpty() {
        start("a", ORDERS.toBuilder().monitorExecution(false).build(), BILLS);
        start("b", BILLS);
        cluster.get(admin.drain("bills", "a"));
        cluster.pass(A_WHILE);
        assertThat(instance("a").state()).isEqualTo(State.PARTLY_TAKEN_OUT);

        cluster.get(admin.drain("orders", "a"));
        cluster.pass(A_WHILE);

        assertThat(instance("a").state()).isEqualTo(State.UNRECORDED);
        assertThat(instance("a").emptySince()).isEmpty();
    }

    @Test
    void aServerSaysForWhichJobsItIsDisabledAndWhichHaveNoInstanceOnIt() {
        start("a", ORDERS, BILLS);
        start("b", ORDERS);
        cluster.get(admin.disableServer("orders", "10.0.0.1"));
        cluster.pass(A_WHILE);
        ServerReport partly = server("10.0.0.1");
        cluster.get(admin.disableServer("bills", "10.0.0.1"));
        cluster.pass(A_WHILE);
        ServerReport wholly = server("10.0.0.1");
        cluster.stop("b");
        cluster.pass(A_WHILE);

        assertThat(partly.jobs())
                .containsExactly(new JobOnServer("bills", false, false), new JobOnServer("orders", true, false));
        assertThat(partly.disabledJobs()).isEqualTo(1);
        assertThat(partly.instances().get(0).state()).isEqualTo(State.PARTLY_TAKEN_OUT);
        assertThat(wholly.instances().get(0).state()).isEqualTo(State.EMPTY);
        assertThat(wholly.instances().get(0).drainedBy()).isEmpty();
        assertThat(server("10.0.0.2").instances()).isEmpty();
        assertThat(server("10.0.0.2").deadJobs()).isEqualTo(1);
    }

    @Test
    void aDryRunOfADrainCountsWhatMovesAndReadsOnlyTheJobsThatTheInstanceTakesPartIn() {
        start("a", ORDERS, BILLS);
        start("b", ORDERS);
        others(1_000);
        cluster.holdItems();
        cluster.pass(Duration.ofMinutes(1));
        // Of instances whose sessions are kept, and of their polling.
        cluster.settle();
        long before = cluster.requests();

        String drain = effects(CommandTable.DRAIN_ALL, "a");

        assertThat(cluster.requests() - before).isLessThanOrEqualTo(1 + 2 + 2 + 1);
        assertThat(drain)
                .isEqualTo("CHANGES JOBS_LEFT 2, JOBS_WAIT 1, ITEMS_MOVE 1, RUNNING_CONTINUE 1, UNTIL_RESTART 0");
        assertThat(effects(CommandTable.UNDRAIN_ALL, "a")).isEqualTo("NOTHING ALREADY 0");
        cluster.get(admin.drainAll("a"));
        assertThat(effects(CommandTable.DRAIN_ALL, "a")).isEqualTo("NOTHING ALREADY 0");
        assertThat(effects(CommandTable.UNDRAIN_ALL, "a")).isEqualTo("CHANGES JOBS_JOINED 2, REBALANCED 0");
        assertThatThrownBy(() -> effects(CommandTable.DRAIN_ALL, "nobody"))
                .hasRootCauseInstanceOf(UnknownTargetException.class);
        assertThat(cluster.get(cluster.inspector().instance("no/body"))).isEmpty();
    }

    private void others(int count) {
        RegistryCommit.Builder jobs = RegistryCommit.builder();
        IntStream.range(0, count).forEach(number -> jobs.create(new JobTree("other-" + number).root()));
        cluster.commit(jobs);
    }

    private String effects(OperatorCommand command, String instance) {
        return new DryRuns(cluster).text(command, Map.of("instance", instance));
    }
}
