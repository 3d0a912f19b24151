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
 * Shared by all parts of one job's coordination.
 *
 * @param connection of the engine
 * @param events receives events; called on the coordination executor only
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

    /** @param subject the subject of its log lines */
    public ReconcileLoop loop(String subject, Supplier<CompletionStage<Next>> round) {
        return connection.loop("Job \"%s\" (%s)".formatted(jobName(), subject), round);
    }

    /** Belongs to each transaction that starts an execution: this instance is in the job, and its tokens' base is in force. */
    public RegistryCommit startGuard(String instance) {
        return RegistryCommit.builder()
                .check(tree.instance(instance), RegistryCommit.ANY_VERSION)
                .addAll(connection.fencing().check())
                .build();
    }

    /**
     * Asks the registry for its time. The known time is that of the last commit that wrote, plus the time measured
     * since by a monotonic clock, which stands still while a virtual machine is paused.
     */
    public CompletionStage<CommitOutcome> askTime(RegistrySession session) {
        RegistryCommit nothing =
                RegistryCommit.builder().assertAbsent(tree.clock()).build();
        return connection.commit(session, nothing);
    }
}
