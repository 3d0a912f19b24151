package dev.elasticjob.console.history;

import java.util.List;
import java.util.Optional;
import java.util.SortedMap;
import java.util.SortedSet;

/**
 * Where the executions of the past are recorded. Thread-safe. Each method may block until its own time limit, and then
 * throws {@link HistoryAwayException}.
 */
public interface ConsoleHistory {
    /** The most firings of one answer. */
    int MOST_FIRINGS = 50;

    /**
     * The firings and manual runs of a job with their items, the latest first.
     *
     * @param before {@link Firings#next()} of an earlier answer; empty for the latest ones
     * @throws IllegalArgumentException if that is no such value
     */
    Firings firings(String job, Optional<String> before);

    /**
     * How the latest firings and manual runs of several jobs ended, the latest first. Jobs without any are missing.
     *
     * @param jobs at most as many as a page has
     * @param most of each job, at most {@link #MOST_FIRINGS}
     */
    SortedMap<String, List<Firings.End>> latest(SortedSet<String> jobs, int most);

    /**
     * Executions of all jobs.
     *
     * @throws IllegalArgumentException if a value of the filter can't be used
     */
    Executions executions(Executions.Filter filter);

    /** What happened to one execution, in order. */
    List<Executions.Step> steps(String id);

    /**
     * What people have done.
     *
     * @throws IllegalArgumentException if a value of the filter can't be used
     */
    Operations operations(Operations.Filter filter);

    /** One execution with the whole text of its failure; empty if there is none with this id. */
    Optional<Entry> entry(String id);
}
