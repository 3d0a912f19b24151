package dev.elasticjob.kubernetes.local;

import static org.assertj.core.api.Assertions.assertThat;

import dev.elasticjob.admin.command.RunRequest;
import dev.elasticjob.registry.curator.ClientOptions;
import dev.elasticjob.registry.curator.CuratorRegistry;
import dev.elasticjob.registry.curator.RegistrySettings;
import java.time.Duration;
import java.time.Instant;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.RegisterExtension;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/** A controller without its registry: it starts nothing, ends nothing, and says why. On a real ZooKeeper that stops. */
@Tag("proof")
class RegistryAwayIT {
    @RegisterExtension
    final LocalShop shop = new LocalShop();

    private final LocalCluster cluster = shop.cluster;

    @Test
    void whatIsDueWithoutAnyPodIsStartedForWhenTheRegistryIsBack() {
        shop.controller("one");
        cluster.server.put("shop", LocalShop.spec("shop:1.4", "3s"));
        shop.awaitEndOf(1);
        apply(2, true);
        shop.await("the suspension", all -> shop.condition("Ready").equals("False Suspended"));
        shop.admin().trigger("orders").toCompletableFuture().join();
        shop.await("the demand", all -> open() == 10);

        shop.zooKeeper.stop();
        shop.await("the reason", all -> shop.condition("Ready").equals("False RegistryUnavailable"));
        // Now ten items are open, and nobody keeps it from starting workers.
        apply(3, false);
        awaitLookAt(3);

        assertThat(shop.condition("Ready")).isEqualTo("False RegistryUnavailable");
        assertThat(shop.warnings()).contains("RegistryUnavailable");
        assertThat(open()).as("as it was known last").isEqualTo(10);
        assertThat(shop.jobs()).as("the one that has introduced the jobs").hasSize(1);

        shop.zooKeeper.restart();

        shop.await("all items", all -> shop.lines("ended").size() == 10);
        shop.await("no reason", all -> shop.condition("Ready").equals("True Ready"));
        shop.await("the last pod to leave", all -> cluster.running().isEmpty());
        assertThat(shop.lines("ended")).hasSize(10).doesNotHaveDuplicates();
    }

    @Test
    void podsThatRunAreLeftAloneWhileTheRegistryIsAway() {
        shop.controller("one");
        cluster.server.put("shop", LocalShop.spec("shop:1.4", "3s"));
        shop.awaitEndOf(1);
        shop.admin()
                .trigger("orders", RunRequest.withParameter("hold"))
                .toCompletableFuture()
                .join();
        shop.await("items on all workers", all -> shop.podsOf("started").size() == 3);
        List<String> running = cluster.running();
        var jobs = shop.jobs();

        Instant stopped = Instant.now();
        shop.zooKeeper.stop();
        shop.await("the reason", all -> shop.condition("Ready").equals("False RegistryUnavailable"));
        apply(2, false);
        awaitLookAt(2);

        Map<?, ?> ready = cluster.wholeCondition("shop", "Ready").orElseThrow();
        assertThat(String.valueOf(ready.get("message")))
                .startsWith("Registry namespace \"shop\" can't be read, so nothing is started until it can: ");
        assertThat(Instant.parse(String.valueOf(ready.get("lastTransitionTime"))))
                .isBetween(stopped.minus(Duration.ofSeconds(1)), Instant.now());
        assertThat(cluster.running()).as("pods").isEqualTo(running);
        assertThat(shop.jobs()).isEqualTo(jobs);

        shop.zooKeeper.restart();
        shop.await("no reason", all -> shop.condition("Ready").equals("True Ready"));
        cluster.tellAll("go on");

        shop.await("all items", all -> shop.lines("ended").stream().distinct().count() == 10);
        shop.await("the last pod to leave", all -> cluster.running().isEmpty());
        assertThat(shop.lines("ended")).hasSize(10);
    }

    @Test
    void aControllerThatStartsBeforeItsRegistryWaitsForIt() {
        shop.zooKeeper.stop();
        shop.controller("one");
        cluster.server.put("shop", LocalShop.spec("shop:1.4", "3s"));
        shop.await("the reason", all -> shop.condition("Ready").equals("False RegistryUnavailable"));
        assertThat(shop.jobs()).isEmpty();

        shop.zooKeeper.restart();

        shop.await("a worker", all -> shop.condition("Ready").equals("True Ready"));
    }

    @ParameterizedTest
    @CsvSource({
        "127.0.0.1:1, 'expected to answer at \"127.0.0.1:1\"'",
        "registry.invalid:2181, 'expected to answer at \"registry.invalid:2181\"'",
        "HERE/nowhere, chroot"
    })
    void aWrongConnectStringIsTold(String connectString, String reason) {
        shop.controller("one", connectString.replace("HERE", shop.zooKeeper.connectString()));
        cluster.server.put("shop", LocalShop.spec("shop:1.4", "3s"));

        shop.await("the reason", all -> shop.condition("Ready").equals("False RegistryUnavailable"));

        assertThat(String.valueOf(
                        cluster.wholeCondition("shop", "Ready").orElseThrow().get("message")))
                .contains(reason);
        assertThat(shop.jobs()).isEmpty();
    }

    @Test
    void aNamespaceThatBelongsToAnotherIsTold() {
        String servers = shop.zooKeeper.connectString();
        CuratorRegistry.connect(RegistrySettings.of(servers, "shop").withDigest("owner:secret"))
                .close();
        shop.controller(
                "one",
                servers,
                namespace -> CuratorRegistry.connectToLook(
                        RegistrySettings.of(servers, namespace).withDigest("owner:wrong"), ClientOptions.none()));

        cluster.server.put("shop", LocalShop.spec("shop:1.4", "3s"));

        shop.await("the reason", all -> shop.condition("Ready").equals("False RegistryUnavailable"));
        assertThat(String.valueOf(
                        cluster.wholeCondition("shop", "Ready").orElseThrow().get("message")))
                .contains("elasticjob.registry.digest")
                .doesNotContain("owner:");
        assertThat(shop.jobs()).isEmpty();
    }

    private int open() {
        return cluster.status("shop").get("open") instanceof Number open ? open.intValue() : 0;
    }

    /** As {@code kubectl apply} does. */
    private void apply(long generation, boolean suspend) {
        Map<String, Object> spec = new HashMap<>(LocalShop.spec("shop:1.4", "3s"));
        spec.put("suspend", suspend);
        cluster.server.app("shop").edit(known -> {
            known.getMetadata().setGeneration(generation);
            known.setAdditionalProperty("spec", spec);
            return known;
        });
    }

    private void awaitLookAt(long generation) {
        shop.await(
                "a look at generation " + generation,
                all -> cluster.status("shop").get("observedGeneration") instanceof Number seen
                        && seen.longValue() == generation);
    }
}
