package dev.elasticjob.admin.command;

import dev.elasticjob.coordination.view.JobView;
import dev.elasticjob.coordination.view.PauseSwitch;
import java.time.Instant;
import java.util.Optional;

/**
 * A pause that lasts.
 *
 * @param scope whether the job itself or all jobs of the namespace are paused
 * @param since by the registry's clock
 * @param actor the one who has paused; empty if the node was written by hand
 * @param reason empty if none was given
 */
public record PausedBy(Scope scope, Instant since, String actor, String reason) {
    /** What is paused. */
    public enum Scope {
        JOB,
        NAMESPACE
    }

    static Optional<PausedBy> of(Scope scope, Optional<PauseSwitch> known) {
        return known.filter(PauseSwitch::paused)
                .map(pause -> new PausedBy(scope, pause.changed(), pause.actor(), pause.reason()));
    }

    /** What pauses a job: its own pause, or else that of the namespace. */
    public static Optional<PausedBy> of(JobView job) {
        return of(Scope.JOB, job.jobPause()).or(() -> of(Scope.NAMESPACE, job.namespacePause()));
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
