package dev.elasticjob.admin.command;

import dev.elasticjob.coordination.state.ItemRanges;
import java.util.SortedSet;

/** There is no such job, item or server. The message names it. */
public final class UnknownTargetException extends IllegalArgumentException {
    private static final long serialVersionUID = 1L;

    public UnknownTargetException(String message) {
        super(message);
    }

    /**
     * For items that the job doesn't have.
     *
     * @param hint what the job has, or what to check
     */
    public static UnknownTargetException ofItems(String jobName, SortedSet<Integer> unknown, String hint) {
        return new UnknownTargetException(
                "Job \"%s\" has no %s: %s".formatted(jobName, ItemRanges.named(unknown), hint));
    }
}
