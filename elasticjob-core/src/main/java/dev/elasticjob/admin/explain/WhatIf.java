package dev.elasticjob.admin.explain;

import dev.elasticjob.definition.text.LabelSelector;
import java.util.Collections;
import java.util.List;
import java.util.Optional;
import java.util.SortedSet;
import java.util.TreeSet;

/**
 * What would be different when a job is resharded. Immutable.
 *
 * @param without the ids of instances that would be gone
 * @param more how many instances would join, 0 to {@link #MOST_INSTANCES}
 * @param total the number of items, 1 to {@link #MOST_ITEMS}; empty for that of the job
 * @param strategy the sharding strategy; empty for that of the job
 * @param runOn the labels that the job asks for; empty for those of the job
 */
public record WhatIf(
        SortedSet<String> without,
        int more,
        Optional<Integer> total,
        Optional<String> strategy,
        Optional<String> runOn) {
    /** The most instances that may join in a preview. */
    public static final int MOST_INSTANCES = 1_000;

    /** The most items of a preview. */
    public static final int MOST_ITEMS = 100_000;

    /** @throws IllegalArgumentException if a number is out of its range, or {@code runOn} can't be read */
    public WhatIf {
        without = Collections.unmodifiableSortedSet(new TreeSet<>(without));
        mustBe("more", more, 0, MOST_INSTANCES);
        total.ifPresent(items -> mustBe("total", items, 1, MOST_ITEMS));
        strategy = strategy.map(String::strip).filter(name -> !name.isEmpty());
        runOn = runOn.map(String::strip).filter(text -> !text.isEmpty());
        runOn.ifPresent(LabelSelector::parse);
    }

    /** Nothing would be different. */
    public static WhatIf nothing() {
        return new WhatIf(new TreeSet<>(), 0, Optional.empty(), Optional.empty(), Optional.empty());
    }

    public WhatIf without(String... instances) {
        return new WhatIf(new TreeSet<>(List.of(instances)), more, total, strategy, runOn);
    }

    public WhatIf more(int instances) {
        return new WhatIf(without, instances, total, strategy, runOn);
    }

    public WhatIf total(int items) {
        return new WhatIf(without, more, Optional.of(items), strategy, runOn);
    }

    public WhatIf strategy(String name) {
        return new WhatIf(without, more, total, Optional.of(name), runOn);
    }

    public WhatIf runOn(String labels) {
        return new WhatIf(without, more, total, strategy, Optional.of(labels));
    }

    private static void mustBe(String name, int found, int least, int most) {
        if (found < least || found > most) {
            throw new IllegalArgumentException(
                    "Expected \"%s\" to be a number from %d to %d, but it was %d".formatted(name, least, most, found));
        }
    }
}
