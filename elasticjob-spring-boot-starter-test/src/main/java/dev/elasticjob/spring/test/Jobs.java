package dev.elasticjob.spring.test;

import dev.elasticjob.admin.JobAdmin;
import dev.elasticjob.admin.RegistryJobAdmin;
import dev.elasticjob.admin.RunOutcome;
import dev.elasticjob.admin.RunRequest;
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
 * Fires the jobs of a test, and waits for them. Nothing here sleeps; what doesn't come about in time is an
 * {@link AssertionError} that says what was waited for and what was seen.
 *
 * <p>For the test's thread.
 */
public final class Jobs {
    private final World world;
    private final Registry registry;
    private final JobAdmin admin;

    /** @param registry a client of its own */
    Jobs(World world, Registry registry) {
        this.world = world;
        this.registry = registry;
        this.admin = new RegistryJobAdmin(registry);
    }

    /**
     * Runs every item of the job once, now, beside its schedule, and waits until each has ended: after a failover, on
     * another instance. Time passes only if that needs it, ten seconds at the most.
     *
     * @throws IllegalArgumentException when there is no such job
     */
    public Firing fire(String jobName) {
        return fire(jobName, "");
    }

    /** The same with a parameter for this run. */
    public Firing fire(String jobName, String runParameter) {
        JobDefinition definition = definition(jobName);
        RunRequest request = RunRequest.withParameter(runParameter);
        Journal.Mark mark = world.journal().mark();
        JobAdmin.TriggerAnswer asked =
                world.answer("a run of job \"" + jobName + "\"", admin.trigger(jobName, request));
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
     * Runs every item of the job once, now, as an application does that asks for it and awaits the outcome; at the most ten
     * seconds of time pass. {@link ElasticJobCluster} tells on which instances it ran.
     *
     * @throws IllegalArgumentException when there is no such job
     */
    public RunOutcome run(String jobName) {
        return run(jobName, "");
    }

    /** The same with a parameter for this run. */
    public RunOutcome run(String jobName, String runParameter) {
        return world.answer(
                "the outcome of a run of job \"" + jobName + "\"",
                admin.run(jobName, RunRequest.withParameter(runParameter)));
    }

    /**
     * Lets time pass to the next moment at which the job is due by its schedule, and waits until each item has ended.
     * Other jobs that are due on the way run too.
     *
     * @throws IllegalStateException when the time is the machine's, or the job is never due again
     */
    public Firing fireOnSchedule(String jobName) {
        JobDefinition definition = definition(jobName);
        Instant due = definition
                .schedule()
                .nextAfter(now())
                .orElseThrow(() -> new IllegalStateException(
                        ("Job \"%s\" has no firing after %s: its cron is \"%s\". To run a job without a cron, use run"
                                        + " or fire")
                                .formatted(jobName, now(), definition.cron())));
        SortedSet<Integer> items = enabledItems(definition);
        Journal.Mark mark = world.journal().mark();
        world.pace().advance(Duration.between(now(), due));
        return await(new Ends(jobName, items, "", run -> run.scheduledAt().equals(due), definition.failover()), mark);
    }

    /**
     * Lets time pass. Whatever falls due happens at its moment, and the next only when all is done that it gave rise to:
     * items run to their ends while the clock stands still.
     *
     * @throws IllegalStateException when the time is the machine's
     */
    public void advance(Duration duration) {
        world.pace().advance(duration);
    }

    /** The clock that the jobs fire by, for beans of the application that are to have the same. */
    public Clock clock() {
        return world.pace().clock();
    }

    /** Commands as operators give them; wait for their answers with {@code join()}. */
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
                () -> Seen.text(ends.jobName(), ends.firing(journal.since(mark)).executions()));
        awaitRecords(ends);
        return ends.firing(journal.since(mark));
    }

    /** A thread has returned before the registry knows: who is killed in between would have its item repeated. */
    private void awaitRecords(Ends ends) {
        JobTree tree = new JobTree(ends.jobName());
        world.answer(
                "the ends of job \"" + ends.jobName() + "\" to be recorded",
                CompletableFuture.allOf(ends.items().stream()
                        .map(item -> registry.awaitAbsence(tree.running(item)).toCompletableFuture())
                        .toArray(CompletableFuture[]::new)));
    }
}
