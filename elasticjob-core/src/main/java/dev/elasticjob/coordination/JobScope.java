package dev.elasticjob.coordination;

import dev.elasticjob.job.JobEvent;
import dev.elasticjob.registry.JobTree;
import dev.elasticjob.registry.Registry;
import java.time.Clock;
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
        RegistryConnection connection,
        Executor executor,
        Clock clock,
        RegistryTime registryTime,
        Consumer<JobEvent> events,
        Announcements announcements) {
    String jobName() {
        return tree.jobName();
    }
}
