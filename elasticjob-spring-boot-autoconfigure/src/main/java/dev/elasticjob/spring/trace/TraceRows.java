package dev.elasticjob.spring.trace;

import dev.elasticjob.job.Failures;
import dev.elasticjob.job.ShardingContext.Requester;
import dev.elasticjob.job.event.ExecutionOutcome;
import dev.elasticjob.job.event.JobEvent;
import dev.elasticjob.spring.history.HistoryEntry;
import dev.elasticjob.spring.history.HistoryOutcome;
import dev.elasticjob.spring.trace.ExecutionRow.Origin;
import dev.elasticjob.spring.trace.StatusRow.State;
import dev.elasticjob.time.DurationText;
import java.io.PrintWriter;
import java.io.StringWriter;
import java.time.Instant;
import java.util.ArrayList;
import java.util.Collection;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.UUID;
import org.jspecify.annotations.Nullable;

/**
 * What a batch of events becomes in the tables. Several events of one execution become one row of the first table.
 * Confined to the thread that writes the trace.
 */
final class TraceRows {
    private final Map<String, ExecutionRow> executions = new LinkedHashMap<>();
    private final List<StatusRow> states = new ArrayList<>();

    private final List<CommandRow> commands = new ArrayList<>();

    static TraceRows of(Collection<TracedEvent> events) {
        TraceRows rows = new TraceRows();
        events.forEach(traced -> rows.add(traced.event(), traced.at()));
        return rows;
    }

    List<ExecutionRow> executions() {
        return List.copyOf(executions.values());
    }

    List<StatusRow> states() {
        return List.copyOf(states);
    }

    List<CommandRow> commands() {
        return List.copyOf(commands);
    }

    private void add(JobEvent event, Instant at) {
        if (event instanceof JobEvent.ItemStarted started) {
            addStarted(started);
        } else if (event instanceof JobEvent.ItemRetried retried) {
            addRetried(retried, at);
        } else if (event instanceof JobEvent.ItemFinished finished) {
            addFinished(finished);
        } else if (event instanceof JobEvent.ItemInterrupted interrupted) {
            addInterrupted(interrupted, at);
        } else if (event instanceof JobEvent.ItemCancelled cancelled) {
            addCancelled(cancelled, at);
        } else if (event instanceof JobEvent.ItemRefused refused) {
            addRefused(refused, at);
        } else if (event instanceof JobEvent.FiringsFolded folded) {
            addFolded(folded, at);
        } else if (event instanceof JobEvent.FiringsLost lost) {
            addLost(lost, at);
        } else if (event instanceof JobEvent.FiringsSkipped skipped) {
            addSkipped(skipped, at);
        } else if (event instanceof JobEvent.ManualRunDropped dropped) {
            addDropped(dropped, at);
        } else if (event instanceof JobEvent.ItemStuck stuck) {
            addStuck(stuck, at);
        } else if (event instanceof JobEvent.FiringOverdue overdue) {
            addOverdue(overdue, at);
        } else if (event instanceof JobEvent.CommandEnded command) {
            commands.add(new CommandRow(UUID.randomUUID().toString(), at, command));
        }
    }

    private void addStarted(JobEvent.ItemStarted event) {
        TaskKey task = new TaskKey(
                event.jobName(), event.item(), event.runId(), event.scheduledAt(), event.attempt(), event.instance());
        put(new ExecutionRow(
                task.id(),
                Origin.START,
                task,
                event.trigger(),
                HistoryOutcome.RUNNING,
                event.startedAt(),
                null,
                0,
                0,
                null,
                actor(event.requester())));
        states.add(new StatusRow(
                task.id("started"),
                task.id(),
                task,
                event.trigger(),
                State.TASK_RUNNING,
                "",
                event.startedAt(),
                actor(event.requester())));
    }

    private void addRetried(JobEvent.ItemRetried event, Instant at) {
        TaskKey task = new TaskKey(
                event.jobName(), event.item(), event.runId(), event.scheduledAt(), event.attempt(), event.instance());
        String message = "Attempt %d failed and is retried in %s: %s"
                .formatted(event.failures(), DurationText.of(event.pause()), Failures.text(event.failure()));
        states.add(new StatusRow(
                task.id("retried " + event.failures()), task.id(), task, null, State.TASK_RUNNING, message, at, null));
    }

    private void addFinished(JobEvent.ItemFinished event) {
        TaskKey task = new TaskKey(
                event.jobName(), event.item(), event.runId(), event.scheduledAt(), event.attempt(), event.instance());
        put(new ExecutionRow(
                task.id(),
                Origin.END,
                task,
                event.trigger(),
                outcome(event.outcome()),
                event.startedAt(),
                event.finishedAt(),
                event.retries(),
                0,
                event.failure().map(TraceRows::stackTrace).orElse(null),
                actor(event.requester())));
        states.add(new StatusRow(
                task.id("ended"),
                task.id(),
                task,
                event.trigger(),
                state(event.outcome()),
                event.failure().map(Failures::text).orElse(""),
                event.finishedAt(),
                actor(event.requester())));
    }

    private static @Nullable String actor(Optional<Requester> requester) {
        return requester.map(Requester::actor).orElse(null);
    }

    private static HistoryOutcome outcome(ExecutionOutcome outcome) {
        return switch (outcome) {
            case COMPLETED -> HistoryOutcome.COMPLETED;
            case FAILED -> HistoryOutcome.FAILED;
            case TIMEOUT -> HistoryOutcome.TIMEOUT;
            case INTERRUPTED -> HistoryOutcome.INTERRUPTED;
            case CANCELLED -> HistoryOutcome.CANCELLED;
        };
    }

    private static State state(ExecutionOutcome outcome) {
        return switch (outcome) {
            case COMPLETED -> State.TASK_FINISHED;
            case FAILED, TIMEOUT -> State.TASK_ERROR;
            case INTERRUPTED, CANCELLED -> State.TASK_KILLED;
        };
    }

    private void addInterrupted(JobEvent.ItemInterrupted event, Instant at) {
        TaskKey task = new TaskKey(
                event.jobName(), event.item(), event.runId(), event.scheduledAt(), event.attempt(), event.instance());
        String message = "Found interrupted: its instance died or lost its session";
        put(new ExecutionRow(
                task.id(),
                Origin.FOUND_INTERRUPTED,
                task,
                null,
                HistoryOutcome.INTERRUPTED,
                null,
                at,
                0,
                0,
                message,
                null));
        states.add(
                new StatusRow(task.id("found interrupted"), task.id(), task, null, State.TASK_LOST, message, at, null));
    }

    private void addCancelled(JobEvent.ItemCancelled event, Instant at) {
        TaskKey task = new TaskKey(
                event.jobName(), event.item(), event.runId(), event.scheduledAt(), event.attempt(), event.instance());
        put(new ExecutionRow(
                task.id(),
                Origin.CANCELLED,
                task,
                null,
                HistoryOutcome.CANCELLED,
                null,
                at,
                0,
                0,
                event.reason(),
                null));
        states.add(new StatusRow(
                task.id("cancelled"), task.id(), task, null, State.TASK_KILLED, event.reason(), at, null));
    }

    private void addRefused(JobEvent.ItemRefused event, Instant at) {
        TaskKey task = new TaskKey(
                event.jobName(), event.item(), event.runId(), event.scheduledAt(), event.attempt(), event.instance());
        put(new ExecutionRow(
                task.id(), Origin.END, task, null, HistoryOutcome.FAILED, null, at, 0, 0, event.reason(), null));
        states.add(
                new StatusRow(task.id("refused"), task.id(), task, null, State.TASK_ERROR, event.reason(), at, null));
    }

    private void addFolded(JobEvent.FiringsFolded event, Instant at) {
        TaskKey task = missed(event.jobName(), event.item(), event.from());
        String message =
                "%s did not run; the firing of %s makes up for this".formatted(firings(event.count()), event.into());
        putMissed(task, "folded into " + event.into(), HistoryOutcome.FOLDED, event.count(), message, at);
    }

    private void addLost(JobEvent.FiringsLost event, Instant at) {
        TaskKey task = missed(event.jobName(), event.item(), event.from());
        String after =
                event.from().equals(event.before()) ? "" : "; the firing of %s follows".formatted(event.before());
        String message = firings(event.count()) + " did not run and will not be repeated" + after;
        putMissed(task, "lost before " + event.before(), HistoryOutcome.LOST, event.count(), message, at);
    }

    private void addSkipped(JobEvent.FiringsSkipped event, Instant at) {
        TaskKey task = missed(event.jobName(), event.item(), event.from());
        String message = firings(event.count()) + " did not run: the item was executing, and overlap is SKIP";
        putMissed(task, "skipped before " + event.before(), HistoryOutcome.SKIPPED, event.count(), message, at);
    }

    private void addDropped(JobEvent.ManualRunDropped event, Instant at) {
        TaskKey task = new TaskKey(event.jobName(), event.item(), String.join(",", event.runIds()), at, 0, "");
        putMissed(task, "dropped", HistoryOutcome.DROPPED, 1, "This run was dropped: " + event.reason(), at);
    }

    /** A step of the execution, which goes on. */
    private void addStuck(JobEvent.ItemStuck event, Instant at) {
        TaskKey task = new TaskKey(
                event.jobName(), event.item(), event.runId(), event.scheduledAt(), event.attempt(), event.instance());
        String message = "Stuck: executing for longer than its stuckAfter of %s, since %s (reported by %s)"
                .formatted(DurationText.of(event.limit()), event.since(), event.reportedBy());
        states.add(new StatusRow(task.id("stuck"), task.id(), task, null, State.TASK_RUNNING, message, at, null));
    }

    private void addOverdue(JobEvent.FiringOverdue event, Instant at) {
        TaskKey task = missed(event.jobName(), HistoryEntry.ALL_ITEMS, event.scheduledAt());
        String message = "No item had begun the firing within its expectWithin of %s (reported by %s)"
                .formatted(DurationText.of(event.limit()), event.reportedBy());
        putMissed(task, "overdue", HistoryOutcome.OVERDUE, 0, message, at);
    }

    private static TaskKey missed(String job, int item, Instant firing) {
        return new TaskKey(job, item, TaskKey.scheduledRun(job, firing), firing, 0, "");
    }

    private static String firings(int count) {
        return count == 1 ? "1 firing" : count + " firings";
    }

    private void putMissed(TaskKey task, String kind, HistoryOutcome outcome, int count, String message, Instant at) {
        ExecutionRow row =
                new ExecutionRow(task.id(kind), Origin.END, task, null, outcome, null, at, 0, count, message, null);
        put(row);
        State state = outcome == HistoryOutcome.LOST || outcome == HistoryOutcome.OVERDUE
                ? State.TASK_LOST
                : State.TASK_DROPPED;
        states.add(new StatusRow(task.id(kind + "!"), task.id(kind), task, null, state, message, at, null));
    }

    private void put(ExecutionRow row) {
        executions.merge(row.id(), row, ExecutionRow::mergedWith);
    }

    /** With all causes. Its length is the database's business. */
    private static String stackTrace(Throwable failure) {
        StringWriter text = new StringWriter();
        Failures.printable(failure).printStackTrace(new PrintWriter(text));
        return text.toString();
    }
}
