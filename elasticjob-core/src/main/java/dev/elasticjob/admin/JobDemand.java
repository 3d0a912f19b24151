package dev.elasticjob.admin;

import dev.elasticjob.admin.explain.OpenWork;
import dev.elasticjob.coordination.view.JobSnapshot;
import dev.elasticjob.definition.JobDefinition;
import java.time.Duration;
import java.time.Instant;
import java.util.Collection;
import java.util.Comparator;
import java.util.List;
import java.util.Optional;
import java.util.stream.IntStream;

/**
 * What a job has to do now, whether or not an instance of it is there: what would start at once if one with room came, on
 * a server that may run it. Immutable.
 *
 * <p>A job that is paused has no open items, and so have one in which other software takes part, and one whose definition,
 * plan or open firings can't be read. Items that are disabled aren't open. Those of a fixed delay that only have to be recorded as ended are. With {@code monitorExecution=false} only
 * requested runs are open, and nothing of what runs by the schedule is seen: who isn't there when such a job is due has
 * missed it.
 *
 * @param open the number of items that would start: due, requested, interrupted, or asked for by the job's leader
 * @param running the number of items that are claimed
 * @param openWeight the sum of the weights of the open ones; of a job whose definition can't be read, each counts for 1
 * @param runningWeight that of those that run
 * @param openSince since when the oldest due work of the open items has waited: since the first firing that its execution
 *     makes up for came due, with {@code catchUp=EACH} the oldest that will be made up for; since its run was requested, or
 *     its interruption recorded. The time in which its item still ran what was before is part of it. Left out are an item
 *     whose interruption nobody has recorded yet, and one that is open for the next run of a backfill: nobody knows. Empty if
 *     no item is left
 * @param nextDue when the next item becomes due by itself; empty if none does, or nobody knows when
 * @param problem why it isn't known; empty if it is
 * @param heaviest the weight of its heaviest item; 0 if its definition can't be read
 * @param needsInstance the setting, such as {@code misfire=false}, by which what comes due while no instance is there is lost
 *     or never seen; empty if nothing is
 */
public record JobDemand(
        String jobName,
        int open,
        int running,
        long openWeight,
        long runningWeight,
        Optional<Instant> openSince,
        Optional<Instant> nextDue,
        Optional<String> problem,
        int heaviest,
        Optional<String> needsInstance) {

    static JobDemand of(JobSnapshot job, OpenWork work, Optional<String> problem) {
        return new JobDemand(
                job.jobName(),
                work.open().size(),
                work.running().size(),
                weight(job, work.open()),
                weight(job, work.running()),
                work.openSince(),
                work.nextDue(),
                problem,
                job.definition().map(JobDemand::heaviest).orElse(0),
                job.definition().flatMap(JobDemand::needsInstance));
    }

    /** Of a job whose demand can't be told. */
    static JobDemand unknown(String jobName, String problem) {
        return new JobDemand(
                jobName, 0, 0, 0, 0, Optional.empty(), Optional.empty(), Optional.of(problem), 0, Optional.empty());
    }

    private static int heaviest(JobDefinition definition) {
        return IntStream.range(0, definition.shardingTotalCount())
                .map(definition::weightOf)
                .max()
                .orElse(0);
    }

    private static Optional<String> needsInstance(JobDefinition definition) {
        if (definition.isOneOff()) {
            return definition.runAtStart() ? Optional.of("runAtStart") : Optional.empty();
        }
        if (!definition.monitorExecution()) {
            return Optional.of("monitorExecution=false");
        }
        return definition.misfire() ? Optional.empty() : Optional.of("misfire=false");
    }

    private static long weight(JobSnapshot job, Collection<Integer> items) {
        return items.stream().mapToLong(job::weightOf).sum();
    }

    /** The weight of all that is to be done: what instances need room for. */
    public long weight() {
        return openWeight + runningWeight;
    }

    /**
     * For how long the oldest due work has waited: since it came due, also while its item still ran what was before; with
     * {@code catchUp=EACH}, since the oldest firing that will be made up for. Zero if no item is open, and empty if it isn't
     * known of any.
     */
    public Optional<Duration> openFor(Instant now) {
        return open == 0
                ? Optional.of(Duration.ZERO)
                : openSince.map(since -> since.isAfter(now) ? Duration.ZERO : Duration.between(since, now));
    }

    /**
     * The demand of several jobs together, as autoscalers read it. Immutable.
     *
     * @param jobs how many jobs match
     * @param unknown how many of them can't be read; they count as nothing
     * @param weight of the open items and of those that run
     * @param oldestOpenSeconds for how long the oldest due work has waited, as {@link JobDemand#openFor} says it; empty if no
     *     item is open, or it isn't known of any
     * @param nextDueSeconds until the next item becomes due by itself; 0 if that has come meanwhile
     */
    public record Total(
            int jobs,
            int unknown,
            int open,
            int running,
            long weight,
            Optional<Long> oldestOpenSeconds,
            Optional<Long> nextDueSeconds) {
        static Total of(List<JobDemand> jobs, Instant now) {
            return new Total(
                    jobs.size(),
                    (int) jobs.stream().filter(job -> job.problem().isPresent()).count(),
                    jobs.stream().mapToInt(JobDemand::open).sum(),
                    jobs.stream().mapToInt(JobDemand::running).sum(),
                    jobs.stream().mapToLong(JobDemand::weight).sum(),
                    jobs.stream()
                            .flatMap(job -> job.openSince().stream())
                            .min(Comparator.naturalOrder())
                            .map(since ->
                                    Math.max(0, Duration.between(since, now).toSeconds())),
                    jobs.stream()
                            .flatMap(job -> job.nextDue().stream())
                            .min(Comparator.naturalOrder())
                            .map(due -> Math.max(0, Duration.between(now, due).toSeconds())));
        }
    }
}
