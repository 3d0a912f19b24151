package dev.elasticjob.admin.app;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.elasticjob.admin.JobAdmin;
import dev.elasticjob.admin.JobInspector;
import dev.elasticjob.admin.RegistryJobAdmin;
import dev.elasticjob.admin.RegistryJobInspector;
import dev.elasticjob.admin.app.PublishedApp.Condition;
import dev.elasticjob.admin.app.PublishedApp.Pool;
import dev.elasticjob.admin.app.PublishedApp.Worker;
import dev.elasticjob.admin.command.Actor;
import dev.elasticjob.admin.command.CommandLog;
import dev.elasticjob.admin.command.UnknownTargetException;
import dev.elasticjob.job.event.JobEvent;
import dev.elasticjob.registry.JobTree;
import dev.elasticjob.registry.RegistryCommit;
import dev.elasticjob.registry.RegistryRead;
import dev.elasticjob.registry.memory.InMemoryEnsemble;
import dev.elasticjob.registry.memory.InMemoryRegistry;
import dev.elasticjob.time.manual.ManualTime;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import java.util.TreeMap;
import java.util.concurrent.CompletionException;
import java.util.concurrent.CompletionStage;
import java.util.stream.IntStream;
import org.junit.jupiter.api.Test;

/** What controllers show of applications, and what operators ask of them. */
class AppNodesTest {
    private static final Instant NOON = Instant.parse("2026-03-01T12:00:00Z");
    private static final String UID = "9b1c4d2e";

    private final ManualTime time = new ManualTime(NOON);
    private final InMemoryEnsemble ensemble = new InMemoryEnsemble(time);
    private final InMemoryRegistry console = connect();
    private final List<JobEvent> events = new ArrayList<>();
    private final JobAdmin admin = new RegistryJobAdmin(
            console, new CommandLog(events::add, Actor.named("ann").because("夜间维护")), time);
    private final JobInspector inspector = new RegistryJobInspector(console, time, time, time::instant, TreeMap::new);

    private InMemoryRegistry connect() {
        return new InMemoryRegistry(ensemble, Runnable::run);
    }

    @Test
    void whatAControllerShowsIsReadAsItIs() {
        PublishedApp shop = shop(worker("FAILED", "OOMKilled", "退出码 137, last lines: 内存不足"));

        publish(connect(), UID, shop);

        AppReport report = report("prod.shop");
        assertThat(report.app()).isEqualTo(shop);
        assertThat(report.attended()).isTrue();
        assertThat(report.published()).isEqualTo(NOON);
        assertThat(report.suspension()).isEmpty();
    }

    @Test
    void whatIsShownAlreadyIsNotWrittenAgain() {
        InMemoryRegistry controller = connect();
        publish(controller, UID, shop());
        publish(controller, UID, shop());
        assertThat(version(JobTree.app("prod.shop"))).isZero();

        publish(controller, UID, shop(worker("PENDING", "Unschedulable", "0/3 nodes are available")));
        assertThat(version(JobTree.app("prod.shop"))).isOne();
    }

    @Test
    void withoutItsControllerAnApplicationIsShownAsItWas() {
        InMemoryRegistry controller = connect();
        publish(controller, UID, shop());

        controller.close();

        assertThat(report("prod.shop").attended()).isFalse();
        assertThat(report("prod.shop").app()).isEqualTo(shop());
    }

    @Test
    void theNextControllerOfAResourceGoesOnThoughTheFormerSessionLasts() {
        InMemoryRegistry former = connect();
        InMemoryRegistry next = connect();
        publish(former, UID, shop());
        publish(next, UID, shop());

        former.close();

        assertThat(report("prod.shop").attended()).isTrue();
    }

    @Test
    void theControllerOfAnotherResourceOfThisNameChangesNothing() {
        InMemoryRegistry controller = connect();
        publish(controller, UID, shop());

        InMemoryRegistry other = connect();
        assertThat(join(new AppNodes(other).publish("other cluster", shop(worker("RUNNING", "", "")))))
                .hasValueSatisfying(why -> assertThat(why).contains("another resource"));
        assertThat(join(new AppNodes(other).remove("prod.shop"))).isPresent();
        assertThat(report("prod.shop").app()).isEqualTo(shop());

        // A resource that was deleted and created again: the former one's controller is gone.
        controller.close();
        publish(other, "created again", shop(worker("RUNNING", "", "")));
        assertThat(report("prod.shop").app().pools().get(0).workers()).hasSize(1);
    }

    @Test
    void anOperatorSuspendsAndResumes() {
        publish(connect(), UID, shop());

        assertThat(join(admin.suspendApp("prod.shop"))).isTrue();
        assertThat(join(admin.suspendApp("prod.shop"))).isFalse();
        assertThat(report("prod.shop").suspension())
                .hasToString("Optional[suspended by \"ann\" since 2026-03-01T12:00:00Z (夜间维护)]");

        assertThat(join(admin.resumeApp("prod.shop"))).isTrue();
        assertThat(join(admin.resumeApp("prod.shop"))).isFalse();
        assertThat(report("prod.shop").suspension()).isEmpty();
        assertThat(events)
                .map(event ->
                        ((JobEvent.CommandEnded) event).command() + ": " + ((JobEvent.CommandEnded) event).outcome())
                .containsExactly(
                        "suspend application \"prod.shop\": it gets no workers",
                        "suspend application \"prod.shop\": it was suspended already",
                        "resume application \"prod.shop\": resumed",
                        "resume application \"prod.shop\": not suspended by an operator");
    }

    @Test
    void whatAPersonWritesByHandSuspendsToo() {
        publish(connect(), UID, shop());
        commit(RegistryCommit.builder().create(JobTree.appSuspended("prod.shop"), "wait for the database\n"));

        assertThat(report("prod.shop").suspension().orElseThrow().reason()).isEqualTo("wait for the database");
    }

    @Test
    void anApplicationThatIsNotThereIsNamed() {
        publish(connect(), UID, shop());

        for (String wrong : List.of("shop", "prod.shops", "prod/shop", "..", "")) {
            assertThatThrownBy(() -> join(admin.suspendApp(wrong)))
                    .isInstanceOf(CompletionException.class)
                    .cause()
                    .isInstanceOf(UnknownTargetException.class)
                    .hasMessageContaining("\"" + wrong + "\"")
                    .hasMessageContaining("with a dot between them");
        }
    }

    @Test
    void whatNobodyLooksAfterCanBeForgottenAndNothingElse() {
        InMemoryRegistry controller = connect();
        publish(controller, UID, shop());
        join(admin.suspendApp("prod.shop"));

        assertThatThrownBy(() -> join(admin.forgetApp("prod.shop")))
                .cause()
                .isInstanceOf(IllegalStateException.class)
                .hasMessageContaining("a controller looks after it");

        controller.close();
        assertThat(join(admin.forgetApp("prod.shop"))).isTrue();
        assertThat(join(inspector.apps())).isEmpty();
    }

    @Test
    void whatIsNotForgottenIsSaid() {
        publish(connect(), UID, shop());
        commit(RegistryCommit.builder()
                .delete(JobTree.appController("prod.shop"), 0)
                .create(JobTree.app("prod.shop") + "/notes", "by hand"));

        assertThatThrownBy(() -> join(admin.forgetApp("prod.shop")))
                .cause()
                .isInstanceOf(IllegalStateException.class)
                .hasMessageContaining("have unknown ones below them");
    }

    @Test
    void aControllerRemovesWhatIsGoneWithItsSuspension() {
        InMemoryRegistry controller = connect();
        publish(controller, UID, shop());
        join(admin.suspendApp("prod.shop"));

        assertThat(join(new AppNodes(controller).remove("prod.shop"))).isEmpty();
        assertThat(join(new AppNodes(controller).remove("prod.shop"))).isEmpty();

        assertThat(join(inspector.apps())).isEmpty();
    }

    @Test
    void thousandsOfWorkersFitAndThoseThatNeedALookAreShown() {
        String lines = "java.lang.OutOfMemoryError: Java heap space ".repeat(20);
        Worker[] workers = IntStream.range(0, 5_000)
                .mapToObj(number -> worker(number < 40 ? "FAILED" : "RUNNING", "Error", lines))
                .toArray(Worker[]::new);

        publish(connect(), UID, shop(workers));

        Pool pool = report("prod.shop").app().pools().get(0);
        assertThat(pool.workers()).hasSizeGreaterThan(100).startsWith(workers[0]);
        assertThat(pool.workers())
                .filteredOn(worker -> worker.phase().equals("FAILED"))
                .hasSize(40);
        assertThat(pool.leftOut() + pool.workers().size()).isEqualTo(5_000);
    }

    @Test
    void aNodeThatCannotBeReadHasItsNameAndHidesNoOther() {
        publish(connect(), UID, shop());
        commit(RegistryCommit.builder().create(JobTree.app("prod.bills"), "{\"pools\":7"));

        assertThat(join(inspector.apps())).map(AppReport::id).containsExactly("prod.bills", "prod.shop");
        assertThat(report("prod.bills").app().name()).isEqualTo("bills");
    }

    @Test
    void applicationsAreNoJobs() {
        publish(connect(), UID, shop());

        assertThat(join(inspector.names())).isEmpty();
    }

    // ------------------------------------------------------------------ what is shown

    private static PublishedApp shop(Worker... workers) {
        return new PublishedApp(
                "shop",
                "prod",
                false,
                List.of(new Pool(
                        "default", 4, 0, 10, 7, 3, 3, 2, NOON.plusSeconds(60), List.of("订单结算"), List.of(workers), 0)),
                List.of(new Condition("Ready", true, "Ready", "", NOON)));
    }

    private static Worker worker(String phase, String reason, String text) {
        return new Worker("shop-default-0-1", phase, "shop-default-0-1-x", "node-7", "", NOON, reason, text);
    }

    private static void publish(InMemoryRegistry controller, String uid, PublishedApp app) {
        assertThat(join(new AppNodes(controller).publish(uid, app))).isEmpty();
    }

    private AppReport report(String id) {
        return join(inspector.app(id)).orElseThrow();
    }

    private int version(String path) {
        return join(console.read(RegistryRead.allData(path)))
                .node(path)
                .orElseThrow()
                .version();
    }

    private void commit(RegistryCommit.Builder commit) {
        assertThat(join(console.commit(commit.build())).isCommitted()).isTrue();
    }

    private static <T> T join(CompletionStage<T> stage) {
        return stage.toCompletableFuture().join();
    }
}
