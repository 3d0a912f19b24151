package dev.elasticjob.coordination.view;

import dev.elasticjob.coordination.state.OpenFiring.Phase;
import dev.elasticjob.definition.JobDefinition;
import java.time.Duration;

/**
 * How long a call of a job's cluster listeners may take.
 *
 * @param setting the job's setting that says so
 * @param timeout after which the call is interrupted; zero if it may take any time
 */
public record CallLimits(String setting, Duration timeout) {
    private static final int PATIENT_PART = 5;
    private static final Duration LEAST_PATIENCE = Duration.ofSeconds(10);
    private static final Duration PATIENCE_WITHOUT_TIMEOUT = Duration.ofMinutes(1);

    /** @param phase that the call belongs to */
    public static CallLimits of(JobDefinition definition, Phase phase) {
        return phase == Phase.AFTER
                ? new CallLimits("afterLastTimeout", definition.afterLastTimeout())
                : new CallLimits("beforeFirstTimeout", definition.beforeFirstTimeout());
    }

    /** After which somebody should look, because a call takes a remarkable part of the time that it has. */
    public Duration patience() {
        if (timeout.isZero()) {
            return PATIENCE_WITHOUT_TIMEOUT;
        }
        Duration part = timeout.dividedBy(PATIENT_PART);
        return part.compareTo(LEAST_PATIENCE) < 0 ? LEAST_PATIENCE : part;
    }
}
