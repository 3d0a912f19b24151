package dev.elasticjob.spring.test;

import dev.elasticjob.job.event.JobEvent;
import dev.elasticjob.job.event.JobEvent.FiringsLost;
import dev.elasticjob.job.event.JobEvent.ItemCancelled;
import dev.elasticjob.job.event.JobEvent.ItemInterrupted;
import dev.elasticjob.job.event.JobEvent.ItemRefused;
import dev.elasticjob.job.event.JobEvent.ManualRunDropped;
import java.util.List;
import java.util.SortedSet;
import java.util.function.Predicate;

/**
 * Decides whether a firing is over.
 *
 * @param runId of a manual run; empty for a firing by the schedule
 * @param belongs which of the job's executions are for it
 * @param failover whether an interrupted item runs again
 */
record Ends(String jobName, SortedSet<Integer> items, String runId, Predicate<Execution> belongs, boolean failover) {
    boolean areAllIn(Journal.Page page) {
        return items.stream().allMatch(item -> isOver(item, page));
    }

    Firing firing(Journal.Page page) {
        return new Firing(jobName, items, executions(page));
    }

    private List<Execution> executions(Journal.Page page) {
        return page.executions().stream()
                .filter(run -> run.jobName().equals(jobName) && items.contains(run.item()))
                .filter(belongs)
                .toList();
    }

    private boolean isOver(int item, Journal.Page page) {
        return executions(page).stream().anyMatch(run -> run.item() == item && run.isOver())
                || page.events().stream().anyMatch(event -> isDropped(item, event) || isRefused(item, event))
                || (!failover && executions(page).stream().anyMatch(run -> isInterrupted(item, run)))
                || isGivenUp(item, page.events());
    }

    private boolean isDropped(int item, JobEvent event) {
        return event instanceof ManualRunDropped dropped
                && dropped.jobName().equals(jobName)
                && dropped.item() == item
                && dropped.runIds().contains(runId);
    }

    /** Its listeners have failed before the first item. */
    private boolean isRefused(int item, JobEvent event) {
        return event instanceof ItemRefused refused
                && refused.jobName().equals(jobName)
                && refused.item() == item
                && (runId.isEmpty() || List.of(refused.runId().split(",")).contains(runId));
    }

    private static boolean isInterrupted(int item, Execution run) {
        return run.item() == item && run.state() == Execution.State.INTERRUPTED;
    }

    /** Found interrupted, and not to be repeated, at all or any more. */
    private boolean isGivenUp(int item, List<JobEvent> events) {
        boolean interrupted = events.stream()
                .anyMatch(event -> event instanceof ItemInterrupted found
                        && found.jobName().equals(jobName)
                        && found.item() == item);
        boolean lost = events.stream()
                .anyMatch(event ->
                        event instanceof FiringsLost loss && loss.jobName().equals(jobName) && loss.item() == item);
        boolean cancelled = events.stream()
                .anyMatch(event ->
                        event instanceof ItemCancelled one && one.jobName().equals(jobName) && one.item() == item);
        return interrupted && (!failover || lost || cancelled);
    }
}
