package dev.elasticjob.console.standalone;

import com.zaxxer.hikari.HikariDataSource;
import dev.elasticjob.console.autoconfigure.TracedHistory;
import dev.elasticjob.console.history.ConsoleHistory;
import dev.elasticjob.console.standalone.StandAloneProperties.History;
import dev.elasticjob.spring.history.JdbcJobHistory;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import org.jspecify.annotations.Nullable;
import org.springframework.core.task.SimpleAsyncTaskExecutor;
import org.springframework.jdbc.core.JdbcTemplate;

/**
 * The databases with the event traces of the registries. Each is connected when somebody asks for its history, is only read,
 * and has threads of its own. The connections are closed a while after the last question.
 */
final class HistoryDatabases implements AutoCloseable {
    private static final int QUESTIONS_AT_ONCE = 4;
    private static final Duration IDLE = Duration.ofMinutes(5);

    private final List<HikariDataSource> pools = new ArrayList<>();

    /** The history of a registry; empty if none is configured. */
    Optional<ConsoleHistory> of(String registry, History history) {
        return Optional.ofNullable(history.url()).map(url -> connectedLater(registry, url, history));
    }

    private ConsoleHistory connectedLater(String registry, String url, History history) {
        var threads = new SimpleAsyncTaskExecutor("elasticjob-history-" + registry + "-");
        threads.setDaemon(true);
        threads.setConcurrencyLimit(QUESTIONS_AT_ONCE);
        threads.setRejectTasksWhenLimitReached(true);
        HikariDataSource pool = pool(registry, url, history);
        pools.add(pool);
        var jdbc = new JdbcTemplate(pool);
        // Nobody waits for an answer that comes later, so the database needn't go on.
        jdbc.setQueryTimeout((int) Math.max(1, history.queryTimeout().toSeconds()));
        return new TracedHistory(new JdbcJobHistory(jdbc, threads, history.queryTimeout()));
    }

    /** Connects with the first question, so that the console starts without its databases. */
    private static HikariDataSource pool(String registry, String url, History history) {
        var pool = new HikariDataSource();
        pool.setPoolName("history of registry " + registry);
        pool.setJdbcUrl(url);
        setIdentity(pool, history.username(), history.password());
        pool.setReadOnly(true);
        pool.setMaximumPoolSize(QUESTIONS_AT_ONCE);
        pool.setMinimumIdle(0);
        pool.setIdleTimeout(IDLE.toMillis());
        pool.setConnectionTimeout(history.queryTimeout().toMillis());
        return pool;
    }

    private static void setIdentity(HikariDataSource pool, @Nullable String user, @Nullable String password) {
        if (user != null) {
            pool.setUsername(user);
        }
        if (password != null) {
            pool.setPassword(password);
        }
    }

    @Override
    public void close() {
        pools.forEach(HikariDataSource::close);
    }
}
