package dev.elasticjob.admin.command;

import java.util.Collections;
import java.util.SortedMap;
import java.util.SortedSet;
import java.util.TreeMap;
import java.util.TreeSet;

/**
 * What came of disabling or enabling items.
 *
 * @param items what came of it for each item
 */
public record DisableAnswer(SortedMap<Integer, Result> items) {
    public DisableAnswer {
        items = Collections.unmodifiableSortedMap(new TreeMap<>(items));
    }

    /** What came of it for one item. */
    public enum Result {
        /** It is so now. */
        CHANGED,
        /** It was so before. */
        ALREADY
    }

    SortedSet<Integer> with(Result result) {
        SortedSet<Integer> with = new TreeSet<>();
        items.forEach((item, each) -> {
            if (each == result) {
                with.add(item);
            }
        });
        return with;
    }
}
