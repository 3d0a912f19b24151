package dev.elasticjob.coordination.state;

import java.util.ArrayList;
import java.util.Collection;
import java.util.List;
import java.util.Map;
import java.util.NavigableMap;
import java.util.TreeMap;
import java.util.stream.Collectors;

/** Sets of items as short text: {@code 0-3,9} for 0, 1, 2, 3 and 9. */
public final class ItemRanges {
    /** As many as a job can have. */
    private static final int MOST_ITEMS = 50_000;

    private static final int MOST_SHOWN = 60;

    private ItemRanges() {}

    /** The items of each owner, sorted by the owner's id. */
    static Map<String, String> byOwner(NavigableMap<Integer, String> owners) {
        return owners.entrySet().stream()
                .collect(Collectors.groupingBy(
                        Map.Entry::getValue,
                        TreeMap::new,
                        Collectors.mapping(
                                Map.Entry::getKey,
                                Collectors.collectingAndThen(Collectors.toList(), ItemRanges::text))));
    }

    public static String text(List<Integer> ascending) {
        StringBuilder text = new StringBuilder();
        int start = 0;
        for (int end = 0; end < ascending.size(); end++) {
            boolean last = end + 1 == ascending.size() || ascending.get(end + 1) != ascending.get(end) + 1;
            if (last) {
                text.append(text.isEmpty() ? "" : ",").append(ascending.get(start));
                if (end > start) {
                    text.append('-').append(ascending.get(end));
                }
                start = end + 1;
            }
        }
        return text.toString();
    }

    /** The same for people and logs: of many ranges, the first ones, and how many items there are. */
    public static String shown(Collection<Integer> ascending) {
        String text = text(List.copyOf(ascending));
        if (text.length() <= MOST_SHOWN) {
            return text;
        }
        int whole = text.lastIndexOf(',', MOST_SHOWN);
        return "%s,… (%d items)".formatted(text.substring(0, whole), ascending.size());
    }

    /** One or several items in a sentence: {@code item 3}, or {@code items [3-5]}. */
    public static String named(Collection<Integer> ascending) {
        return (ascending.size() == 1 ? "item %s" : "items [%s]").formatted(shown(ascending));
    }

    /**
     * Reads what {@link #text} has written.
     *
     * @throws IllegalArgumentException if it is something else, or has more items than a job can have: a few bytes could
     *     otherwise fill the memory
     */
    static List<Integer> items(String ranges) {
        List<Integer> items = new ArrayList<>();
        if (ranges.isEmpty()) {
            return items;
        }
        for (String range : ranges.split(",", -1)) {
            int dash = range.indexOf('-');
            int first = Integer.parseInt(dash < 0 ? range : range.substring(0, dash));
            int last = dash < 0 ? first : Integer.parseInt(range.substring(dash + 1));
            if (first < 0 || last < first || last - first >= MOST_ITEMS - items.size()) {
                throw new IllegalArgumentException(
                        "\"%s\" is not a range of items, of which a job has at most %d".formatted(range, MOST_ITEMS));
            }
            for (int item = first; item <= last; item++) {
                items.add(item);
            }
        }
        return items;
    }
}
