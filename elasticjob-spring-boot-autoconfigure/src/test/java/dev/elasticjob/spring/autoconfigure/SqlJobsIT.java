package dev.elasticjob.spring.autoconfigure;

import static org.assertj.core.api.Assertions.assertThat;

import dev.elasticjob.admin.JobAdmin;
import dev.elasticjob.admin.command.RunOutcome;
import dev.elasticjob.admin.command.RunRequest;
import dev.elasticjob.job.RunEnd;
import dev.elasticjob.job.event.JobEvent.AssignmentChanged;
import java.util.List;
import java.util.Map;
import java.util.UUID;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.ExtendWith;
import org.springframework.boot.autoconfigure.EnableAutoConfiguration;
import org.springframework.boot.test.system.CapturedOutput;
import org.springframework.boot.test.system.OutputCaptureExtension;
import org.springframework.context.ConfigurableApplicationContext;
import org.springframework.context.annotation.Configuration;
import org.springframework.jdbc.core.JdbcTemplate;
import org.springframework.jdbc.datasource.DriverManagerDataSource;

/** SQL jobs on a real database, with two instances on a real ZooKeeper. */
@ExtendWith(OutputCaptureExtension.class)
class SqlJobsIT {
    private final String url = "jdbc:h2:mem:" + UUID.randomUUID() + ";DB_CLOSE_DELAY=-1";
    private final JdbcTemplate database = new JdbcTemplate(new DriverManagerDataSource(url, "sa", ""));
    private final OnZooKeeper zooKeeper = new OnZooKeeper();

    @BeforeEach
    void makeTables() {
        database.execute(
                "CREATE TABLE done (item INT PRIMARY KEY, what VARCHAR, job VARCHAR, items INT, due TIMESTAMP WITH TIME ZONE)");
        database.execute("CREATE TABLE orders (tenant VARCHAR, state VARCHAR)");
        for (String order : List.of("north", "north", "south")) {
            database.update("INSERT INTO orders VALUES (?, 'open')", order);
        }
    }

    @AfterEach
    void close() {
        zooKeeper.close();
        database.execute("SHUTDOWN");
    }

    @Test
    void eachItemRunsTheStatementWithItsOwnValuesOnOneOfTwoInstances(CapturedOutput log) {
        String[] purge = {
            "--elasticjob.jobs.purge.job-type=sql",
            "--elasticjob.jobs.purge.sharding-total-count=3",
            "--elasticjob.jobs.purge.sharding-item-parameters=0=north,1=south,2=x'; DROP TABLE orders; --",
            "--elasticjob.jobs.purge.job-parameter=nightly",
            "--elasticjob.jobs.purge.job-properties.sql.statement=INSERT INTO done SELECT :item, :itemParameter,"
                    + " :jobParameter, :shardingTotalCount, :scheduledTime"
        };
        ConfigurableApplicationContext a = start("a", purge);
        start("b", purge);
        zooKeeper.await(
                AssignmentChanged.class,
                now -> now.instance().equals("b") && !now.items().isEmpty());

        RunOutcome outcome = run(a, "purge");

        assertThat(outcome.isSuccessful()).isTrue();
        assertThat(database.queryForList("SELECT item, what, job, items FROM done ORDER BY item"))
                .containsExactly(
                        Map.of("ITEM", 0, "WHAT", "north", "JOB", "nightly", "ITEMS", 3),
                        Map.of("ITEM", 1, "WHAT", "south", "JOB", "nightly", "ITEMS", 3),
                        Map.of("ITEM", 2, "WHAT", "x'; DROP TABLE orders; --", "JOB", "nightly", "ITEMS", 3));
        assertThat(database.queryForObject(
                        "SELECT COUNT(*) FROM done WHERE due > NOW() - INTERVAL '1' HOUR", int.class))
                .isEqualTo(3);
        assertThat(log).contains("Job \"purge\": item 1: the statement changed 1 rows");
    }

    @Test
    void theNumberOfChangedRowsIsLoggedAndAConnectionWithoutAutoCommitCommits(CapturedOutput log) {
        ConfigurableApplicationContext a = start(
                "a",
                "--spring.datasource.hikari.auto-commit=false",
                "--elasticjob.jobs.close.job-type=sql",
                "--elasticjob.jobs.close.job-parameter=north",
                "--elasticjob.jobs.close.job-properties.sql.statement=UPDATE orders SET state='closed' WHERE tenant=:jobParameter");

        run(a, "close");

        assertThat(database.queryForObject("SELECT COUNT(*) FROM orders WHERE state='closed'", int.class))
                .isEqualTo(2);
        assertThat(log).contains("Job \"close\": item 0: the statement changed 2 rows");
    }

    @Test
    void aFailureNamesTheJobTheItemAndTheSqlStateButNoValue(CapturedOutput log) {
        database.update("INSERT INTO done VALUES (0, 'x', 'x', 1, NOW())");
        database.execute("CREATE UNIQUE INDEX secrets ON done (job)");
        database.update("INSERT INTO done VALUES (7, 'x', 'tok-4711', 1, NOW())");
        ConfigurableApplicationContext a = start(
                "a",
                "--elasticjob.jobs.copy.job-type=sql",
                "--elasticjob.jobs.copy.job-parameter=tok-4711",
                "--elasticjob.jobs.copy.job-properties.sql.statement=INSERT INTO done VALUES (3, '', :jobParameter, 1, NOW())");

        RunOutcome.ItemEnd end = run(a, "copy").items().get(0);

        assertThat(end.end()).isEqualTo(RunEnd.FAILED);
        assertThat(end.failure())
                .hasValueSatisfying(text -> assertThat(text)
                        .contains("Job \"copy\": the statement of item 0 failed with SQL state 23505")
                        .contains("SECRETS")
                        .doesNotContain("tok-4711"));
        assertThat(log).contains("SQL state 23505").doesNotContain("tok-4711");
    }

    @Test
    void atItsTimeoutTheStatementIsCancelledBeforeTheItemEnds() {
        ConfigurableApplicationContext a = start(
                "a",
                "--elasticjob.jobs.count.job-type=sql",
                "--elasticjob.jobs.count.timeout=1s",
                "--elasticjob.jobs.count.job-properties.sql.statement="
                        + "SELECT COUNT(*) FROM SYSTEM_RANGE(1, 1000000) a, SYSTEM_RANGE(1, 1000000) b WHERE a.x + b.x = :item");

        RunOutcome.ItemEnd end = run(a, "count").items().get(0);

        assertThat(end.end()).isEqualTo(RunEnd.FAILED);
        assertThat(database.queryForObject(
                        "SELECT COUNT(*) FROM INFORMATION_SCHEMA.SESSIONS WHERE EXECUTING_STATEMENT LIKE '%SYSTEM_RANGE(1%'"
                                + " AND SESSION_ID <> SESSION_ID()",
                        int.class))
                .isZero();
    }

    private ConfigurableApplicationContext start(String instance, String... properties) {
        String[] all = new String[properties.length + 1];
        System.arraycopy(properties, 0, all, 1, properties.length);
        all[0] = "--spring.datasource.url=" + url;
        return zooKeeper.start(instance, Shop.class, all);
    }

    private static RunOutcome run(ConfigurableApplicationContext application, String job) {
        return OnZooKeeper.get(application.getBean(JobAdmin.class).run(job, RunRequest.create()));
    }

    @Configuration(proxyBeanMethods = false)
    @EnableAutoConfiguration
    static class Shop {}
}
