package dev.elasticjob.coordination.membership;

import dev.elasticjob.coordination.session.JobScope;
import dev.elasticjob.coordination.view.JobView;
import dev.elasticjob.job.event.JobEvent;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Whether the assignment that the registry holds can be read. One that somebody has made unreadable is told once.
 * Confined to the coordination executor.
 */
public final class AssignmentInForce {
    private static final Logger log = LoggerFactory.getLogger(AssignmentInForce.class);

    private final JobScope scope;
    private String told = "";

    public AssignmentInForce(JobScope scope) {
        this.scope = scope;
    }

    public boolean isReadable(JobView view) {
        String problem = view.problem().orElse("");
        if (!problem.equals(told)) {
            told = problem;
            tell(problem);
        }
        return problem.isEmpty();
    }

    private void tell(String problem) {
        String node = scope.tree().sharding();
        if (problem.isEmpty()) {
            log.info("Job \"{}\": its assignment can be read again", scope.jobName());
            return;
        }
        log.error(
                "Job \"{}\": the assignment in \"{}\" can't be read, so this instance starts nothing new for the job;"
                        + " running executions continue. Correct the node, or empty it to have the items assigned"
                        + " again. {}",
                scope.jobName(),
                node,
                problem);
        scope.events().accept(new JobEvent.AssignmentUnreadable(scope.jobName(), node, problem));
    }
}
