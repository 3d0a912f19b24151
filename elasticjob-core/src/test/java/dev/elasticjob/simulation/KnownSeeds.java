package dev.elasticjob.simulation;

import static java.nio.charset.StandardCharsets.UTF_8;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import java.util.TreeSet;
import java.util.function.LongPredicate;

/**
 * Seeds in which a rule that is taken out was missed before, so that {@link MutationTest} finds them at once instead of
 * searching. It searches where none of them helps any more: a seed means something else after each change of what engines
 * do. With {@code -Dmutations.write=true} it writes down what it has found, and drops what was of no help.
 */
final class KnownSeeds {
    private static final Path FILE = Path.of("src/test/resources/dev/elasticjob/simulation/known-seeds.txt");

    private static final int WRITTEN = 3;

    private final Map<String, List<Long>> before;
    private final Map<String, TreeSet<Long>> helpful = new TreeMap<>();

    private KnownSeeds(Map<String, List<Long>> before) {
        this.before = before;
    }

    static KnownSeeds read() {
        Map<String, List<Long>> seeds = new TreeMap<>();
        try {
            for (String line : Files.exists(FILE) ? Files.readAllLines(FILE, UTF_8) : List.<String>of()) {
                int tab = line.lastIndexOf('\t');
                seeds.computeIfAbsent(line.substring(0, tab), rule -> new ArrayList<>())
                        .add(Long.valueOf(line.substring(tab + 1)));
            }
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
        return new KnownSeeds(seeds);
    }

    /** How many seeds are looked for: several are written down, because the next change makes some of them useless. */
    int enough() {
        return isAsked() ? WRITTEN : 1;
    }

    /** Those in which the rule is still missed, as many as are enough. */
    List<Long> stillOf(Flaw flaw, String reason, LongPredicate breaks) {
        return before.getOrDefault(rule(flaw, reason), List.of()).stream()
                .filter(breaks::test)
                .limit(enough())
                .toList();
    }

    /** The rule is missed in these seeds. */
    void add(Flaw flaw, String reason, List<Long> seeds) {
        helpful.computeIfAbsent(rule(flaw, reason), rule -> new TreeSet<>()).addAll(seeds);
    }

    private static boolean isAsked() {
        return Boolean.getBoolean("mutations.write");
    }

    void writeIfAsked() {
        if (!isAsked()) {
            return;
        }
        List<String> lines = new ArrayList<>();
        helpful.forEach((rule, seeds) -> seeds.forEach(seed -> lines.add(rule + "\t" + seed)));
        try {
            Files.createDirectories(FILE.getParent());
            Files.write(FILE, lines, UTF_8);
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }

    private static String rule(Flaw flaw, String reason) {
        return flaw + "\t" + reason;
    }
}
