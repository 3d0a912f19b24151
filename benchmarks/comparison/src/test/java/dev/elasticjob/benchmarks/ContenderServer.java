package dev.elasticjob.benchmarks;

import dev.elasticjob.testing.ZooKeeperProcess;
import io.zonky.test.db.postgres.embedded.EmbeddedPostgres;
import java.io.IOException;
import java.io.UncheckedIOException;

/**
 * What a contender coordinates through, in processes of its own. Neither server forces what it writes to the disk: ours
 * is told so, and this PostgreSQL always is.
 */
record ContenderServer(String address, Runnable stop) implements AutoCloseable {
    private static final String USER = "postgres";

    static ContenderServer start(Side side) {
        return switch (side) {
            case OURS, ELASTICJOB_LITE, SPRING_BOOT, OBSERVED -> zooKeeper();
            case DB_SCHEDULER, QUARTZ, BARE_ROWS -> postgres();
            case PLAIN_SPRING_BOOT -> throw new IllegalArgumentException("A plain application coordinates nothing");
        };
    }

    private static ContenderServer zooKeeper() {
        ZooKeeperProcess server = ZooKeeperProcess.start();
        return new ContenderServer(server.connectString(), server::close);
    }

    static ContenderServer postgres() {
        try {
            EmbeddedPostgres server = EmbeddedPostgres.start();
            return new ContenderServer(server.getJdbcUrl(USER, USER), () -> stop(server));
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }

    private static void stop(EmbeddedPostgres server) {
        try {
            server.close();
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }

    @Override
    public void close() {
        stop.run();
    }
}
