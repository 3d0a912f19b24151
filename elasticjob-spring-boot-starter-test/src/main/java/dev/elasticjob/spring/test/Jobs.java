package dev.elasticjob.spring.test;

import dev.elasticjob.admin.JobAdmin;
import dev.elasticjob.admin.RegistryJobAdmin;
import dev.elasticjob.admin.command.RunOutcome;
import dev.elasticjob.admin.command.RunRequest;
import dev.elasticjob.admin.command.TriggerAnswer;
import dev.elasticjob.definition.JobDefinition;
import dev.elasticjob.registry.JobTree;
import dev.elasticjob.registry.Registry;
import dev.elasticjob.registry.RegistryAnswer;
import dev.elasticjob.registry.RegistryRead;
import java.time.Clock;
import java.time.Duration;
import java.time.Instant;
import java.util.Set;
import java.util.SortedSet;
import java.util.TreeSet;
import java.util.concurrent.CompletableFuture;
import java.util.stream.Collectors;
import java.util.stream.IntStream;

/**
 * Fires the jobs of a test, and waits for them. No method sleeps. If an expected event doesn't happen in time, an
 * {@link AssertionError} states what the test waited for, and which executions were observed.
 *
 * <p>Must be called on the test's thread.
 */
public final class Jobs {
    private final ClusterResources world;
    private final Registry registry;
    private final JobAdmin admin;

    /** @param registry a separate client */
    Jobs(ClusterResources world, Registry registry) {
        this.world = world;
        this.registry = registry;
        this.admin = new RegistryJobAdmin(registry);
    }

    /**
     * Runs every item of the job once, now, in addition to its schedule, and waits until each item has ended, after a
     * failover on another instance. Time advances only if this is necessary, by at most ten seconds.
     *
     * @throws IllegalArgumentException if there is no such job
     */
    public Firing fire(String jobName) {
        return fire(jobName, "");
    }

    /** Does the same with a parameter for this run. */
    public Firing fire(String jobName, String runParameter) {
        JobDefinition definition = definition(jobName);
        RunRequest request = RunRequest.withParameter(runParameter);
        Journal.Mark mark = world.journal().mark();
        TriggerAnswer asked = world.answer("a run of job \"" + jobName + "\"", admin.trigger(jobName, request));
        return await(
                new Ends(
                        jobName,
                        asked.items(),
                        request.runId(),
                        run -> run.answers(request.runId()),
                        definition.failover()),
                mark);
    }

    /**
     * Runs every item of the job once, now, as an application does with {@link JobAdmin#run}, and waits for the
     * outcome. Time advances by at most ten seconds. {@link ElasticJobCluster#executions()} shows on which instances
     * the items ran.
     *
     * @throws IllegalArgumentException if there is no such job
     */
    public RunOutcome run(String jobName) {
        return run(jobName, "");
    }

    /** Does the same with a parameter for this run. */
    public RunOutcome run(String jobName, String runParameter) {
        return world.answer(
                "the outcome of a run of job \"" + jobName + "\"",
                admin.run(jobName, RunRequest.withParameter(runParameter)));
    }

    /**
     * Advances time to the next firing of the job's schedule, and waits until each item has ended. Other jobs that are
     * due before that run too. For a job with a fixed delay, use {@link #advance}: its next firing follows from the end of
     * the last one.
     *
     * @throws IllegalStateException if the test uses the machine's clock, or the schedule has no further firing
     */
    public Firing fireOnSchedule(String jobName) {
        JobDefinition definition = definition(jobName);
        Instant due = definition
                .schedule()
                .nextAfter(now())
                .orElseThrow(() -> new IllegalStateException(
                        ("Job \"%s\" has no firing after %s: its schedule is \"%s\". To run a job without a cron, use run"
                                        + " or fire; one with a fixed delay runs as time advances")
                                .formatted(jobName, now(), definition.schedule().text())));
        SortedSet<Integer> items = enabledItems(definition);
        Journal.Mark mark = world.journal().mark();
        world.pace().advance(Duration.between(now(), due));
        return await(new Ends(jobName, items, "", run -> run.scheduledAt().equals(due), definition.failover()), mark);
    }

    /**
     * Advances time. Everything that becomes due happens at its own time, and the clock moves on only when all
     * resulting work is done: while items run, it stands still.
     *
     * @throws IllegalStateException if the test uses the machine's clock
     */
    public void advance(Duration duration) {
        world.pace().advance(duration);
    }

    /** The clock by which the jobs fire, for beans of the application that should use the same one. */
    public Clock clock() {
        return world.pace().clock();
    }

    /** The commands for operators. Wait for their results with {@code join()}. */
    public JobAdmin admin() {
        return admin;
    }

    JobDefinition definition(String jobName) {
        return world.answer("the definition of job \"" + jobName + "\"", admin.definition(jobName));
    }

    private Instant now() {
        return clock().instant();
    }

    private SortedSet<Integer> enabledItems(JobDefinition definition) {
        JobTree tree = new JobTree(definition.jobName());
        Set<Integer> all =
                IntStream.range(0, definition.shardingTotalCount()).boxed().collect(Collectors.toSet());
        RegistryAnswer answer = world.answer(
                "the disabled items of job \"" + definition.jobName() + "\"",
                registry.read(all.stream()
                        .map(item -> RegistryRead.data(tree.disabled(item)))
                        .toList()));
        return all.stream()
                .filter(item -> answer.node(tree.disabled(item)).isEmpty())
                .collect(Collectors.toCollection(TreeSet::new));
    }

    private Firing await(Ends ends, Journal.Mark mark) {
        Journal journal = world.journal();
        world.await(
                "every item of job \"%s\" to end: %s".formatted(ends.jobName(), ends.items()),
                () -> ends.areAllIn(journal.since(mark)),
                () -> ExecutionTexts.text(
                        ends.jobName(), ends.firing(journal.since(mark)).executions()));
        awaitRecords(ends);
        return ends.firing(journal.since(mark));
    }

    /**
     * Waits for the records too: a thread returns before its end is recorded, and if its instance were killed in
     * between, the item would be repeated.
     */
    private void awaitRecords(Ends ends) {
        JobTree tree = new JobTree(ends.jobName());
        world.answer(
                "the ends of job \"" + ends.jobName() + "\" to be recorded",
                CompletableFuture.allOf(ends.items().stream()
                        .map(item -> registry.awaitAbsence(tree.running(item)).toCompletableFuture())
                        .toArray(CompletableFuture[]::new)));
    }
}
