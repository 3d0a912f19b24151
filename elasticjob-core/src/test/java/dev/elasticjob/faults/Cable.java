package dev.elasticjob.faults;

import dev.elasticjob.testing.FaultyConnection;
import java.util.List;
import java.util.stream.Collectors;

/** One instance's ways to all servers, which are held back and let through together. For one thread. */
record Cable(List<FaultyConnection> ways) implements AutoCloseable {
    Cable {
        ways = List.copyOf(ways);
    }

    /** @param servers each as {@code host:port} */
    static Cable to(List<String> servers) {
        return new Cable(servers.stream().map(FaultyConnection::to).toList());
    }

    String connectString() {
        return ways.stream().map(FaultyConnection::connectString).collect(Collectors.joining(","));
    }

    /** Nothing gets through any more, and nobody notices by itself. */
    void hold() {
        ways.forEach(FaultyConnection::hold);
    }

    void mend() {
        ways.forEach(FaultyConnection::mend);
    }

    @Override
    public void close() {
        ways.forEach(FaultyConnection::close);
    }
}
