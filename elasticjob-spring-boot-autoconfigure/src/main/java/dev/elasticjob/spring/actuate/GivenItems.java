package dev.elasticjob.spring.actuate;

import java.util.ArrayList;
import java.util.List;
import java.util.NavigableSet;
import java.util.TreeSet;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/** Several items as a text, such as {@code 1,3-5}. Used by one thread. */
final class GivenItems {
    /** As many as a job can have: a few characters could otherwise fill the memory. */
    private static final int MOST = 50_000;

    private static final int MOST_PROBLEMS = 5;
    private static final int MOST_SHOWN = 20;
    private static final Pattern PART = Pattern.compile("\\s*(\\d{1,9})\\s*(?:-\\s*(\\d{1,9})\\s*)?");

    private final NavigableSet<Integer> items = new TreeSet<>();
    private final List<String> problems = new ArrayList<>();

    private GivenItems() {}

    /** @throws IllegalArgumentException with everything that is wrong */
    static NavigableSet<Integer> read(String text) {
        GivenItems given = new GivenItems();
        for (String part : text.split(",", -1)) {
            given.add(part);
        }
        if (!given.problems.isEmpty()) {
            throw new IllegalArgumentException(
                    "expected numbers separated by commas, or ranges such as 3-5, each item once, but "
                            + given.shown());
        }
        return given.items;
    }

    private void add(String part) {
        Matcher matcher = PART.matcher(part);
        if (!matcher.matches()) {
            problems.add("\"%s\" is neither".formatted(shown(part.strip())));
            return;
        }
        int first = Integer.parseInt(matcher.group(1));
        int last = matcher.group(2) == null ? first : Integer.parseInt(matcher.group(2));
        if (last < first) {
            problems.add("%d-%d ends before it begins".formatted(first, last));
        } else if (last - first >= MOST) {
            problems.add("%d-%d has more than %,d items".formatted(first, last, MOST));
        } else {
            add(first, last);
        }
    }

    private void add(int first, int last) {
        NavigableSet<Integer> twice = new TreeSet<>(items.subSet(first, true, last, true));
        if (!twice.isEmpty()) {
            problems.add(
                    twice.size() == 1
                            ? "%d is there twice".formatted(twice.first())
                            : "%d items from %d to %d are there twice"
                                    .formatted(twice.size(), twice.first(), twice.last()));
        } else if (items.size() + (last - first) >= MOST) {
            problems.add("with %d-%d there are more than %,d items".formatted(first, last, MOST));
        } else {
            for (int item = first; item <= last; item++) {
                items.add(item);
            }
        }
    }

    private String shown() {
        String first = String.join(", ", problems.subList(0, Math.min(MOST_PROBLEMS, problems.size())));
        int more = problems.size() - MOST_PROBLEMS;
        return more > 0 ? "%s, and %d more".formatted(first, more) : first;
    }

    private static String shown(String part) {
        return part.length() <= MOST_SHOWN ? part : part.substring(0, MOST_SHOWN) + "…";
    }
}
