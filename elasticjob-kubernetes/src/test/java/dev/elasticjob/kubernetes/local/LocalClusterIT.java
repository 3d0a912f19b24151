package dev.elasticjob.kubernetes.local;

import static org.assertj.core.api.Assertions.assertThat;

import dev.elasticjob.admin.JobAdmin;
import dev.elasticjob.admin.command.RunRequest;
import io.fabric8.mockwebserver.dsl.HttpMethod;
import java.util.Optional;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.RegisterExtension;

/** Controllers on an API server, pods that are JVMs, and a real ZooKeeper. */
class LocalClusterIT {
    @RegisterExtension
    final LocalShop shop = new LocalShop();

    private final LocalCluster cluster = shop.cluster;

    @Test
    void fromZeroEachItemRunsOnceAndNoPodIsLeftThoughTwoControllersLead() {
        shop.controller("one");
        shop.controller("other");
        cluster.server.put("shop", LocalShop.spec("shop:1.4", "3s"));
        shop.awaitEndOf(1);
        assertThat(shop.condition("Ready")).isEqualTo("True Ready");
        cluster.happened.clear();

        shop.admin().trigger("orders").toCompletableFuture().join();
        shop.awaitEndOf(4);

        assertThat(shop.lines("ended"))
                .containsExactlyInAnyOrder(
                        "item 0 ended",
                        "item 1 ended",
                        "item 2 ended",
                        "item 3 ended",
                        "item 4 ended",
                        "item 5 ended",
                        "item 6 ended",
                        "item 7 ended",
                        "item 8 ended",
                        "item 9 ended");
        assertThat(cluster.jobs())
                .extracting(job -> job.getMetadata().getName())
                .doesNotHaveDuplicates()
                .hasSize(4);
        assertThat(cluster.running()).isEmpty();
    }

    @Test
    void itemsOfAPodThatIsKilledAreTakenOverThoughTheControllerIsGone() {
        AutoCloseable controller = shop.controller("one");
        cluster.server.put("shop", LocalShop.spec("shop:1.4", "8s"));
        shop.awaitEndOf(1);
        shop.admin()
                .trigger("orders", RunRequest.withParameter("hold"))
                .toCompletableFuture()
                .join();
        // Without room at its owner, an item waits: so not all start at once.
        shop.await("items on all workers", all -> shop.podsOf("started").size() == 3);
        shop.close(controller);
        String killed = shop.podsOf("started").iterator().next();

        cluster.kill(killed);
        cluster.running().forEach(pod -> cluster.tell(pod, "go on"));

        shop.await("all ends", all -> shop.lines("ended").size() == 10);
        shop.await("the last pod to leave", all -> cluster.running().isEmpty());
        assertThat(shop.lines("ended")).hasSize(10).doesNotHaveDuplicates();
        assertThat(shop.lines("started")).hasSizeGreaterThan(10);
    }

    @Test
    void anImageThatCanNotBePulledIsToldOnceAndTheNextOneStarts() {
        shop.controller("one");
        cluster.server.put("shop", LocalShop.spec("missing:1.5", "3s"));
        shop.await("the reason", all -> shop.condition("WorkersBlocked").equals("True ImagePullBackOff"));
        shop.await("an event", all -> shop.warnings().contains("ImagePullBackOff"));
        assertThat(cluster.jobs()).hasSize(1);
        // No instance has been there yet, so the registry was empty.
        shop.await(
                "people to be shown it",
                all -> shop.shown()
                        .filter(app -> app.attended() && app.app().toString().contains("ImagePullBackOff"))
                        .isPresent());

        cluster.server.put("shop", LocalShop.spec("shop:1.5", "3s"));

        shop.await("a worker of it", all -> shop.condition("Ready").equals("True Ready"));
        assertThat(cluster.jobs())
                .singleElement()
                .matches(job -> job.getMetadata().getName().equals("shop-default-1-1"));
        shop.await("no reason", all -> shop.condition("WorkersBlocked").equals("False None"));
    }

    @Test
    void aPodWithoutANodeIsToldAndNotMultiplied() {
        cluster.setFull(true);
        shop.controller("one");
        cluster.server.put("shop", LocalShop.spec("shop:1.4", "3s"));

        shop.await("the reason", all -> shop.condition("WorkersBlocked").equals("True Unschedulable"));

        assertThat(cluster.jobs()).hasSize(1);
    }

    @Test
    void aQuotaIsTold() {
        cluster.server.fail(request -> Optional.of(403)
                .filter(code -> request.method().name().equals("POST")
                        && request.getPath().contains("/jobs/jobs")));
        shop.controller("one");
        cluster.server.put("shop", LocalShop.spec("shop:1.4", "3s"));

        shop.await("the reason", all -> shop.condition("WorkersBlocked").equals("True Refused"));

        assertThat(cluster.jobs()).isEmpty();
    }

    @Test
    void whatComesWhileTheApiServerFailsIsStartedForWhenItIsBack() {
        cluster.server.put("shop", LocalShop.spec("missing:1.4", "3s"));
        cluster.server.fail(request -> {
            boolean fails =
                    request.method() == HttpMethod.POST || request.getPath().contains("/elasticapps?");
            if (fails) {
                cluster.happened.add("failed");
            }
            return fails ? Optional.of(500) : Optional.empty();
        });
        shop.controller("one");
        shop.await("some tries", all -> all.stream().filter("failed"::equals).count() > 3);
        cluster.server.recover();

        shop.await("a worker", all -> !cluster.jobs().isEmpty());
    }

    @Test
    void theWorkersOfADeletedApplicationEndAndItsJobsStay() {
        shop.controller("one");
        cluster.server.put("shop", LocalShop.spec("shop:1.4", "3s"));
        shop.await("the job", all -> shop.condition("Ready").equals("True Ready"));

        cluster.server.app("shop").delete();

        shop.await(
                "no worker",
                all -> cluster.jobs().isEmpty() && cluster.running().isEmpty());
        assertThat(shop.admin()
                        .definition("orders")
                        .toCompletableFuture()
                        .join()
                        .shardingTotalCount())
                .isEqualTo(10);
        shop.await("people to be shown it no more", all -> shop.shown().isEmpty());
    }

    @Test
    void whatIsSuspendedInTheConsoleGetsNoWorkerAlsoFromTheNextController() {
        AutoCloseable first = shop.controller("one");
        cluster.server.put("shop", LocalShop.spec("shop:1.4", "3s"));
        shop.await("the job", all -> shop.condition("Ready").equals("True Ready"));
        JobAdmin admin = shop.admin();
        admin.suspendApp("jobs.shop").toCompletableFuture().join();
        shop.await("the suspension", all -> shop.condition("Ready").equals("False Suspended"));
        shop.awaitEndOf(1);

        shop.close(first);
        shop.await("nobody to look after it", all -> !shop.shown().orElseThrow().attended());
        admin.trigger("orders", RunRequest.create()).toCompletableFuture().join();
        shop.controller("two");
        shop.await(
                "the next controller",
                all -> shop.shown()
                        .filter(app ->
                                app.attended() && app.app().pools().stream().anyMatch(pool -> pool.open() == 10))
                        .isPresent());
        assertThat(cluster.jobs()).hasSize(1);

        admin.resumeApp("jobs.shop").toCompletableFuture().join();
        shop.await("all items", all -> shop.lines("ended").size() == 10);
    }
}
