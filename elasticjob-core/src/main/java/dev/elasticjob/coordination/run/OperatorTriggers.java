package dev.elasticjob.coordination.run;

import dev.elasticjob.coordination.session.JobScope;
import dev.elasticjob.coordination.session.Next;
import dev.elasticjob.coordination.state.Assignment;
import dev.elasticjob.coordination.state.ItemRanges;
import dev.elasticjob.coordination.state.ManualRun;
import dev.elasticjob.coordination.state.NodeCodec;
import dev.elasticjob.coordination.view.JobView;
import dev.elasticjob.registry.RegistryCommit;
import dev.elasticjob.registry.RegistrySession;
import java.time.DateTimeException;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.List;
import java.util.Optional;
import java.util.Set;
import java.util.concurrent.CompletionStage;
import java.util.function.Predicate;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Turns a request of an operator's tool of 2.x or 3.x into a manual run of the whole job. The tools write to all
 * instances, one after the other, and items may move in the meantime. So the first instance that answers requests every
 * item, and the others find its run among the last ones. One transaction requests the run and deletes the tool's
 * request.
 *
 * <p>Confined to the coordination executor.
 */
public final class OperatorTriggers {
    private static final Logger log = LoggerFactory.getLogger(OperatorTriggers.class);
    private static final String RUN_ID = "operator-";
    /** The time that a tool may take to write to all instances. */
    private static final Duration ONE_REQUEST = Duration.ofSeconds(10);

    private final JobScope scope;
    /** The runs by which this instance has answered: another request to it within that time is for another run. */
    private final Set<String> answeredHere = new HashSet<>();

    public OperatorTriggers(JobScope scope) {
        this.scope = scope;
    }

    /**
     * Answers the request that the view shows.
     *
     * @param shown what this instance's node holds otherwise
     * @return empty if there is no request, or no assignment yet
     */
    public Optional<CompletionStage<Next>> answer(RegistrySession session, JobView view, String shown) {
        RegistryCommit.Builder alongside = RegistryCommit.builder();
        List<Instant> asked = new ArrayList<>();
        view.ownInstance().filter(NodeCodec::asksForRun).ifPresent(node -> {
            alongside.set(scope.tree().instance(view.instance()), shown, node.version());
            asked.add(node.modified());
        });
        view.ownTrigger().ifPresent(node -> {
            alongside.delete(scope.tree().triggerOf(view.instance()), node.version());
            asked.add(node.modified());
        });
        if (asked.isEmpty() || view.assignment().isEmpty()) {
            return Optional.empty();
        }
        Request request = new Request(asked.get(asked.size() - 1));
        // Even if the answer is lost, the run must not be taken for one of another instance.
        answeredHere.add(request.runId());
        return Optional.of(new ManualRuns(scope, session)
                .askForTool(ManualRun.of(request.runId()), request, alongside.build())
                .thenApply(answer -> report(request, answer, view.assignment().get())));
    }

    /** A tool's request to this instance, which the tool may have sent to others too. */
    private final class Request implements Predicate<List<String>> {
        private final Instant asked;
        private Optional<String> joint = Optional.empty();

        private Request(Instant asked) {
            this.asked = asked;
        }

        private String runId() {
            return RUN_ID + asked;
        }

        /** Whether another instance has already answered this request with one of the last runs. */
        @Override
        public boolean test(List<String> lastRuns) {
            answeredHere.removeIf(run -> !run.equals(runId()) && !isNear(run));
            joint = lastRuns.stream()
                    .filter(run -> run.equals(runId()) || (isNear(run) && !answeredHere.contains(run)))
                    .findFirst();
            return joint.isPresent();
        }

        private boolean isNear(String run) {
            return askedAt(run)
                    .filter(other -> Duration.between(other, asked).abs().compareTo(ONE_REQUEST) <= 0)
                    .isPresent();
        }
    }

    private static Optional<Instant> askedAt(String run) {
        try {
            return run.startsWith(RUN_ID)
                    ? Optional.of(Instant.parse(run.substring(RUN_ID.length())))
                    : Optional.empty();
        } catch (DateTimeException byHand) {
            return Optional.empty();
        }
    }

    private Next report(Request request, Optional<ManualRuns.Answer> answer, Assignment assignment) {
        if (answer.isPresent() && request.joint.isPresent()) {
            answeredHere.add(request.joint.get());
            log.debug(
                    "Job \"{}\": the trigger for run \"{}\" also reached this instance",
                    scope.jobName(),
                    request.joint.get());
        } else {
            answer.ifPresent(accepted -> report(request.runId(), accepted, assignment));
        }
        return Next.AGAIN;
    }

    private void report(String runId, ManualRuns.Answer answer, Assignment assignment) {
        String disabled = ItemRanges.text(List.copyOf(answer.disabled()));
        if (!answer.asked().isEmpty()) {
            log.info(
                    "Job \"{}\": an operator triggered run \"{}\": items [{}] will run{}",
                    scope.jobName(),
                    runId,
                    ItemRanges.text(List.copyOf(answer.asked())),
                    disabled.isEmpty() ? "" : "; items [%s] are disabled".formatted(disabled));
        } else if (!answer.disabled().isEmpty()) {
            log.warn(
                    "Job \"{}\": an operator triggered run \"{}\", but all items are disabled: [{}]. Nothing runs;"
                            + " enable them and trigger the run again",
                    scope.jobName(),
                    runId,
                    disabled);
        } else if (assignment.isHeld()) {
            log.warn(
                    "Job \"{}\": an operator triggered run \"{}\", but instances of other software take part in the"
                            + " job: {}. Nothing runs; stop them and trigger the run again",
                    scope.jobName(),
                    runId,
                    assignment.holders());
        } else {
            log.warn(
                    "Job \"{}\": an operator triggered run \"{}\", but no instance owns items, because"
                            + " operators have paused the job or disabled all servers, or the last instance is leaving."
                            + " Nothing runs; resume the job, enable a server or start an instance, then trigger the"
                            + " run again",
                    scope.jobName(),
                    runId);
        }
    }
}
