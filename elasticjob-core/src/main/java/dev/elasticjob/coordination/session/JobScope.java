package dev.elasticjob.coordination.session;

import dev.elasticjob.job.event.JobEvent;
import dev.elasticjob.registry.CommitOutcome;
import dev.elasticjob.registry.JobTree;
import dev.elasticjob.registry.Registry;
import dev.elasticjob.registry.RegistryCommit;
import dev.elasticjob.registry.RegistrySession;
import java.time.Clock;
import java.util.concurrent.CompletionStage;
import java.util.concurrent.Executor;
import java.util.function.Consumer;
import java.util.function.Supplier;

/**
 * What the parts of one job's coordination share.
 *
 * @param connection of the engine
 * @param events receives what happened; called on the coordination executor only
 */
public record JobScope(
        JobTree tree,
        SharedConnection connection,
        Clock clock,
        Consumer<JobEvent> events,
        Announcements announcements) {
    public String jobName() {
        return tree.jobName();
    }

    /** The registry, whose answers and events arrive on the coordination executor. */
    public Registry registry() {
        return connection.registry();
    }

    public RegistryTime registryTime() {
        return connection.registryTime();
    }

    /** The coordination executor, which runs one task at a time. */
    public Executor executor() {
        return connection.executor();
    }

    /**
     * A loop that reads and acts.
     *
     * @param subject what it is about, for the log
     */
    public ReconcileLoop loop(String subject, Supplier<CompletionStage<Next>> round) {
        return new ReconcileLoop("Job \"%s\" (%s)".formatted(jobName(), subject), connection, round);
    }

    /**
     * Asks the registry for its time. What is known of it is as old as the last commit that wrote, and what has passed
     * since is measured by a monotonic clock, which stands still with a virtual machine.
     */
    public CompletionStage<CommitOutcome> askTime(RegistrySession session) {
        RegistryCommit nothing =
                RegistryCommit.builder().assertAbsent(tree.clock()).build();
        return connection.commit(session, nothing);
    }
}
