package dev.elasticjob.coordination;

import dev.elasticjob.registry.RegistryCommit;
import dev.elasticjob.registry.RegistrySession;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.CompletionStage;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Turns what operators' tools of 2.x and 3.x ask of this instance into manual runs of its items. One transaction asks
 * for the runs and removes what asked for them, so that each request counts once.
 *
 * <p>Confined to the coordination executor.
 */
final class OperatorTriggers {
    private static final Logger log = LoggerFactory.getLogger(OperatorTriggers.class);

    private final JobScope scope;

    OperatorTriggers(JobScope scope) {
        this.scope = scope;
    }

    /**
     * Answers what the view shows.
     *
     * @return empty when nothing was asked, or nothing is assigned yet; else completes when it is time to look again
     */
    Optional<CompletionStage<Boolean>> answer(RegistrySession session, JobView view, String ip) {
        RegistryCommit.Builder alongside = RegistryCommit.builder();
        List<String> runIds = new ArrayList<>();
        view.ownInstance().filter(NodeCodec::asksForRun).ifPresent(node -> {
            alongside.set(
                    scope.tree().instance(view.instance()), NodeCodec.instance(view.instance(), ip), node.version());
            runIds.add(NodeCodec.operatorsRun(node.mzxid()));
        });
        view.ownTrigger().ifPresent(node -> {
            alongside.delete(scope.tree().triggerOf(view.instance()), node.version());
            runIds.add(NodeCodec.operatorsRun(node.mzxid()));
        });
        if (runIds.isEmpty() || view.assignment().isEmpty()) {
            return Optional.empty();
        }
        ManualRun run = new ManualRun(runIds, "");
        return Optional.of(runs(session)
                .askWithAnyParameter(run, view.instance(), alongside.build())
                .thenApplyAsync(answer -> tell(run, answer), scope.executor()));
    }

    private ManualRuns runs(RegistrySession session) {
        return new ManualRuns(
                scope.tree(),
                scope.registry(),
                scope.executor(),
                commit -> scope.connection().commit(session, commit));
    }

    private boolean tell(ManualRun run, Optional<ManualRuns.Answer> answer) {
        answer.ifPresent(accepted -> log.info(
                "Job \"{}\": an operator asked for run \"{}\" here: items [{}] will run, disabled are [{}]",
                scope.jobName(),
                run.runId(),
                ItemRanges.text(List.copyOf(accepted.asked())),
                ItemRanges.text(List.copyOf(accepted.disabled()))));
        return true;
    }
}
