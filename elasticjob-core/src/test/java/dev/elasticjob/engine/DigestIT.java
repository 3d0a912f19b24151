package dev.elasticjob.engine;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatExceptionOfType;

import dev.elasticjob.definition.JobDefinition;
import dev.elasticjob.job.event.JobEvent.ItemFinished;
import dev.elasticjob.job.event.JobEvent.ItemStarted;
import dev.elasticjob.registry.JobTree;
import dev.elasticjob.registry.RegistryAccessDeniedException;
import dev.elasticjob.registry.RegistryCommit;
import dev.elasticjob.registry.curator.CuratorRegistry;
import dev.elasticjob.registry.curator.RegistrySettings;
import dev.elasticjob.testing.TestZooKeeper;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionStage;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.TimeUnit;
import org.apache.zookeeper.KeeperException;
import org.apache.zookeeper.ZKUtil;
import org.apache.zookeeper.ZooDefs;
import org.apache.zookeeper.ZooKeeper;
import org.apache.zookeeper.data.ACL;
import org.apache.zookeeper.data.Id;
import org.apache.zookeeper.data.Stat;
import org.apache.zookeeper.server.auth.DigestAuthenticationProvider;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;

/** Whole engines with a digest, on a real ZooKeeper. */
class DigestIT {
    private static final String DIGEST = "shop:secret";
    private static final JobTree TREE = new JobTree("orders");

    private final TestZooKeeper server = TestZooKeeper.start();
    private final EventLog events = new EventLog();

    @AfterEach
    void close() {
        server.close();
    }

    @Test
    void everyNodeIsOpenToTheDigestOnly() throws Exception {
        try (var registry = CuratorRegistry.connect(settings("company/shop").withDigest(DIGEST));
                var engine = engine(registry, "orders")) {
            get(engine.start());
            get(registry.enterLatch(TREE.failoverLatch(), "a").acquired());
            events.await(ItemStarted.class, run -> run.item() == 0);
            events.await(ItemFinished.class, run -> run.item() == 1);

            Map<String, List<ACL>> nodes = permissionsAsSeenBy(DIGEST, "/company");
            assertThat(nodes.keySet())
                    .contains(
                            "/company",
                            "/company/shop",
                            "/company/shop" + TREE.config(),
                            "/company/shop" + TREE.leader(),
                            "/company/shop" + TREE.instance("a"),
                            "/company/shop" + TREE.owner(1),
                            "/company/shop" + TREE.running(0))
                    .anyMatch(path -> path.startsWith("/company/shop" + TREE.failoverLatch() + "/"));
            assertThat(nodes.values()).containsOnly(ownersOnly());
            try (ZooKeeper stranger = client("shop:guess")) {
                assertThat(nodes.keySet())
                        .allSatisfy(path -> assertThatExceptionOfType(KeeperException.NoAuthException.class)
                                .isThrownBy(() -> stranger.getData(path, false, null)));
            }
        }
    }

    @Test
    void aStrangersEngineCannotBeConnected() {
        CuratorRegistry.connect(settings("shop").withDigest(DIGEST)).close();

        assertThatExceptionOfType(RegistryAccessDeniedException.class)
                .isThrownBy(() -> CuratorRegistry.connect(settings("shop").withDigest("shop:guess")))
                .satisfies(refused -> assertThat(refused.path()).endsWith("/shop"));
        assertThatExceptionOfType(RegistryAccessDeniedException.class)
                .isThrownBy(() -> CuratorRegistry.connect(settings("shop")));
    }

    @Test
    void anEngineIsNotStartedWhereOneOfItsJobsBelongsToAnotherDigest() {
        try (var open = CuratorRegistry.connect(settings("shop"));
                var owner = CuratorRegistry.connect(settings("shop").withDigest(DIGEST));
                var engine = engine(open, "theirs")) {
            get(owner.commit(
                    owner.session().orElseThrow(),
                    RegistryCommit.builder()
                            .create(new JobTree("theirs").root())
                            .create(new JobTree("theirs").config(), new byte[0])
                            .build()));

            assertThat(engine.start())
                    .failsWithin(30, TimeUnit.SECONDS)
                    .withThrowableOfType(ExecutionException.class)
                    .withCauseInstanceOf(RegistryAccessDeniedException.class)
                    .withMessageContaining("/shop/theirs\"");
        }
    }

    /** Item 0 runs until the engine is closed. */
    private ElasticJobEngine engine(CuratorRegistry registry, String job) {
        ElasticJobEngine engine = ElasticJobEngine.builder(registry)
                .instanceId("a")
                .ip("10.0.0.1")
                .shutdownTimeout(Duration.ofSeconds(1))
                .listener(events)
                .build();
        JobDefinition definition = JobDefinition.builder(job)
                .cron("* * * * * ?")
                .shardingTotalCount(2)
                .failover(true)
                .build();
        engine.register(definition, context -> {
            if (context.getShardingItem() == 0) {
                new CompletableFuture<Void>().get(60, TimeUnit.SECONDS);
            }
        });
        return engine;
    }

    private RegistrySettings settings(String namespace) {
        return RegistrySettings.of(server.connectString(), namespace);
    }

    private Map<String, List<ACL>> permissionsAsSeenBy(String digest, String root) throws Exception {
        Map<String, List<ACL>> permissions = new TreeMap<>();
        try (ZooKeeper zooKeeper = client(digest)) {
            for (String path : ZKUtil.listSubTreeBFS(zooKeeper, root)) {
                permissions.put(path, zooKeeper.getACL(path, new Stat()));
            }
        }
        return permissions;
    }

    private ZooKeeper client(String digest) throws Exception {
        ZooKeeper zooKeeper = new ZooKeeper(server.connectString(), 10_000, event -> {});
        zooKeeper.addAuthInfo("digest", digest.getBytes(StandardCharsets.UTF_8));
        return zooKeeper;
    }

    private static List<ACL> ownersOnly() throws Exception {
        String id = DigestAuthenticationProvider.generateDigest(DIGEST);
        return List.of(new ACL(ZooDefs.Perms.ALL, new Id("digest", id)));
    }

    private static <T> T get(CompletionStage<T> stage) {
        return stage.toCompletableFuture().orTimeout(30, TimeUnit.SECONDS).join();
    }
}
