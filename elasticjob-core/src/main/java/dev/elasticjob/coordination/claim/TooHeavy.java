package dev.elasticjob.coordination.claim;

import dev.elasticjob.coordination.session.JobScope;
import dev.elasticjob.definition.JobDefinition;
import java.util.HashMap;
import java.util.Map;
import java.util.OptionalInt;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Items that never run here, because they weigh more than this instance's capacity. Each is told once.
 *
 * <p>Confined to the coordination executor.
 */
final class TooHeavy {
    private static final Logger log = LoggerFactory.getLogger(TooHeavy.class);

    private final JobScope scope;
    private final OptionalInt limit;
    /** The weights that were told. */
    private final Map<Integer, Integer> told = new HashMap<>();

    TooHeavy(JobScope scope, OptionalInt limit) {
        this.scope = scope;
        this.limit = limit;
    }

    boolean is(JobDefinition definition, int item) {
        int weight = definition.weightOf(item);
        if (limit.isEmpty() || weight <= limit.getAsInt()) {
            told.remove(item);
            return false;
        }
        Integer before = told.put(item, weight);
        if (before == null || before != weight) {
            log.warn(
                    "Job \"{}\": item {} has a weight of {}, but this instance has a capacity of {}, so it never starts here."
                            + " Lower its weight (weight, itemWeights), raise elasticjob.worker.capacity, or choose other"
                            + " instances (runOn)",
                    scope.jobName(),
                    item,
                    weight,
                    limit.getAsInt());
        }
        return true;
    }

    /** At start, before any of them is due. */
    void look(JobDefinition definition, Iterable<Integer> items) {
        items.forEach(item -> is(definition, item));
    }
}
