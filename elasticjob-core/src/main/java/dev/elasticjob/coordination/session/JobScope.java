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

/**
 * What the parts of one job's coordination share.
 *
 * @param connection of the engine, as the executor sees it
 * @param executor the coordination executor, which runs one task at a time
 * @param events where to tell what happened; may be called on the executor only
 */
public record JobScope(
        JobTree tree,
        Registry registry,
        SharedConnection connection,
        Executor executor,
        Clock clock,
        RegistryTime registryTime,
        Consumer<JobEvent> events,
        Announcements announcements) {
    public String jobName() {
        return tree.jobName();
    }

    /**
     * Has the registry tell its time anew: what is known of it is as old as the last commit that wrote, and what has
     * passed since is told by a monotonic clock, which stands still with a virtual machine.
     */
    public CompletionStage<CommitOutcome> askTime(RegistrySession session) {
        RegistryCommit nothing =
                RegistryCommit.builder().assertAbsent(tree.clock()).build();
        return connection.commit(session, nothing);
    }
}
