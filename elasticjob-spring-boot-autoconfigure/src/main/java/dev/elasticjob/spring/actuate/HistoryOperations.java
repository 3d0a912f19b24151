package dev.elasticjob.spring.actuate;

import dev.elasticjob.admin.command.UnknownTargetException;
import dev.elasticjob.admin.table.Argument;
import dev.elasticjob.admin.table.GivenArguments;
import dev.elasticjob.spring.actuate.HistoryBody.EntryBody;
import dev.elasticjob.spring.actuate.HistoryBody.ExecutionBody;
import dev.elasticjob.spring.actuate.HistoryBody.RunsBody;
import dev.elasticjob.spring.history.HistoryCursor;
import dev.elasticjob.spring.history.HistoryOutcome;
import dev.elasticjob.spring.history.HistoryQuery;
import dev.elasticjob.spring.history.JobHistory;
import java.util.List;
import java.util.Optional;
import java.util.function.Supplier;
import java.util.stream.Stream;

/**
 * What the endpoint answers about a job's history. Fails with an {@link UnknownTargetException} where nothing is there.
 *
 * @param history empty if the application has no event trace
 */
record HistoryOperations(Supplier<Optional<JobHistory>> history) {
    private static final int USUAL_RUNS = 50;

    /** What is looked for. */
    static HistoryQuery query(String job, GivenArguments given) {
        HistoryQuery query = HistoryQuery.all().ofJob(job);
        query = given.number("item").map(query::ofItem).orElse(query);
        query = given.text("runId").map(query::ofRun).orElse(query);
        query = given.time("from").map(query::from).orElse(query);
        query = given.time("until").map(query::until).orElse(query);
        query = given.value("after", HistoryCursor::parse).map(query::after).orElse(query);
        query = given.value("limit", HistoryOperations::limit).map(query::limit).orElse(query);
        return withOutcomes(query, given.value("outcome", HistoryOperations::outcomes));
    }

    private static int limit(String text) {
        return HistoryQuery.all().limit(Argument.number(text)).limit();
    }

    private static HistoryQuery withOutcomes(HistoryQuery query, Optional<List<HistoryOutcome>> outcomes) {
        return outcomes.map(some -> query.withOutcomes(some.get(0), some.toArray(HistoryOutcome[]::new)))
                .orElse(query);
    }

    /** One or several, separated by commas. */
    private static List<HistoryOutcome> outcomes(String text) {
        return Stream.of(text.split(",", -1))
                .map(String::strip)
                .map(HistoryOperations::outcome)
                .toList();
    }

    private static HistoryOutcome outcome(String name) {
        return Stream.of(HistoryOutcome.values())
                .filter(known -> known.name().equalsIgnoreCase(name))
                .findFirst()
                .orElseThrow(() -> new IllegalArgumentException(
                        "expected some of %s, separated by commas".formatted(List.of(HistoryOutcome.values()))));
    }

    /** Which runs are shown. */
    record RunsPage(int limit, Optional<HistoryCursor> after) {
        static RunsPage of(GivenArguments given) {
            return new RunsPage(
                    given.value("limit", HistoryOperations::limit).orElse(USUAL_RUNS),
                    given.value("after", HistoryCursor::parse));
        }
    }

    /** Entries, the latest first. */
    HistoryBody entries(HistoryQuery query) {
        return HistoryBody.of(present().executions(query));
    }

    /** The grid of a job's runs. */
    RunsBody runs(String job, RunsPage page) {
        return RunsBody.of(present().runs(job, page.limit(), page.after()));
    }

    /** One entry of a job's history with its steps. */
    ExecutionBody entry(String job, String id) {
        JobHistory present = present();
        return present.execution(id)
                .filter(found -> found.jobName().equals(job))
                .map(found -> new ExecutionBody(EntryBody.of(found), present.steps(id)))
                .orElseThrow(() -> new UnknownTargetException(
                        "The event trace has no entry \"%s\" of job \"%s\" (any more)".formatted(id, job)));
    }

    private JobHistory present() {
        return history.get()
                .orElseThrow(
                        () -> new UnknownTargetException(
                                "This application has no event trace, so it has no history: see docs/guide/history-and-alerts.md"));
    }
}
