package dev.elasticjob.definition;

import java.util.ArrayList;
import java.util.Collections;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import java.util.regex.Pattern;

/**
 * The parameters of the items, parsed from a text such as {@code 0=a,1=b}. A value may contain {@code =} but no comma;
 * spaces around items, values and pairs are ignored, and so are commas at the end, as in Elastic-Job.
 *
 * @param byItem the parameters that could be parsed
 * @param faults one message for each error
 */
public record ItemParameters(Map<Integer, String> byItem, List<String> faults) {
    private static final Pattern END = Pattern.compile("[,\\s]+$");

    public ItemParameters {
        byItem = Collections.unmodifiableMap(new TreeMap<>(byItem));
        faults = List.copyOf(faults);
    }

    public static ItemParameters parse(String text) {
        Map<Integer, String> byItem = new TreeMap<>();
        List<String> faults = new ArrayList<>();
        String pairs = END.matcher(text).replaceFirst("");
        if (!pairs.isEmpty()) {
            for (String pair : pairs.split(",", -1)) {
                addPair(pair.strip(), byItem, faults);
            }
        }
        return new ItemParameters(byItem, faults);
    }

    private static void addPair(String pair, Map<Integer, String> byItem, List<String> faults) {
        int equals = pair.indexOf('=');
        if (equals < 0) {
            faults.add(
                    "\"%s\" has no '=': write pairs such as 0=a,1=b (a value can't contain a comma)".formatted(pair));
            return;
        }
        String item = pair.substring(0, equals).strip();
        try {
            String former = byItem.put(
                    Integer.parseInt(item), pair.substring(equals + 1).strip());
            if (former != null) {
                faults.add("item %s appears twice: keep one of the two".formatted(item));
            }
        } catch (NumberFormatException e) {
            faults.add("\"%s\" in \"%s\" is not an item number".formatted(item, pair));
        }
    }

    /** The items that have a parameter but don't exist with this total number of items. */
    public List<Integer> beyond(int shardingTotalCount) {
        return byItem.keySet().stream()
                .filter(item -> item < 0 || item >= shardingTotalCount)
                .toList();
    }
}
