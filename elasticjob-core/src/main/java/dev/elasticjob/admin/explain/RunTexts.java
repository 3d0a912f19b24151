package dev.elasticjob.admin.explain;

import dev.elasticjob.admin.explain.ConditionTexts.Place;
import dev.elasticjob.admin.explain.Explanation.Condition;
import dev.elasticjob.admin.explain.Explanation.Reason;
import dev.elasticjob.admin.explain.ItemConditions.Local;
import dev.elasticjob.coordination.view.ItemView;
import dev.elasticjob.coordination.view.JobSnapshot;
import dev.elasticjob.coordination.watchdog.ThreadWaits;
import dev.elasticjob.registry.RegistryNode;
import dev.elasticjob.time.DurationText;
import java.time.Instant;
import java.util.Objects;
import java.util.Optional;

/** An execution that goes on, in words. Pure. */
final class RunTexts {
    private RunTexts() {}

    static Condition runs(JobSnapshot job, ItemNodes nodes, ItemView view, Optional<Local> here, Instant registryNow) {
        String instance = nodes.lock()
                .map(RegistryNode::text)
                .orElseGet(() -> Objects.toString(view.current().instance(), ""));
        Optional<String> waits =
                nodes.lock().flatMap(lock -> ThreadWaits.of(job.reports()).of(view.item(), lock.czxid()));
        if (waits.isPresent()) {
            return waits(job, nodes, view, instance, waits.get());
        }
        boolean threads = here.filter(local -> local.instance().equals(instance) && local.freeThreads() == 0)
                .isPresent();
        Optional<String> cancelled =
                Optional.ofNullable(view.current().cancelled()).map(cancellation -> ", " + cancellation.text());
        return ConditionTexts.holds(
                Reason.RUNS,
                "The item is running on \"%s\", attempt %d%s%s%s"
                        .formatted(
                                instance,
                                view.current().attempt(),
                                tooLong(job, nodes, registryNow).orElse(""),
                                cancelled.orElse(""),
                                threads ? "; no thread is free there, so it may be waiting for one" : ""),
                Place.created(job.tree().running(view.item()), nodes.lock()),
                cancelled.isPresent()
                        ? "It ends when its code responds to the interruption"
                        : "It ends by itself, or at its timeout. To end it, cancel it (JobAdmin.cancel, or POST cancel"
                                + " to the endpoint)");
    }

    /** The item is claimed, and executes nothing: to cancel it would help nobody. */
    private static Condition waits(JobSnapshot job, ItemNodes nodes, ItemView view, String instance, String threads) {
        return ConditionTexts.holds(
                Reason.NO_FREE_THREAD,
                "The item is claimed by \"%s\", attempt %d, and had no thread there after its stuckAfter%s"
                        .formatted(instance, view.current().attempt(), threads.isEmpty() ? "" : ": " + threads),
                Place.created(job.tree().running(view.item()), nodes.lock()),
                "Find out what the jobs that have the threads wait for, limit their concurrency, or raise"
                        + " elasticjob.executor.max-threads. To cancel this item frees no thread");
    }

    private static Optional<String> tooLong(JobSnapshot job, ItemNodes nodes, Instant registryNow) {
        return nodes.lock()
                .flatMap(lock ->
                        job.definition().flatMap(settings -> settings.watchdog().exceeded(lock.created(), registryNow)))
                .map(limit -> ", for longer than its stuckAfter of " + DurationText.of(limit));
    }
}
