package dev.elasticjob.console.autoconfigure;

import dev.elasticjob.console.history.ConsoleHistory;
import dev.elasticjob.console.history.Entry;
import dev.elasticjob.console.history.Executions;
import dev.elasticjob.console.history.Firings;
import dev.elasticjob.console.history.HistoryAwayException;
import dev.elasticjob.console.history.Operations;
import dev.elasticjob.spring.history.CommandEntry;
import dev.elasticjob.spring.history.CommandPage;
import dev.elasticjob.spring.history.CommandQuery;
import dev.elasticjob.spring.history.HistoryCursor;
import dev.elasticjob.spring.history.HistoryEntry;
import dev.elasticjob.spring.history.HistoryOutcome;
import dev.elasticjob.spring.history.HistoryPage;
import dev.elasticjob.spring.history.HistoryQuery;
import dev.elasticjob.spring.history.HistoryUnavailableException;
import dev.elasticjob.spring.history.JobHistory;
import dev.elasticjob.spring.history.RunGrid;
import dev.elasticjob.spring.history.RunSummary;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.OptionalInt;
import java.util.Set;
import java.util.SortedMap;
import java.util.SortedSet;
import java.util.TreeMap;
import java.util.function.Supplier;

/** The history that an event trace has recorded, as the console shows it. Thread-safe. */
public final class TracedHistory implements ConsoleHistory {
    private final JobHistory history;

    public TracedHistory(JobHistory history) {
        this.history = history;
    }

    @Override
    public Firings firings(String job, Optional<String> before) {
        Optional<HistoryCursor> from = before.map(HistoryCursor::parse);
        RunGrid grid = ask(() -> history.runs(job, MOST_FIRINGS, from));
        return new Firings(
                grid.runs().stream().map(TracedHistory::firing).toList(),
                grid.next().map(HistoryCursor::text));
    }

    private static Firings.Firing firing(RunGrid.Run run) {
        Map<Integer, Firings.Cell> items = new TreeMap<>();
        run.cells().forEach((item, cells) -> items.put(item, cell(cells)));
        return new Firings.Firing(run.runId(), run.scheduledTime(), items);
    }

    private static Firings.Cell cell(List<RunGrid.Cell> cells) {
        RunGrid.Cell last = cells.get(cells.size() - 1);
        return new Firings.Cell(
                last.id(), last.outcome().name(), cells.size(), last.instance(), last.startTime(), last.completeTime());
    }

    @Override
    public SortedMap<String, List<Firings.End>> latest(SortedSet<String> jobs, int most) {
        SortedMap<String, List<Firings.End>> ends = new TreeMap<>();
        ask(() -> history.latest(jobs, most))
                .forEach((job, runs) ->
                        ends.put(job, runs.stream().map(TracedHistory::end).toList()));
        return ends;
    }

    private static Firings.End end(RunSummary run) {
        return new Firings.End(
                run.runId(),
                run.scheduledTime(),
                run.outcome().name(),
                run.items(),
                run.completed(),
                run.startTime(),
                run.completeTime());
    }

    @Override
    public Optional<Entry> entry(String id) {
        return ask(() -> history.execution(id)).map(TracedHistory::entry);
    }

    private static Entry entry(HistoryEntry found) {
        return new Entry(
                found.id(),
                found.jobName(),
                found.item(),
                found.runId(),
                found.scheduledTime(),
                found.outcome().name(),
                found.attempt(),
                found.retries(),
                found.missedFirings(),
                found.actor(),
                found.instance(),
                found.startTime(),
                found.completeTime(),
                found.failure());
    }

    @Override
    public Executions executions(Executions.Filter filter) {
        HistoryQuery query = new HistoryQuery(
                filter.job(),
                filter.item().map(OptionalInt::of).orElseGet(OptionalInt::empty),
                filter.run(),
                filter.outcome().map(HistoryOutcome::valueOf).map(Set::of).orElse(Set.of()),
                filter.from(),
                filter.until(),
                filter.before().map(HistoryCursor::parse),
                filter.limit());
        HistoryPage page = ask(() -> history.executions(query));
        return new Executions(
                page.entries().stream().map(TracedHistory::entry).toList(),
                page.next().map(HistoryCursor::text));
    }

    @Override
    public List<Executions.Step> steps(String id) {
        return ask(() -> history.steps(id)).stream()
                .map(step -> new Executions.Step(step.time(), step.state(), step.message()))
                .toList();
    }

    @Override
    public Operations operations(Operations.Filter filter) {
        CommandQuery query = new CommandQuery(
                filter.job(),
                filter.actor(),
                filter.refusedOnly(),
                filter.before().map(HistoryCursor::parse),
                filter.limit());
        CommandPage page = ask(() -> history.commands(query));
        return new Operations(
                page.entries().stream().map(TracedHistory::operation).toList(),
                page.next().map(HistoryCursor::text));
    }

    private static Operations.Operation operation(CommandEntry found) {
        return new Operations.Operation(
                found.at(),
                found.jobName(),
                found.actor(),
                found.command(),
                found.reason(),
                found.before(),
                found.succeeded(),
                found.outcome());
    }

    private static <T> T ask(Supplier<T> question) {
        try {
            return question.get();
        } catch (HistoryUnavailableException e) {
            throw new HistoryAwayException(String.valueOf(e.getMessage()), e);
        }
    }
}
