package dev.elasticjob.kubernetes.plan;

import dev.elasticjob.admin.JobDemand;
import dev.elasticjob.kubernetes.plan.Condition.Kind;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.stream.Collectors;
import java.util.stream.Stream;

/**
 * Decides which workers an application gets. For each pool:
 *
 * <ul>
 *   <li>Its need is what is open or runs, by weight, or will be open within {@code startAhead}, divided by a worker's
 *       capacity; at most {@code maxWorkers}.
 *   <li>It has the instances that are registered for its jobs, wherever they run, and the workers that are on their way.
 *   <li>What is missing is started at the lowest free places. Nothing that has started is ever ended.
 *   <li>A template that has not registered yet gets one worker first, which introduces its jobs.
 *   <li>After a failed start, one worker at a time is started, with growing pauses.
 *   <li>A pool with jobs that lose firings while nobody is there keeps one worker.
 * </ul>
 *
 * <p>Two planners that have seen the same decide the same. Pure.
 */
public final class WorkerPlanner {
    private static final String NONE = "None";

    private WorkerPlanner() {}

    /** @param now by the clock of which the demands were asked */
    public static AppPlan plan(AppView app, Instant now) {
        List<PoolPlanner> planners = app.pools().stream()
                .map(view -> new PoolPlanner(app, view, now))
                .toList();
        List<String> faults =
                planners.stream().flatMap(planner -> planner.faults().stream()).toList();
        List<PoolPlan> pools = planners.stream()
                .map(planner -> withSettling(plan(app, planner), planner.whenSettled()))
                .toList();
        return new AppPlan(pools, List.of(ready(app, pools, faults), blocked(pools), scalesToZero(pools)));
    }

    private static PoolPlan plan(AppView app, PoolPlanner planner) {
        if (app.suspended().isPresent()) {
            return planner.suspended();
        }
        return planner.faults().isEmpty() ? planner.plan() : planner.resting();
    }

    private static PoolPlan withSettling(PoolPlan plan, Optional<Instant> settles) {
        Optional<Instant> first =
                Stream.concat(plan.lookAgain().stream(), settles.stream()).min(Instant::compareTo);
        return new PoolPlan(
                plan.view(),
                plan.start(),
                plan.delete(),
                plan.base(),
                plan.memory(),
                plan.jobs(),
                plan.keeping(),
                plan.figures(),
                plan.blocked(),
                first);
    }

    private static Condition ready(AppView app, List<PoolPlan> pools, List<String> faults) {
        if (!faults.isEmpty()) {
            return new Condition(Kind.Ready, false, "Invalid", String.join("\n", faults));
        }
        if (app.suspended().isPresent()) {
            String text = app.suspended().get() + ": no worker is started, and what is due stays owed";
            return new Condition(Kind.Ready, false, "Suspended", text);
        }
        List<String> waiting = pools.stream()
                .filter(pool -> !pool.memory().introduced().equals(pool.view().template()))
                .map(pool -> pool.view().pool().name())
                .toList();
        if (!waiting.isEmpty()) {
            return new Condition(
                    Kind.Ready,
                    false,
                    "Introducing",
                    "The first worker of the present template has not registered yet in pool "
                            + String.join(", ", waiting));
        }
        return new Condition(Kind.Ready, true, "Ready", unreadable(app, pools));
    }

    private static String unreadable(AppView app, List<PoolPlan> pools) {
        return pools.stream()
                .flatMap(pool -> pool.jobs().stream())
                .flatMap(job -> app.demand(Duration.ZERO, job).stream())
                .flatMap(job -> problem(job).stream())
                .collect(Collectors.joining("\n"));
    }

    private static Optional<String> problem(JobDemand job) {
        return job.problem().map(problem -> "job \"%s\" counts as nothing: %s".formatted(job.jobName(), problem));
    }

    private static Condition blocked(List<PoolPlan> pools) {
        List<Reason> reasons =
                pools.stream().flatMap(pool -> pool.blocked().stream()).toList();
        return new Condition(
                Kind.WorkersBlocked,
                !reasons.isEmpty(),
                reasons.isEmpty() ? NONE : reasons.get(0).code(),
                reasons.stream().map(Reason::text).collect(Collectors.joining("\n")));
    }

    private static Condition scalesToZero(List<PoolPlan> pools) {
        List<String> reasons = new ArrayList<>();
        for (PoolPlan pool : pools) {
            String name = pool.view().pool().name();
            if (pool.view().pool().baseWorkers() > 0) {
                reasons.add("pool \"%s\" has baseWorkers".formatted(name));
            }
            pool.keeping()
                    .forEach(job -> reasons.add(
                            "pool \"%s\" keeps one worker, because %s: what is due while nobody is there would be lost"
                                    .formatted(name, job)));
        }
        return new Condition(
                Kind.ScalesToZero,
                reasons.isEmpty(),
                reasons.isEmpty() ? NONE : "WorkersStay",
                String.join("\n", reasons));
    }
}
