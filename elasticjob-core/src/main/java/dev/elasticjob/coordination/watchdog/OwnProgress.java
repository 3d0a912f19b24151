package dev.elasticjob.coordination.watchdog;

import java.util.Optional;

/** What this instance knows of what it executes. Called on the coordination executor. */
public interface OwnProgress {
    /** How far the execution of an item has come here; empty if it has no thread yet. */
    Optional<ExecutionProgress> of(int item);

    /** Who has all the threads that the job's items could get; empty if some are free, or it isn't known. */
    String threads();
}
