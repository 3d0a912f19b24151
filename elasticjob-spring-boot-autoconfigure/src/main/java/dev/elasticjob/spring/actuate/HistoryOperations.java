package dev.elasticjob.spring.actuate;

import dev.elasticjob.spring.actuate.HistoryBody.EntryBody;
import dev.elasticjob.spring.actuate.HistoryBody.ExecutionBody;
import dev.elasticjob.spring.actuate.HistoryBody.RunsBody;
import dev.elasticjob.spring.history.HistoryCursor;
import dev.elasticjob.spring.history.HistoryOutcome;
import dev.elasticjob.spring.history.HistoryQuery;
import dev.elasticjob.spring.history.JobHistory;
import java.time.Instant;
import java.util.Optional;
import java.util.function.Supplier;
import org.jspecify.annotations.Nullable;
import org.springframework.boot.actuate.endpoint.OperationResponseBody;

/**
 * What the endpoint answers about a job's history. Null where nothing is there, which the Actuator answers with 404.
 *
 * @param history empty if the application has no event trace
 */
record HistoryOperations(Supplier<Optional<JobHistory>> history) {
    private static final String HISTORY = "history";
    private static final String RUNS = "runs";
    private static final int USUAL_RUNS = 50;

    /**
     * What is asked for; each may be null.
     *
     * @param outcome one or several, separated by commas
     * @param after where the answer before ended
     */
    record Filter(
            @Nullable Integer item,
            @Nullable String runId,
            @Nullable String outcome,
            @Nullable Instant from,
            @Nullable Instant until,
            @Nullable String after,
            @Nullable Integer limit) {
        HistoryQuery of(String job) {
            HistoryQuery query = HistoryQuery.all().ofJob(job);
            query = item == null ? query : query.ofItem(item);
            query = runId == null ? query : query.ofRun(runId);
            query = from == null ? query : query.from(from);
            query = until == null ? query : query.until(until);
            query = after == null ? query : query.after(HistoryCursor.parse(after));
            query = limit == null ? query : query.limit(limit);
            if (outcome != null) {
                String[] names = outcome.split(",");
                HistoryOutcome[] outcomes = new HistoryOutcome[names.length];
                for (int index = 0; index < names.length; index++) {
                    outcomes[index] = outcome(names[index].strip());
                }
                query = query.withOutcomes(outcomes[0], outcomes);
            }
            return query;
        }

        private static HistoryOutcome outcome(String name) {
            for (HistoryOutcome known : HistoryOutcome.values()) {
                if (known.name().equalsIgnoreCase(name)) {
                    return known;
                }
            }
            throw new IllegalArgumentException("Expected \"outcome\" to be some of %s, but it has \"%s\""
                    .formatted(java.util.List.of(HistoryOutcome.values()), name));
        }
    }

    /**
     * The view of a job: "history" for its entries, "runs" for the grid.
     *
     * @throws IllegalArgumentException when the filter can't be understood
     */
    @Nullable
    OperationResponseBody view(String job, String view, Filter filter) {
        JobHistory present = history.get().orElse(null);
        if (present == null) {
            return null;
        }
        return switch (view) {
            case HISTORY -> HistoryBody.of(present.executions(filter.of(job)));
            case RUNS ->
                RunsBody.of(present.runs(
                        job,
                        filter.limit() == null ? USUAL_RUNS : filter.limit(),
                        Optional.ofNullable(filter.after()).map(HistoryCursor::parse)));
            default -> null;
        };
    }

    /** One entry of a job's history with its steps. */
    @Nullable
    ExecutionBody entry(String job, String view, String id) {
        if (!view.equals(HISTORY)) {
            return null;
        }
        return history.get()
                .flatMap(present -> present.execution(id)
                        .filter(found -> found.jobName().equals(job))
                        .map(found -> new ExecutionBody(EntryBody.of(found), present.steps(id))))
                .orElse(null);
    }
}
