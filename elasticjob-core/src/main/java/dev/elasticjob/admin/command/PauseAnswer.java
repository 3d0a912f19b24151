package dev.elasticjob.admin.command;

import java.time.Duration;
import java.util.Collections;
import java.util.Optional;
import java.util.SortedSet;
import java.util.TreeSet;

/**
 * The answer to a command that pauses or resumes.
 *
 * @param changed whether it has changed anything; false if it was already so
 * @param notYet after a command that pauses: the jobs for which the pause is stored, but not in force, because no leader
 *     has answered in time. Their instances may still start executions. It comes into force as soon as an instance
 *     leads, without another command
 * @param paused what pauses the job, or the namespace, now. After a job is resumed, the namespace may still pause it
 */
public record PauseAnswer(boolean changed, SortedSet<String> notYet, Optional<PausedBy> paused) {
    /** The time after which a command that pauses or drains answers at the latest, whether or not it is in force. */
    public static final Duration LONGEST_WAIT = PlanWaits.PATIENCE;

    public PauseAnswer {
        notYet = Collections.unmodifiableSortedSet(new TreeSet<>(notYet));
    }

    /** Whether the command is in force everywhere. */
    public boolean inForce() {
        return notYet.isEmpty();
    }
}
