package dev.elasticjob.release;

import java.util.ArrayList;
import java.util.Comparator;
import java.util.HashSet;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Set;
import java.util.function.Function;

/** A few of many combinations in which each two choices that can occur together do. */
final class Pairs {
    private Pairs() {}

    /** Greedy: always takes the combination with the most pairs that are not yet covered, the first of several. */
    static <C> List<C> covering(List<C> all, Function<C, Set<String>> choices) {
        Set<Set<String>> open = new LinkedHashSet<>();
        all.forEach(combination -> open.addAll(of(choices.apply(combination))));
        List<C> taken = new ArrayList<>();
        while (!open.isEmpty()) {
            C best = all.stream()
                    .min(Comparator.comparing(combination -> -shared(open, of(choices.apply(combination)))))
                    .orElseThrow();
            open.removeAll(of(choices.apply(best)));
            taken.add(best);
        }
        return taken;
    }

    private static long shared(Set<Set<String>> open, Set<Set<String>> pairs) {
        return pairs.stream().filter(open::contains).count();
    }

    private static Set<Set<String>> of(Set<String> choices) {
        Set<Set<String>> pairs = new HashSet<>();
        for (String one : choices) {
            for (String other : choices) {
                if (!one.equals(other)) {
                    pairs.add(Set.of(one, other));
                }
            }
        }
        return pairs;
    }
}
