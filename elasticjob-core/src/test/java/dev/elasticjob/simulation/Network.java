package dev.elasticjob.simulation;

import dev.elasticjob.registry.RegistryCommit;
import dev.elasticjob.time.manual.ManualTime;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Random;
import java.util.stream.Stream;

/** The ensemble and the ways to it: servers, connections, and the passing of time that ends sessions. */
final class Network {
    private static final Duration BEAT = Duration.ofMillis(500);

    private final ManualTime time;
    private final Random random;
    private final Trace trace;
    private final Quorum quorum;
    private final List<Server> servers;
    private final List<Connection> connections = new ArrayList<>();
    private boolean calm;
    private int bytesPerCommit = RegistryCommit.BYTES_OF_PART;

    Network(ManualTime time, Random random, Steps steps, Trace trace, Duration sessionTimeout, int size) {
        this.time = time;
        this.random = random;
        this.trace = trace;
        this.quorum = new Quorum(time, sessionTimeout);
        this.servers = Stream.generate(() -> new Server(quorum)).limit(size).toList();
        servers.forEach(steps::add);
        time.after(BEAT, this::beat);
    }

    Quorum quorum() {
        return quorum;
    }

    Trace trace() {
        return trace;
    }

    List<Server> servers() {
        return servers;
    }

    Random random() {
        return random;
    }

    /** Nothing goes wrong any more. */
    void calmDown() {
        calm = true;
    }

    /** So that requests for a few items take several transactions. */
    void takeOnlySmallCommits() {
        bytesPerCommit = 300;
    }

    int bytesPerCommit() {
        return bytesPerCommit;
    }

    boolean isCalm() {
        return calm;
    }

    void later(Duration delay, Runnable task) {
        time.after(delay, task);
    }

    void add(Connection connection) {
        connections.add(connection);
    }

    /** A server that a client which has seen so much may connect to; null where none can be reached. */
    Server pick(int seen) {
        List<Server> open =
                servers.stream().filter(server -> !server.isCutOff()).toList();
        Server picked = open.get(random.nextInt(open.size()));
        picked.catchUp(seen);
        return picked;
    }

    /** Half a server's tick: the servers report, the leader ends sessions it has not heard of. */
    private void beat() {
        servers.forEach(Server::report);
        quorum.overdue().forEach(this::expire);
        time.after(BEAT, this::beat);
    }

    /** All servers go down, and come back with other data. What was under way to them is lost. */
    void loseData(Quorum.Backup backup, int next) {
        quorum.restore(backup, next);
        servers.forEach(Server::startAnew);
        connections.forEach(Connection::serversLoseData);
    }

    /** The leader ends a session; a client that is connected in it loses its connection. */
    void expire(long session) {
        quorum.end(session);
        connections.stream()
                .filter(connection -> connection.isConnectedIn(session))
                .forEach(Connection::breaks);
    }
}
