package dev.elasticjob.admin.command;

import dev.elasticjob.coordination.run.ManualRuns;
import dev.elasticjob.coordination.state.ManualRun;
import java.util.Optional;
import java.util.concurrent.CompletionStage;

/** Requests that failed items run again: the step "ask again" of {@code docs/internals/protocol.md}. Thread-safe. */
final class FailedRuns {
    private final String jobName;
    private final ManualRuns runs;

    /** @param runs of that job */
    public FailedRuns(String jobName, ManualRuns runs) {
        this.jobName = jobName;
        this.runs = runs;
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
        CancelTarget target = CancelTarget.of(jobName, runId);
        return runs.repeat(again, record -> target.isShownBy(record) && record.letsRepeat(record.repeated()))
                .thenApply(answer -> {
                    answer.filter(found ->
                                    found.asked().isEmpty() && found.disabled().isEmpty())
                            .ifPresent(none -> {
                                throw new IllegalStateException(
                                        ("No item of job \"%s\" is known to have failed in run \"%s\": none has, or later"
                                                        + " runs have replaced it. To run all items, trigger the job")
                                                .formatted(jobName, runId));
                            });
                    return answer;
                });
    }
}
