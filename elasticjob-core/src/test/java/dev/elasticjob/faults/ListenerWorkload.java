package dev.elasticjob.faults;

import dev.elasticjob.definition.AfterSettings;
import dev.elasticjob.definition.JobDefinition;
import dev.elasticjob.engine.ElasticJobEngine;
import dev.elasticjob.faults.SelfStop.Fault;
import dev.elasticjob.faults.SteppedRegistry.Step;
import dev.elasticjob.job.ShardingContext;
import dev.elasticjob.job.after.AfterOutcome;
import dev.elasticjob.job.cluster.ClusterFiring;
import dev.elasticjob.job.cluster.ClusterJobListener;
import dev.elasticjob.job.cluster.FiringOutcomes;
import dev.elasticjob.registry.Registry;
import dev.elasticjob.testing.TestZooKeeper;
import java.io.IOException;
import java.time.Duration;
import java.time.Instant;
import java.time.ZoneOffset;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.Semaphore;
import java.util.concurrent.TimeUnit;
import java.util.function.Consumer;

/**
 * One instance of jobs with a cluster listener, and of those that run after them: it tells each begin and end of the
 * listener's calls and of the items. In a JVM of its own, it stops itself when it is asked to, as soon as it takes a certain
 * step: killed, right after the step; paused, right before it. It ends with the JVM that started it.
 */
final class ListenerWorkload implements ClusterJobListener {
    static final int ITEMS = 3;

    private static final String MARK = "LISTENER";

    private final String instance;
    private final Duration work;
    private final Consumer<String> output;
    private final SelfStop stop = new SelfStop();
    private final Semaphore never = new Semaphore(0);

    /**
     * @param instance its id
     * @param work how long an item takes
     * @param output receives what it tells, line by line
     */
    ListenerWorkload(String instance, Duration work, Consumer<String> output) {
        this.instance = instance;
        this.work = work;
        this.output = output;
    }

    /** What an instance has told. */
    enum Call {
        READY,
        BEFORE,
        BEFORE_RETURNS,
        ITEM,
        ITEM_RETURNS,
        AFTER,
        AFTER_RETURNS,
        /** Of the job that runs after this one, under the run id of this one. */
        FOLLOWER,
        FOLLOWER_RETURNS,
        /** The process stops itself. */
        STOPS;

        Call returns() {
            return valueOf(name() + "_RETURNS");
        }
    }

    /**
     * @param runId of the firing
     * @param item -1 for a call of the listener
     */
    record Told(String process, Instant at, Call call, String runId, int item, int attempt) {
        static Optional<Told> parse(String line) {
            String[] words = line.split(" ");
            return words[0].equals(MARK)
                    ? Optional.of(new Told(
                            words[1],
                            Instant.parse(words[2]),
                            Call.valueOf(words[3]),
                            words[4],
                            Integer.parseInt(words[5]),
                            Integer.parseInt(words[6])))
                    : Optional.empty();
        }

        Instant firing() {
            return Instant.parse(runId.substring(runId.indexOf('@') + 1));
        }
    }

    /** Rows whose follower runs after successes only, and each second firing fails. */
    static final String DROPS = "drop";

    /** @param arguments the connect string, the instance's id, the row to which its jobs belong, and perhaps where to stop */
    @SuppressWarnings("SystemOut")
    public static void main(String[] arguments) throws IOException {
        ListenerWorkload workload = new ListenerWorkload(arguments[1], Duration.ofMillis(700), System.out::println);
        if (arguments.length > 3) {
            workload.stop.arm(arguments[3]);
        }
        Registry registry = SelfStop.connect(arguments[0]);
        ElasticJobEngine engine = workload.engine(
                new SteppedRegistry(
                        registry,
                        (step, firing) -> workload.stopsAt(Fault.PAUSED, step, arguments[2], firing),
                        (step, firing) -> workload.stopsAt(Fault.KILLED, step, arguments[2], firing)),
                List.of(arguments[2]));
        engine.start().thenRun(() -> workload.tell(Call.READY, "-", -1, 0));
        workload.stop.doAsAsked();
    }

    /** The jobs of these rows, not started. */
    ElasticJobEngine engine(Registry registry, List<String> rows) {
        ElasticJobEngine engine = ElasticJobEngine.builder(registry)
                .instanceId(instance)
                .ip(instance)
                .serverTick(TestZooKeeper.TICK)
                .clusterListeners(List.of(this))
                .build();
        for (String row : rows) {
            engine.register(
                    JobDefinition.builder("orders-" + row)
                            .cron("0/3 * * * * *")
                            .timeZone(ZoneOffset.UTC)
                            .shardingTotalCount(ITEMS)
                            .failover(true)
                            .build(),
                    this::item);
            engine.register(
                    JobDefinition.builder("reports-" + row)
                            .cron("")
                            .shardingTotalCount(1)
                            .failover(true)
                            .after(new AfterSettings(
                                    List.of("orders-" + row),
                                    row.startsWith(DROPS) ? AfterOutcome.SUCCESS : AfterOutcome.ANY,
                                    Duration.ofHours(1)))
                            .build(),
                    this::report);
        }
        return engine;
    }

    // ------------------------------------------------------------------ its end

    private void stopsAt(Fault fault, Step step, String row, Instant firing) {
        stopsAt(fault, step.name(), "orders-" + row + "@" + firing);
    }

    private void stopsAt(Fault fault, String step, String runId) {
        stop.at(fault, step, () -> tell(Call.STOPS, runId, -1, 0));
    }

    /** In the application's code, there is no before and after. */
    private void stopsIn(Call call, String runId) {
        for (Fault fault : Fault.values()) {
            stopsAt(fault, call.name(), runId);
        }
    }

    // ------------------------------------------------------------------ its work

    private void item(ShardingContext context) throws InterruptedException {
        tell(Call.ITEM, context.getRunId(), context.getShardingItem(), context.getAttempt());
        stopsIn(Call.ITEM, context.getRunId());
        last(work);
        if (context.getJobName().startsWith("orders-" + DROPS) && fails(context.getScheduledTime())) {
            throw new IllegalStateException("each second firing fails");
        }
        tell(Call.ITEM_RETURNS, context.getRunId(), context.getShardingItem(), context.getAttempt());
    }

    /** Whether the items of a firing fail, where each second one does. */
    static boolean fails(Instant firing) {
        return firing.getEpochSecond() / 3 % 2 == 1;
    }

    private void report(ShardingContext context) throws InterruptedException {
        String runId = context.getParents().get(0).runId();
        tell(Call.FOLLOWER, runId, 0, context.getAttempt());
        stopsIn(Call.FOLLOWER, runId);
        last(Duration.ofMillis(100));
        tell(Call.FOLLOWER_RETURNS, runId, 0, context.getAttempt());
    }

    @Override
    public boolean appliesTo(String jobName) {
        return jobName.startsWith("orders");
    }

    @Override
    public void beforeFirstItem(ClusterFiring firing) throws InterruptedException {
        tell(Call.BEFORE, firing.runId(), -1, firing.attempt());
        stopsIn(Call.BEFORE, firing.runId());
        last(Duration.ofMillis(100));
        tell(Call.BEFORE_RETURNS, firing.runId(), -1, firing.attempt());
    }

    @Override
    public void afterLastItem(ClusterFiring firing, FiringOutcomes outcomes) throws InterruptedException {
        tell(Call.AFTER, firing.runId(), -1, firing.attempt());
        stopsIn(Call.AFTER, firing.runId());
        last(Duration.ofMillis(100));
        tell(Call.AFTER_RETURNS, firing.runId(), -1, firing.attempt());
    }

    private void last(Duration time) throws InterruptedException {
        never.tryAcquire(time.toNanos(), TimeUnit.NANOSECONDS);
    }

    private synchronized void tell(Call call, String runId, int item, int attempt) {
        output.accept("%s %s %s %s %s %d %d".formatted(MARK, instance, Instant.now(), call, runId, item, attempt));
    }
}
