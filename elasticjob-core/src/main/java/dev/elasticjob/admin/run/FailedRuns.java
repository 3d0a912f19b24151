package dev.elasticjob.admin.run;

import dev.elasticjob.coordination.manual.ManualRuns;
import dev.elasticjob.coordination.state.ManualRun;
import dev.elasticjob.registry.JobTree;
import dev.elasticjob.registry.Registry;
import java.util.Optional;
import java.util.concurrent.CompletionStage;

/** Requests that failed items run again: the step "ask again" of {@code docs/internals/protocol.md}. Thread-safe. */
public final class FailedRuns {
    private final JobTree tree;
    private final ManualRuns runs;

    public FailedRuns(Registry registry, JobTree tree) {
        this.tree = tree;
        this.runs = new ManualRuns(tree, registry, registry::commit);
    }

    /**
     * Makes one attempt to request that the items which failed in a run repeat it.
     *
     * @param runId the firing or manual run
     * @param again the new request
     * @return empty if other writers came in between: try again. Fails with {@link IllegalStateException} if no item is
     *     known to have failed in that run
     */
    public CompletionStage<Optional<ManualRuns.Answer>> ask(String runId, ManualRun again) {
        Target target = Target.of(tree.jobName(), runId);
        return runs.repeat(again, record -> target.isShownBy(record) && record.letsRepeat(record.repeated()))
                .thenApply(answer -> {
                    answer.filter(found ->
                                    found.asked().isEmpty() && found.disabled().isEmpty())
                            .ifPresent(none -> {
                                throw new IllegalStateException(
                                        ("No item of job \"%s\" is known to have failed in run \"%s\": none has, or later"
                                                        + " runs have replaced it. To run all items, trigger the job")
                                                .formatted(tree.jobName(), runId));
                            });
                    return answer;
                });
    }
}
