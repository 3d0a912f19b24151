package dev.elasticjob.admin;

import dev.elasticjob.admin.command.CommandHistory;
import dev.elasticjob.admin.command.CommandHistory.Entry;
import dev.elasticjob.admin.explain.Standstill;
import dev.elasticjob.admin.explain.Standstill.Cause;
import dev.elasticjob.admin.explain.Standstill.Disabling;
import dev.elasticjob.coordination.view.JobSnapshot;
import dev.elasticjob.coordination.view.Leaver;
import java.time.Instant;
import java.util.List;
import java.util.Optional;

/** Finds, among the last commands on a job, the one by which operators disabled its servers. Pure. */
final class LastDisabling {
    private static final String JOB = "disable";
    private static final String SERVER = "disable server ";

    private LastDisabling() {}

    /**
     * What keeps the job from running, unless it waits for instances that have left and may come back.
     *
     * @param job with its members and commands
     */
    static Optional<Standstill> standstill(JobSnapshot job, Instant registryNow) {
        return Leaver.isAnyAwaited(job, registryNow) ? Optional.empty() : Standstill.of(job, of(job));
    }

    private static Optional<Disabling> of(JobSnapshot job) {
        List<Entry> newestFirst = job.commands().map(CommandHistory::read).orElse(List.of());
        return newestFirst.stream()
                .filter(entry -> entry.command().equals(JOB) || entry.command().startsWith(SERVER))
                .findFirst()
                .map(entry -> new Disabling(
                        entry.command().equals(JOB) ? Cause.JOB_DISABLED : Cause.SERVERS_DISABLED,
                        entry.actor(),
                        entry.reason()));
    }
}
