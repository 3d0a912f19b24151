package dev.elasticjob.spring.history;

import java.util.Collection;
import java.util.List;
import java.util.Optional;
import java.util.SortedMap;

/**
 * The executions that the event trace has recorded, of all instances that write to the same tables. A bean where {@code
 * elasticjob.tracing.enabled} is true. An execution appears shortly after its start, and its outcome shortly after its end:
 * the trace is written in batches.
 *
 * <p>Thread-safe. Each method waits for the database for at most {@code elasticjob.tracing.query-timeout}, and throws a
 * {@link HistoryUnavailableException} if there is no answer by then.
 */
public interface JobHistory {
    /** Executions, and firings that did not run, with the latest scheduled time first. */
    HistoryPage executions(HistoryQuery query);

    /** One execution with the whole text of its failure; empty if there is none with this id. */
    Optional<HistoryEntry> execution(String id);

    /** What happened to one execution, in order. */
    List<StatusEntry> steps(String executionId);

    /**
     * Commands of operators, the latest first, also those that were refused: of the processes that write to the same
     * tables.
     */
    CommandPage commands(CommandQuery query);

    /**
     * The runs of a job with all their items: the latest ones, or those that continue an earlier answer.
     *
     * @param runs the number of runs, 1 to {@value RunGrid#MOST_RUNS}
     * @param before {@link RunGrid#next()} of the earlier answer; empty for the latest runs
     */
    RunGrid runs(String jobName, int runs, Optional<HistoryCursor> before);

    /**
     * How the latest runs of several jobs ended.
     *
     * @param jobNames at most {@value RunSummary#MOST_JOBS}
     * @param runs the most of each job, 1 to {@value RunSummary#MOST_RUNS}
     * @return the latest first, by job; jobs without any run are missing
     */
    SortedMap<String, List<RunSummary>> latest(Collection<String> jobNames, int runs);
}
