package dev.elasticjob.coordination.claim;

import dev.elasticjob.coordination.claim.ItemPlanner.ItemPlan;
import dev.elasticjob.coordination.session.JobScope;
import dev.elasticjob.coordination.view.Ownership;
import dev.elasticjob.job.event.JobEvent;
import java.time.Instant;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/** Says that a clock keeps items from being claimed, once. Confined to the coordination executor. */
final class PlanWarnings {
    private static final Logger log = LoggerFactory.getLogger(PlanWarnings.class);

    private final JobScope scope;
    private boolean clockTold;

    PlanWarnings(JobScope scope) {
        this.scope = scope;
    }

    void tell(Ownership own, ItemPlan plan) {
        if (plan.clockDiffers() && !clockTold) {
            tellClock(own);
        }
        clockTold = plan.clockDiffers();
    }

    private void tellClock(Ownership own) {
        Instant here = scope.clock().instant();
        Instant registry = scope.registryTime().now();
        log.error(
                "Job \"{}\": this machine's clock is at {}, but the registry's is at {}. This instance claims no"
                        + " firings until the clocks agree; other instances can run them. Synchronize this"
                        + " machine's clock",
                scope.jobName(),
                here,
                registry);
        scope.events().accept(new JobEvent.ClockDiffers(scope.jobName(), own.instance(), here, registry));
    }
}
