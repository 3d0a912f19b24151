package dev.elasticjob.spring.observation;

import dev.elasticjob.spring.observation.JobObservation.ObservedKey;
import io.micrometer.common.KeyValue;
import io.micrometer.common.KeyValues;
import java.util.Locale;

/** The names of items, unless the application has a convention of its own. Made to be extended. */
public class DefaultItemObservationConvention implements ItemObservationConvention {
    @Override
    public String getName() {
        return "elasticjob.item";
    }

    @Override
    public String getContextualName(ItemObservationContext context) {
        return "item " + context.item().getJobName();
    }

    @Override
    public KeyValues getLowCardinalityKeyValues(ItemObservationContext context) {
        return KeyValues.of(
                ObservedKey.JOB.withValue(context.item().getJobName()),
                ObservedKey.TRIGGER.withValue(text(context.trigger())),
                ObservedKey.OUTCOME.withValue(context.outcome()
                        .map(DefaultItemObservationConvention::text)
                        .orElse(KeyValue.NONE_VALUE)));
    }

    @Override
    public KeyValues getHighCardinalityKeyValues(ItemObservationContext context) {
        return KeyValues.of(
                ObservedKey.ITEM.withValue(String.valueOf(context.item().getShardingItem())),
                ObservedKey.RUN.withValue(context.item().getRunId()),
                ObservedKey.ATTEMPT.withValue(String.valueOf(context.item().getAttempt())),
                ObservedKey.SCHEDULED.withValue(
                        context.item().getScheduledTime().toString()));
    }

    private static String text(Enum<?> value) {
        return value.name().toLowerCase(Locale.ROOT);
    }
}
