package dev.elasticjob.registry.curator;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.elasticjob.registry.CommitOutcome.Reason;
import dev.elasticjob.registry.CommitOutcome.Refused;
import dev.elasticjob.registry.ConnectionState;
import dev.elasticjob.registry.Registry;
import dev.elasticjob.registry.Registry.WatchScope;
import dev.elasticjob.registry.RegistryAccessDeniedException;
import dev.elasticjob.registry.RegistryCommit;
import dev.elasticjob.registry.RegistryContract;
import dev.elasticjob.registry.RegistryRead;
import dev.elasticjob.registry.RegistrySession;
import dev.elasticjob.testing.FaultyConnection;
import dev.elasticjob.testing.TestZooKeeper;
import dev.elasticjob.testing.ZooKeeperProcess;
import dev.elasticjob.testing.ZooKeeperTestServer;
import java.io.IOException;
import java.net.InetAddress;
import java.net.ServerSocket;
import java.time.Duration;
import java.util.ArrayList;
import java.util.IdentityHashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.Semaphore;
import java.util.concurrent.TimeUnit;
import org.apache.zookeeper.ZooKeeper;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;

/** The contract, and what only a real server can show. */
class CuratorRegistryIT extends RegistryContract {
    private static final Duration SESSION = Duration.ofSeconds(6);
    private static TestZooKeeper server;

    private final Map<Registry, FaultyConnection> connections = new IdentityHashMap<>();
    private final String namespace = "tests/" + System.identityHashCode(this);

    @BeforeAll
    static void startServer() {
        server = TestZooKeeper.start();
    }

    @AfterAll
    static void stopServer() {
        server.close();
    }

    @AfterEach
    void closeConnections() {
        connections.values().forEach(FaultyConnection::mend);
    }

    @Override
    protected Registry connect() {
        var connection = FaultyConnection.to(server.connectString());
        var client = CuratorRegistry.connect(settings().withConnectString(connection.connectString()));
        connections.put(client, connection);
        return client;
    }

    @Override
    protected void cut(Registry client) {
        connection(client).cut();
    }

    @Override
    protected void mend(Registry client) {
        connection(client).mend();
    }

    @Override
    protected void expire(RegistrySession session) {
        server.expire(session.id());
    }

    @Test
    void theNegotiatedTimeoutIsTold() {
        try (var hasty = CuratorRegistry.connect(settings().withSessionTimeout(Duration.ofMillis(50)))) {
            assertThat(session(hasty).timeout()).isEqualTo(Duration.ofSeconds(1));
        }
        assertThat(session(registry).timeout()).isEqualTo(SESSION);
    }

    @Test
    void aCommitWhoseAnswerIsLostIsNotRepeated() {
        committed(registry, RegistryCommit.builder().create("/a"));
        var events = new Semaphore(0);
        other.watch("/a", WatchScope.NODE, events::release);
        node(other, "/a");
        var states = statesOf(registry);
        var session = session(registry);

        connection(registry).swallowAnswers();
        var commit = registry.commit(
                session, RegistryCommit.builder().set("/a", "x", -1).build());
        acquire(events);
        cut(registry);
        await(states, ConnectionState.SUSPENDED);
        mend(registry);
        await(states, ConnectionState.RECONNECTED);

        assertThat(unavailable(commit).outcomeUnknown()).isTrue();
        assertThat(registry.session()).contains(session);
        assertThat(node(registry, "/a").orElseThrow().version()).isEqualTo(1);
    }

    @Test
    void whoWaitsForAnAbsenceNoLongerLeavesNoWatch() {
        try (var own = ZooKeeperTestServer.start();
                var client = CuratorRegistry.connect(settings().withConnectString(own.connectString()))) {
            committed(client, RegistryCommit.builder().create("/a"));
            int before = own.watches();
            var first = client.awaitAbsence("/a").toCompletableFuture();
            var second = client.awaitAbsence("/a").toCompletableFuture();
            node(client, "/a");
            int waiting = own.watches();

            first.cancel(false);
            node(client, "/a");
            int oneStillWaits = own.watches();
            second.cancel(false);
            node(client, "/a");
            int nobodyWaits = own.watches();
            var third = client.awaitAbsence("/a");
            committed(client, RegistryCommit.builder().delete("/a", 0));

            assertThat(List.of(waiting, oneStillWaits, nobodyWaits)).containsExactly(before + 1, before + 1, before);
            done(third);
        }
    }

    @Test
    void aCommitSentAgainInItsSessionAfterALostAnswerIsRefused() {
        committed(registry, RegistryCommit.builder().create("/a"));
        var deleted = other.awaitAbsence("/a");
        var commit = RegistryCommit.builder().delete("/a", 0).build();
        var states = statesOf(registry);
        var session = session(registry);

        connection(registry).swallowAnswers();
        var first = registry.commit(session, commit);
        done(deleted);
        cut(registry);
        await(states, ConnectionState.SUSPENDED);
        mend(registry);
        await(states, ConnectionState.RECONNECTED);

        assertThat(unavailable(first).outcomeUnknown()).isTrue();
        assertThat(done(registry.commit(session, commit))).isEqualTo(new Refused(Reason.ABSENT, "/a"));
    }

    @Test
    void aServerThatComesBackKeepsSessionAndWatches() {
        try (var mortal = ZooKeeperTestServer.start();
                var client = CuratorRegistry.connect(settings().withConnectString(mortal.connectString()))) {
            var events = new Semaphore(0);
            client.watch("/a", WatchScope.SUBTREE, events::release);
            committed(client, RegistryCommit.builder().create("/a").createEphemeral("/e", ""));
            var states = statesOf(client);
            var session = session(client);

            mortal.stop();
            await(states, ConnectionState.SUSPENDED);
            mortal.restart();
            await(states, ConnectionState.RECONNECTED);

            assertThat(client.session()).contains(session);
            assertThat(session.owns(node(client, "/e").orElseThrow())).isTrue();
            events.drainPermits();
            committed(client, RegistryCommit.builder().create("/a/b"));
            acquire(events);
        }
    }

    @Test
    void aServerThatLostItsDataGetsTheNamespaceAgain() {
        try (var mortal = ZooKeeperTestServer.start();
                var client = CuratorRegistry.connect(settings().withConnectString(mortal.connectString()))) {
            committed(client, RegistryCommit.builder().create("/a"));
            var states = statesOf(client);

            mortal.stop();
            await(states, ConnectionState.SUSPENDED);
            mortal.restartWithoutData();
            await(states, ConnectionState.RECONNECTED);

            assertThat(node(client, "/a")).isEmpty();
            committed(client, RegistryCommit.builder().create("/a"));
        }
    }

    @Test
    void aSessionIsGivenUpWhenTheCutLastsLonger() {
        var client = CuratorRegistry.connect(settings()
                .withSessionTimeout(Duration.ofSeconds(1))
                .withConnectString(connection(registry).connectString()));
        try (client) {
            var states = statesOf(client);
            var former = session(client);

            cut(registry);
            await(states, ConnectionState.SUSPENDED);
            await(states, ConnectionState.LOST);
            assertThat(client.session()).isEmpty();
            mend(registry);
            await(states, ConnectionState.RECONNECTED);

            assertThat(session(client).id()).isNotEqualTo(former.id());
        }
    }

    @Test
    void whatOneDigestCreatedNoOtherCanRead() {
        // The namespace itself is open: it was there before.
        var mine = settings().withDigest("me:secret");
        try (var me = CuratorRegistry.connect(mine)) {
            committed(me, RegistryCommit.builder().create("/a", "x").create("/c", "y"));
            done(me.enterLatch("/latch", "me").acquired());
            assertThat(node(me, "/a")).isPresent();

            try (var stranger = CuratorRegistry.connect(mine.withDigest("you:other"))) {
                var read = failure(stranger.read(List.of(RegistryRead.data("/a"))));
                var several = failure(stranger.read(List.of(
                        RegistryRead.data("/b"),
                        RegistryRead.data("/a"),
                        RegistryRead.children("/"),
                        RegistryRead.children("/c"))));
                var commit = failure(stranger.commit(
                        session(stranger),
                        RegistryCommit.builder().create("/a/b").build()));
                var latch = failure(stranger.read(List.of(RegistryRead.children("/latch"))));

                assertThat(read)
                        .isInstanceOf(RegistryAccessDeniedException.class)
                        .hasMessageContaining(full("/a") + "\"")
                        .hasMessageContaining("elasticjob.registry.digest");
                assertThat(several)
                        .isInstanceOfSatisfying(
                                RegistryAccessDeniedException.class,
                                denied -> assertThat(denied.paths()).containsExactlyInAnyOrder(full("/a"), full("/c")));
                assertThat(commit).isInstanceOf(RegistryAccessDeniedException.class);
                assertThat(latch).isInstanceOf(RegistryAccessDeniedException.class);
            }
        }
    }

    @Test
    void anUnreachableServerIsReported() throws IOException {
        int nobody;
        try (var socket = new ServerSocket(0, 1, InetAddress.getLoopbackAddress())) {
            nobody = socket.getLocalPort();
        }
        var settings =
                settings().withConnectString("127.0.0.1:" + nobody).withConnectionTimeout(Duration.ofMillis(300));

        assertThatThrownBy(() -> CuratorRegistry.connect(settings))
                .isInstanceOfSatisfying(RegistryUnreachableException.class, unreachable -> {
                    assertThat(unreachable.connectString()).isEqualTo("127.0.0.1:" + nobody);
                    assertThat(unreachable.timeout()).isEqualTo(Duration.ofMillis(300));
                })
                .hasMessageContaining("127.0.0.1:" + nobody)
                .hasMessageContaining("300 ms")
                .hasMessageContaining("elasticjob.registry.connect-string");
    }

    @Test
    void aServerThatNeverAnswersTheFirstAttemptIsAskedAgainWithinTheWaitOfTheStart() {
        try (var starting = FaultyConnection.to(server.connectString())) {
            starting.ignoreNext();
            var settings = settings()
                    .withConnectString(starting.connectString())
                    .withSessionTimeout(Duration.ofSeconds(60))
                    .withConnectionTimeout(Duration.ofSeconds(10));

            try (var registry = CuratorRegistry.connect(settings)) {
                assertThat(node(registry, "/")).isPresent();
            }
        }
    }

    @Test
    void aMissingChrootIsReported() {
        assertThatThrownBy(
                        () -> CuratorRegistry.connect(settings().withConnectString(server.connectString() + "/absent")))
                .isInstanceOf(ChrootMissingException.class)
                .hasMessageContaining("/absent\"")
                .hasMessageContaining("elasticjob.registry.connect-string");
    }

    @Test
    void whoOnlyLooksCreatesNoNamespaceAndSeesItOnceItIsThere() {
        var absent = settings().withNamespace("nobody/has/this");
        try (var looking = CuratorRegistry.connectToLook(absent, ClientOptions.none())) {
            assertThat(node(looking, "/")).isEmpty();
            assertThat(node(looking, "//nobody")).isEmpty();

            CuratorRegistry.connect(absent).close();

            assertThat(node(looking, "/")).isPresent();
        }
    }

    @Test
    void whoOnlyLooksIsToldOfAMissingChrootToo() {
        var missing = settings().withConnectString(server.connectString() + "/absent");

        assertThatThrownBy(() -> CuratorRegistry.connectToLook(missing, ClientOptions.none()))
                .isInstanceOf(ChrootMissingException.class);
    }

    @Test
    void behindAChrootACommitIsAnsweredWithItsNumberAndItsTimeToo() {
        var chroot = server.connectString() + "/" + namespace;
        try (var client =
                CuratorRegistry.connect(settings().withConnectString(chroot).withNamespace("behind"))) {
            var created = committed(client, RegistryCommit.builder().create("/a", "x"));

            var node = node(registry, "/behind/a").orElseThrow();

            assertThat(created.zxid()).hasValue(node.czxid());
            assertThat(created.time()).contains(node.created());
        }
    }

    @Test
    void aReadOfAnyNumberOfNodesIsOnePacket() {
        List<RegistryRead> reads = new ArrayList<>();
        for (int i = 0; i < 500; i++) {
            reads.add(RegistryRead.data("/" + i));
        }
        try (var fresh = ZooKeeperTestServer.start();
                var client = CuratorRegistry.connect(RegistrySettings.of(fresh.connectString(), "packets")
                        .withSessionTimeout(Duration.ofMinutes(2)))) {
            long before = fresh.packetsReceived();

            done(client.read(reads));

            assertThat(fresh.packetsReceived() - before).isEqualTo(1);
        }
    }

    @Test
    void aReadIsCutIntoRequestsByTheSizesThatWereSeen() {
        int nodes = 300;
        String text = "x".repeat(4 * 1024);
        List<RegistryRead> reads = new ArrayList<>();
        try (var fresh = ZooKeeperTestServer.start();
                var client = CuratorRegistry.connect(RegistrySettings.of(fresh.connectString(), "packets")
                        .withSessionTimeout(Duration.ofMinutes(2)))) {
            for (int i = 0; i < nodes; i++) {
                committed(client, RegistryCommit.builder().create("/" + i, text));
                reads.add(RegistryRead.data("/" + i));
            }
            long before = fresh.packetsReceived();
            done(client.read(reads));
            long first = fresh.packetsReceived();
            done(client.read(reads));
            long second = fresh.packetsReceived();

            assertThat(first - before).as("before anything is known").isEqualTo(1);
            assertThat(second - first).as("1.2 MB in answers of 512 KB").isEqualTo(3);
        }
    }

    /** As a namespace of very many jobs has them. */
    @Test
    void aListOfNamesBeyondZooKeepersUsualMegabyteIsReadWhole() {
        int names = 5_000;
        String padding = "x".repeat(240);
        committed(registry, RegistryCommit.builder().create("/parent"));
        for (int begin = 0; begin < names; begin += 1_000) {
            var commit = RegistryCommit.builder();
            for (int i = begin; i < begin + 1_000; i++) {
                commit.create("/parent/" + padding + i);
            }
            committed(registry, commit);
        }

        var answer = done(registry.read(List.of(RegistryRead.children("/parent"))));

        assertThat(answer.children("/parent")).hasSize(names);
    }

    /** Servers may take more than clients do. */
    @Test
    void aNodeThatEndsTheConnectionIsNamedAndNotReadAgain() throws Exception {
        try (var generous = ZooKeeperProcess.start("-Djute.maxbuffer=8000000");
                var tool = new ZooKeeper(generous.connectString(), (int) SESSION.toMillis(), event -> {});
                var client = CuratorRegistry.connect(settings().withConnectString(generous.connectString()))) {
            committed(client, RegistryCommit.builder().create("/large").create("/small", "x"));
            tool.setData("/" + namespace + "/large", new byte[5_000_000], RegistryCommit.ANY_VERSION);
            var reads = List.of(RegistryRead.data("/small"), RegistryRead.data("/large"));
            var states = statesOf(client);
            unavailable(client.read(reads));
            await(states, ConnectionState.SUSPENDED);
            await(states, ConnectionState.RECONNECTED);

            for (int attempt = 0; attempt < 3; attempt++) {
                assertThat(failure(client.read(reads)))
                        .isInstanceOf(IllegalArgumentException.class)
                        .hasMessageContaining("\"/" + namespace + "/large\"")
                        .hasMessageContaining("5000000")
                        .hasMessageContaining(String.valueOf(RegistryCommit.MAX_BYTES));
            }
            assertThat(node(client, "/small")).isPresent();
            assertThat(states).doesNotContain(ConnectionState.SUSPENDED, ConnectionState.LOST);

            tool.setData("/" + namespace + "/large", new byte[0], RegistryCommit.ANY_VERSION);
            assertThat(done(client.read(reads)).node("/large")).isPresent();
        }
    }

    @Test
    void aSharedWatchIsOnePacketAndItsEndAnother() {
        try (var fresh = ZooKeeperTestServer.start();
                var client = CuratorRegistry.connect(RegistrySettings.of(fresh.connectString(), "packets")
                        .withSessionTimeout(Duration.ofMinutes(2)))) {
            long before = fresh.packetsReceived();

            var one = client.watch("/a", WatchScope.NODE, () -> {});
            var another = client.watch("/a", WatchScope.NODE, () -> {});
            one.close();
            another.close();
            node(client, "/a");

            assertThat(fresh.packetsReceived() - before).isEqualTo(3);
        }
    }

    @Test
    void aCallbackThatSendsIsAnswered() {
        var seen = new CompletableFuture<Integer>();
        registry.watch(
                "/a",
                WatchScope.NODE,
                () -> registry.read(List.of(RegistryRead.data("/a")))
                        .thenAccept(answer ->
                                seen.complete(answer.node("/a").orElseThrow().version())));

        committed(registry, RegistryCommit.builder().create("/a"));

        assertThat(done(seen)).isZero();
    }

    /** The node's path from the root of the server, as messages name it. */
    private String full(String path) {
        return server.chroot() + "/" + namespace + path;
    }

    private RegistrySettings settings() {
        return RegistrySettings.of(server.connectString(), namespace).withSessionTimeout(SESSION);
    }

    private FaultyConnection connection(Registry client) {
        return Objects.requireNonNull(connections.get(client));
    }

    private static void acquire(Semaphore events) {
        try {
            assertThat(events.tryAcquire(30, TimeUnit.SECONDS)).isTrue();
        } catch (InterruptedException e) {
            throw new AssertionError("Interrupted while waiting for an event", e);
        }
    }
}
