package dev.elasticjob.spring.observation;

import dev.elasticjob.spring.observation.JobObservation.ObservedKey;
import io.micrometer.common.KeyValue;
import io.micrometer.common.KeyValues;
import java.time.Instant;
import java.util.Locale;

/** The names of calls of cluster listeners, unless the application has a convention of its own. Made to be extended. */
public class DefaultHookObservationConvention implements HookObservationConvention {
    @Override
    public String getName() {
        return "elasticjob.hook";
    }

    @Override
    public String getContextualName(HookObservationContext context) {
        return text(context.hook().kind()) + " " + context.hook().jobName();
    }

    @Override
    public KeyValues getLowCardinalityKeyValues(HookObservationContext context) {
        return KeyValues.of(
                ObservedKey.JOB.withValue(context.hook().jobName()),
                ObservedKey.HOOK.withValue(text(context.hook().kind())),
                ObservedKey.OUTCOME.withValue(context.outcome()
                        .map(DefaultHookObservationConvention::text)
                        .orElse(KeyValue.NONE_VALUE)));
    }

    @Override
    public KeyValues getHighCardinalityKeyValues(HookObservationContext context) {
        return KeyValues.of(
                ObservedKey.RUN.withValue(context.hook().runId()),
                ObservedKey.ATTEMPT.withValue(String.valueOf(context.hook().attempt())),
                ObservedKey.SCHEDULED.withValue(
                        context.hook().scheduledAt().map(Instant::toString).orElse(KeyValue.NONE_VALUE)));
    }

    private static String text(Enum<?> value) {
        return value.name().toLowerCase(Locale.ROOT);
    }
}
