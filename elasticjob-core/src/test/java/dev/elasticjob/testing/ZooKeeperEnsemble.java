package dev.elasticjob.testing;

import ch.qos.logback.classic.Level;
import ch.qos.logback.classic.Logger;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.stream.Collectors;
import java.util.stream.IntStream;
import org.apache.zookeeper.server.ZooKeeperServer;
import org.apache.zookeeper.server.quorum.QuorumPeerMain;
import org.slf4j.LoggerFactory;

/**
 * Three ZooKeeper servers that elect a leader, each in a JVM of its own. A server can be killed, paused, and cut off from
 * the leader while its clients stay connected to it. They end with this JVM, whatever happens. Not safe for use by
 * several threads.
 */
public final class ZooKeeperEnsemble implements AutoCloseable {
    private static final int SERVERS = 3;

    private final Path directory;
    private final List<Member> members = new ArrayList<>();
    /** What a server says to another one as its leader goes through one of these. */
    private final List<List<FaultyConnection>> toLeaders = new ArrayList<>();

    private record Member(int client, int quorum, int election) {
        String connectString() {
            return "127.0.0.1:" + client;
        }
    }

    private final List<ChildJvm> processes = new ArrayList<>();

    private ZooKeeperEnsemble(Path directory) {
        this.directory = directory;
        for (int server = 0; server < SERVERS; server++) {
            members.add(new Member(FreePort.choose(), FreePort.choose(), FreePort.choose()));
        }
        for (int server = 0; server < SERVERS; server++) {
            toLeaders.add(members.stream()
                    .map(other -> FaultyConnection.to("127.0.0.1:" + other.quorum()))
                    .toList());
        }
        for (int server = 0; server < SERVERS; server++) {
            configure(server);
            processes.add(begin(server));
        }
        servers().forEach(server -> awaitQuorum(connectString(server)));
    }

    /** All three take part when this returns. */
    public static ZooKeeperEnsemble start() {
        try {
            return new ZooKeeperEnsemble(Files.createTempDirectory("ensemble"));
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }

    /** Of all servers. */
    public String connectString() {
        return members.stream().map(Member::connectString).collect(Collectors.joining(","));
    }

    /** Of one server alone. */
    public String connectString(int server) {
        return members.get(server).connectString();
    }

    /** Which server leads, by what the servers say. */
    public int leader() {
        return servers().filter(server -> says(server, "leader")).findFirst().orElseThrow();
    }

    /** Some server that follows. */
    public int follower() {
        return servers().filter(server -> says(server, "follower")).findFirst().orElseThrow();
    }

    private static IntStream servers() {
        return IntStream.range(0, SERVERS);
    }

    /** Without a farewell; its data stays. */
    public void kill(int server) {
        processes.get(server).kill();
    }

    /** After {@link #kill}. */
    public void restart(int server) {
        processes.set(server, begin(server));
    }

    public void pause(int server) {
        processes.get(server).pause();
    }

    public void resume(int server) {
        processes.get(server).resume();
    }

    /** Its leader and it don't hear each other any more, and notice late; its clients stay. */
    public void cutOffFromLeader(int server) {
        toLeaders.get(server).forEach(FaultyConnection::hold);
    }

    public void mend(int server) {
        toLeaders.get(server).forEach(FaultyConnection::mend);
    }

    /** Waits until these servers, or one of them, grant sessions. */
    public void awaitQuorum(String servers) {
        PlainClient.of(servers).close();
    }

    /** Waits until the server has found no quorum, and answers reads alone. */
    public void awaitReadOnly(int server) {
        processes.get(server).await("reads alone", line -> line.contains("Read-only server started"));
    }

    @Override
    public void close() {
        processes.forEach(ChildJvm::close);
        toLeaders.forEach(connections -> connections.forEach(FaultyConnection::close));
        ZooKeeperTestServer.deleteRecursively(directory);
    }

    private void configure(int server) {
        Path data = directory.resolve("data-" + server);
        String peers = servers()
                .mapToObj(other -> "server.%d=127.0.0.1:%d:%d"
                        .formatted(
                                other,
                                quorumPort(server, other),
                                members.get(other).election()))
                .collect(Collectors.joining("\n"));
        // Followers keep their clients for 20 s after they have heard from the leader last.
        String settings = """
                tickTime=500
                initLimit=20
                syncLimit=40
                maxSessionTimeout=120000
                dataDir=%s
                clientPort=%d
                clientPortAddress=127.0.0.1
                standaloneEnabled=false
                admin.enableServer=false
                4lw.commands.whitelist=*
                %s
                """.formatted(data, members.get(server).client(), peers);
        try {
            Files.createDirectories(data);
            Files.writeString(data.resolve("myid"), String.valueOf(server));
            Files.writeString(directory.resolve("zoo-" + server + ".cfg"), settings);
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }

    private int quorumPort(int server, int other) {
        if (server == other) {
            return members.get(server).quorum();
        }
        String relay = toLeaders.get(server).get(other).connectString();
        return Integer.parseInt(relay.substring(relay.indexOf(':') + 1));
    }

    private ChildJvm begin(int server) {
        return ChildJvm.start(
                "zookeeper-" + server,
                line -> {},
                List.of(
                        "-Xmx128m",
                        "-XX:+UseSerialGC",
                        "-Dzookeeper.forceSync=no",
                        "-Dreadonlymode.enabled=true",
                        // One that has found nobody yet asks again soon; up to a minute otherwise.
                        "-Dzookeeper.fastleader.maxNotificationInterval=1000"),
                Main.class,
                List.of(directory.resolve("zoo-" + server + ".cfg").toString()));
    }

    private boolean says(int server, String mode) {
        try {
            return FourLetterWord.ask(members.get(server).client(), "srvr").contains("Mode: " + mode);
        } catch (IOException e) {
            return false;
        }
    }

    /** Runs in the other JVM. */
    static final class Main {
        private Main() {}

        public static void main(String[] args) throws IOException {
            ((Logger) LoggerFactory.getLogger(ZooKeeperServer.class)).setLevel(Level.INFO);
            Thread server = new Thread(() -> QuorumPeerMain.main(args), "server");
            server.setDaemon(true);
            server.start();
            try {
                while (System.in.read() >= 0) {
                    // Ends with the JVM that started this one.
                }
            } finally {
                Runtime.getRuntime().halt(0);
            }
        }
    }
}
