package dev.elasticjob.spring.autoconfigure;

import dev.elasticjob.definition.CatchUp;
import dev.elasticjob.definition.JobType;
import dev.elasticjob.definition.OnDataLoss;
import dev.elasticjob.definition.OnForeignInstance;
import dev.elasticjob.definition.Overlap;
import dev.elasticjob.engine.SessionLoss;
import dev.elasticjob.group.OnStopTimeout;
import dev.elasticjob.job.after.AfterOutcome;
import dev.elasticjob.registry.curator.ClientOptions;
import java.nio.file.Path;
import java.time.Duration;
import java.time.Instant;
import java.time.ZoneId;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;
import org.springframework.boot.context.properties.ConfigurationProperties;
import org.springframework.boot.context.properties.ConfigurationPropertiesSource;
import org.springframework.boot.context.properties.bind.DefaultValue;

/**
 * Settings below {@code elasticjob}. A value that can't be read counts as not set, and fails startup later, so that one
 * report has all problems: {@link SettingProblems} has such values, and any other key. {@link JobProperties} binds the settings of one job, because {@code jobs} has several entries for a job if a file and an environment variable spell
 * its name differently.
 *
 * @param enabled Whether the application runs its jobs. If false, none of the beans exist.
 * @param worker Work on this instance.
 * @param start When the jobs start. With "lifecycle", as the last of the application's beans, before its runners. With
 *     "ready", after the runners, when the application is ready.
 * @param registry Connection to ZooKeeper.
 * @param instance Identity of this process.
 * @param executor Threads that run items.
 * @param dynamicSharding Groups of instances that share out work which is no job.
 * @param shutdownTimeout Time that running items have to finish when the application stops, before they are
 *     interrupted. Keep it below spring.lifecycle.timeout-per-shutdown-phase.
 * @param rebalanceDelay Time that the items of this instance wait for the one that replaces it, after it was stopped in good
 *     order, before they move to others: one of the same id, or one that starts on the same server. Items of an instance that
 *     crashes move at once. One hour at most; no effect on an application that ends by itself (worker.idle-after, worker.fresh).
 * @param onSessionLoss What happens to running items when this process can no longer rely on its ZooKeeper session.
 *     With "continue", an item may run on two instances at the same time.
 * @param onForeignInstance Reaction to an instance of Elastic-Job 2.x or 3.x in one of the jobs. With "refuse", startup
 *     fails if there is one, and jobs start nothing for as long as there is one.
 * @param failOnUnknownJobs Whether startup fails if there are settings of a job that nothing declares. By default, they
 *     only cause a warning, because a profile or the classes of a test may leave out the job.
 * @param events Events of jobs as application events.
 * @param alerts Error handlers that send messages.
 * @param tracing Event trace in a relational database.
 * @param metrics Meters of jobs.
 * @param calendars Days and times on which jobs don't fire, by the name that jobs have as their calendar. None by default.
 * @param jobs Settings of jobs by the job's name. They override the annotation. None by default.
 * @param jobsFromRegistry Whether this instance also runs jobs that are kept in the registry, which JobAdmin creates there.
 *     Which of them it runs is set by elasticjob.registry-jobs.
 * @param registryJobs What this instance runs only because the registry says so.
 * @param secrets Values that headers and bodies of HTTP jobs may refer to, by name. They stay on this instance. None by
 *     default.
 */
@ConfigurationProperties(prefix = "elasticjob", ignoreInvalidFields = true)
public record ElasticJobProperties(
        @DefaultValue("true") boolean enabled,
        @DefaultValue Worker worker,
        @DefaultValue("lifecycle") StartAt start,
        @DefaultValue Registry registry,
        @DefaultValue Instance instance,
        @DefaultValue Executor executor,
        @DefaultValue DynamicSharding dynamicSharding,
        @DefaultValue("24s") Duration shutdownTimeout,
        @DefaultValue("0s") Duration rebalanceDelay,
        @DefaultValue("interrupt") SessionLoss onSessionLoss,
        @DefaultValue("refuse") OnForeignInstance onForeignInstance,
        @DefaultValue("false") boolean failOnUnknownJobs,
        @DefaultValue Events events,
        @DefaultValue Alerts alerts,
        @DefaultValue Tracing tracing,
        @DefaultValue Metrics metrics,
        @DefaultValue("false") boolean jobsFromRegistry,
        @DefaultValue RegistryJobs registryJobs,
        @DefaultValue Map<String, String> secrets,
        @DefaultValue Map<String, List<String>> calendars,
        @DefaultValue Map<String, Job> jobs) {
    /** The properties that are set, and have no effect on an instance that only submits. */
    List<String> withoutEffectWhereNothingRuns() {
        return Stream.of(
                        worker.capacity == null ? "" : "worker.capacity",
                        worker.jobs.isEmpty() ? "" : "worker.jobs",
                        worker.except.isEmpty() ? "" : "worker.except",
                        worker.idleAfter == null ? "" : "worker.idle-after",
                        worker.fresh ? "worker.fresh" : "",
                        rebalanceDelay.isZero() ? "" : "rebalance-delay",
                        metrics.demandInterval == null ? "" : "metrics.demand-interval")
                .filter(name -> !name.isEmpty())
                .map("\"elasticjob.%s\""::formatted)
                .toList();
    }

    /** When the jobs start. */
    public enum StartAt {
        LIFECYCLE,
        READY
    }

    /**
     * Work on this instance.
     *
     * @param enabled Whether this instance runs jobs and takes part in groups. If false, it only submits: JobAdmin,
     *     JobInspector and the endpoint work, for all jobs of the namespace, and the application's own job beans are
     *     ignored.
     * @param labels What this instance says of itself, by which jobs choose it with run-on, such as a zone. Names and values are
     *     those of Kubernetes' labels. None by default.
     * @param capacity What the items may weigh together (weight, item-weights) that this instance claims and executes at the
     *     same time, over all its jobs. The others wait in the registry. No limit by default.
     * @param jobs Which jobs this instance runs: names, in which "*" stands for any characters and "?" for one. It concerns
     *     the application's own jobs and those that are kept in the registry. All by default.
     * @param except Which jobs this instance does not run, of those that it would run otherwise: names with "*" and "?". None
     *     by default.
     * @param idleAfter Time after which the application ends, if its jobs have had nothing to do for so long and nothing comes
     *     due within it. It never ends by itself by default.
     * @param fresh Whether the application ends after its first items, for code that must not run twice in one process. No item
     *     begins here after one has ended.
     */
    public record Worker(
            @DefaultValue("true") boolean enabled,
            @DefaultValue Map<String, String> labels,
            @Nullable Integer capacity,
            @DefaultValue List<String> jobs,
            @DefaultValue List<String> except,
            @Nullable Duration idleAfter,
            @DefaultValue("false") boolean fresh) {
        /** Whether nobody comes back for its items. */
        boolean endsByItself() {
            return idleAfter != null || fresh;
        }
    }

    /**
     * Meters of jobs.
     *
     * @param demandInterval Time after which the demand of the jobs that this instance leads is read again from ZooKeeper, for
     *     the meters "elasticjob.demand.*". It isn't read by default.
     */
    public record Metrics(@Nullable Duration demandInterval) {}

    /**
     * The connection to ZooKeeper.
     *
     * @param connectString Servers as "host:port", separated by commas. Required, unless the embedded server is
     *     enabled.
     * @param namespace Root node of all jobs. Applications with the same namespace share jobs. The value of
     *     spring.application.name by default, or "elasticjob" if that is not set.
     * @param sessionTimeout Time after which the servers end the session of a silent process, and other instances take over its items.
     * @param serverTick The "tickTime" of the servers, which is the precision of session timeouts. The session timeout must be
     *     at least three ticks. The embedded server uses this tick.
     * @param connectionTimeout Maximum time that startup waits for the first connection.
     * @param failFast Whether startup fails if ZooKeeper can't be reached. Otherwise, the application starts without it,
     *     connects in the background, and runs its jobs from then on.
     * @param digest Credentials as "user:password" for ZooKeeper's digest scheme. None by default, which leaves nodes open to everyone.
     * @param acl Clients that may use the nodes that this application creates. With "creator", only those with the same
     *     digest or client certificate. With "automatic", "creator" if there is a digest, or else "open".
     * @param onDataLoss What happens when ZooKeeper has lost its data, or has gone back to an older copy of it. With
     *     "continue", jobs go on at once with what it has. With "hold", this instance starts nothing until an operator has
     *     confirmed the loss. Either way, the loss is reported until then.
     * @param ssl Encryption of the connection.
     * @param retry Retry of failed requests.
     * @param embedded ZooKeeper server inside this process, for development.
     */
    public record Registry(
            @Nullable String connectString,
            @Nullable String namespace,
            @DefaultValue("20s") Duration sessionTimeout,
            @DefaultValue("2s") Duration serverTick,
            @DefaultValue("10s") Duration connectionTimeout,
            @DefaultValue("true") boolean failFast,
            @Nullable String digest,
            @DefaultValue("automatic") ClientOptions.Acl acl,
            @DefaultValue("continue") OnDataLoss onDataLoss,
            @DefaultValue Ssl ssl,
            @DefaultValue Retry retry,
            @DefaultValue Embedded embedded) {}

    /**
     * Encryption of the connection.
     *
     * @param enabled Whether the connection is encrypted. True by default if there is a bundle.
     * @param bundle Name of the SSL bundle with the trusted certificates and, for mutual TLS, this application's own. The
     *     JVM's certificates by default.
     */
    public record Ssl(@Nullable Boolean enabled, @Nullable String bundle) {
        boolean isEnabled() {
            return enabled == null ? bundle != null : enabled;
        }
    }

    /**
     * Retry of failed requests.
     *
     * @param baseSleep Pause before the first retry. It grows with each retry.
     * @param maxSleep Longest pause.
     * @param maxRetries Maximum number of retries.
     */
    public record Retry(
            @DefaultValue("1s") Duration baseSleep,
            @DefaultValue("3s") Duration maxSleep,
            @DefaultValue("3") int maxRetries) {}

    /**
     * A ZooKeeper server inside this process.
     *
     * @param enabled Whether to start a ZooKeeper server inside this process. Not for production. A connect string takes
     *     precedence.
     * @param port Port it listens on, or 0 for any free port.
     * @param address Address it listens on. Only this machine can reach it by default.
     * @param dataDirectory Directory for its data. A temporary one by default, which is deleted when the application stops.
     */
    public record Embedded(
            @DefaultValue("false") boolean enabled,
            @DefaultValue("2181") int port,
            @DefaultValue("127.0.0.1") String address,
            @Nullable Path dataDirectory) {}

    /**
     * Identity of this process.
     *
     * @param id Name of this process, unique among those that run the same jobs. Unless it contains "@-@", the server's
     *     address is prepended. Its address and process id by default.
     * @param ip Address by which operators enable and disable this server. Detected by default.
     * @param preferredNetwork Network that this server's address is taken from: the name of a network interface, or a
     *     network such as "10.0.0.0/8" or "fd00::/8". Ignored if the address is set. Any network by default.
     */
    public record Instance(
            @Nullable String id,
            @Nullable String ip,
            @Nullable String preferredNetwork) {}

    /**
     * The threads that run items.
     *
     * @param maxThreads Maximum number of items that run at the same time, over all jobs. Four per core by default, but at least 16;
     *     unbounded with virtual threads.
     */
    public record Executor(@Nullable Integer maxThreads) {}

    /**
     * Events of jobs as application events.
     *
     * @param publish Whether the events of jobs are published as application events, for @EventListener methods.
     * @param queueCapacity Number of events that may wait for slow listeners. Further ones are dropped and counted.
     */
    public record Events(
            @DefaultValue("true") boolean publish,
            @DefaultValue("10000") int queueCapacity) {}

    /**
     * What this instance runs only because the registry says so: jobs that are kept there, and the changed command lines and
     * URIs of its own script and HTTP jobs.
     *
     * @param http Whether it sends HTTP requests, to the allowed hosts only.
     * @param allowedHosts Hosts that it sends these requests to, as "billing.example.com" for HTTPS, or with scheme and port
     *     as "http://localhost:8080". Required for HTTP requests. None by default.
     * @param allowedBeans Names of the SimpleJob and DataflowJob beans that it runs. None by default.
     * @param scripts Whether it runs scripts. Everyone who can write to the registry can then run any program with the rights
     *     of this application.
     * @param kinds The application's own kinds of jobs, such as "sql", of which it runs whole jobs and changed settings from
     *     the registry. None by default.
     */
    public record RegistryJobs(
            @DefaultValue("false") boolean http,
            @DefaultValue List<String> allowedHosts,
            @DefaultValue List<String> allowedBeans,
            @DefaultValue("false") boolean scripts,
            @DefaultValue List<String> kinds) {}

    /**
     * Error handlers that send messages.
     *
     * @param interval Minimum time between two messages about the same job. Failures in between are counted.
     * @param timeout Maximum time for connecting to a webhook, and for its answer.
     * @param mail Mail, sent by the error handler EMAIL.
     * @param webhook JSON for programs, sent by the error handler WEBHOOK.
     * @param slack Message in Slack, sent by the error handler SLACK.
     * @param dingtalk Message in DingTalk, sent by the error handler DINGTALK.
     * @param wechat Message in WeCom, sent by the error handler WECHAT.
     * @param feishu Message in Feishu, sent by the error handler FEISHU.
     */
    public record Alerts(
            @DefaultValue("5m") Duration interval,
            @DefaultValue("5s") Duration timeout,
            @DefaultValue Mail mail,
            @DefaultValue Webhook webhook,
            @DefaultValue Webhook slack,
            @DefaultValue Webhook dingtalk,
            @DefaultValue Webhook wechat,
            @DefaultValue Webhook feishu) {}

    /**
     * Mail about failed jobs, sent through the application's JavaMailSender.
     *
     * @param to Addresses of the recipients. None by default, and then there is no error handler EMAIL.
     * @param cc Addresses of those who get a copy. None by default.
     * @param from Address of the sender. That of the mail session by default.
     */
    public record Mail(
            @DefaultValue List<String> to,
            @DefaultValue List<String> cc,
            @Nullable String from) {}

    /**
     * A webhook that is told of failed jobs.
     *
     * @param url Address that the message is posted to. It is never logged. None by default, and then there is no such error
     *     handler.
     * @param secret Secret that signs the message, for DingTalk and Feishu. Messages are not signed by default.
     * @param prefix Text in front of each message for people, such as a keyword that DingTalk expects. None by default.
     * @param headers Further headers of the request by name. None by default.
     */
    public record Webhook(
            @Nullable String url,
            @Nullable String secret,
            @Nullable String prefix,
            @DefaultValue Map<String, String> headers) {
        /** Without what may be a secret. */
        @Override
        public String toString() {
            return "Webhook[set=%s]".formatted(url != null);
        }
    }

    /**
     * Event trace in a relational database.
     *
     * @param enabled Whether executions are recorded in a relational database.
     * @param datasource Name of the DataSource bean. The only one, or the primary one, by default.
     * @param initializeSchema When the tables are created at startup.
     * @param schema Script that creates the tables.
     * @param platform Database that "@@platform@@" in the name of the script stands for: "h2", "mariadb", "mysql" or
     *     "postgresql". Detected by default.
     * @param retention Age at which entries are deleted. 0 to keep them.
     * @param bufferSize Maximum number of events that wait for the database. Further ones are dropped and counted.
     * @param batchSize Maximum number of events that are written in one transaction.
     * @param flushInterval Time that an event waits for others to be written with it.
     * @param shutdownTimeout Maximum time for writing the remaining events when the application stops.
     * @param queryTimeout Maximum time that a query of the history waits for the database.
     * @param includeJobs Names of the jobs that are traced. All by default.
     * @param excludeJobs Names of jobs that are not traced. None by default.
     */
    public record Tracing(
            @DefaultValue("false") boolean enabled,
            @Nullable String datasource,
            @DefaultValue("embedded") InitializeSchema initializeSchema,

            @DefaultValue("classpath:dev/elasticjob/spring/trace/schema-@@platform@@.sql")
            String schema,

            @Nullable String platform,
            @DefaultValue("30d") Duration retention,
            @DefaultValue("20000") int bufferSize,
            @DefaultValue("500") int batchSize,
            @DefaultValue("200ms") Duration flushInterval,
            @DefaultValue("5s") Duration shutdownTimeout,
            @DefaultValue("5s") Duration queryTimeout,
            @DefaultValue Set<String> includeJobs,
            @DefaultValue Set<String> excludeJobs) {
        /** Whether executions of this job are recorded. */
        public boolean traces(String job) {
            return (includeJobs.isEmpty() || includeJobs.contains(job)) && !excludeJobs.contains(job);
        }

        /** When the tables are created. */
        public enum InitializeSchema {
            EMBEDDED,
            ALWAYS,
            NEVER
        }
    }
    /**
     * Groups of instances that share out work which is no job.
     *
     * @param namespace Node below which groups are, outside of the jobs' namespace. Applications with the same one share
     *     the work of groups of the same name.
     * @param stopTimeout Time that instances have to stop their work before a new assignment. Longer ones are reported.
     * @param onStopTimeout What happens if an instance has not stopped by then. With "proceed", the others get their
     *     indexes without it, and only the epoch protects the work. Must be the same on all instances.
     * @param joinDelay Time that the leader waits for further instances after one has joined.
     */
    public record DynamicSharding(
            @DefaultValue("dynamic-sharding") String namespace,
            @DefaultValue("30s") Duration stopTimeout,
            @DefaultValue("wait") OnStopTimeout onStopTimeout,
            @DefaultValue("1s") Duration joinDelay) {}

    /**
     * Settings of one job. Anything that is not set here comes from the annotation or the JobDefinition bean. What is described
     * neither here nor below is described in its row of {@link dev.elasticjob.definition.JobSettings}.
     *
     * @param enabled Whether this application runs the job. If false, it leaves the job out, and other applications may
     *     still run it. True by default.
     * @param bean Name of the SimpleJob or DataflowJob bean that does the job's work. Required for a job that neither an
     *     annotation nor a job type declares. By default, for a JobDefinition bean, the bean with the job's name, or the
     *     only one of its job class.
     * @param jobExceptionHandler Error handler: LOG, IGNORE, THROW, or the name of a JobErrorHandler bean. LOG by
     *     default.
     * @param executorServiceHandler Name of the Executor bean that runs the items. The shared threads by default.
     * @param afterOutcome How these jobs have to end: SUCCESS, FAILURE or ANY.
     * @param afterWindow How long the job waits for the others, once the first of several has ended a firing.
     */
    @ConfigurationPropertiesSource
    public record Job(
            @Nullable Boolean enabled,
            @Nullable String bean,
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
            @Nullable Boolean runAtStart,
            @Nullable List<String> after,
            @Nullable AfterOutcome afterOutcome,
            @Nullable Duration afterWindow,
            @Nullable Duration beforeFirstTimeout,
            @Nullable Duration afterLastTimeout,
            @Nullable Duration stuckAfter,
            @Nullable Duration expectWithin,
            @Nullable Duration every,
            @Nullable Duration fixedDelay,
            @Nullable Instant at,
            @Nullable Instant startAt,
            @Nullable Instant endAt,
            @Nullable String calendar,
            @Nullable Boolean moveToNextDay,
            @Nullable Duration spread,
            @Nullable Integer pauseAfterFailures,
            @Nullable Overlap overlap,
            @Nullable Duration jitter,
            @Nullable CatchUp catchUp,
            @Nullable Integer catchUpLimit,
            @Nullable Duration catchUpWindow,
            @Nullable String runOn,
            @Nullable Integer weight,
            @Nullable String itemWeights) {}

    /**
     * Retry of a job's failed executions. Anything that is not set here comes from the annotation.
     *
     * @param maxAttempts Maximum number of attempts, including the first. 1 for no retry.
     * @param delay Pause after the first failure.
     * @param multiplier Factor by which the pause grows with each failure. At least 1.
     * @param maxDelay Longest pause. 0 for no limit.
     * @param jitter Maximum random deviation of a pause.
     * @param includes Exceptions that are retried, themselves or as a cause. All by default.
     * @param excludes Exceptions that are not retried, even if they are included. None by default.
     */
    public record JobRetry(
            @Nullable Integer maxAttempts,
            @Nullable Duration delay,
            @Nullable Double multiplier,
            @Nullable Duration maxDelay,
            @Nullable Duration jitter,
            @Nullable List<Class<? extends Throwable>> includes,
            @Nullable List<Class<? extends Throwable>> excludes) {}

    /**
     * The request that an HTTP job sends for each item.
     *
     * @param uri Absolute URI, "http" or "https". Required for such a job.
     * @param method Method in upper case. GET by default.
     * @param body Body, sent as UTF-8. None by default.
     * @param contentType Media type of the body. Not sent by default.
     * @param headers Further headers by name. They are stored in the registry, but never shown. None by default.
     * @param connectTimeout Timeout for establishing the connection. 3 seconds by default.
     * @param responseTimeout Timeout for the whole exchange, up to the last byte of the response. 5 seconds by default.
     */
    public record Http(
            @Nullable String uri,
            @Nullable String method,
            @Nullable String body,
            @Nullable String contentType,
            @Nullable Map<String, String> headers,
            @Nullable Duration connectTimeout,
            @Nullable Duration responseTimeout) {
        /** Doesn't contain possible secrets. */
        @Override
        public String toString() {
            return "Http[uri=%s, method=%s]".formatted(uri, method);
        }
    }
}
