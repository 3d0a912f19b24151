package dev.elasticjob.admin.explain;

import dev.elasticjob.admin.explain.ConditionTexts.Place;
import dev.elasticjob.admin.explain.Explanation.Condition;
import dev.elasticjob.admin.explain.Explanation.Reason;
import dev.elasticjob.coordination.claim.ItemObstacles.Obstacle;
import dev.elasticjob.coordination.view.ParentJob;
import dev.elasticjob.definition.AfterSettings;
import java.util.Optional;

/** What an item waits for that is not due, in words. Pure. */
final class DueTexts {
    private DueTexts() {}

    /** @param after the jobs that this one runs after */
    static Condition notDue(Obstacle.NotDue notDue, AfterSettings after, Place record) {
        String lost = notDue.lost()
                .map(firing -> "; the firing of %s was missed, and misfire is off".formatted(firing))
                .orElse("");
        if (notDue.next().isPresent()) {
            return ConditionTexts.holds(
                    Reason.NOT_DUE,
                    "The item is not due before %s%s".formatted(notDue.next().get(), lost),
                    record.until(notDue.next()),
                    "Trigger the job to run it now");
        }
        return after.jobs().isEmpty()
                ? ConditionTexts.holds(
                        Reason.NEVER_DUE,
                        "The job has no further firing" + lost,
                        record,
                        "Trigger the job to run it now")
                : waitsFor(after, record);
    }

    /** @param follower the node by which the other job knows this one */
    static Condition notFollowed(String parent, ParentJob.Problem problem, String follower) {
        return ConditionTexts.holds(
                Reason.PARENT_NOT_FOLLOWED,
                "The job does not run after \"%s\" at present: %s".formatted(parent, problem.fact()),
                Place.absent(follower),
                problem.remedy());
    }

    private static Condition waitsFor(AfterSettings after, Place record) {
        String jobs = "\"" + String.join("\", \"", after.jobs()) + "\"";
        String ended = switch (after.outcome()) {
            case SUCCESS -> "succeeded";
            case FAILURE -> "failed";
            case ANY -> "ended";
        };
        String waits = after.jobs().size() == 1
                ? "The job runs after each firing of %s that has %s, and has run after all of them"
                        .formatted(jobs, ended)
                : "The job runs after each firing that has %s in all of these jobs, and has run after all of them: %s"
                        .formatted(ended, jobs);
        return ConditionTexts.holds(
                Reason.WAITS_FOR_OTHER_JOBS,
                waits,
                record.until(Optional.empty()),
                "Look at the firings of the jobs before it, or trigger the job to run it now");
    }
}
