package dev.elasticjob.spring.actuate;

import com.fasterxml.jackson.annotation.JsonInclude;
import com.fasterxml.jackson.annotation.JsonInclude.Include;
import dev.elasticjob.job.event.ExecutionTrigger;
import dev.elasticjob.spring.history.HistoryCursor;
import dev.elasticjob.spring.history.HistoryEntry;
import dev.elasticjob.spring.history.HistoryOutcome;
import dev.elasticjob.spring.history.HistoryPage;
import dev.elasticjob.spring.history.RunGrid;
import dev.elasticjob.spring.history.StatusEntry;
import java.time.Instant;
import java.util.List;
import java.util.SortedSet;
import org.jspecify.annotations.Nullable;
import org.springframework.boot.actuate.endpoint.OperationResponseBody;

/**
 * A page of the history as the endpoint shows it. Values that are absent are null, and written as such.
 *
 * @param next the value of "after" for the next page; null if this is the last one
 */
@JsonInclude(Include.ALWAYS)
public record HistoryBody(List<EntryBody> entries, @Nullable String next) implements OperationResponseBody {
    static HistoryBody of(HistoryPage page) {
        return new HistoryBody(
                page.entries().stream().map(EntryBody::of).toList(),
                page.next().map(HistoryCursor::text).orElse(null));
    }

    /** One execution, or firings that did not run. */
    @JsonInclude(Include.ALWAYS)
    public record EntryBody(
            String id,
            String jobName,
            int item,
            String runId,
            Instant scheduledTime,
            int attempt,
            @Nullable ExecutionTrigger trigger,
            @Nullable String actor,
            @Nullable String instance,
            @Nullable Instant startTime,
            @Nullable Instant completeTime,
            HistoryOutcome outcome,
            int retries,
            int missedFirings,
            @Nullable String failure) {
        static EntryBody of(HistoryEntry entry) {
            return new EntryBody(
                    entry.id(),
                    entry.jobName(),
                    entry.item(),
                    entry.runId(),
                    entry.scheduledTime(),
                    entry.attempt(),
                    entry.trigger().orElse(null),
                    entry.actor().orElse(null),
                    entry.instance().orElse(null),
                    entry.startTime().orElse(null),
                    entry.completeTime().orElse(null),
                    entry.outcome(),
                    entry.retries(),
                    entry.missedFirings(),
                    entry.failure().orElse(null));
        }
    }

    /** One execution with the whole text of its failure, and what happened to it. */
    public record ExecutionBody(EntryBody execution, List<StatusEntry> steps) implements OperationResponseBody {}

    /**
     * The runs of a job, the latest first, and the items that have an entry in one of them.
     *
     * @param next the value of "after" for earlier runs; null if there are none
     */
    @JsonInclude(Include.ALWAYS)
    public record RunsBody(
            SortedSet<Integer> items,
            List<RunBody> runs,
            @Nullable String next) implements OperationResponseBody {
        static RunsBody of(RunGrid grid) {
            return new RunsBody(
                    grid.items(),
                    grid.runs().stream().map(RunBody::of).toList(),
                    grid.next().map(HistoryCursor::text).orElse(null));
        }
    }

    /** One run: the last thing that is known of each item comes last in its cell. */
    public record RunBody(String runId, Instant scheduledTime, List<CellBody> cells) {
        static RunBody of(RunGrid.Run run) {
            return new RunBody(
                    run.runId(),
                    run.scheduledTime(),
                    run.cells().entrySet().stream()
                            .flatMap(item -> item.getValue().stream().map(cell -> CellBody.of(item.getKey(), cell)))
                            .toList());
        }
    }

    /** An item in a run. */
    @JsonInclude(Include.ALWAYS)
    public record CellBody(
            int item,
            String id,
            HistoryOutcome outcome,
            int attempt,
            @Nullable String instance,
            @Nullable Instant startTime,
            @Nullable Instant completeTime,
            int missedFirings) {
        static CellBody of(int item, RunGrid.Cell cell) {
            return new CellBody(
                    item,
                    cell.id(),
                    cell.outcome(),
                    cell.attempt(),
                    cell.instance().orElse(null),
                    cell.startTime().orElse(null),
                    cell.completeTime().orElse(null),
                    cell.missedFirings());
        }
    }
}
