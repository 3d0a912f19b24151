package dev.elasticjob.admin.explain;

import dev.elasticjob.admin.explain.ConditionTexts.Place;
import dev.elasticjob.admin.explain.Explanation.Condition;
import dev.elasticjob.admin.explain.Explanation.Reason;
import dev.elasticjob.admin.explain.ItemConditions.Local;
import dev.elasticjob.coordination.claim.ItemObstacles.Obstacle;
import dev.elasticjob.coordination.state.Cancellation;
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

    /** @param locked what waits for its end */
    static Condition runs(
            JobSnapshot job,
            ItemNodes nodes,
            ItemView view,
            Optional<Local> here,
            Instant registryNow,
            Obstacle.Locked locked) {
        String instance = nodes.lock()
                .map(RegistryNode::text)
                .orElseGet(() -> Objects.toString(view.current().instance(), ""));
        Optional<String> waits =
                nodes.lock().flatMap(lock -> ThreadWaits.of(job.reports()).of(view.item(), lock.czxid()));
        if (waits.isPresent()) {
            return waits(job, nodes, view, instance, waits.get());
        }
        Optional<String> cancelled =
                Optional.ofNullable(view.current().cancelled()).map(Cancellation::text);
        boolean threads = here.filter(local -> local.instance().equals(instance) && local.freeThreads() == 0)
                .isPresent();
        return ConditionTexts.holds(
                Reason.RUNS,
                (threads ? Fact.RUNS_WITHOUT_FREE_THREAD : Fact.RUNS)
                        .of(
                                "id",
                                instance,
                                "attempt",
                                view.current().attempt(),
                                "limit",
                                tooLong(job, nodes, registryNow).orElse(""),
                                "cancelled",
                                cancelled.orElse(""),
                                "next",
                                text(locked.cancelledBy()),
                                "behind",
                                locked.behind() == 0 ? "" : locked.behind(),
                                "first",
                                text(locked.firstBehind())),
                Place.created(job.tree().running(view.item()), nodes.lock()),
                remedy(view.item(), cancelled.isPresent()));
    }

    private static String text(Optional<Instant> time) {
        return time.map(Instant::toString).orElse("");
    }

    private static Sentence remedy(int item, boolean cancelled) {
        return cancelled ? Remedy.WAIT_FOR_INTERRUPTION.of() : Remedy.WAIT_OR_CANCEL.of("item", item);
    }

    /** The item is claimed, and executes nothing: to cancel it would help nobody. */
    private static Condition waits(JobSnapshot job, ItemNodes nodes, ItemView view, String instance, String threads) {
        return ConditionTexts.holds(
                Reason.NO_FREE_THREAD,
                Fact.HAD_NO_THREAD.of("id", instance, "attempt", view.current().attempt(), "threads", threads),
                Place.created(job.tree().running(view.item()), nodes.lock()),
                Remedy.FREE_THREADS.of());
    }

    private static Optional<String> tooLong(JobSnapshot job, ItemNodes nodes, Instant registryNow) {
        return nodes.lock()
                .flatMap(lock ->
                        job.definition().flatMap(settings -> settings.watchdog().exceeded(lock.created(), registryNow)))
                .map(DurationText::of);
    }
}
