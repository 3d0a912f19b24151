package dev.elasticjob.spring.autoconfigure;

import dev.elasticjob.definition.JobType;
import dev.elasticjob.definition.OnForeignInstance;
import dev.elasticjob.engine.SessionLoss;
import java.nio.file.Path;
import java.time.Duration;
import java.time.ZoneId;
import java.util.List;
import java.util.Map;
import org.jspecify.annotations.Nullable;
import org.springframework.boot.context.properties.ConfigurationProperties;
import org.springframework.boot.context.properties.ConfigurationPropertiesSource;
import org.springframework.boot.context.properties.bind.DefaultValue;

/**
 * Settings below {@code elasticjob}. {@link UnknownSettings} reports any other key, and {@link JobSettings} binds those of
 * one job: in {@code jobs} a job has several entries where a file and an environment variable write its name differently.
 *
 * @param enabled Whether jobs are looked for and run. Without, none of the beans exist.
 * @param registry Connection to ZooKeeper.
 * @param instance This process among the others.
 * @param executor Threads that items run on.
 * @param shutdownTimeout How long running items may go on when the application stops; then they are interrupted. Keep it
 *     below spring.lifecycle.timeout-per-shutdown-phase.
 * @param onSessionLoss What becomes of running items when this process can no longer rely on its ZooKeeper session. With
 *     "continue" an item may be executing on two instances at a time.
 * @param onForeignInstance What to do about an instance of Elastic-Job 2.x or 3.x in one of the jobs. With "refuse" the
 *     start fails beside one, and jobs claim nothing while there is one.
 * @param jobs Settings of jobs by the job's name. Each goes before the annotation's. None by default.
 */
@ConfigurationProperties(prefix = "elasticjob")
public record ElasticJobProperties(
        @DefaultValue("true") boolean enabled,
        @DefaultValue Registry registry,
        @DefaultValue Instance instance,
        @DefaultValue Executor executor,
        @DefaultValue("24s") Duration shutdownTimeout,
        @DefaultValue("interrupt") SessionLoss onSessionLoss,
        @DefaultValue("refuse") OnForeignInstance onForeignInstance,
        @DefaultValue Map<String, Job> jobs) {
    /**
     * The connection to ZooKeeper.
     *
     * @param connectString Servers as "host:port", separated by commas. None by default; the start fails without, unless
     *     there is an embedded server.
     * @param namespace Root node of all jobs; applications that share it share jobs. The value of
     *     spring.application.name by default, and "elasticjob" where that is not set.
     * @param sessionTimeout How long the servers wait for a silent process before its items go to others.
     * @param serverTick What the servers' "tickTime" is: how exact they are about the end of a session. The session timeout
     *     must be three times as long. The embedded server is started with it.
     * @param connectionTimeout How long start-up waits for the first connection before it fails.
     * @param digest Credentials as "user:password" for ZooKeeper's digest scheme. None by default: nodes are open to all.
     * @param retry Repetition of failed requests.
     * @param embedded ZooKeeper server inside this process, for development.
     */
    public record Registry(
            @Nullable String connectString,
            @Nullable String namespace,
            @DefaultValue("20s") Duration sessionTimeout,
            @DefaultValue("2s") Duration serverTick,
            @DefaultValue("10s") Duration connectionTimeout,
            @Nullable String digest,
            @DefaultValue Retry retry,
            @DefaultValue Embedded embedded) {}

    /**
     * How often a failed request is repeated.
     *
     * @param baseSleep Pause before the first repetition; it grows with each.
     * @param maxSleep Longest pause.
     * @param maxRetries How many repetitions there are.
     */
    public record Retry(
            @DefaultValue("1s") Duration baseSleep,
            @DefaultValue("3s") Duration maxSleep,
            @DefaultValue("3") int maxRetries) {}

    /**
     * A ZooKeeper server inside this process.
     *
     * @param enabled Whether to start a ZooKeeper server inside this process. Not for production. A connect string goes
     *     before it.
     * @param port Port it listens on; 0 for any that is free.
     * @param address Address it listens on; this machine only by default.
     * @param dataDirectory Directory its data is kept in. A temporary one by default, deleted when the application stops.
     */
    public record Embedded(
            @DefaultValue("false") boolean enabled,
            @DefaultValue("2181") int port,
            @DefaultValue("127.0.0.1") String address,
            @Nullable Path dataDirectory) {}

    /**
     * This process among the others.
     *
     * @param id Name of this process among those that run the same jobs. Its address and process id by default.
     * @param ip Address under which operators enable and disable this server. Found out by default.
     * @param preferredNetwork Where to look for this server's address: the name of a network interface, or a network as
     *     in "10.0.0.0/8" or "fd00::/8". An address that is set goes before it. Any network by default.
     */
    public record Instance(
            @Nullable String id,
            @Nullable String ip,
            @Nullable String preferredNetwork) {}

    /**
     * The threads that items run on.
     *
     * @param maxThreads How many items run at a time, over all jobs. Four for each core by default, and at least 16.
     */
    public record Executor(@Nullable Integer maxThreads) {}

    /**
     * One job's settings. What is not given here is taken from the annotation, or from the JobDefinition that is a bean.
     *
     * @param cron When the job fires: six fields, from second to day of week. Not at all by default: it is a one-off
     *     job.
     * @param timeZone On whose wall clock the cron expression is read. The JVM's by default.
     * @param shardingTotalCount Into how many items the job is cut.
     * @param shardingItemParameters Parameter for each item, as in "0=Beijing,1=Shanghai". None by default.
     * @param jobParameter One parameter for all items. Empty by default.
     * @param failover Whether another instance takes over an interrupted execution at once.
     * @param misfire Whether a firing that nobody could start in time runs later.
     * @param misfireThreshold From when on a firing counts as late.
     * @param maxFailovers How many crashes an execution may cause before it is given up.
     * @param timeout After how long an attempt at an item is interrupted and has failed; 0 for never.
     * @param retry Repetition of failed executions on the same instance.
     * @param concurrency How many items of the job run at a time on one instance; 0 for no bound of its own.
     * @param jobExceptionHandler Who hears of failures: LOG, IGNORE, THROW, or the name of a JobErrorHandler bean. LOG by
     *     default.
     * @param executorServiceHandler Name of the Executor bean that items run on. The shared threads by default.
     * @param description Text for people. Empty by default.
     * @param jobProperties Further settings, by their name. They replace all of the annotation's. None by default.
     * @param monitorExecution Whether executions are recorded and locked in the registry.
     * @param maxTimeDiffSeconds How many seconds this machine's clock may be away from the registry's; negative for any.
     * @param monitorPort Kept for tools of Elastic-Job 2.1.5; nothing listens on it.
     * @param jobShardingStrategyClass How items are divided among instances: AVG_ALLOCATION, ODEVITY, ROUND_ROBIN, STICKY, or
     *     the name of a ShardingStrategy bean. AVG_ALLOCATION by default.
     * @param reconcileIntervalMinutes How often, in minutes, the leader compares state with plan; below 1 for never.
     * @param disabled Whether a server that is new to the job starts out disabled.
     * @param overwrite Whether these settings replace those in the registry, which win otherwise.
     * @param streamingProcess Whether a firing of a dataflow job fetches and processes until nothing is left to fetch.
     * @param jobType Kind of a job that no bean declares: "script" or "http". Required for such a job.
     * @param scriptCommandLine Program that a script job runs, and its arguments; no shell reads it. Required for such a
     *     job.
     * @param http Request that an HTTP job sends.
     * @param runAtStart Whether a one-off job runs once whenever its first instance joins.
     */
    @ConfigurationPropertiesSource
    public record Job(
            @Nullable String cron,
            @Nullable ZoneId timeZone,
            @Nullable Integer shardingTotalCount,
            @Nullable String shardingItemParameters,
            @Nullable String jobParameter,
            @Nullable Boolean failover,
            @Nullable Boolean misfire,
            @Nullable Duration misfireThreshold,
            @Nullable Integer maxFailovers,
            @Nullable Duration timeout,
            @Nullable JobRetry retry,
            @Nullable Integer concurrency,
            @Nullable String jobExceptionHandler,
            @Nullable String executorServiceHandler,
            @Nullable String description,
            @Nullable Map<String, String> jobProperties,
            @Nullable Boolean monitorExecution,
            @Nullable Integer maxTimeDiffSeconds,
            @Nullable Integer monitorPort,
            @Nullable String jobShardingStrategyClass,
            @Nullable Integer reconcileIntervalMinutes,
            @Nullable Boolean disabled,
            @Nullable Boolean overwrite,
            @Nullable Boolean streamingProcess,
            @Nullable JobType jobType,
            @Nullable String scriptCommandLine,
            @Nullable Http http,
            @Nullable Boolean runAtStart) {
        static final Job NOTHING_GIVEN = new Job(
                null, null, null, null, null, null, null, null, null, null, null, null, null, null, null, null, null,
                null, null, null, null, null, null, null, null, null, null, null);
    }

    /**
     * Repetition of a job's failed executions. What is not given here is taken from the annotation.
     *
     * @param maxAttempts How often an execution is tried in all; 1 for no retry.
     * @param delay Pause after the first failure.
     * @param multiplier By what the pause grows from one failure to the next; at least 1.
     * @param maxDelay Longest pause; 0 for no bound.
     * @param jitter By how much a pause may be shorter or longer, at random.
     * @param includes Classes of the failures that are tried again, by themselves or as a cause. All by default.
     * @param excludes Classes of the failures that are not; they go before those included. None by default.
     */
    public record JobRetry(
            @Nullable Integer maxAttempts,
            @Nullable Duration delay,
            @Nullable Double multiplier,
            @Nullable Duration maxDelay,
            @Nullable Duration jitter,
            @Nullable List<Class<? extends Throwable>> includes,
            @Nullable List<Class<? extends Throwable>> excludes) {
        static final JobRetry NOTHING_GIVEN = new JobRetry(null, null, null, null, null, null, null);
    }

    /**
     * The request that an HTTP job sends for each item.
     *
     * @param uri Absolute URI, "http" or "https". Required for such a job.
     * @param method Method, in upper case; GET by default.
     * @param body Body, sent as UTF-8; none by default.
     * @param contentType Media type of the body; not sent by default.
     * @param headers Further headers by their names. They are stored in the registry, and never shown. None by default.
     * @param connectTimeout How long a connection may take to be established; 3 seconds by default.
     * @param responseTimeout How long all of it may take, to the last byte of the response; 5 seconds by default.
     */
    public record Http(
            @Nullable String uri,
            @Nullable String method,
            @Nullable String body,
            @Nullable String contentType,
            @Nullable Map<String, String> headers,
            @Nullable Duration connectTimeout,
            @Nullable Duration responseTimeout) {
        /** Without what may be a secret. */
        @Override
        public String toString() {
            return "Http[uri=%s, method=%s]".formatted(uri, method);
        }
    }
}
