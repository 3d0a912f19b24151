package dev.elasticjob.admin;

import dev.elasticjob.admin.Attention.Checked;
import dev.elasticjob.admin.Attention.Finding;
import java.util.Comparator;
import java.util.List;
import java.util.Optional;
import java.util.TreeSet;
import java.util.function.Function;
import java.util.stream.Collectors;
import org.jspecify.annotations.Nullable;

/** Selects and orders jobs of which a sweep has read everything. Pure. */
final class SweptJobs {
    private SweptJobs() {}

    /** @throws IllegalArgumentException if the place where the page begins is that of another order */
    static JobPage page(Swept<Checked> known, JobPage.Query query) {
        List<Checked> found = known.entries().stream()
                .map(Swept.Entry::value)
                .filter(query::matches)
                .sorted(order(query))
                .toList();
        int from = query.sort() == JobPage.Sort.NAME ? afterName(found, query) : afterSoMany(query.after());
        int end = Math.min(found.size(), from + JobPage.SIZE);
        List<JobReport> page = found.subList(Math.min(from, end), end).stream()
                .map(Checked::job)
                .toList();
        Optional<String> next = Optional.of(end)
                .filter(place -> place < found.size())
                .map(place -> query.sort() == JobPage.Sort.NAME
                        ? found.get(place - 1).job().name()
                        : Integer.toString(place));
        return new JobPage(page, found.size(), next, Optional.of(known.progress()));
    }

    static JobPage.Names names(Swept<Checked> known, JobPage.Query query) {
        return new JobPage.Names(
                known.entries().stream()
                        .map(Swept.Entry::value)
                        .filter(query::matches)
                        .map(checked -> checked.job().name())
                        .collect(Collectors.toCollection(TreeSet::new)),
                Optional.of(known.progress()));
    }

    private static int afterName(List<Checked> found, JobPage.Query query) {
        if (query.after().isEmpty()) {
            return 0;
        }
        int direction = query.descending() ? -1 : 1;
        return Math.toIntExact(found.stream()
                .takeWhile(checked -> direction * checked.job().name().compareTo(query.after()) <= 0)
                .count());
    }

    /** In other orders a page begins after so many jobs: the last one of the page before may be elsewhere by then. */
    private static int afterSoMany(String after) {
        if (!after.matches("[0-9]{0,9}")) {
            throw new IllegalArgumentException(
                    ("Expected \"after\" to be the number that the page before named as the next one's, but it was \"%s\";"
                                    + " only pages in the order of names begin after a name")
                            .formatted(after));
        }
        return after.isEmpty() ? 0 : Integer.parseInt(after);
    }

    private static Comparator<Checked> order(JobPage.Query query) {
        Comparator<Checked> order = switch (query.sort()) {
            case NAME -> directed(query, name());
            case CONDITION -> directed(query, condition());
            case ENDED -> byPresent(query, checked -> checked.items().finishedAt());
            case NEXT_FIRING -> byPresent(query, checked -> checked.job().nextDueTime());
            case ITEMS ->
                directed(query, Comparator.comparing(checked -> checked.items().items()));
            case INSTANCES ->
                directed(
                        query,
                        Comparator.comparing(
                                checked -> checked.job().instances().size()));
        };
        return order.thenComparing(name());
    }

    private static Comparator<Checked> name() {
        return Comparator.comparing(checked -> checked.job().name());
    }

    private static Comparator<Checked> condition() {
        return Comparator.comparing(JobCondition::of)
                .thenComparing(SweptJobs::worst, Comparator.nullsLast(Finding.WORST_FIRST))
                .thenComparing(checked -> checked.job().status());
    }

    private static @Nullable Finding worst(Checked checked) {
        return checked.findings().isEmpty() ? null : checked.findings().get(0);
    }

    private static Comparator<Checked> directed(JobPage.Query query, Comparator<Checked> order) {
        return query.descending() ? order.reversed() : order;
    }

    /** Jobs that have no such value are last in both directions. */
    private static <T extends Comparable<T>> Comparator<Checked> byPresent(
            JobPage.Query query, Function<Checked, Optional<T>> value) {
        Comparator<T> natural = query.descending() ? Comparator.reverseOrder() : Comparator.naturalOrder();
        return Comparator.comparing(
                (Checked checked) -> value.apply(checked).orElse(null), Comparator.nullsLast(natural));
    }
}
