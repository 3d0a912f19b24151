package dev.elasticjob.coordination.state;

import java.time.Instant;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;
import java.util.Optional;
import java.util.SortedSet;
import java.util.TreeSet;
import java.util.function.Predicate;
import java.util.function.UnaryOperator;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;

/**
 * The firings of a job that have begun and not ended: the data of its node {@code firings}, whose version guards every
 * claim.
 *
 * @param newest the latest scheduled firing that was opened; an older one that isn't open is over. Null before the first
 * @param open in the order in which they were opened
 */
public record OpenFirings(@Nullable Instant newest, List<OpenFiring> open) {
    public static final OpenFirings NONE = new OpenFirings(null, List.of());

    public OpenFirings {
        open = List.copyOf(open);
    }

    public Optional<OpenFiring> find(String id) {
        return open.stream().filter(firing -> firing.id().equals(id)).findFirst();
    }

    public Optional<OpenFiring> at(Instant scheduledAt) {
        return find(OpenFiring.idOf(scheduledAt));
    }

    /**
     * Whether a scheduled firing may still be opened.
     *
     * @param credible whether a moment can have come by the registry's clock. If the newest cannot, it was opened while that
     *     clock was wrong, and doesn't count
     */
    public boolean mayOpen(Instant scheduledAt, Predicate<Instant> credible) {
        return at(scheduledAt).isEmpty() && (newest == null || scheduledAt.isAfter(newest) || !credible.test(newest));
    }

    /** The scheduled ones that name the item, latest first. */
    public Stream<OpenFiring> scheduled(int item) {
        return open.stream()
                .filter(firing -> firing.scheduledAt() != null && firing.items().contains(item))
                .sorted(Comparator.comparing(OpenFiring::order).reversed());
    }

    /** The moments of those. */
    public SortedSet<Instant> moments(int item) {
        SortedSet<Instant> moments = new TreeSet<>();
        scheduled(item).forEach(firing -> moments.add(firing.order()));
        return moments;
    }

    /** The same with another one. A scheduled one is the newest from then on. */
    public OpenFirings with(OpenFiring opened) {
        List<OpenFiring> all = new ArrayList<>(open);
        all.add(opened);
        Instant scheduledAt = opened.scheduledAt();
        return new OpenFirings(scheduledAt == null ? newest : scheduledAt, all);
    }

    /** The same with one of them changed. */
    public OpenFirings changed(String id, UnaryOperator<OpenFiring> change) {
        return new OpenFirings(
                newest,
                open.stream()
                        .map(firing -> firing.id().equals(id) ? change.apply(firing) : firing)
                        .toList());
    }

    public OpenFirings without(String id) {
        return new OpenFirings(
                newest, open.stream().filter(firing -> !firing.id().equals(id)).toList());
    }
}
