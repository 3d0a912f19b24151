package dev.elasticjob.benchmarks.observability;

import dev.elasticjob.benchmarks.workload.Contender;
import dev.elasticjob.benchmarks.workload.FiringLog;
import dev.elasticjob.benchmarks.workload.WorkloadProcess;
import dev.elasticjob.benchmarks.workload.WorkloadSettings;
import java.sql.Connection;
import java.sql.DriverManager;
import java.sql.PreparedStatement;
import java.sql.SQLException;
import java.sql.Timestamp;
import java.time.Instant;
import java.util.Objects;
import java.util.UUID;
import java.util.concurrent.Executors;
import java.util.concurrent.TimeUnit;
import org.jspecify.annotations.Nullable;

/**
 * The floor for the event trace: runs no job, and writes with the bare driver what the trace writes for one execution of
 * each job a second, which is three rows, in two batches and one transaction. The tables have to be there.
 */
public final class RowsWorkload implements Contender {
    private static final String EXECUTION = "INSERT INTO JOB_EXECUTION_LOG (id, job_name, task_id, hostname, ip,"
            + " sharding_item, execution_source, failure_cause, is_success, start_time, complete_time, run_id,"
            + " scheduled_time, attempt, run_trigger, outcome, instance, retries, missed_firings)"
            + " VALUES (?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?) ON CONFLICT DO NOTHING";
    private static final String STATE = "INSERT INTO JOB_STATUS_TRACE_LOG (id, job_name, original_task_id, task_id,"
            + " slave_id, source, execution_type, sharding_item, state, message, creation_time, execution_id, run_id,"
            + " scheduled_time, attempt, run_trigger)"
            + " VALUES (?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?) ON CONFLICT DO NOTHING";

    private @Nullable Rows rows;

    private RowsWorkload() {}

    public static void main(String... arguments) {
        WorkloadProcess.run(new RowsWorkload(), arguments);
    }

    @Override
    public void prepare(WorkloadSettings settings, FiringLog log) {
        try {
            rows = Rows.to(settings);
        } catch (SQLException e) {
            throw new IllegalStateException(e);
        }
    }

    @Override
    public void start() {
        Executors.newSingleThreadScheduledExecutor()
                .scheduleAtFixedRate(Objects.requireNonNull(rows), 0, 1, TimeUnit.SECONDS);
    }

    /** Writes all rows of a second at each run. */
    private record Rows(int jobs, Connection connection, PreparedStatement executions, PreparedStatement states)
            implements Runnable {
        static Rows to(WorkloadSettings settings) throws SQLException {
            Connection connection = DriverManager.getConnection(settings.registry());
            connection.setAutoCommit(false);
            return new Rows(
                    settings.jobs(),
                    connection,
                    connection.prepareStatement(EXECUTION),
                    connection.prepareStatement(STATE));
        }

        @Override
        public void run() {
            try {
                for (int job = 0; job < jobs; job++) {
                    add("job-" + job);
                }
                executions.executeBatch();
                states.executeBatch();
                connection.commit();
            } catch (SQLException e) {
                e.printStackTrace();
                Runtime.getRuntime().halt(1);
            }
        }

        private void add(String job) throws SQLException {
            String id = UUID.randomUUID().toString();
            Timestamp now = Timestamp.from(Instant.now());
            String task = job + "@-@0@-@READY@-@10.0.0.1@-@1234";
            String run = job + "@" + now;
            bind(
                    executions,
                    id,
                    job,
                    task,
                    "host",
                    "10.0.0.1",
                    0,
                    "NORMAL_TRIGGER",
                    "",
                    true,
                    now,
                    now,
                    run,
                    now,
                    1,
                    "SCHEDULE",
                    "COMPLETED",
                    "10.0.0.1@-@1234",
                    0,
                    0);
            for (String state : new String[] {"TASK_RUNNING", "TASK_FINISHED"}) {
                bind(
                        states,
                        id + state.charAt(5),
                        job,
                        "",
                        task,
                        "10.0.0.1@-@1234",
                        "LITE_EXECUTOR",
                        "READY",
                        "0",
                        state,
                        "",
                        now,
                        id,
                        run,
                        now,
                        1,
                        "SCHEDULE");
            }
        }

        private static void bind(PreparedStatement statement, Object... values) throws SQLException {
            for (int index = 0; index < values.length; index++) {
                Object value = values[index];
                if (value instanceof String text) {
                    statement.setString(index + 1, text);
                } else if (value instanceof Integer number) {
                    statement.setInt(index + 1, number);
                } else if (value instanceof Timestamp time) {
                    statement.setTimestamp(index + 1, time);
                } else if (value instanceof Boolean flag) {
                    statement.setBoolean(index + 1, flag);
                }
            }
            statement.addBatch();
        }
    }
}
