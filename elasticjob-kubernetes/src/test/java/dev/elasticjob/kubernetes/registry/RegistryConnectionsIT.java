package dev.elasticjob.kubernetes.registry;

import static org.assertj.core.api.Assertions.assertThat;

import dev.elasticjob.admin.app.AppNodes;
import dev.elasticjob.admin.app.AppReport;
import dev.elasticjob.admin.app.PublishedApp;
import dev.elasticjob.registry.Registry;
import dev.elasticjob.registry.curator.ClientOptions;
import dev.elasticjob.registry.curator.CuratorRegistry;
import dev.elasticjob.registry.curator.RegistrySettings;
import dev.elasticjob.testing.ZooKeeperTestServer;
import java.util.List;
import java.util.concurrent.CompletionStage;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;

/** What a controller may do in a registry in which nobody has been yet. On a real ZooKeeper. */
class RegistryConnectionsIT {
    private static final PublishedApp SHOP = new PublishedApp("shop", "prod", false, List.of(), List.of());
    private static ZooKeeperTestServer server;

    @BeforeAll
    static void start() {
        server = ZooKeeperTestServer.start();
    }

    @AfterAll
    static void stop() {
        server.close();
    }

    private static RegistrySettings settings(String namespace) {
        return RegistrySettings.of(server.connectString(), namespace);
    }

    @Test
    void anApplicationIsShownBeforeAnyInstanceHasCome() {
        try (Registry controller = RegistryConnections.connect(settings("shops/eu/new"), ClientOptions.none());
                Registry console = CuratorRegistry.connectToLook(settings("shops/eu/new"), ClientOptions.none())) {
            assertThat(join(new AppNodes(console).all())).isEmpty();

            assertThat(join(new AppNodes(controller).publish("uid", SHOP))).isEmpty();

            assertThat(join(new AppNodes(console).all())).map(AppReport::id).containsExactly("prod.shop");
        }
    }

    @Test
    void whoMayNotCreateTheNamespaceLooksAtIt() {
        CuratorRegistry.connect(settings("locked").withDigest("owner:secret")).close();

        try (Registry controller = RegistryConnections.connect(settings("locked/shop"), ClientOptions.none())) {
            assertThat(join(new AppNodes(controller).all())).isEmpty();
        }
    }

    private static <T> T join(CompletionStage<T> stage) {
        return stage.toCompletableFuture().join();
    }
}
