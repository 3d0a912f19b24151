package dev.elasticjob.simulation;

import dev.elasticjob.simulation.Replica.Change;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Set;

/**
 * One server of the ensemble: its copy of the tree, behind the others by what it has not applied yet, and the clients
 * that are connected to it. What it hears of sessions, the leader learns with its next report.
 */
final class Server implements Steps.Source {
    private final Quorum quorum;
    private Replica replica = new Replica();
    private final Set<Connection> connections = new LinkedHashSet<>();
    private final Set<Long> heard = new LinkedHashSet<>();
    private int applied;
    private boolean cutOff;
    private double eagerness = 1;

    Server(Quorum quorum) {
        this.quorum = quorum;
    }

    Replica replica() {
        return replica;
    }

    int applied() {
        return applied;
    }

    /** How readily it follows, compared with everything else that happens. */
    void follow(double readiness) {
        eagerness = readiness;
    }

    // ------------------------------------------------------------------ following

    @Override
    public boolean isReady() {
        return !cutOff && applied < quorum.logged();
    }

    @Override
    public double weight() {
        return eagerness;
    }

    @Override
    public void step() {
        applied++;
        List<Change> changes = quorum.transaction(applied);
        for (Change change : changes) {
            replica.apply(change);
            connections.forEach(connection -> connection.changed(change));
        }
    }

    void catchUp(int zxid) {
        while (applied < zxid) {
            step();
        }
    }

    // ------------------------------------------------------------------ sessions

    void hear(long session) {
        heard.add(session);
    }

    /** The leader learns who has given a sign of life since the last report. */
    void report() {
        if (!cutOff) {
            heard.forEach(quorum::touch);
            heard.clear();
        }
    }

    // ------------------------------------------------------------------ connections and faults

    void attach(Connection connection) {
        connections.add(connection);
    }

    void detach(Connection connection) {
        connections.remove(connection);
    }

    boolean isCutOff() {
        return cutOff;
    }

    /** The others can't be reached: it answers reads from what it has, and nothing else. */
    void cutOff() {
        cutOff = true;
    }

    /** It finds the others again, as it does with new connections only. */
    void join() {
        cutOff = false;
        loseConnections();
    }

    /** It dies and comes back at once; what it has heard and not reported is forgotten. */
    void restart() {
        heard.clear();
        loseConnections();
    }

    /** It comes back with the data that the ensemble has now. */
    void startAnew() {
        restart();
        replica = new Replica();
        applied = 0;
        catchUp(quorum.logged());
    }

    private void loseConnections() {
        List.copyOf(connections).forEach(Connection::breaks);
    }
}
