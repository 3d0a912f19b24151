package dev.elasticjob.admin.command;

import dev.elasticjob.coordination.view.NamespaceReader;
import dev.elasticjob.coordination.view.ReshardingRequest;
import dev.elasticjob.registry.JobTree;
import dev.elasticjob.registry.RegistryRead;
import java.util.concurrent.CompletionStage;

/** What is done to a job as a whole: its items are assigned anew, or it is removed. Thread-safe. */
public record WholeJobCommands(ExistingJobs jobs, GuardedWrites writes, CommandLog commands) {
    public CompletionStage<Void> reshard(String jobName) {
        JobTree tree = new JobTree(jobName);
        return commands.begin(jobName, "reshard")
                .reporting(
                        writes.repeat(
                                jobName,
                                () -> jobs.read(jobName, RegistryRead.allData(tree.necessary()))
                                        .thenCompose(job -> writes.attempt(
                                                ReshardingRequest.of(tree, job).raised(), true))),
                        done -> "requested")
                .thenAccept(done -> {});
    }

    public CompletionStage<Void> remove(String jobName) {
        CompletionStage<Void> removal = NamespaceReader.isName(jobName)
                ? new JobRemoval(jobs.registry(), writes, new JobTree(jobName)).begin()
                : ExistingJobs.noName(jobName);
        return commands.begin(jobName, "remove").reporting(removal, done -> "removed");
    }
}
