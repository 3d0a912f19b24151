package dev.elasticjob.definition;

import dev.elasticjob.definition.schedule.Schedule;
import dev.elasticjob.definition.text.InstanceLabels;
import dev.elasticjob.definition.text.LabelSelector;
import java.time.Duration;
import java.time.Instant;
import java.time.ZoneId;
import java.util.Arrays;
import java.util.LinkedHashMap;
import java.util.Map;
import java.util.Objects;
import java.util.Optional;
import java.util.stream.Collectors;

/**
 * All settings of one job: a value for each row of {@link JobSettings}, where their meanings, defaults and limits are.
 * Immutable, and always valid: the builder validates all settings, and reports all violations at once. Created with
 * {@link #builder(String)}.
 */
public final class JobDefinition {
    private final String jobName;
    private final Object[] values;
    private final Map<Integer, Integer> weights;
    private final WatchdogSettings watchdog;
    private final Schedule schedule;

    /** @throws InvalidJobDefinitionException if settings are invalid; the exception names all of them */
    private JobDefinition(Builder builder) {
        jobName = builder.jobName;
        values = builder.values.clone();
        JobSettings.ALL.forEach(setting -> keep(setting, values));
        watchdog = new WatchdogSettings(get(JobSettings.STUCK_AFTER), get(JobSettings.EXPECT_WITHIN));
        weights = ItemWeights.parse(get(JobSettings.ITEM_WEIGHTS)).byItem();
        schedule = new DefinitionCheck(this).scheduleOfValid();
        storeMisfire();
    }

    /** What means the same as a value of {@code misfire} is kept as that, which Elastic-Job's tools know. */
    private void storeMisfire() {
        CatchUp given = get(JobSettings.CATCH_UP);
        if (given == CatchUp.SKIP) {
            values[JobSettings.MISFIRE.index()] = false;
        }
        if (given != CatchUp.EACH) {
            values[JobSettings.CATCH_UP.index()] = CatchUp.BY_MISFIRE;
        }
    }

    private static <T> void keep(Setting<T> setting, Object[] values) {
        values[setting.index()] = setting.kept(setting.in(values));
    }

    /** Returns a builder with the default settings. Without a cron expression, it defines a one-off job. */
    public static Builder builder(String jobName) {
        Object[] standard =
                JobSettings.ALL.stream().<Object>map(Setting::standard).toArray();
        return new Builder(jobName, standard);
    }

    /** Returns a builder that starts with these settings. */
    public Builder toBuilder() {
        return new Builder(jobName, values.clone());
    }

    /** The value of any setting. */
    public <T> T get(Setting<T> setting) {
        return setting.in(values);
    }

    /** The job's name, which is the name of its node in the registry; a job with another name is another job. */
    public String jobName() {
        return jobName;
    }

    /** The name of the job's class, for display; empty if there is none. */
    public String jobClass() {
        return get(JobSettings.JOB_CLASS);
    }

    public JobType jobType() {
        return get(JobSettings.JOB_TYPE);
    }

    /** One or several cron expressions, with semicolons between them; empty for a job with another schedule, or none. */
    public String cron() {
        return get(JobSettings.CRON);
    }

    public ZoneId timeZone() {
        return get(JobSettings.TIME_ZONE);
    }

    /** The period of a job that fires at a fixed rate; zero for any other. */
    public Duration every() {
        return get(JobSettings.EVERY);
    }

    /** The time from the end of a firing to the next one, for a job that fires so; zero for any other. */
    public Duration fixedDelay() {
        return get(JobSettings.FIXED_DELAY);
    }

    /** When the job fires, if it does so once; empty for any other. */
    public Optional<Instant> at() {
        return get(JobSettings.AT);
    }

    /** The time before which the job has no firings; empty if there is none. */
    public Optional<Instant> startAt() {
        return get(JobSettings.START_AT);
    }

    /** The time after which the job has no firings; empty if there is none. */
    public Optional<Instant> endAt() {
        return get(JobSettings.END_AT);
    }

    /**
     * Days and times that are left out, as {@link dev.elasticjob.definition.schedule.JobCalendar#of(String)} reads them;
     * empty if there are none.
     */
    public String calendar() {
        return get(JobSettings.CALENDAR);
    }

    /** Whether firings on days that the calendar leaves out move to the next day that it doesn't. */
    public boolean moveToNextDay() {
        return get(JobSettings.MOVE_TO_NEXT_DAY);
    }

    /** The window within which firings are later than the schedule says; zero for none. */
    public Duration spread() {
        return get(JobSettings.SPREAD);
    }

    /** Whether the job has no schedule, and therefore runs only on request. */
    public boolean isOneOff() {
        return JobSettings.SCHEDULES.stream().allMatch(setting -> setting.isStandard(this));
    }

    /** Whether the job may run after others: only if it has no firings of its own. */
    public boolean mayFollow() {
        return isOneOff();
    }

    /** The schedule on which the job fires. */
    public Schedule schedule() {
        return schedule;
    }

    /** The number of items that the job is split into, at least 1. */
    public int shardingTotalCount() {
        return get(JobSettings.SHARDING_TOTAL_COUNT);
    }

    /** A parameter for each item, for example {@code 0=a,1=b}; empty if there is none. */
    public String shardingItemParameters() {
        return get(JobSettings.SHARDING_ITEM_PARAMETERS);
    }

    /** The parameters of the items that have one, by item. Parsed at each call, so keep the result. */
    public Map<Integer, String> itemParameters() {
        return ItemParameters.parse(shardingItemParameters()).byItem();
    }

    /** One parameter for all items; empty if there is none. */
    public String jobParameter() {
        return get(JobSettings.JOB_PARAMETER);
    }

    public boolean failover() {
        return get(JobSettings.FAILOVER);
    }

    /** Whether a firing that no instance could start in time runs later. */
    public boolean misfire() {
        return get(JobSettings.MISFIRE);
    }

    public String description() {
        return get(JobSettings.DESCRIPTION);
    }

    /** Further settings, in order; read by job types and error handlers. */
    public Map<String, String> jobProperties() {
        return get(JobSettings.JOB_PROPERTIES);
    }

    /** The name of the error handler, from the property {@code job_exception_handler}; empty means the default. */
    public String jobExceptionHandler() {
        return HandlerProperties.given(jobProperties(), HandlerProperties.EXCEPTIONS);
    }

    /**
     * The name of the executor that runs the items, from the property {@code executor_service_handler}; empty means the
     * shared threads.
     */
    public String executorServiceHandler() {
        return HandlerProperties.given(jobProperties(), HandlerProperties.EXECUTORS);
    }

    /** Whether scheduled executions are recorded and locked in the registry; manual runs always are. */
    public boolean monitorExecution() {
        return get(JobSettings.MONITOR_EXECUTION);
    }

    /** How many seconds this machine's clock may differ from the registry's; negative means any difference. */
    public int maxTimeDiffSeconds() {
        return get(JobSettings.MAX_TIME_DIFF_SECONDS);
    }

    /** Whether machines' clocks may differ from the registry's only by so much. */
    public boolean limitsClocks() {
        return maxTimeDiffSeconds() >= 0;
    }

    /**
     * Whether a machine's clock may differ from the registry's by this.
     *
     * @param ahead negative if it is behind
     */
    public boolean toleratesClock(Duration ahead) {
        return !limitsClocks() || ahead.abs().compareTo(Duration.ofSeconds(maxTimeDiffSeconds())) <= 0;
    }

    /** Stored for Elastic-Job 2.1.5's tools; nothing listens on it. */
    public int monitorPort() {
        return get(JobSettings.MONITOR_PORT);
    }

    /** The name of the sharding strategy, or Elastic-Job 2.1.5's class name for it; empty means the default. */
    public String jobShardingStrategyClass() {
        return get(JobSettings.JOB_SHARDING_STRATEGY_CLASS);
    }

    /** How often, in minutes, the leader compares the registry with the plan; below 1 means never. */
    public int reconcileIntervalMinutes() {
        return get(JobSettings.RECONCILE_INTERVAL_MINUTES);
    }

    /** Whether a server that is new to the job starts out disabled. */
    public boolean disabled() {
        return get(JobSettings.DISABLED);
    }

    /** Whether this definition replaces the one in the registry. */
    public boolean overwrite() {
        return get(JobSettings.OVERWRITE);
    }

    /** For a DATAFLOW job: whether a firing fetches until nothing is left. */
    public boolean streamingProcess() {
        return get(JobSettings.STREAMING_PROCESS);
    }

    /** For a SCRIPT job: the command line to run. */
    public String scriptCommandLine() {
        return get(JobSettings.SCRIPT_COMMAND_LINE);
    }

    /** For an HTTP job: the request to send. */
    public Optional<HttpRequestSettings> http() {
        return get(JobSettings.HTTP);
    }

    public Duration misfireThreshold() {
        return get(JobSettings.MISFIRE_THRESHOLD);
    }

    /** How many crashes an execution may cause before it is abandoned, at least 1. */
    public int maxFailovers() {
        return get(JobSettings.MAX_FAILOVERS);
    }

    /** How long an attempt at an item may take before it is interrupted and fails; zero means no limit. */
    public Duration timeout() {
        return get(JobSettings.TIMEOUT);
    }

    public RetrySettings retry() {
        return get(JobSettings.RETRY);
    }

    /** How many items of the job run at the same time on one instance; 0 means no limit of its own. */
    public int concurrency() {
        return get(JobSettings.CONCURRENCY);
    }

    /** Whether a one-off job runs once whenever its first instance joins. */
    public boolean runAtStart() {
        return get(JobSettings.RUN_AT_START);
    }

    /** The jobs that a one-off job runs after. */
    public AfterSettings after() {
        return get(JobSettings.AFTER);
    }

    /** Whether the job has listeners that are called once per cluster. */
    public boolean clusterListener() {
        return get(JobSettings.CLUSTER_LISTENER);
    }

    /** How long these may take before the first item; zero means no limit. */
    public Duration beforeFirstTimeout() {
        return get(JobSettings.BEFORE_FIRST_TIMEOUT);
    }

    /** How long they may take after the last item; zero means no limit. */
    public Duration afterLastTimeout() {
        return get(JobSettings.AFTER_LAST_TIMEOUT);
    }

    /** How many executions of an item fail one after the other before the job is paused; 0 for any number. */
    public int pauseAfterFailures() {
        return get(JobSettings.PAUSE_AFTER_FAILURES);
    }

    /** What becomes of a firing that comes due while its item still executes. */
    public Overlap overlap() {
        return get(JobSettings.OVERLAP);
    }

    /**
     * Whether each missed firing runs: {@code EACH}, or else {@code BY_MISFIRE}. What means the same as a value of {@link
     * #misfire()} is that.
     */
    public CatchUp catchUp() {
        return get(JobSettings.CATCH_UP);
    }

    /** With {@code EACH}, how many missed firings an item makes up for: the newest. */
    public int catchUpLimit() {
        return get(JobSettings.CATCH_UP_LIMIT);
    }

    /** With {@code EACH}, how old missed firings may be that an item makes up for. Zero means any age. */
    public Duration catchUpWindow() {
        return get(JobSettings.CATCH_UP_WINDOW);
    }

    /** Window within which each item of a firing starts later than the firing. Zero means none. */
    public Duration jitter() {
        return get(JobSettings.JITTER);
    }

    /** Which instances may run the job, as it is written; empty for all. */
    public String runOn() {
        return get(JobSettings.RUN_ON);
    }

    /** Which instances may run the job: {@link #runOn}. */
    public LabelSelector instances() {
        return LabelSelector.parse(runOn());
    }

    /** Whether an instance with these labels may run the job. */
    public boolean mayRunOn(Map<String, String> labels) {
        return instances().matches(InstanceLabels.of(labels));
    }

    /** How much of an instance's capacity an item takes, unless {@link #itemWeights} says otherwise. */
    public int weight() {
        return get(JobSettings.WEIGHT);
    }

    /** The weights of single items, as they are written, for example {@code 0=4,3=2}; empty if there are none. */
    public String itemWeights() {
        return get(JobSettings.ITEM_WEIGHTS);
    }

    /** How much of an instance's capacity this item takes while it is claimed and executed. */
    public int weightOf(int item) {
        return weights.getOrDefault(item, weight());
    }

    /** Whether an item takes more than 1. */
    public boolean isWeighted() {
        return weight() != 1 || !weights.isEmpty();
    }

    /** When the job is reported as stuck: the settings {@code stuckAfter} and {@code expectWithin}. */
    public WatchdogSettings watchdog() {
        return watchdog;
    }

    @Override
    public boolean equals(Object other) {
        return other instanceof JobDefinition job && jobName.equals(job.jobName) && Arrays.equals(values, job.values);
    }

    @Override
    public int hashCode() {
        return Objects.hash(jobName, Arrays.hashCode(values));
    }

    /** Doesn't contain the body and the headers of a request, which may be secrets. */
    @Override
    public String toString() {
        return JobSettings.ALL.stream()
                .map(setting -> ", %s=%s".formatted(setting, get(setting)))
                .collect(Collectors.joining("", "JobDefinition[jobName=" + jobName, "]"));
    }

    /** Collects the settings of a job. Not thread-safe. */
    public static final class Builder {
        private final String jobName;
        private final Object[] values;

        private Builder(String jobName, Object[] values) {
            this.jobName = jobName;
            this.values = values;
        }

        /** Sets any setting. */
        public <T> Builder set(Setting<T> setting, T value) {
            values[setting.index()] = Objects.requireNonNull(value, setting.name());
            return this;
        }

        public Builder jobClass(String jobClass) {
            return set(JobSettings.JOB_CLASS, jobClass);
        }

        public Builder jobType(JobType jobType) {
            return set(JobSettings.JOB_TYPE, jobType);
        }

        public Builder cron(String cron) {
            return set(JobSettings.CRON, cron);
        }

        public Builder timeZone(ZoneId timeZone) {
            return set(JobSettings.TIME_ZONE, timeZone);
        }

        public Builder shardingTotalCount(int shardingTotalCount) {
            return set(JobSettings.SHARDING_TOTAL_COUNT, shardingTotalCount);
        }

        public Builder shardingItemParameters(String shardingItemParameters) {
            return set(JobSettings.SHARDING_ITEM_PARAMETERS, shardingItemParameters);
        }

        public Builder jobParameter(String jobParameter) {
            return set(JobSettings.JOB_PARAMETER, jobParameter);
        }

        public Builder failover(boolean failover) {
            return set(JobSettings.FAILOVER, failover);
        }

        public Builder misfire(boolean misfire) {
            return set(JobSettings.MISFIRE, misfire);
        }

        public Builder description(String description) {
            return set(JobSettings.DESCRIPTION, description);
        }

        public Builder jobProperties(Map<String, String> jobProperties) {
            return set(JobSettings.JOB_PROPERTIES, jobProperties);
        }

        /** Adds a property to those given so far. */
        public Builder jobProperty(String key, String value) {
            Map<String, String> more = new LinkedHashMap<>(JobSettings.JOB_PROPERTIES.in(values));
            more.put(key, value);
            return jobProperties(more);
        }

        public Builder jobExceptionHandler(String name) {
            return jobProperty(HandlerProperties.EXCEPTIONS, name);
        }

        public Builder executorServiceHandler(String name) {
            return jobProperty(HandlerProperties.EXECUTORS, name);
        }

        public Builder streamingProcess(boolean streamingProcess) {
            return set(JobSettings.STREAMING_PROCESS, streamingProcess);
        }

        public Builder scriptCommandLine(String scriptCommandLine) {
            return set(JobSettings.SCRIPT_COMMAND_LINE, scriptCommandLine);
        }

        public Builder http(HttpRequestSettings http) {
            return set(JobSettings.HTTP, Optional.of(http));
        }

        public Builder monitorExecution(boolean monitorExecution) {
            return set(JobSettings.MONITOR_EXECUTION, monitorExecution);
        }

        public Builder maxTimeDiffSeconds(int maxTimeDiffSeconds) {
            return set(JobSettings.MAX_TIME_DIFF_SECONDS, maxTimeDiffSeconds);
        }

        public Builder monitorPort(int monitorPort) {
            return set(JobSettings.MONITOR_PORT, monitorPort);
        }

        public Builder jobShardingStrategyClass(String jobShardingStrategyClass) {
            return set(JobSettings.JOB_SHARDING_STRATEGY_CLASS, jobShardingStrategyClass);
        }

        public Builder reconcileIntervalMinutes(int reconcileIntervalMinutes) {
            return set(JobSettings.RECONCILE_INTERVAL_MINUTES, reconcileIntervalMinutes);
        }

        public Builder disabled(boolean disabled) {
            return set(JobSettings.DISABLED, disabled);
        }

        public Builder overwrite(boolean overwrite) {
            return set(JobSettings.OVERWRITE, overwrite);
        }

        public Builder misfireThreshold(Duration misfireThreshold) {
            return set(JobSettings.MISFIRE_THRESHOLD, misfireThreshold);
        }

        public Builder maxFailovers(int maxFailovers) {
            return set(JobSettings.MAX_FAILOVERS, maxFailovers);
        }

        public Builder timeout(Duration timeout) {
            return set(JobSettings.TIMEOUT, timeout);
        }

        public Builder retry(RetrySettings retry) {
            return set(JobSettings.RETRY, retry);
        }

        public Builder concurrency(int concurrency) {
            return set(JobSettings.CONCURRENCY, concurrency);
        }

        public Builder runAtStart(boolean runAtStart) {
            return set(JobSettings.RUN_AT_START, runAtStart);
        }

        public Builder after(AfterSettings after) {
            return set(JobSettings.AFTER, after);
        }

        /** An engine that has such a listener for the job sets this. */
        public Builder clusterListener(boolean clusterListener) {
            return set(JobSettings.CLUSTER_LISTENER, clusterListener);
        }

        public Builder beforeFirstTimeout(Duration beforeFirstTimeout) {
            return set(JobSettings.BEFORE_FIRST_TIMEOUT, beforeFirstTimeout);
        }

        public Builder afterLastTimeout(Duration afterLastTimeout) {
            return set(JobSettings.AFTER_LAST_TIMEOUT, afterLastTimeout);
        }

        /** How long an item may execute before it is reported as stuck; zero means any time. */
        public Builder stuckAfter(Duration stuckAfter) {
            return set(JobSettings.STUCK_AFTER, stuckAfter);
        }

        /**
         * How long after a scheduled time the first item has to have begun; otherwise the firing is reported as overdue. Zero
         * means any time.
         */
        public Builder expectWithin(Duration expectWithin) {
            return set(JobSettings.EXPECT_WITHIN, expectWithin);
        }

        /** The period of a job that fires at a fixed rate: whole seconds. It has no cron. Zero means none. */
        public Builder every(Duration every) {
            return set(JobSettings.EVERY, every);
        }

        public Builder fixedDelay(Duration fixedDelay) {
            return set(JobSettings.FIXED_DELAY, fixedDelay);
        }

        /** When a job without a cron fires, once. */
        public Builder at(Instant at) {
            return set(JobSettings.AT, Optional.of(at));
        }

        /** The time before which the job has no firings. */
        public Builder startAt(Instant startAt) {
            return set(JobSettings.START_AT, Optional.of(startAt));
        }

        /** The time after which the job has no firings. */
        public Builder endAt(Instant endAt) {
            return set(JobSettings.END_AT, Optional.of(endAt));
        }

        /** Days and times that are left out: entries of a calendar with commas between them. */
        public Builder calendar(String calendar) {
            return set(JobSettings.CALENDAR, calendar);
        }

        /** Whether firings on days that the calendar leaves out move to the next day that it doesn't. */
        public Builder moveToNextDay(boolean moveToNextDay) {
            return set(JobSettings.MOVE_TO_NEXT_DAY, moveToNextDay);
        }

        /** The window within which all firings are later, by a time that the job's name decides; zero for none. */
        public Builder spread(Duration spread) {
            return set(JobSettings.SPREAD, spread);
        }

        /** How many executions of an item fail one after the other before the job is paused. Zero means any number. */
        public Builder pauseAfterFailures(int pauseAfterFailures) {
            return set(JobSettings.PAUSE_AFTER_FAILURES, pauseAfterFailures);
        }

        /** What becomes of a firing that comes due while its item still executes. */
        public Builder overlap(Overlap overlap) {
            return set(JobSettings.OVERLAP, overlap);
        }

        /** Window within which each item of a firing starts later than the firing. Zero means none. */
        public Builder jitter(Duration jitter) {
            return set(JobSettings.JITTER, jitter);
        }

        /** What becomes of firings that nobody could start in time. {@code SKIP} sets {@code misfire} to false. */
        public Builder catchUp(CatchUp catchUp) {
            return set(JobSettings.CATCH_UP, catchUp);
        }

        /** With {@code EACH}, how many missed firings an item makes up for. */
        public Builder catchUpLimit(int catchUpLimit) {
            return set(JobSettings.CATCH_UP_LIMIT, catchUpLimit);
        }

        /** With {@code EACH}, how old missed firings may be that an item makes up for. Zero means any age. */
        public Builder catchUpWindow(Duration catchUpWindow) {
            return set(JobSettings.CATCH_UP_WINDOW, catchUpWindow);
        }

        /** Which instances may run the job, by their labels, as {@link LabelSelector} reads it. Empty for all. */
        public Builder runOn(String runOn) {
            return set(JobSettings.RUN_ON, runOn);
        }

        /** How much of an instance's capacity an item takes; 1 by default. */
        public Builder weight(int weight) {
            return set(JobSettings.WEIGHT, weight);
        }

        /** Weights of single items, for example {@code 0=4,3=2}. Empty for none. */
        public Builder itemWeights(String weights) {
            return set(JobSettings.ITEM_WEIGHTS, weights);
        }

        /**
         * Validates all settings, and creates the definition.
         *
         * @throws InvalidJobDefinitionException if settings are invalid; the exception names all of them
         */
        public JobDefinition build() {
            return new JobDefinition(this);
        }
    }
}
