package dev.elasticjob.admin.explain;

import dev.elasticjob.admin.explain.ConditionTexts.Place;
import dev.elasticjob.admin.explain.Explanation.Condition;
import dev.elasticjob.admin.explain.Explanation.Reason;
import dev.elasticjob.coordination.claim.ItemObstacles.Obstacle;
import dev.elasticjob.coordination.state.DelayedFiring;
import dev.elasticjob.coordination.state.FailureStreak;
import dev.elasticjob.coordination.state.ItemRanges;
import dev.elasticjob.coordination.state.ItemRecord;
import dev.elasticjob.coordination.view.ParentJob;
import dev.elasticjob.definition.AfterSettings;
import dev.elasticjob.time.DurationText;
import java.time.Duration;
import java.time.Instant;
import java.util.List;
import java.util.NavigableSet;
import java.util.Optional;

/** What an item waits for that is not due, in words. Pure. */
final class DueTexts {
    private DueTexts() {}

    /**
     * @param onRequest whether the job has no schedule
     * @param after the jobs that this one runs after
     */
    static Condition notDue(Obstacle.NotDue notDue, boolean onRequest, AfterSettings after, Place record) {
        String lost = notDue.lost().map(Instant::toString).orElse("");
        String delayed = notDue.delayed().map(Instant::toString).orElse("");
        String skipped = notDue.skipped().map(Instant::toString).orElse("");
        if (notDue.next().isPresent()) {
            return ConditionTexts.holds(
                    Reason.NOT_DUE,
                    Fact.NOT_DUE.of("next", notDue.next().get(), "lost", lost, "skipped", skipped, "delayed", delayed),
                    record.until(notDue.next()),
                    Remedy.TRIGGER.of());
        }
        if (onRequest && after.jobs().isEmpty()) {
            return ConditionTexts.holds(Reason.ON_REQUEST, Fact.ON_REQUEST.of(), record, Remedy.TRIGGER.of());
        }
        return after.jobs().isEmpty()
                ? ConditionTexts.holds(
                        Reason.NEVER_DUE,
                        Fact.NEVER_DUE.of("lost", lost, "skipped", skipped),
                        record,
                        Remedy.TRIGGER.of())
                : waitsFor(after, record);
    }

    /** Of a job with a fixed delay, whose last firing has not ended. */
    static Condition goesOn(
            Duration delay, String jobName, DelayedFiring last, NavigableSet<Integer> unfinished, Place place) {
        return ConditionTexts.holds(
                Reason.NOT_DUE,
                Fact.LAST_FIRING_GOES_ON.of(
                        "pause",
                        DurationText.of(delay),
                        "run",
                        jobName + ItemRecord.FIRING + last.at(),
                        "unfinished",
                        ItemRanges.text(List.copyOf(unfinished))),
                place,
                unfinished.isEmpty() ? Remedy.TRIGGER.of() : Remedy.WAIT_OR_CANCEL.of("item", unfinished.first()));
    }

    /** Of one whose last firing has ended, or that has had none. */
    static Condition delayed(
            Duration delay, Optional<DelayedFiring> last, Optional<Instant> next, Instant registryNow, Place place) {
        if (next.isEmpty()) {
            return ConditionTexts.holds(
                    Reason.NEVER_DUE, Fact.NEVER_DUE.of("lost", "", "skipped", ""), place, Remedy.TRIGGER.of());
        }
        boolean later = next.get().isAfter(registryNow);
        Fact fact = last.isEmpty()
                ? (later ? Fact.FIRST_FIRING_LATER : Fact.FIRST_FIRING_DUE)
                : (later ? Fact.DELAY_NOT_OVER : Fact.DELAY_OVER);
        return ConditionTexts.holds(
                Reason.NOT_DUE,
                fact.of("pause", DurationText.of(delay), "next", next.get()),
                place.until(next),
                (later ? Remedy.TRIGGER : Remedy.WAIT_FOR_RUNS).of());
    }

    /** @param follower the node by which the other job knows this one */
    static Condition notFollowed(String parent, ParentJob.Problem problem, String follower) {
        Fact fact = switch (problem) {
            case NOT_REGISTERED -> Fact.PARENT_NOT_REGISTERED;
            case ABSENT -> Fact.PARENT_ABSENT;
            case NOT_RECORDED -> Fact.PARENT_NOT_RECORDED;
        };
        Remedy remedy = switch (problem) {
            case NOT_REGISTERED -> Remedy.CHECK_REGISTRATION;
            case ABSENT -> Remedy.CHECK_PARENT;
            case NOT_RECORDED -> Remedy.RECORD_PARENT;
        };
        return ConditionTexts.holds(
                Reason.PARENT_NOT_FOLLOWED, fact.of("job", parent), Place.absent(follower), remedy.of());
    }

    /** @param failing the first failure in a row of the other job */
    static Condition fails(String parent, FailureStreak failing) {
        return ConditionTexts.holds(
                Reason.PARENT_FAILED,
                Fact.PARENT_FAILS.of(
                        "job", parent, "since", String.valueOf(failing.since()), "problem", failing.last()),
                Place.NONE.since(Optional.ofNullable(failing.since())),
                Remedy.MEND_PARENT.of("job", parent));
    }

    private static Condition waitsFor(AfterSettings after, Place record) {
        String jobs = "\"" + String.join("\", \"", after.jobs()) + "\"";
        boolean one = after.jobs().size() == 1;
        Fact fact = switch (after.outcome()) {
            case SUCCESS -> one ? Fact.AFTER_SUCCESS : Fact.AFTER_SUCCESS_OF_ALL;
            case FAILURE -> one ? Fact.AFTER_FAILURE : Fact.AFTER_FAILURE_OF_ALL;
            case ANY -> one ? Fact.AFTER_ANY : Fact.AFTER_ANY_OF_ALL;
        };
        return ConditionTexts.holds(
                Reason.WAITS_FOR_OTHER_JOBS,
                fact.of("jobs", jobs),
                record.until(Optional.empty()),
                Remedy.LOOK_AT_PARENTS.of());
    }
}
