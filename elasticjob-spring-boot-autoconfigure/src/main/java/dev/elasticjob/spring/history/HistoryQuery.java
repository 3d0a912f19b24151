package dev.elasticjob.spring.history;

import java.time.Instant;
import java.util.EnumSet;
import java.util.Optional;
import java.util.OptionalInt;
import java.util.Set;

/**
 * What to look for, for example {@code HistoryQuery.all().ofJob("orders").withOutcomes(FAILED, TIMEOUT).from(yesterday)}.
 *
 * @param runId also finds an execution that answers this request together with others. The id of a request, which has no
 *     {@code @}, should come with the name of its job, or the database reads all entries
 * @param outcomes any if empty
 * @param from the earliest scheduled time
 * @param until the first scheduled time that is too late
 * @param after where the page before ended
 * @param limit the number of entries, 1 to {@value #MOST}
 */
public record HistoryQuery(
        Optional<String> jobName,
        OptionalInt item,
        Optional<String> runId,
        Set<HistoryOutcome> outcomes,
        Optional<Instant> from,
        Optional<Instant> until,
        Optional<HistoryCursor> after,
        int limit) {
    /** The longest page. */
    public static final int MOST = 1_000;

    private static final int USUAL = 100;

    public HistoryQuery {
        outcomes = Set.copyOf(outcomes);
        if (limit < 1 || limit > MOST) {
            throw new IllegalArgumentException(
                    "Expected a limit of 1 to %d entries, but was %d".formatted(MOST, limit));
        }
    }

    /** Everything, in pages of 100. */
    public static HistoryQuery all() {
        return new HistoryQuery(
                Optional.empty(),
                OptionalInt.empty(),
                Optional.empty(),
                Set.of(),
                Optional.empty(),
                Optional.empty(),
                Optional.empty(),
                USUAL);
    }

    public HistoryQuery ofJob(String name) {
        return new HistoryQuery(Optional.of(name), item, runId, outcomes, from, until, after, limit);
    }

    public HistoryQuery ofItem(int number) {
        return new HistoryQuery(jobName, OptionalInt.of(number), runId, outcomes, from, until, after, limit);
    }

    public HistoryQuery ofRun(String id) {
        return new HistoryQuery(jobName, item, Optional.of(id), outcomes, from, until, after, limit);
    }

    public HistoryQuery withOutcomes(HistoryOutcome first, HistoryOutcome... more) {
        return new HistoryQuery(jobName, item, runId, EnumSet.of(first, more), from, until, after, limit);
    }

    public HistoryQuery from(Instant time) {
        return new HistoryQuery(jobName, item, runId, outcomes, Optional.of(time), until, after, limit);
    }

    public HistoryQuery until(Instant time) {
        return new HistoryQuery(jobName, item, runId, outcomes, from, Optional.of(time), after, limit);
    }

    /** Continues after a page. */
    public HistoryQuery after(HistoryCursor cursor) {
        return new HistoryQuery(jobName, item, runId, outcomes, from, until, Optional.of(cursor), limit);
    }

    public HistoryQuery limit(int entries) {
        return new HistoryQuery(jobName, item, runId, outcomes, from, until, after, entries);
    }
}
