package dev.elasticjob.definition;

import java.util.ArrayList;
import java.util.Collections;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;

/**
 * The weights of single items, parsed from a text such as {@code 0=4,3=2}, in the syntax of {@link ItemParameters}.
 * Immutable.
 *
 * @param byItem the weights that could be parsed
 * @param faults one message for each error
 */
public record ItemWeights(Map<Integer, Integer> byItem, List<String> faults) {
    public ItemWeights {
        byItem = Collections.unmodifiableMap(new TreeMap<>(byItem));
        faults = List.copyOf(faults);
    }

    /** Never fails: whatever is wrong with the text is among the faults. */
    public static ItemWeights parse(String text) {
        ItemParameters pairs = ItemParameters.parse(text);
        List<String> faults = new ArrayList<>(pairs.faults());
        Map<Integer, Integer> byItem = new TreeMap<>();
        pairs.byItem().forEach((item, weight) -> {
            try {
                byItem.put(item, Integer.parseInt(weight));
            } catch (NumberFormatException e) {
                faults.add("\"%s\" of item %d is not a number: write weights such as 0=4,3=2".formatted(weight, item));
            }
        });
        byItem.forEach((item, weight) -> {
            if (weight < 1) {
                faults.add("expected a weight of at least 1, but item %d has %d".formatted(item, weight));
            }
        });
        return new ItemWeights(byItem, faults);
    }
}
