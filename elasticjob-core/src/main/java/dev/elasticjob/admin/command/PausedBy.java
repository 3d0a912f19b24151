package dev.elasticjob.admin.command;

import com.fasterxml.jackson.annotation.JsonInclude;
import com.fasterxml.jackson.annotation.JsonInclude.Include;
import dev.elasticjob.coordination.view.JobView;
import dev.elasticjob.coordination.view.PauseSwitch;
import dev.elasticjob.registry.JobTree;
import dev.elasticjob.registry.RegistryAnswer;
import dev.elasticjob.registry.RegistryNode;
import java.time.Instant;
import java.util.Optional;

/**
 * A pause that lasts.
 *
 * @param scope whether the job itself or all jobs of the namespace are paused
 * @param since by the registry's clock
 * @param actor the one who has paused; empty if the node was written by hand
 * @param reason empty if none was given
 * @param failures why {@code pauseAfterFailures} has paused the job; empty if it hasn't
 */
public record PausedBy(
        Scope scope,
        Instant since,
        String actor,
        String reason,
        @JsonInclude(Include.NON_ABSENT) Optional<RepeatedFailure> failures) {
    /** The actor of pauses by {@code pauseAfterFailures}. */
    public static final String AFTER_FAILURES = "pauseAfterFailures";

    /** What is paused. */
    public enum Scope {
        JOB,
        NAMESPACE
    }

    /**
     * What has paused the job: the executions of an item that have failed one after the other. Immutable.
     *
     * @param times how many
     * @param failure the first line of the last one, cut; empty if it isn't known
     */
    public record RepeatedFailure(int item, int times, String failure) {
        static RepeatedFailure of(PauseSwitch.FailedItem failed) {
            return new RepeatedFailure(failed.item(), failed.times(), failed.failure());
        }
    }

    static Optional<PausedBy> of(Scope scope, Optional<PauseSwitch> known) {
        return known.filter(PauseSwitch::paused)
                .map(pause -> new PausedBy(
                        scope,
                        pause.changed(),
                        pause.actor(),
                        pause.reason(),
                        pause.failures().map(RepeatedFailure::of)));
    }

    /** What pauses a job: its own pause, or else that of the namespace. */
    public static Optional<PausedBy> of(JobView job) {
        return of(Scope.JOB, job.jobPause()).or(() -> of(Scope.NAMESPACE, job.namespacePause()));
    }

    /** What pauses all jobs of the namespace, if the answer covers it. */
    public static Optional<PausedBy> ofNamespace(RegistryAnswer answer) {
        String path = JobTree.namespacePaused();
        Optional<RegistryNode> node = answer.covers(path) ? answer.node(path) : Optional.empty();
        return of(Scope.NAMESPACE, node.map(PauseSwitch::of));
    }

    /** For people: by whom, since when, and why. */
    @Override
    public String toString() {
        return "paused%s by %s since %s%s"
                .formatted(
                        scope == Scope.JOB ? "" : " with all jobs of the namespace",
                        actor.isEmpty() ? "an unknown person" : actor,
                        since,
                        reason.isEmpty() ? "" : " (" + reason + ")");
    }
}
