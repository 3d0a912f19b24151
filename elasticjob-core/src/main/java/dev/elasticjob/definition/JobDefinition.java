package dev.elasticjob.definition;

import dev.elasticjob.definition.schedule.Schedule;
import java.time.Duration;
import java.time.ZoneId;
import java.util.Collections;
import java.util.LinkedHashMap;
import java.util.Map;
import java.util.Optional;

/**
 * All settings of one job. Immutable, and always valid: the constructor validates all settings, and reports all
 * violations at once. Created with {@link #builder(String)}.
 *
 * @param jobName the job's name, which is the name of its node in the registry; a job with another name is another job
 * @param jobClass the name of the job's class, for display; empty if there is none
 * @param jobType the kind of job
 * @param cron six fields: second minute hour day-of-month month day-of-week; empty for a one-off job, which runs only
 *     on request
 * @param timeZone the time zone of the cron expression
 * @param shardingTotalCount the number of items that the job is split into, at least 1
 * @param shardingItemParameters a parameter for each item, for example {@code 0=a,1=b}; empty if there is none
 * @param jobParameter one parameter for all items; empty if there is none
 * @param failover whether another instance takes over an interrupted execution at once
 * @param misfire whether a firing that no instance could start in time runs later
 * @param description a description for humans
 * @param jobProperties further settings, in order; read by job types and error handlers
 * @param monitorExecution whether scheduled executions are recorded and locked in the registry; manual runs always
 *     are
 * @param maxTimeDiffSeconds how many seconds this machine's clock may differ from the registry's; negative means any
 *     difference
 * @param monitorPort stored for Elastic-Job 2.1.5's tools; nothing listens on it
 * @param jobShardingStrategyClass the name of the sharding strategy, or Elastic-Job 2.1.5's class name for it; empty
 *     means the default
 * @param reconcileIntervalMinutes how often, in minutes, the leader compares the registry with the plan; below 1 means
 *     never
 * @param disabled whether a server that is new to the job starts out disabled
 * @param overwrite whether this definition replaces the one in the registry
 * @param streamingProcess for a DATAFLOW job: whether a firing fetches until nothing is left
 * @param scriptCommandLine for a SCRIPT job: the command line to run
 * @param http for an HTTP job: the request to send
 * @param misfireThreshold the delay after which a firing is misfired
 * @param maxFailovers how many crashes an execution may cause before it is abandoned, at least 1
 * @param timeout how long an attempt at an item may take before it is interrupted and fails; zero means no limit
 * @param retry whether and when a failed execution is retried on the same instance
 * @param concurrency how many items of the job run at the same time on one instance; 0 means no limit of its own
 * @param runAtStart whether a one-off job runs once whenever its first instance joins
 * @param after the jobs that a one-off job runs after
 * @param clusterListener whether the job has listeners that are called once per cluster; instances without them wait for
 *     one that has them
 * @param beforeFirstTimeout how long these may take before the first item; zero means no limit
 * @param afterLastTimeout how long they may take after the last item; zero means no limit
 * @param watchdog when the job is reported as stuck
 */
public record JobDefinition(
        String jobName,
        String jobClass,
        JobType jobType,
        String cron,
        ZoneId timeZone,
        int shardingTotalCount,
        String shardingItemParameters,
        String jobParameter,
        boolean failover,
        boolean misfire,
        String description,
        Map<String, String> jobProperties,
        boolean monitorExecution,
        int maxTimeDiffSeconds,
        int monitorPort,
        String jobShardingStrategyClass,
        int reconcileIntervalMinutes,
        boolean disabled,
        boolean overwrite,
        boolean streamingProcess,
        String scriptCommandLine,
        Optional<HttpRequestSettings> http,
        Duration misfireThreshold,
        int maxFailovers,
        Duration timeout,
        RetrySettings retry,
        int concurrency,
        boolean runAtStart,
        AfterSettings after,
        boolean clusterListener,
        Duration beforeFirstTimeout,
        Duration afterLastTimeout,
        WatchdogSettings watchdog) {
    /** @throws InvalidJobDefinitionException if settings are invalid; the exception names all of them */
    public JobDefinition {
        cron = cron.isBlank() ? "" : cron;
        jobProperties = Collections.unmodifiableMap(new LinkedHashMap<>(jobProperties));
        new DefinitionCheck(jobName)
                .cron(cron, timeZone)
                .oneOff(cron.isEmpty(), monitorExecution, runAtStart)
                .after(cron.isEmpty(), after)
                .items(shardingTotalCount, shardingItemParameters)
                .failover(failover, monitorExecution, maxFailovers)
                .misfire(misfireThreshold)
                .execution(timeout, retry, concurrency)
                .clusterListener(beforeFirstTimeout, afterLastTimeout)
                .watchdog(watchdog, cron.isEmpty(), monitorExecution)
                .script(jobType, scriptCommandLine)
                .argument(jobType, jobParameter, shardingItemParameters)
                .http(jobType, http)
                .texts(jobClass, jobParameter, description, jobShardingStrategyClass, jobProperties)
                .throwViolations();
    }

    /** Returns a builder with the default settings. Without a cron expression, it defines a one-off job. */
    public static Builder builder(String jobName) {
        return new Builder(jobName);
    }

    /** Returns a builder that starts with these settings. */
    public Builder toBuilder() {
        return new Builder(this);
    }

    /** Whether the job has no cron expression, and therefore runs only on request. */
    public boolean isOneOff() {
        return cron.isEmpty();
    }

    /** The schedule on which the job fires. Parsed at each call, so keep the result. */
    public Schedule schedule() {
        return Schedule.of(cron, timeZone);
    }

    /** The parameters of the items that have one, by item. Parsed at each call, so keep the result. */
    public Map<Integer, String> itemParameters() {
        return ItemParameters.parse(shardingItemParameters).byItem();
    }

    /** The name of the error handler, from the property {@code job_exception_handler}; empty means the default. */
    public String jobExceptionHandler() {
        return HandlerProperties.given(jobProperties, HandlerProperties.EXCEPTIONS);
    }

    /**
     * The name of the executor that runs the items, from the property {@code executor_service_handler}; empty means the
     * shared threads.
     */
    public String executorServiceHandler() {
        return HandlerProperties.given(jobProperties, HandlerProperties.EXECUTORS);
    }

    /** Collects the settings of a job. Not thread-safe. */
    public static final class Builder extends PolicyBuilder<Builder> {
        private final String jobName;
        private String jobClass = "";
        private JobType jobType = JobType.SIMPLE;
        private String cron = "";
        private ZoneId timeZone = ZoneId.systemDefault();
        private int shardingTotalCount = 1;
        private String shardingItemParameters = "";
        private String jobParameter = "";
        private boolean failover;
        private boolean misfire = true;
        private String description = "";
        private Map<String, String> jobProperties = Map.of();
        private boolean monitorExecution = true;
        private int maxTimeDiffSeconds = -1;
        private int monitorPort = -1;
        private String jobShardingStrategyClass = "";
        private int reconcileIntervalMinutes = 10;
        private boolean disabled;
        private boolean overwrite;
        private boolean streamingProcess;
        private String scriptCommandLine = "";
        private Optional<HttpRequestSettings> http = Optional.empty();
        private boolean runAtStart;
        private AfterSettings after = AfterSettings.NONE;

        private Builder(String jobName) {
            this.jobName = jobName;
        }

        private Builder(JobDefinition definition) {
            jobName = definition.jobName;
            jobClass = definition.jobClass;
            jobType = definition.jobType;
            cron = definition.cron;
            timeZone = definition.timeZone;
            shardingTotalCount = definition.shardingTotalCount;
            shardingItemParameters = definition.shardingItemParameters;
            jobParameter = definition.jobParameter;
            failover = definition.failover;
            misfire = definition.misfire;
            description = definition.description;
            jobProperties = definition.jobProperties;
            monitorExecution = definition.monitorExecution;
            maxTimeDiffSeconds = definition.maxTimeDiffSeconds;
            monitorPort = definition.monitorPort;
            jobShardingStrategyClass = definition.jobShardingStrategyClass;
            reconcileIntervalMinutes = definition.reconcileIntervalMinutes;
            disabled = definition.disabled;
            overwrite = definition.overwrite;
            streamingProcess = definition.streamingProcess;
            scriptCommandLine = definition.scriptCommandLine;
            http = definition.http;
            runAtStart = definition.runAtStart;
            after = definition.after;
            copy(definition);
        }

        @Override
        Builder self() {
            return this;
        }

        public Builder jobClass(String jobClass) {
            this.jobClass = jobClass;
            return this;
        }

        public Builder jobType(JobType jobType) {
            this.jobType = jobType;
            return this;
        }

        public Builder cron(String cron) {
            this.cron = cron;
            return this;
        }

        public Builder timeZone(ZoneId timeZone) {
            this.timeZone = timeZone;
            return this;
        }

        public Builder shardingTotalCount(int shardingTotalCount) {
            this.shardingTotalCount = shardingTotalCount;
            return this;
        }

        public Builder shardingItemParameters(String shardingItemParameters) {
            this.shardingItemParameters = shardingItemParameters;
            return this;
        }

        public Builder jobParameter(String jobParameter) {
            this.jobParameter = jobParameter;
            return this;
        }

        public Builder failover(boolean failover) {
            this.failover = failover;
            return this;
        }

        public Builder misfire(boolean misfire) {
            this.misfire = misfire;
            return this;
        }

        public Builder description(String description) {
            this.description = description;
            return this;
        }

        public Builder jobProperties(Map<String, String> jobProperties) {
            this.jobProperties = jobProperties;
            return this;
        }

        /** Adds a property to those given so far. */
        public Builder jobProperty(String key, String value) {
            Map<String, String> more = new LinkedHashMap<>(jobProperties);
            more.put(key, value);
            return jobProperties(more);
        }

        public Builder jobExceptionHandler(String name) {
            return jobProperty(HandlerProperties.EXCEPTIONS, name);
        }

        public Builder executorServiceHandler(String name) {
            return jobProperty(HandlerProperties.EXECUTORS, name);
        }

        public Builder monitorExecution(boolean monitorExecution) {
            this.monitorExecution = monitorExecution;
            return this;
        }

        public Builder maxTimeDiffSeconds(int maxTimeDiffSeconds) {
            this.maxTimeDiffSeconds = maxTimeDiffSeconds;
            return this;
        }

        public Builder monitorPort(int monitorPort) {
            this.monitorPort = monitorPort;
            return this;
        }

        public Builder jobShardingStrategyClass(String jobShardingStrategyClass) {
            this.jobShardingStrategyClass = jobShardingStrategyClass;
            return this;
        }

        public Builder reconcileIntervalMinutes(int reconcileIntervalMinutes) {
            this.reconcileIntervalMinutes = reconcileIntervalMinutes;
            return this;
        }

        public Builder disabled(boolean disabled) {
            this.disabled = disabled;
            return this;
        }

        public Builder overwrite(boolean overwrite) {
            this.overwrite = overwrite;
            return this;
        }

        public Builder streamingProcess(boolean streamingProcess) {
            this.streamingProcess = streamingProcess;
            return this;
        }

        public Builder scriptCommandLine(String scriptCommandLine) {
            this.scriptCommandLine = scriptCommandLine;
            return this;
        }

        public Builder http(HttpRequestSettings http) {
            this.http = Optional.of(http);
            return this;
        }

        public Builder runAtStart(boolean runAtStart) {
            this.runAtStart = runAtStart;
            return this;
        }

        public Builder after(AfterSettings after) {
            this.after = after;
            return this;
        }

        /**
         * Validates all settings, and creates the definition.
         *
         * @throws InvalidJobDefinitionException if settings are invalid; the exception names all of them
         */
        public JobDefinition build() {
            return new JobDefinition(
                    jobName,
                    jobClass,
                    jobType,
                    cron,
                    timeZone,
                    shardingTotalCount,
                    shardingItemParameters,
                    jobParameter,
                    failover,
                    misfire,
                    description,
                    jobProperties,
                    monitorExecution,
                    maxTimeDiffSeconds,
                    monitorPort,
                    jobShardingStrategyClass,
                    reconcileIntervalMinutes,
                    disabled,
                    overwrite,
                    streamingProcess,
                    scriptCommandLine,
                    http,
                    misfireThreshold,
                    maxFailovers,
                    timeout,
                    retry,
                    concurrency,
                    runAtStart,
                    after,
                    clusterListener,
                    beforeFirstTimeout,
                    afterLastTimeout,
                    watchdog);
        }
    }
}
