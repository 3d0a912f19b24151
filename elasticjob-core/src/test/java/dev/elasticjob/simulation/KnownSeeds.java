package dev.elasticjob.simulation;

import static java.nio.charset.StandardCharsets.UTF_8;
import static java.nio.file.StandardCopyOption.ATOMIC_MOVE;
import static java.nio.file.StandardOpenOption.CREATE;
import static java.nio.file.StandardOpenOption.WRITE;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.channels.FileChannel;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import java.util.TreeSet;
import java.util.function.LongPredicate;
import java.util.stream.LongStream;

/**
 * Seeds in which a rule that is taken out was missed before, so that the tests of the tests find them at once instead of
 * searching. They search where none of them helps any more: a seed means something else after each change of what engines
 * do. With {@code -Dmutations.write=true}, what was found for a rule is written down at once in place of what was there.
 */
final class KnownSeeds {
    private static final Path FILE = Path.of("src/test/resources/dev/elasticjob/simulation/known-seeds.txt");
    /** Held while the file is written, by several processes of a build too. */
    private static final Path LOCK = Path.of("target/known-seeds.lock");

    private static final boolean WRITES = Boolean.getBoolean("mutations.write");
    /** Several, because the next change makes some of them useless. */
    private static final int WRITTEN = 3;

    private static final int PART = 20;
    private static final Map<String, TreeSet<Long>> KNOWN = read();

    private KnownSeeds() {}

    /**
     * Seeds in which a rule is missed.
     *
     * @param reason what its absence breaks
     * @param seeds below which one is searched for
     * @param breaks lives the life of a seed without the rule; used by several threads
     * @return empty if there is none
     */
    static List<Long> of(Object rule, String reason, long seeds, LongPredicate breaks) {
        int enough = WRITES ? WRITTEN : 1;
        String key = rule + "\t" + reason;
        List<Long> found = KNOWN.getOrDefault(key, new TreeSet<>()).stream()
                .filter(breaks::test)
                .limit(enough)
                .toList();
        if (found.size() < enough) {
            found = search(seeds, enough, breaks);
        }
        if (WRITES && !found.isEmpty()) {
            write(key, found);
        }
        return found;
    }

    /** In small parts: a parallel stream that is limited would live hundreds of lives behind the first that is enough. */
    private static List<Long> search(long seeds, int enough, LongPredicate breaks) {
        List<Long> found = new ArrayList<>();
        for (long part = 0; part < seeds && found.size() < enough; part += PART) {
            LongStream.range(part, Math.min(seeds, part + PART))
                    .parallel()
                    .filter(breaks)
                    .boxed()
                    .forEachOrdered(found::add);
        }
        return found.stream().limit(enough).toList();
    }

    private static Map<String, TreeSet<Long>> read() {
        Map<String, TreeSet<Long>> seeds = new TreeMap<>();
        try {
            for (String line : Files.exists(FILE) ? Files.readAllLines(FILE, UTF_8) : List.<String>of()) {
                int tab = line.lastIndexOf('\t');
                seeds.computeIfAbsent(line.substring(0, tab), rule -> new TreeSet<>())
                        .add(Long.valueOf(line.substring(tab + 1)));
            }
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
        return seeds;
    }

    private static synchronized void write(String key, List<Long> seeds) {
        try (FileChannel channel = FileChannel.open(LOCK, CREATE, WRITE)) {
            channel.lock();
            Map<String, TreeSet<Long>> all = read();
            all.put(key, new TreeSet<>(seeds));
            List<String> lines = new ArrayList<>();
            all.forEach((rule, its) -> its.forEach(seed -> lines.add(rule + "\t" + seed)));
            // Others read it at their start, without the lock.
            Path written = Files.write(FILE.resolveSibling(FILE.getFileName() + ".new"), lines, UTF_8);
            Files.move(written, FILE, ATOMIC_MOVE);
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }
}
