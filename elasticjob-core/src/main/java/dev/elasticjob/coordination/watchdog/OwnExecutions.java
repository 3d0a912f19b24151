package dev.elasticjob.coordination.watchdog;

import dev.elasticjob.coordination.item.ClaimedItem;
import dev.elasticjob.coordination.session.JobScope;
import dev.elasticjob.time.TaskTimer;
import java.time.Duration;
import java.time.Instant;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import org.jspecify.annotations.Nullable;

/**
 * What executes on this instance for a job with {@code stuckAfter}: one timer for each claim, and no request, as long as
 * executions end in time.
 *
 * <p>Confined to the coordination executor.
 */
final class OwnExecutions implements AutoCloseable {
    private final JobScope scope;
    private final WatchdogReports reports;
    private final Runnable overLimit;
    private final Map<Integer, Watched> watched = new HashMap<>();

    /** @param overLimit called when something is to be said */
    OwnExecutions(JobScope scope, WatchdogReports reports, Runnable overLimit) {
        this.scope = scope;
        this.reports = reports;
        this.overLimit = overLimit;
    }

    /** One execution, from its claim on. Its timer is shared by those that were claimed together, until it has gone off. */
    private static final class Watched {
        final ClaimedItem item;
        final OwnProgress progress;
        TaskTimer.@Nullable Cancellable timer;
        /** What is to be said. */
        @Nullable
        PendingReport pendingReport;

        Watched(ClaimedItem item, OwnProgress progress) {
            this.item = item;
            this.progress = progress;
        }
    }

    /**
     * What this instance has to say of an execution.
     *
     * @param progress how far it has come; empty if it has not begun
     * @param threads who has the threads, if it has not begun
     */
    record PendingReport(ClaimedItem item, Optional<ExecutionProgress> progress, String threads) {}

    void claimed(List<ClaimedItem> items, OwnProgress progress) {
        Duration limit = items.get(0).definition().watchdog().stuckAfter();
        if (limit.isZero()) {
            return;
        }
        List<Watched> claimed =
                items.stream().map(item -> new Watched(item, progress)).toList();
        claimed.forEach(each -> watched.put(each.item.item(), each));
        scope.connection().later(limit, () -> claimed.forEach(this::check));
    }

    void ended(ClaimedItem item) {
        Watched ended = watched.get(item.item());
        if (ended != null && ended.item.equals(item)) {
            watched.remove(item.item());
            cancel(ended);
        }
    }

    private void check(Watched each) {
        if (watched.get(each.item.item()) != each) {
            return;
        }
        Duration limit = each.item.definition().watchdog().stuckAfter();
        Optional<ExecutionProgress> progress = each.progress.of(each.item.item());
        Duration left = progress.map(known -> limit.minus(known.elapsed())).orElse(limit);
        boolean over = left.compareTo(Duration.ZERO) <= 0;
        if (!over) {
            each.timer = scope.connection().later(left, () -> check(each));
        }
        if (!each.item.isMonitored()) {
            // The registry doesn't know of it, so nobody else can report it.
            progress.filter(known -> over)
                    .ifPresent(known -> reports.report(StuckItem.here(each.item, now(), known), each.item.instance()));
        } else if (over || progress.isEmpty()) {
            each.pendingReport =
                    new PendingReport(each.item, progress, progress.isPresent() ? "" : each.progress.threads());
            overLimit.run();
        }
    }

    private Instant now() {
        return scope.clock().instant();
    }

    /** What is to be said, by item. */
    Map<Integer, PendingReport> pendingReports() {
        Map<Integer, PendingReport> pendingReports = new HashMap<>();
        watched.forEach((item, each) -> {
            if (each.pendingReport != null) {
                pendingReports.put(item, each.pendingReport);
            }
        });
        return pendingReports;
    }

    /** That was said, or need not be. */
    void said(Map<Integer, PendingReport> pendingReports) {
        pendingReports.forEach((item, pendingReport) -> {
            Watched each = watched.get(item);
            if (each != null && pendingReport.equals(each.pendingReport)) {
                each.pendingReport = null;
            }
        });
    }

    @Override
    public void close() {
        watched.values().forEach(OwnExecutions::cancel);
        watched.clear();
    }

    private static void cancel(Watched each) {
        if (each.timer != null) {
            each.timer.cancel();
        }
    }
}
