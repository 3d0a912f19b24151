package dev.elasticjob.samples.after;

import dev.elasticjob.job.ShardingContext;
import dev.elasticjob.job.SimpleJob;
import dev.elasticjob.job.after.AfterOutcome;
import dev.elasticjob.job.after.ParentFiring;
import dev.elasticjob.spring.ElasticJob;
import java.time.Instant;
import java.util.stream.Collectors;

/** Joins the two: runs when both have ended for the same import, whether they have succeeded or not. */
@ElasticJob(
        name = "report",
        after = {"prices", "stock"},
        afterOutcome = AfterOutcome.ANY,
        failover = true)
class ReportJob implements SimpleJob {
    @Override
    public void execute(ShardingContext context) {
        if (context.getParents().isEmpty()) {
            System.out.println("report, requested as run " + context.getRunId());
            return;
        }
        String scheduledAt = context.getParents()
                .get(0)
                .scheduledTime()
                .map(Instant::toString)
                .orElse("a manual run");
        String parents =
                context.getParents().stream().map(ReportJob::text).sorted().collect(Collectors.joining(", "));
        System.out.println("report for %s: %s".formatted(scheduledAt, parents));
    }

    private static String text(ParentFiring parent) {
        return parent.jobName() + (parent.success() ? " succeeded" : " failed");
    }
}
