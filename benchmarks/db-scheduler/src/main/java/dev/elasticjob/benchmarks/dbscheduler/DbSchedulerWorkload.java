package dev.elasticjob.benchmarks.dbscheduler;

import com.github.kagkarlsson.scheduler.Scheduler;
import com.github.kagkarlsson.scheduler.task.helper.RecurringTask;
import com.github.kagkarlsson.scheduler.task.helper.Tasks;
import com.github.kagkarlsson.scheduler.task.schedule.Schedule;
import com.zaxxer.hikari.HikariConfig;
import com.zaxxer.hikari.HikariDataSource;
import dev.elasticjob.benchmarks.workload.Contender;
import dev.elasticjob.benchmarks.workload.FiringLog;
import dev.elasticjob.benchmarks.workload.WorkloadProcess;
import dev.elasticjob.benchmarks.workload.WorkloadSettings;
import java.sql.Connection;
import java.sql.SQLException;
import java.sql.Statement;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import javax.sql.DataSource;

/**
 * db-scheduler on PostgreSQL: a static recurring task, the common kind, for each item of each job. It polls with
 * lock-and-fetch, and its threads, limits and pool are those of its own benchmark on machines of two cores.
 */
public final class DbSchedulerWorkload implements Contender {
    private static final int THREADS = 20;
    private static final double LOWER_LIMIT = 4;
    private static final double UPPER_LIMIT = 20;
    /** Its default of ten seconds would be most of its lateness. */
    private static final Duration POLLING = Duration.ofMillis(100);

    /** The table and the indexes that its documentation asks for. */
    private static final String TABLE = """
            CREATE TABLE scheduled_tasks (
                task_name TEXT NOT NULL,
                task_instance TEXT NOT NULL,
                task_data BYTEA,
                execution_time TIMESTAMP WITH TIME ZONE NOT NULL,
                picked BOOLEAN NOT NULL,
                picked_by TEXT,
                last_success TIMESTAMP WITH TIME ZONE,
                last_failure TIMESTAMP WITH TIME ZONE,
                consecutive_failures INT,
                last_heartbeat TIMESTAMP WITH TIME ZONE,
                version BIGINT NOT NULL,
                priority SMALLINT,
                PRIMARY KEY (task_name, task_instance));
            CREATE INDEX execution_time_idx ON scheduled_tasks (execution_time);
            CREATE INDEX last_heartbeat_idx ON scheduled_tasks (last_heartbeat);
            CREATE INDEX priority_execution_time_idx ON scheduled_tasks (priority DESC, execution_time ASC);
            """;

    private Scheduler scheduler;

    public static void main(String... arguments) {
        WorkloadProcess.run(new DbSchedulerWorkload(), arguments);
    }

    @Override
    public void prepare(WorkloadSettings settings, FiringLog log) {
        DataSource database = connect(settings.registry());
        createTable(database);
        scheduler = Scheduler.create(database)
                .startTasks(tasks(settings, log))
                .threads(THREADS)
                .pollUsingLockAndFetch(LOWER_LIMIT, UPPER_LIMIT)
                .pollingInterval(POLLING)
                .build();
    }

    private static DataSource connect(String url) {
        HikariConfig pool = new HikariConfig();
        pool.setJdbcUrl(url);
        pool.setMaximumPoolSize(THREADS);
        return new HikariDataSource(pool);
    }

    private static void createTable(DataSource database) {
        try (Connection connection = database.getConnection();
                Statement statement = connection.createStatement()) {
            statement.execute(TABLE);
        } catch (SQLException e) {
            throw new IllegalStateException("The table of the tasks could not be created", e);
        }
    }

    private static List<RecurringTask<Void>> tasks(WorkloadSettings settings, FiringLog log) {
        Schedule schedule = new FullSeconds(settings.cron());
        List<RecurringTask<Void>> tasks = new ArrayList<>();
        for (int number = 0; number < settings.jobs(); number++) {
            String job = settings.job(number);
            for (int item = 0; item < settings.items(); item++) {
                tasks.add(Tasks.recurring(job + "-" + item, schedule)
                        .execute((instance, context) -> log.executed(job, context.getExecution().executionTime)));
            }
        }
        return tasks;
    }

    @Override
    public void start() {
        scheduler.start();
    }
}
