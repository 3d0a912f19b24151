package dev.elasticjob.coordination.run;

import dev.elasticjob.coordination.membership.InstanceRegistration;
import dev.elasticjob.coordination.session.JobScope;
import dev.elasticjob.coordination.session.Next;
import dev.elasticjob.coordination.state.ItemRanges;
import dev.elasticjob.coordination.state.ManualRun;
import dev.elasticjob.coordination.state.NodeCodec;
import dev.elasticjob.coordination.view.JobView;
import dev.elasticjob.definition.JobDefinition;
import dev.elasticjob.definition.text.LabelSelector;
import dev.elasticjob.registry.JobTree;
import dev.elasticjob.registry.RegistryAnswer;
import dev.elasticjob.registry.RegistryNode;
import dev.elasticjob.registry.RegistryRead;
import dev.elasticjob.registry.RegistrySession;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.CompletionStage;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Requests the run of a one-off job when its first instance starts. This is the instance that found no other one when
 * it joined. If several joined at the same time, it is the one with the oldest node. The run is named after that node,
 * so a repeated request is harmless, and continues in later sessions.
 *
 * <p>Decided once in the life of an instance, when it has joined. If the instance dies or loses its session before the
 * answer, the run is left to the next start. Confined to the coordination executor.
 */
public final class RunAtStart {
    private static final Logger log = LoggerFactory.getLogger(RunAtStart.class);

    private final JobScope scope;
    private final InstanceRegistration registration;
    private Optional<ManualRun> owed = Optional.empty();
    private boolean decided;

    public RunAtStart(JobScope scope, InstanceRegistration registration) {
        this.scope = scope;
        this.registration = registration;
    }

    /**
     * Takes the next step.
     *
     * @return empty if there is no step, or no instance could run it now
     */
    public Optional<CompletionStage<Next>> next(RegistrySession session, JobView view, JobDefinition definition) {
        if (view.assignment().isEmpty()) {
            return Optional.empty();
        }
        LabelSelector chosen = definition.instances();
        if (!decided
                && definition.runAtStart()
                && chosen.matches(registration.labels())
                && registration.hasMetNobody(chosen)) {
            return view.ownInstance().map(own -> decide(own, chosen));
        }
        decided = true;
        boolean canRun = !view.assignment().get().owners().isEmpty();
        return owed.filter(run -> canRun).map(run -> ask(session, run));
    }

    private CompletionStage<Next> decide(RegistryNode own, LabelSelector chosen) {
        JobTree tree = scope.tree();
        return scope.registry()
                .read(List.of(RegistryRead.children(tree.instances())))
                .thenCompose(answer -> {
                    List<String> living = answer.children(tree.instances()).stream()
                            .map(tree::instance)
                            .toList();
                    return scope.registry()
                            .read(RegistryRead.allData(living))
                            .thenApply(nodes -> decided(own, chosen, living, nodes));
                });
    }

    private Next decided(RegistryNode own, LabelSelector chosen, List<String> living, RegistryAnswer nodes) {
        decided = true;
        boolean oldest = living.stream()
                .flatMap(path -> nodes.node(path).stream())
                .filter(node -> chosen.mayMatch(NodeCodec.labels(node.text())))
                .noneMatch(node -> node.czxid() < own.czxid());
        if (oldest) {
            owed = Optional.of(ManualRun.of("start-" + Long.toHexString(own.czxid())));
        }
        return Next.AGAIN;
    }

    private CompletionStage<Next> ask(RegistrySession session, ManualRun run) {
        return new ManualRuns(scope, session).askWithAnyParameter(run).thenApply(answer -> asked(run, answer));
    }

    private Next asked(ManualRun run, Optional<ManualRuns.Answer> answer) {
        answer.ifPresent(accepted -> {
            owed = Optional.empty();
            log.info(
                    "Job \"{}\": this is the first instance, so it triggers run \"{}\" at start: items [{}] will run",
                    scope.jobName(),
                    run.runId(),
                    ItemRanges.text(List.copyOf(accepted.asked())));
        });
        return Next.AGAIN;
    }
}
