package dev.elasticjob.spring;

import dev.elasticjob.definition.CatchUp;
import dev.elasticjob.definition.Overlap;
import dev.elasticjob.job.after.AfterOutcome;
import java.lang.annotation.Documented;
import java.lang.annotation.ElementType;
import java.lang.annotation.Retention;
import java.lang.annotation.RetentionPolicy;
import java.lang.annotation.Target;
import org.springframework.aot.hint.annotation.Reflective;
import org.springframework.stereotype.Component;

/**
 * Declares a job.
 *
 * <ul>
 *   <li>On a class that is a {@link dev.elasticjob.job.SimpleJob} or a {@link dev.elasticjob.job.DataflowJob}: the bean is
 *       the job. The annotation also makes the class a component for scanning.
 *   <li>On a {@code @Bean} method: the job is what the method returns. This overrides an annotation on the class.
 *   <li>On any other method of a bean: the method does the work of the job, once for each item. It has no parameters, or
 *       some of {@link dev.elasticjob.job.ShardingContext}, {@code int} (the item's number) and {@link String} (the item's
 *       parameter). It is called through the bean's proxy, by several threads at once. An exception is the failure of the
 *       item's execution. A {@link java.util.concurrent.Future} or {@link java.util.concurrent.CompletionStage} that it
 *       returns is waited for; anything else is ignored.
 * </ul>
 *
 * <pre>{@code
 * @ElasticJob(name = "orders", cron = "0/5 * * * * ?", shardingTotalCount = 3)
 * class OrdersJob implements SimpleJob { … }
 * }</pre>
 *
 * <p>Each setting can also be a property, which overrides the annotation: {@code shardingTotalCount} of the job {@code
 * orders} is {@code elasticjob.jobs.orders.sharding-total-count}. Placeholders <code>${…}</code> and SpEL expressions
 * <code>#{…}</code> work in all strings.
 */
@Target({ElementType.TYPE, ElementType.METHOD})
@Retention(RetentionPolicy.RUNTIME)
@Documented
@Reflective
@Component
public @interface ElasticJob {
    /**
     * The job's name, unique in the application and in the registry's namespace. The bean's name by default, and the
     * method's for a method that does the work. Renaming a
     * job makes it another job.
     */
    String name() default "";

    /**
     * When the job fires: six fields (second, minute, hour, day of month, month, day of week), as Spring's {@code
     * CronExpression} reads them, or seven, of which the last one is the year, as Quartz reads them. If it is empty here and as a property, the job is a one-off job, which runs on
     * request: see {@link dev.elasticjob.admin.JobAdmin}. Several expressions have semicolons between them.
     */
    String cron() default "";

    /**
     * The period of a job that fires at a fixed rate, for example {@code 30s} or {@code PT30S}: at the same instants on all
     * instances, counted from {@link #startAt()}, or else from 1970-01-01T00:00:00Z. Such a job has no {@link #cron()}.
     */
    String every() default "0s";

    /**
     * The time from the end of a firing to the next one, in the whole cluster, for example {@code 30s}: a firing has ended
     * when the last of its items has, wherever it ran. Such a job has no {@link #cron()}. It runs at once when it is first
     * started, or at {@link #startAt()}.
     */
    String fixedDelay() default "0s";

    /** When a job fires that fires once, for example {@code 2026-12-24T18:00:00Z}. Such a job has no {@link #cron()}. */
    String at() default "";

    /** The time before which the job has no firings, for example {@code 2026-12-01T00:00:00+01:00}; empty for none. */
    String startAt() default "";

    /** The time after which the job has no firings; empty for none. */
    String endAt() default "";

    /**
     * Days and times on which the job doesn't fire, on the wall clock of the {@link #timeZone()}: the name of a calendar
     * ({@code elasticjob.calendars.<name>}, or a {@link dev.elasticjob.definition.schedule.JobCalendar} bean), or entries
     * with commas between them, for example {@code SAT,SUN,12-25,2026-10-01/2026-10-08,+2026-10-10}.
     */
    String calendar() default "";

    /**
     * Whether a firing on a day that the {@link #calendar()} leaves out moves to the next day that it doesn't, at the same
     * time of day. Otherwise, there is no such firing.
     */
    boolean moveToNextDay() default false;

    /**
     * Window, for example {@code 10m}, within which all firings are later than the schedule says, by a time that the job's
     * name decides. So jobs with the same schedule don't all start at once.
     */
    String spread() default "0s";

    /**
     * Time zone of the cron expression, for example {@code Europe/Berlin}; empty means the JVM's. The zone that the
     * first instance resolves is stored, so that all instances use the same one.
     */
    String timeZone() default "";

    /**
     * Whether a one-off job runs once, without a parameter, when its first instance joins. Instances that join while
     * another one is registered don't trigger a run. So ten machines that start together cause one run, a rolling
     * restart causes none, and a restart after all instances were down causes another. A killed instance stays
     * registered until its session expires. If the first instance dies before it has triggered the run, the next start
     * does so.
     */
    boolean runAtStart() default false;

    /**
     * Names of the jobs that this one runs after. For each of their firings that ends with the {@link #afterOutcome()},
     * the job runs once; with several names, when all of them have ended the firing of the same scheduled time. Such a
     * job has no {@link #cron()}.
     */
    String[] after() default {};

    /** How the jobs in {@link #after()} have to end. */
    AfterOutcome afterOutcome() default AfterOutcome.SUCCESS;

    /**
     * If {@link #after()} names several jobs: how long this one waits for the others, once the first of them has ended a
     * firing, for example {@code 6h}.
     */
    String afterWindow() default "24h";

    /** Number of items that the job is split into; at least 1. */
    int shardingTotalCount() default 1;

    /** A parameter for each item, for example {@code 0=Beijing,1=Shanghai}. */
    String shardingItemParameters() default "";

    /** One parameter for all items. */
    String jobParameter() default "";

    /** Whether another instance takes over an interrupted execution at once. Needs {@link #monitorExecution()}. */
    boolean failover() default false;

    /** Whether a firing that no instance could start in time runs later. */
    boolean misfire() default true;

    /** Delay after which a firing is misfired, for example {@code 60s} or {@code PT1M}. */
    String misfireThreshold() default "60s";

    /** Number of crashes after which an execution is abandoned; at least 1. */
    int maxFailovers() default 3;

    /**
     * Maximum time for one attempt at an item, after which it is interrupted and fails, for example {@code 30s}; 0 means
     * no limit.
     */
    String timeout() default "0s";

    /** Whether and when a failed execution is retried on the same instance; by default, it isn't. */
    Retry retry() default @Retry;

    /** Maximum number of items that run at the same time on one instance; 0 means that only the shared threads limit it. */
    int concurrency() default 0;

    /**
     * Maximum time for the job's {@link dev.elasticjob.job.cluster.ClusterJobListener}s before the first item of a firing,
     * after which they are interrupted and the items fail; 0 means no limit.
     */
    String beforeFirstTimeout() default "5m";

    /** Maximum time for them after the last item, after which they are interrupted; 0 means no limit. */
    String afterLastTimeout() default "30m";

    /**
     * How long an item may execute before it is reported as stuck, for example {@code 1h}; it goes on. 0 means any time;
     * otherwise at least 1 s.
     */
    String stuckAfter() default "0s";

    /**
     * How long after a scheduled time the first item has to have begun, for example {@code 5m}; otherwise the firing is
     * reported as overdue. 0 means any time; otherwise at least 1 s. Needs a {@link #cron()} and {@link
     * #monitorExecution()}.
     */
    String expectWithin() default "0s";

    /**
     * How many executions of the same item fail one after the other, retries not counted, before the job is paused as by an
     * operator; 0 means that it never is. Needs {@link #monitorExecution()}.
     */
    int pauseAfterFailures() default 0;

    /**
     * What becomes of a firing that comes due while its item still executes. {@link Overlap#CANCEL_RUNNING} needs {@link
     * #monitorExecution()}.
     */
    Overlap overlap() default Overlap.WAIT;

    /**
     * Window within which each item of a firing starts later than the firing, by a time that the job's name, the item and the
     * scheduled time decide, for example {@code 30s}; 0 means none. Needs {@link #monitorExecution()}.
     */
    String jitter() default "0s";

    /**
     * What becomes of firings that nobody could start in time. {@link CatchUp#FOLD} and {@link CatchUp#SKIP} are other words
     * for {@link #misfire()}. {@link CatchUp#EACH} needs {@link #monitorExecution()}.
     */
    CatchUp catchUp() default CatchUp.BY_MISFIRE;

    /** With {@link CatchUp#EACH}, how many missed firings an item makes up for: the newest, 1,000 at most. */
    int catchUpLimit() default 100;

    /** With {@link CatchUp#EACH}, how old missed firings may be that an item makes up for; 0 means any age. */
    String catchUpWindow() default "0s";

    /**
     * Which instances may run the job, by their labels ({@code elasticjob.worker.labels}), in the syntax of Kubernetes'
     * selectors, for example {@code "zone in (a,b), version != 1.3"}. Empty means all.
     */
    String runOn() default "";

    /**
     * How much of an instance's capacity ({@code elasticjob.worker.capacity}) each item takes while it is claimed and
     * executed.
     */
    int weight() default 1;

    /** Weights of single items, for example {@code "0=4,3=2"}; the others have {@link #weight}. */
    String itemWeights() default "";

    /**
     * Error handler: {@code LOG}, {@code IGNORE}, {@code THROW} (to its thread's uncaught exception handler), or
     * the name of a {@link dev.elasticjob.job.JobErrorHandler} bean. Empty means {@code LOG}. Stored among the
     * {@link #jobProperties()}, as {@code job_exception_handler}.
     */
    String jobExceptionHandler() default "";

    /**
     * Where items run: the name of an {@link java.util.concurrent.Executor} bean. Empty means the threads that all jobs
     * share. Stored among the {@link #jobProperties()}, as {@code executor_service_handler}.
     */
    String executorServiceHandler() default "";

    /** Description for humans. */
    String description() default "";

    /** Further settings, each as {@code key=value}. */
    String[] jobProperties() default {};

    /** Whether scheduled executions are recorded and locked in the registry. Manual runs always are. */
    boolean monitorExecution() default true;

    /** Maximum difference, in seconds, between this machine's clock and the registry's; negative means any difference. */
    int maxTimeDiffSeconds() default -1;

    /** Stored for the tools of Elastic-Job 2.1.5; nothing listens on it. */
    int monitorPort() default -1;

    /**
     * How items are distributed: {@code AVG_ALLOCATION}, {@code ODEVITY}, {@code ROUND_ROBIN}, {@code STICKY}, {@code ZONE},
     * {@code WEIGHTED}, {@code SPREAD}, {@code MEASURED}, a class name that Elastic-Job 2.1.5 had for one of the first three, or
     * the name of a {@link dev.elasticjob.job.ShardingStrategy} bean. Empty means {@code AVG_ALLOCATION}, and {@code SPREAD} for
     * a job of one item.
     */
    String jobShardingStrategyClass() default "";

    /** Interval, in minutes, at which the leader checks the registry and repairs inconsistent nodes; below 1 means never. */
    int reconcileIntervalMinutes() default 10;

    /** Whether new servers are disabled for the job until an operator enables them. */
    boolean disabled() default false;

    /** Whether these settings replace the stored ones at each start; otherwise, the stored ones win. */
    boolean overwrite() default false;

    /** For a dataflow job: whether a firing fetches and processes until nothing is left to fetch. */
    boolean streamingProcess() default false;

    /**
     * Retry on the same instance. Between two attempts, the item stays locked but occupies no thread. The corresponding
     * properties are {@code elasticjob.jobs.<name>.retry.max-attempts} and so on.
     */
    @Target({})
    @Retention(RetentionPolicy.RUNTIME)
    @interface Retry {
        /** Maximum number of attempts, including the first. 1 means no retry. */
        int maxAttempts() default 1;

        /** The pause after the first failure, for example {@code 500ms}. */
        String delay() default "1s";

        /** Factor by which the pause grows with each failure; at least 1. */
        double multiplier() default 1;

        /** The longest pause; 0 means no limit. */
        String maxDelay() default "0s";

        /** Maximum random deviation of a pause. */
        String jitter() default "0s";

        /** Exceptions that are retried, themselves or as a cause; none means all. */
        Class<? extends Throwable>[] includes() default {};

        /** Exceptions that are not retried, even if they are among the {@link #includes()}. */
        Class<? extends Throwable>[] excludes() default {};
    }
}
