package dev.elasticjob.kubernetes.registry;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.elasticjob.admin.JobDemand;
import dev.elasticjob.admin.app.AppNodes;
import dev.elasticjob.admin.app.AppReport;
import dev.elasticjob.admin.app.PublishedApp;
import dev.elasticjob.admin.app.Suspension;
import dev.elasticjob.definition.JobDefinition;
import dev.elasticjob.definition.codec.JobDefinitionCodec;
import dev.elasticjob.registry.JobTree;
import dev.elasticjob.registry.RegistryCommit;
import dev.elasticjob.registry.RegistryUnavailableException;
import dev.elasticjob.registry.memory.InMemoryEnsemble;
import dev.elasticjob.registry.memory.InMemoryRegistry;
import dev.elasticjob.time.manual.ManualTime;
import java.time.Duration;
import java.time.Instant;
import java.time.ZoneOffset;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.Set;
import java.util.concurrent.CompletionException;
import java.util.stream.IntStream;
import org.junit.jupiter.api.Test;

class RegistryConnectionsTest {
    private static final Instant NOON = Instant.parse("2026-03-01T12:00:00Z");
    private static final Duration AHEAD = Duration.ofSeconds(30);
    private static final JobTree ORDERS = new JobTree("orders");
    private static final String PLAN = "{\"cron\":\"0 * * * * ?\",\"timeZone\":\"Z\","
            + "\"since\":\"2026-03-01T12:00:00Z\",\"owners\":{\"10.0.0.1@-@shop-default-0-1-x\":\"0-2\"}}";
    private static final String DONE = "{\"scheduledAt\":\"2026-03-01T12:00:00Z\",\"state\":\"COMPLETED\"}";

    private final ManualTime time = new ManualTime(NOON);
    private final InMemoryEnsemble ensemble = new InMemoryEnsemble(time);
    private final InMemoryRegistry writer = new InMemoryRegistry(ensemble, Runnable::run);
    private final List<InMemoryRegistry> connected = new ArrayList<>();
    private final List<String> changes = new ArrayList<>();
    private boolean away;
    private final RegistryConnections connections =
            new RegistryConnections("prod", this::connect, time, time, Runnable::run);

    private InMemoryRegistry connect(String namespace) {
        if (away) {
            throw new RegistryUnavailableException("ZooKeeper is away");
        }
        connected.add(new InMemoryRegistry(ensemble, Runnable::run));
        return connected.get(connected.size() - 1);
    }

    @Test
    void whatWillBeOpenIsWhatAnEarlyClockSees() {
        orders();
        time.advance(Duration.ofSeconds(40));

        Work work = read("shop");

        JobDemand now = work.demands().get(Duration.ZERO).get(0);
        JobDemand soon = work.demands().get(AHEAD).get(0);
        assertThat(now.open()).isZero();
        assertThat(now.nextDue()).contains(NOON.plusSeconds(60));
        assertThat(soon.open()).isEqualTo(3);
    }

    @Test
    void instancesAreSeenWithTheJobsTheyServe() {
        orders();
        commit(RegistryCommit.builder()
                .create(ORDERS.server("10.0.0.1"), "")
                .createEphemeral(ORDERS.instance("10.0.0.1@-@shop-default-0-1-x"), ""));

        assertThat(read("shop").instances()).singleElement().satisfies(instance -> {
            assertThat(instance.id()).isEqualTo("10.0.0.1@-@shop-default-0-1-x");
            assertThat(instance.jobs()).containsExactly("orders");
            assertThat(instance.serving()).containsExactly("orders");
        });
    }

    @Test
    void anInstanceThatDoesNotMatchIsNoneThatServes() {
        orders("region=eu");
        commit(RegistryCommit.builder()
                .create(ORDERS.server("10.0.0.1"), "")
                .createEphemeral(ORDERS.instance("10.0.0.1@-@shop-default-0-1-x"), ""));

        assertThat(read("shop").instances()).singleElement().satisfies(instance -> {
            assertThat(instance.serving()).isEmpty();
            assertThat(instance.mismatched()).containsExactly("orders");
        });
    }

    @Test
    void applicationsOfANamespaceShareItsConnectionAndHearOfItsChanges() {
        read("shop");
        read("office");
        changes.clear();

        orders();

        assertThat(connected).hasSize(1);
        assertThat(changes).contains("shop", "office");
    }

    @Test
    void theConnectionEndsWithItsLastApplication() {
        read("shop");
        read("office");
        connections.release("shop");
        assertThat(connected.get(0).session()).isPresent();

        connections.release("office");
        assertThat(connected.get(0).session()).isEmpty();

        changes.clear();
        orders();
        assertThat(changes).isEmpty();
    }

    @Test
    void anApplicationIsShownUntilItIsReleasedAndNotAttendedWithoutItsController() {
        connections.publish("uid-1", app("shop"));
        assertThat(shown()).as("nothing has been read yet").isEmpty();

        read("shop");
        read("bills");
        connections.publish("uid-1", app("shop"));
        connections.publish("uid-2", app("bills"));
        assertThat(shown()).map(AppReport::id).containsExactly("prod.bills", "prod.shop");

        connections.release("shop");
        assertThat(shown()).map(AppReport::id).containsExactly("prod.bills");
        connections.release("bills");
        assertThat(shown()).as("also of the last one of a connection").isEmpty();

        read("shop");
        connections.publish("uid-1", app("shop"));
        connections.rest();
        assertThat(shown()).singleElement().matches(report -> !report.attended());

        connections.begin();
        read("shop");
        connections.publish("uid-1", app("shop"));
        assertThat(shown()).as("it leads again").singleElement().matches(AppReport::attended);
    }

    @Test
    void whatCouldNotBeRemovedIsRemovedLater() {
        read("shop");
        read("bills");
        connections.publish("uid-1", app("shop"));
        connected.get(0).disconnect();
        connections.release("shop");
        connected.get(0).reconnect();
        assertThat(shown()).hasSize(1);

        read("bills");

        assertThat(shown()).isEmpty();
    }

    @Test
    void whoRestsReadsNothingUntilItBeginsAgain() {
        connections.rest();
        assertThatThrownBy(() -> read("shop")).hasCauseInstanceOf(RegistryUnavailableException.class);
        assertThat(connected).isEmpty();

        connections.begin();
        assertThat(read("shop").instances()).isEmpty();
    }

    @Test
    void whatAnOperatorSuspendsIsReadAndHeardOf() {
        read("shop");
        connections.publish("uid-1", app("shop"));
        changes.clear();

        commit(RegistryCommit.builder().create(JobTree.appSuspended("prod.shop"), Suspension.text("ann", "")));

        assertThat(changes).contains("shop");
        assertThat(read("shop").suspension().orElseThrow().actor()).isEqualTo("ann");
        assertThat(read("bills").suspension()).isEmpty();
    }

    private static PublishedApp app(String name) {
        return new PublishedApp(name, "prod", false, List.of(), List.of());
    }

    private List<AppReport> shown() {
        return new AppNodes(writer).all().toCompletableFuture().join();
    }

    @Test
    void anUnavailableRegistryFailsAndIsTriedAgain() {
        away = true;
        assertThatThrownBy(() -> read("shop"))
                .isInstanceOf(CompletionException.class)
                .hasCauseInstanceOf(RegistryUnavailableException.class);

        away = false;
        assertThat(read("shop").instances()).isEmpty();
    }

    private Work read(String app) {
        return connections
                .read(app, "jobs", Set.of(AHEAD), () -> changes.add(app))
                .toCompletableFuture()
                .join();
    }

    private void orders() {
        orders("");
    }

    private void orders(String runOn) {
        JobDefinition definition = JobDefinition.builder("orders")
                .cron("0 * * * * ?")
                .timeZone(ZoneOffset.UTC)
                .shardingTotalCount(3)
                .runOn(runOn)
                .build();
        var codec = new JobDefinitionCodec();
        RegistryCommit.Builder commit = RegistryCommit.builder().create(ORDERS.root());
        ORDERS.parents().forEach(commit::create);
        commit.create(ORDERS.config(), codec.config(definition, Optional.empty()))
                .create(ORDERS.extension(), codec.extension(definition, Optional.empty()))
                .create(ORDERS.sharding(), PLAN);
        IntStream.range(0, 3).forEach(item -> commit.create(ORDERS.item(item), DONE));
        commit(commit);
    }

    private void commit(RegistryCommit.Builder commit) {
        assertThat(writer.commit(commit.build()).toCompletableFuture().join().isCommitted())
                .isTrue();
    }
}
