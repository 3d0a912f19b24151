package dev.elasticjob.engine;

import static dev.elasticjob.engine.RealEngines.get;
import static org.assertj.core.api.Assertions.assertThat;

import dev.elasticjob.admin.RegistryJobAdmin;
import dev.elasticjob.admin.command.RunRequest;
import dev.elasticjob.definition.JobDefinition;
import dev.elasticjob.job.SimpleJob;
import dev.elasticjob.job.event.JobEvent.AssignmentChanged;
import dev.elasticjob.job.event.JobEvent.ItemFinished;
import dev.elasticjob.registry.ConnectionState;
import dev.elasticjob.registry.JobTree;
import dev.elasticjob.registry.Registry;
import dev.elasticjob.registry.Registry.WatchScope;
import dev.elasticjob.registry.RegistryCommit;
import dev.elasticjob.registry.RegistryRead;
import dev.elasticjob.testing.Heard;
import java.time.Duration;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.stream.Collectors;
import java.util.stream.IntStream;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.RegisterExtension;

/** A job whose nodes are more than ZooKeeper gives in one answer by default, beside one that has nothing to do with it. */
@Tag("proof")
class LargeJobsIT {
    private static final JobTree TREE = new JobTree("orders");
    private static final String NEVER = "0 0 0 1 1 ?";

    @RegisterExtension
    final RealEngines engines = new RealEngines();

    private final EventLog events = engines.events();
    private final Heard<ConnectionState> states = new Heard<>();

    @AfterEach
    void theConnectionWasNeverLost() {
        assertThat(states.all()).doesNotContain(ConnectionState.SUSPENDED, ConnectionState.LOST);
    }

    @Test
    void itemsWithLargeCheckpointsAreRetired() {
        int items = 300;
        String checkpoint = "x".repeat(4 * 1024);
        start(items, context -> context.checkpoint(checkpoint));
        RegistryJobAdmin admin = engines.add(new RegistryJobAdmin(engines.registry()));
        get(admin.run("orders", RunRequest.create()));

        get(admin.redefine(
                "orders", job -> job.toBuilder().shardingTotalCount(1).build()));

        Registry registry = engines.registry();
        IntStream.range(1, items).forEach(item -> get(registry.awaitAbsence(TREE.item(item))));
        assertThat(engines.children(TREE.sharding())).containsExactly("0");
        theOtherJobGoesOn();
    }

    @Test
    void itemsForWhichManyRequestsWaitRunAndTellTheirLongFailures() {
        int items = 1_000;
        start(items, context -> {
            throw new IllegalStateException("y".repeat(1_000));
        });
        String parameter = "p".repeat(500);
        waitForEach(items, 15, parameter);
        RegistryJobAdmin admin = engines.add(new RegistryJobAdmin(engines.registry()));

        var outcome = get(admin.run("orders", RunRequest.withParameter(parameter)));
        var again = get(admin.run("orders", RunRequest.withParameter(parameter)));

        assertThat(outcome.items()).hasSize(items);
        assertThat(again.items()).hasSize(items);
        theOtherJobGoesOn();
    }

    /** All records, what is below them, and who is shown as their owner: many times what one answer may hold. */
    @Test
    void aReconcileRoundReadsTenThousandItemsOfAnInstanceWithALongId() {
        int items = 10_000;
        String instance = "a".repeat(250) + "@-@1";
        start(instance, items, 1, context -> {});
        Registry registry = engines.registry();
        String owner = TREE.owner(items - 1);
        CompletableFuture<Void> repaired = new CompletableFuture<>();
        get(registry.commit(
                registry.session().orElseThrow(),
                RegistryCommit.builder()
                        .set(owner, "nobody", RegistryCommit.ANY_VERSION)
                        .build()));

        engines.add(registry.watch(owner, WatchScope.DATA, () -> repaired.complete(null)));

        assertThat(repaired).succeedsWithin(Duration.ofMinutes(3));
        assertThat(get(registry.read(List.of(RegistryRead.data(owner))))
                        .node(owner)
                        .orElseThrow()
                        .text())
                .isEqualTo(instance);
        theOtherJobGoesOn();
    }

    /** What an operator's tool may have written: requests with ids as long as they may be. */
    private void waitForEach(int items, int requests, String parameter) {
        Registry registry = engines.registry();
        String runIds = IntStream.range(0, requests)
                .mapToObj(i -> "%02d".formatted(i) + "r".repeat(62))
                .collect(Collectors.joining(","));
        for (int item = 0; item < items; item++) {
            RegistryCommit trigger = RegistryCommit.builder()
                    .create(TREE.trigger(item), "{\"runId\":\"%s\",\"parameter\":\"%s\"}".formatted(runIds, parameter))
                    .build();
            get(registry.commit(registry.session().orElseThrow(), trigger));
        }
    }

    private void theOtherJobGoesOn() {
        long seen = events.all(ItemFinished.class).stream()
                .filter(LargeJobsIT::isOther)
                .count();
        events.awaitAll(ItemFinished.class, LargeJobsIT::isOther, (int) seen + 2);
    }

    private static boolean isOther(ItemFinished end) {
        return end.jobName().equals("billing");
    }

    private void start(int items, SimpleJob job) {
        start("a@-@1", items, 10, job);
    }

    private void start(String instance, int items, int reconcileMinutes, SimpleJob job) {
        ElasticJobEngine engine = engines.engine(instance);
        engine.register(
                JobDefinition.builder("orders")
                        .cron(NEVER)
                        .shardingTotalCount(items)
                        .reconcileIntervalMinutes(reconcileMinutes)
                        .jobExceptionHandler("IGNORE")
                        .build(),
                job);
        engine.register(
                JobDefinition.builder("billing")
                        .cron("* * * * * ?")
                        .shardingTotalCount(1)
                        .build(),
                context -> {});
        engines.registryOf(instance).onConnectionState(states::add);
        get(engine.start());
        events.await(AssignmentChanged.class, change -> change.items().size() == items);
        theOtherJobGoesOn();
    }
}
