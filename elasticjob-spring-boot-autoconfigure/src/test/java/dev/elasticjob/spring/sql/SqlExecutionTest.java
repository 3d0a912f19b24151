package dev.elasticjob.spring.sql;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.Map;
import java.util.UUID;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.springframework.core.task.SimpleAsyncTaskExecutor;
import org.springframework.jdbc.core.JdbcTemplate;
import org.springframework.jdbc.core.namedparam.NamedParameterJdbcTemplate;
import org.springframework.jdbc.datasource.DriverManagerDataSource;

/** On a real database, whose statement would take hours. */
@Timeout(60)
class SqlExecutionTest {
    private static final CompletableFuture<Void> RUNS = new CompletableFuture<>();

    /** Public, because the database calls it. */
    public static final class Alias {
        private Alias() {}

        public static long runs(long value) {
            RUNS.complete(null);
            return value;
        }
    }

    @Test
    void anInterruptCancelsTheStatementAndWaitsUntilItHasEnded() throws Exception {
        var jdbc = new JdbcTemplate(
                new DriverManagerDataSource("jdbc:h2:mem:" + UUID.randomUUID() + ";DB_CLOSE_DELAY=-1", "sa", ""));
        jdbc.execute("CREATE ALIAS runs FOR \"" + Alias.class.getName() + ".runs\"");
        String hours =
                "SELECT COUNT(*) FROM SYSTEM_RANGE(1, 1000000) a, SYSTEM_RANGE(1, 1000000) b WHERE runs(a.x) + b.x = 0";
        CompletableFuture<Object> outcome = new CompletableFuture<>();
        Thread item = new Thread(() -> outcome.complete(outcomeOf(jdbc, hours)));
        item.start();
        RUNS.get(30, TimeUnit.SECONDS);

        item.interrupt();

        assertThat(outcome.get(30, TimeUnit.SECONDS)).isInstanceOf(InterruptedException.class);
        assertThat(jdbc.queryForObject(
                        "SELECT COUNT(*) FROM INFORMATION_SCHEMA.SESSIONS WHERE SESSION_ID <> SESSION_ID()", int.class))
                .as("statements that still run")
                .isZero();
    }

    private static Object outcomeOf(JdbcTemplate jdbc, String statement) {
        var execution = new SqlExecution();
        try {
            return execution.await(
                    () -> new NamedParameterJdbcTemplate(jdbc).execute(statement, Map.of(), execution),
                    new SimpleAsyncTaskExecutor("sql-"));
        } catch (Exception e) {
            return e;
        }
    }
}
