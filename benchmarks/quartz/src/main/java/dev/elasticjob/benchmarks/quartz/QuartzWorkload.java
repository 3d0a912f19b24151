package dev.elasticjob.benchmarks.quartz;

import dev.elasticjob.benchmarks.workload.Contender;
import dev.elasticjob.benchmarks.workload.FiringLog;
import dev.elasticjob.benchmarks.workload.WorkloadProcess;
import dev.elasticjob.benchmarks.workload.WorkloadSettings;
import java.io.IOException;
import java.io.InputStream;
import java.io.UncheckedIOException;
import java.nio.charset.StandardCharsets;
import java.sql.Connection;
import java.sql.DriverManager;
import java.sql.SQLException;
import java.sql.Statement;
import java.util.HashMap;
import java.util.Map;
import java.util.Objects;
import java.util.Properties;
import java.util.Set;
import org.quartz.CronScheduleBuilder;
import org.quartz.JobBuilder;
import org.quartz.JobDetail;
import org.quartz.Scheduler;
import org.quartz.SchedulerException;
import org.quartz.Trigger;
import org.quartz.TriggerBuilder;
import org.quartz.impl.StdSchedulerFactory;
import org.quartz.impl.jdbcjobstore.PostgreSQLDelegate;

/** Quartz with its clustered JDBC store on PostgreSQL: a job with its trigger for each item of each job. */
public final class QuartzWorkload implements Contender {
    private static final String TABLES = "tables_postgres.sql";
    private static final int THREADS = 50;

    private Scheduler scheduler;
    private WorkloadSettings settings;

    public static void main(String... arguments) {
        WorkloadProcess.run(new QuartzWorkload(), arguments);
    }

    @Override
    public void prepare(WorkloadSettings settings, FiringLog log) {
        createTables(settings.registry());
        try {
            scheduler = new StdSchedulerFactory(properties(settings)).getScheduler();
            scheduler.getContext().put(ItemJob.LOG, log);
        } catch (SchedulerException e) {
            throw new IllegalStateException(e);
        }
        this.settings = settings;
    }

    /**
     * What its documentation advises for many triggers that fire at once: as many threads, and triggers acquired in a
     * batch, under the lock that this requires; three connections more than threads; job data as text.
     */
    private static Properties properties(WorkloadSettings settings) {
        Properties properties = new Properties();
        properties.putAll(Map.ofEntries(
                Map.entry("org.quartz.scheduler.instanceName", "benchmark"),
                Map.entry("org.quartz.scheduler.instanceId", "instance-" + settings.instance()),
                Map.entry("org.quartz.scheduler.batchTriggerAcquisitionMaxCount", String.valueOf(THREADS)),
                Map.entry("org.quartz.threadPool.class", "org.quartz.simpl.SimpleThreadPool"),
                Map.entry("org.quartz.threadPool.threadCount", String.valueOf(THREADS)),
                Map.entry("org.quartz.jobStore.class", "org.quartz.impl.jdbcjobstore.JobStoreTX"),
                Map.entry("org.quartz.jobStore.driverDelegateClass", PostgreSQLDelegate.class.getName()),
                Map.entry("org.quartz.jobStore.isClustered", "true"),
                Map.entry("org.quartz.jobStore.acquireTriggersWithinLock", "true"),
                Map.entry("org.quartz.jobStore.useProperties", "true"),
                Map.entry("org.quartz.jobStore.dataSource", "postgres"),
                Map.entry("org.quartz.dataSource.postgres.provider", "hikaricp"),
                Map.entry("org.quartz.dataSource.postgres.driver", "org.postgresql.Driver"),
                Map.entry("org.quartz.dataSource.postgres.URL", settings.registry()),
                Map.entry("org.quartz.dataSource.postgres.maxConnections", String.valueOf(THREADS + 3))));
        return properties;
    }

    private static void createTables(String url) {
        try (InputStream script = PostgreSQLDelegate.class.getResourceAsStream(TABLES);
                Connection connection = DriverManager.getConnection(url);
                Statement statement = connection.createStatement()) {
            statement.execute(
                    new String(Objects.requireNonNull(script, TABLES).readAllBytes(), StandardCharsets.UTF_8));
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        } catch (SQLException e) {
            throw new IllegalStateException("The tables of Quartz could not be created", e);
        }
    }

    /** Jobs that are scheduled earlier would be late before anything has started. */
    @Override
    public void start() {
        try {
            scheduler.scheduleJobs(jobs(), false);
            scheduler.start();
        } catch (SchedulerException e) {
            throw new IllegalStateException(e);
        }
    }

    private Map<JobDetail, Set<? extends Trigger>> jobs() {
        Map<JobDetail, Set<? extends Trigger>> jobs = new HashMap<>();
        for (int number = 0; number < settings.jobs(); number++) {
            String job = settings.job(number);
            for (int item = 0; item < settings.items(); item++) {
                JobDetail detail = JobBuilder.newJob(ItemJob.class)
                        .withIdentity(Integer.toString(item), job)
                        .usingJobData("item", Integer.toString(item))
                        .build();
                Trigger trigger = TriggerBuilder.newTrigger()
                        .withIdentity(Integer.toString(item), job)
                        .withSchedule(CronScheduleBuilder.cronSchedule(settings.cron()))
                        .build();
                jobs.put(detail, Set.of(trigger));
            }
        }
        return jobs;
    }
}
