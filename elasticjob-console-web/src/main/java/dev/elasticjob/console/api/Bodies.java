package dev.elasticjob.console.api;

import dev.elasticjob.admin.JobPage;
import dev.elasticjob.admin.JobReport;
import dev.elasticjob.admin.JobReport.Execution;
import dev.elasticjob.admin.JobReport.InstanceReport;
import dev.elasticjob.admin.JobReport.ItemReport;
import dev.elasticjob.admin.JobReport.Lock;
import dev.elasticjob.admin.JobStatus;
import dev.elasticjob.console.web.CsrfToken;
import dev.elasticjob.console.web.Level;
import dev.elasticjob.coordination.state.ItemState;
import dev.elasticjob.definition.JobType;
import java.time.Instant;
import java.util.List;
import java.util.Map;
import java.util.Optional;

/**
 * The forms of the answers. Absent values are null. None has what only the answering process knows of itself, so that each
 * process answers the same.
 */
final class Bodies {
    private Bodies() {}

    /** Who is there, and what there is to see. */
    record Session(
            Optional<String> user,
            List<Level> levels,
            Optional<CsrfToken> csrf,
            List<RegistryName> registries,
            Optional<String> signOut,
            String version) {}

    record RegistryName(String name, String namespace, ConsoleRegistry.Mode mode) {}

    /** @param names how many jobs have a matching name */
    record Jobs(List<Job> jobs, int names, Optional<String> next) {
        static Jobs of(JobPage page) {
            return new Jobs(page.jobs().stream().map(Job::of).toList(), page.names(), page.next());
        }
    }

    /** A job without its items. */
    record Job(
            String name,
            Optional<JobType> type,
            Optional<String> cron,
            Optional<String> timeZone,
            Optional<Instant> nextFiring,
            JobStatus status,
            Optional<String> leader,
            int epoch,
            boolean reshardingNecessary,
            List<String> instances,
            Optional<String> problem) {
        static Job of(JobReport report) {
            return new Job(
                    report.name(),
                    report.type(),
                    report.cron(),
                    report.timeZone(),
                    report.nextDueTime(),
                    report.status(),
                    report.leader(),
                    report.epoch(),
                    report.reshardingNecessary(),
                    report.instances(),
                    report.problem());
        }
    }

    /** A job with its instances, and with what the map shows of its items. */
    record WholeJob(Job job, List<InstanceReport> instances, List<Square> items) {
        static WholeJob of(JobReport report, List<InstanceReport> instances) {
            return new WholeJob(
                    Job.of(report),
                    instances,
                    report.items().stream().map(Square::of).toList());
        }
    }

    /**
     * One item on the map.
     *
     * @param runsOn the instance that holds its lock
     * @param since when that instance claimed it
     */
    record Square(
            int item,
            Optional<String> owner,
            Optional<String> runsOn,
            Optional<Instant> since,
            boolean running,
            ItemState state,
            boolean disabled,
            boolean misfired,
            boolean waitsForFailover,
            int waitingRuns,
            Optional<Instant> scheduledAt,
            Optional<Instant> finishedAt,
            boolean unreadable) {
        static Square of(ItemReport item) {
            Execution last = item.itemRecord();
            return new Square(
                    item.item(),
                    item.owner(),
                    item.lock().map(Lock::instance),
                    item.lock().map(Lock::since),
                    item.running(),
                    last.state(),
                    item.disabled(),
                    item.misfired(),
                    item.waitsForFailover(),
                    item.waitingRuns().size(),
                    last.scheduledAt(),
                    last.finishedAt(),
                    item.problem().isPresent());
        }
    }

    /** @param next the number of the next page's first item */
    record Items(List<ItemReport> items, Optional<Integer> next) {}

    record Firings(List<Instant> times) {}

    record Tree(List<String> nodes) {}

    record Definition(String version, Map<String, Object> settings) {}
}
