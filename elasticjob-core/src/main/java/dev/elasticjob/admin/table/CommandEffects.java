package dev.elasticjob.admin.table;

import dev.elasticjob.admin.JobReport;
import dev.elasticjob.admin.JobReport.InstanceReport;
import dev.elasticjob.admin.JobReport.ItemReport;
import dev.elasticjob.admin.JobReport.ScheduleReport;
import dev.elasticjob.admin.JobStatus;
import dev.elasticjob.admin.command.BackfillRequest;
import dev.elasticjob.admin.command.DrainCommands;
import dev.elasticjob.admin.command.PausedBy;
import dev.elasticjob.admin.table.Effect.Code;
import dev.elasticjob.admin.table.Preview.Draft;
import dev.elasticjob.admin.table.Preview.Outcome;
import dev.elasticjob.coordination.run.Backfill;
import dev.elasticjob.coordination.state.ItemRecord;
import dev.elasticjob.coordination.state.ItemState;
import dev.elasticjob.definition.schedule.Schedule;
import dev.elasticjob.definition.schedule.ScheduleKind;
import java.time.ZoneId;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.Set;
import java.util.SortedSet;
import java.util.TreeSet;
import java.util.function.Predicate;
import java.util.stream.Collectors;

/**
 * A job as it was read, and what commands would do to it. Pure; each method answers for one command of {@link
 * dev.elasticjob.admin.JobAdmin}, which decides again when it is carried out.
 */
record CommandEffects(JobReport job, List<InstanceReport> instances) {
    public CommandEffects {
        instances = List.copyOf(instances);
    }

    /** The same preview, which first says that nothing starts, if it is so. */
    Preview because(Preview would) {
        if (job.status() != JobStatus.UNREADABLE || would.outcome() == Outcome.REFUSED) {
            return would;
        }
        List<Effect> effects = new ArrayList<>(List.of(Effect.of(Code.UNREADABLE)));
        effects.addAll(would.effects());
        return new Preview(would.outcome(), effects);
    }

    // ------------------------------------------------------------------ runs

    /** @param items empty for all */
    Preview run(Set<Integer> items) {
        if (job.paused().isPresent()) {
            return Preview.refused(Code.PAUSED);
        }
        List<ItemReport> chosen = items(item -> items.isEmpty() || items.contains(item.item()));
        List<ItemReport> enabled =
                chosen.stream().filter(item -> !item.disabled()).toList();
        if (enabled.stream().noneMatch(item -> item.owner().isPresent())) {
            return Preview.refused(Code.NO_OWNER);
        }
        if (unknown(items) > 0) {
            return noSuch(items);
        }
        return new Draft()
                .counts(Code.ITEMS_RUN, enabled.size())
                .counts(Code.DISABLED_STAY_OUT, chosen.size() - enabled.size())
                .counts(Code.RUNNING_RUN_AGAIN, running(enabled))
                .end();
    }

    /** @param runId of the firing or manual run whose failed items run again */
    Preview runAgain(String runId) {
        if (job.paused().isPresent()) {
            return Preview.refused(Code.PAUSED);
        }
        List<ItemReport> failed =
                items(item -> isOf(item, runId) && item.itemRecord().state() == ItemState.FAILED);
        long enabled = failed.stream().filter(item -> !item.disabled()).count();
        if (failed.isEmpty()) {
            return Preview.refused(Code.NONE_FAILED);
        }
        return new Draft()
                .counts(Code.FAILED_RUN_AGAIN, enabled)
                .counts(Code.DISABLED_STAY_OUT, failed.size() - enabled)
                .end();
    }

    /**
     * @param runId a firing or manual run; empty for whatever each of the items executes
     * @param items only these items; empty for all of the run
     */
    Preview cancel(Optional<String> runId, Set<Integer> items) {
        if (unknown(items) > 0) {
            return noSuch(items);
        }
        List<ItemReport> meant = items(item -> items.isEmpty() || items.contains(item.item()));
        List<ItemReport> executes = meant.stream()
                .filter(one -> runId.isEmpty() || isOf(one, runId.get()))
                .toList();
        Preview ends = new Draft()
                .counts(Code.EXECUTIONS_END, running(executes))
                .counts(Code.NOT_TAKEN_OVER, interrupted(executes))
                .counts(Code.RUNS_DROPPED, runId.map(id -> waiting(meant, id)).orElse(0L))
                .saysIf(items.isEmpty() && runId.filter(this::isFiring).isPresent(), Code.REST_IS_SKIPPED)
                .end();
        return ends.effects().isEmpty() ? Preview.refused(Code.NOTHING_TO_CANCEL) : ends;
    }

    private boolean isFiring(String runId) {
        return runId.startsWith(job.name() + ItemRecord.FIRING);
    }

    private static long interrupted(List<ItemReport> items) {
        return items.stream()
                .filter(item -> !item.running() && item.itemRecord().state() == ItemState.INTERRUPTED)
                .count();
    }

    private static long waiting(List<ItemReport> items, String runId) {
        return items.stream()
                .filter(item -> item.waitingRuns().stream()
                        .anyMatch(run -> run.dropped().isEmpty() && run.runIds().contains(runId)))
                .count();
    }

    private static boolean isOf(ItemReport item, String runId) {
        return item.itemRecord().runId().filter(runId::equals).isPresent();
    }

    /** Counts by the schedule in force, as the command does. */
    Preview backfill(BackfillRequest range) {
        if (job.backfill().isPresent()) {
            return Preview.refused(Code.BACKFILL_GOES_ON);
        }
        ScheduleKind kind = job.schedule().map(ScheduleReport::kind).orElse(ScheduleKind.OTHER);
        if (!kind.hasTimes()) {
            return Preview.refused(Code.NO_TIMES_AT_ALL);
        }
        long times = job.schedule()
                .map(inForce -> Schedule.of(inForce.text(), ZoneId.of(inForce.timeZone())))
                .map(schedule -> Backfill.times(schedule, range.from(), range.until()))
                .orElse(0L);
        if (times == 0) {
            return Preview.refused(Code.NO_TIMES);
        }
        if (times > Backfill.MOST_TIMES) {
            return Preview.refused(Code.TOO_MANY_TIMES, Backfill.MOST_TIMES);
        }
        List<ItemReport> disabled = items(ItemReport::disabled);
        return new Draft()
                .counts(Code.TIMES_RUN, times)
                .counts(Code.DISABLED_STAY_OUT, disabled.size())
                .says(Code.SCHEDULE_GOES_FIRST)
                .saysIf(job.paused().isPresent(), Code.PAUSED)
                .end();
    }

    Preview stopBackfill() {
        return job.backfill()
                .map(backfill -> new Draft()
                        .says(Code.NO_FURTHER_TIME)
                        .counts(Code.TIMES_UNDER_WAY, backfill.underWay().size())
                        .end())
                .orElseGet(() -> Preview.refused(Code.NO_BACKFILL));
    }

    // ------------------------------------------------------------------ pauses and drains

    Preview pause() {
        if (isPaused(PausedBy.Scope.JOB)) {
            return Preview.nothing(Code.ALREADY);
        }
        return new Draft()
                .says(Code.NOTHING_STARTS)
                .counts(Code.RUNNING_CONTINUE, running(job.items()))
                .end();
    }

    Preview resume() {
        if (isPaused(PausedBy.Scope.NAMESPACE)) {
            return Preview.nothing(Code.NAMESPACE_STAYS_PAUSED);
        }
        return isPaused(PausedBy.Scope.JOB) ? Preview.of(Code.STARTS_AGAIN) : Preview.nothing(Code.ALREADY);
    }

    private boolean isPaused(PausedBy.Scope scope) {
        return job.paused().filter(pause -> pause.scope() == scope).isPresent();
    }

    Preview drain(String instance) {
        Optional<InstanceReport> drained = instance(instance);
        if (drained.isEmpty()) {
            return awaitedNoMore(instance);
        }
        if (drained.get().drainedBy().isPresent()) {
            return Preview.nothing(Code.ALREADY);
        }
        return moved(one -> one.id().equals(instance)).says(Code.UNTIL_RESTART).end();
    }

    /** Of one that has left. */
    private Preview awaitedNoMore(String instance) {
        Set<Integer> waiting = job.awaiting(instance);
        if (waiting.isEmpty()) {
            throw DrainCommands.unknown(
                    job.name(),
                    instance,
                    instances.stream().map(InstanceReport::id).toList());
        }
        return moved(waiting, one -> false).says(Code.AWAITED_NO_MORE).end();
    }

    Preview undrain(String instance) {
        return instance(instance).filter(one -> one.drainedBy().isEmpty()).isPresent()
                ? Preview.nothing(Code.ALREADY)
                : Preview.of(Code.REBALANCED);
    }

    private Optional<InstanceReport> instance(String id) {
        return instances.stream().filter(one -> one.id().equals(id)).findFirst();
    }

    private Draft moved(Predicate<InstanceReport> leaving) {
        Set<Integer> owned = instances.stream()
                .filter(leaving)
                .flatMap(one -> one.items().stream())
                .collect(Collectors.toSet());
        return moved(owned, leaving);
    }

    private Draft moved(Set<Integer> owned, Predicate<InstanceReport> leaving) {
        boolean last = instances.stream().filter(leaving.negate()).noneMatch(InstanceReport::mayOwn);
        return new Draft()
                .saysIf(last, Code.NOBODY_TAKES_OVER)
                .counts(Code.ITEMS_MOVE, last ? 0 : owned.size())
                .counts(Code.RUNNING_CONTINUE, running(items(item -> owned.contains(item.item()))));
    }

    // ------------------------------------------------------------------ items and servers

    Preview disableItems(Set<Integer> items) {
        if (unknown(items) > 0) {
            return noSuch(items);
        }
        List<ItemReport> enabled = items(item -> items.contains(item.item()) && !item.disabled());
        if (enabled.isEmpty()) {
            return Preview.nothing(Code.ALREADY);
        }
        return new Draft()
                .says(Code.FIRINGS_SKIPPED)
                .counts(Code.RUNNING_CONTINUE, running(enabled))
                .end();
    }

    Preview enableItems(Set<Integer> items) {
        if (unknown(items) > 0) {
            return noSuch(items);
        }
        return items(item -> items.contains(item.item()) && item.disabled()).isEmpty()
                ? Preview.nothing(Code.ALREADY)
                : Preview.of(Code.FROM_NEXT_FIRING);
    }

    Preview disableServer(String server) {
        Predicate<InstanceReport> there = one -> one.server().equals(server);
        if (instances.stream().anyMatch(there.and(InstanceReport::serverDisabled))) {
            return Preview.nothing(Code.ALREADY);
        }
        return moved(there).says(Code.ONLY_THIS_JOB).end();
    }

    Preview enableServer(String server) {
        boolean enabled = instances.stream().anyMatch(one -> one.server().equals(server) && !one.serverDisabled());
        return enabled ? Preview.nothing(Code.ALREADY) : Preview.of(Code.REBALANCED, Code.ONLY_THIS_JOB);
    }

    /** Of all servers on which the job has an instance. */
    Preview disable() {
        return ofServers(Code.SERVERS_DISABLED, servers(one -> !one.serverDisabled()));
    }

    /** Of all servers on which the job has an instance. */
    Preview enable() {
        return ofServers(Code.SERVERS_ENABLED, servers(InstanceReport::serverDisabled));
    }

    private Preview ofServers(Code changes, SortedSet<String> changed) {
        if (instances.isEmpty()) {
            return Preview.refused(Code.NO_SERVER);
        }
        if (changed.isEmpty()) {
            return Preview.nothing(Code.ALREADY);
        }
        return new Draft()
                .counts(changes, changed.size())
                .counts(Code.RUNNING_CONTINUE, running(job.items()))
                .end();
    }

    private SortedSet<String> servers(Predicate<InstanceReport> which) {
        return instances.stream()
                .filter(which)
                .map(InstanceReport::server)
                .collect(Collectors.toCollection(TreeSet::new));
    }

    // ------------------------------------------------------------------ the job

    Preview reshard() {
        return new Draft()
                .says(Code.REBALANCED)
                .counts(Code.RUNNING_CONTINUE, running(job.items()))
                .end();
    }

    Preview remove() {
        return new Draft()
                .counts(Code.INSTANCES_STOP, job.instances().size())
                .counts(Code.RUNNING_CONTINUE, running(job.items()))
                .says(Code.GONE_FOR_GOOD)
                .says(Code.COMES_BACK)
                .end();
    }

    // ------------------------------------------------------------------ items

    private List<ItemReport> items(Predicate<ItemReport> which) {
        return job.items().stream().filter(which).toList();
    }

    private int unknown(Set<Integer> items) {
        Set<Integer> unknown = new TreeSet<>(items);
        job.items().forEach(item -> unknown.remove(item.item()));
        return unknown.size();
    }

    private Preview noSuch(Set<Integer> items) {
        return Preview.refused(Code.NO_SUCH_ITEMS, unknown(items));
    }

    private static long running(List<ItemReport> items) {
        return items.stream().filter(ItemReport::running).count();
    }
}
