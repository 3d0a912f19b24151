package dev.elasticjob.coordination.firing;

import dev.elasticjob.coordination.session.JobScope;
import dev.elasticjob.coordination.session.Next;
import dev.elasticjob.coordination.view.FiringsView;
import dev.elasticjob.job.event.JobEvent;
import dev.elasticjob.registry.Registry.WatchScope;
import dev.elasticjob.registry.Subscription;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Open firings that can't be read. No instance of this library writes such a node, so no other event would follow its
 * correction: it is reported once, and watched until it can be read.
 *
 * <p>Confined to the coordination executor.
 */
final class UnreadableFirings {
    private static final Logger log = LoggerFactory.getLogger(UnreadableFirings.class);

    private final JobScope scope;
    private final Runnable changed;
    private @Nullable Subscription watch;
    private String reported = "";

    /** @param changed called when the node has changed, and may be corrected */
    UnreadableFirings(JobScope scope, Runnable changed) {
        this.scope = scope;
        this.changed = changed;
    }

    boolean isReadable(FiringsView view) {
        String problem = view.problem().orElse("");
        if (!problem.equals(reported)) {
            reported = problem;
            report(problem);
        }
        if (problem.isEmpty()) {
            close();
        }
        return problem.isEmpty();
    }

    /** What follows where they can't be read: they may have been corrected before they were watched. */
    Next next() {
        if (watch != null) {
            return Next.WAIT;
        }
        watch = scope.registry().watch(scope.tree().firings(), WatchScope.DATA, changed);
        return Next.AGAIN;
    }

    private void report(String problem) {
        if (problem.isEmpty()) {
            log.info(
                    "Job \"{}\": its open firings can be read again, so this instance starts new executions",
                    scope.jobName());
            return;
        }
        String node = scope.tree().firings();
        log.error(
                "Job \"{}\": the open firings in \"{}\" can't be read, so this instance starts nothing new for the job"
                        + " until the node is corrected; running executions continue, and other jobs are not affected."
                        + " {}",
                scope.jobName(),
                node,
                problem);
        scope.events().accept(new JobEvent.FiringsUnreadable(scope.jobName(), node, problem));
    }

    void close() {
        if (watch != null) {
            watch.close();
            watch = null;
        }
    }
}
