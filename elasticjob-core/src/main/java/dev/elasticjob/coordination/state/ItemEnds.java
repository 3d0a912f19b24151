package dev.elasticjob.coordination.state;

import dev.elasticjob.job.cluster.FiringOutcomes.Outcome;
import java.nio.charset.StandardCharsets;
import java.time.Instant;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;
import java.util.Optional;
import java.util.function.Predicate;

/**
 * How an item has ended firings that its record shows no longer, and that are open or may yet be opened. Part of the
 * record, so that no end is seen without the change that made it one. Ends never go back.
 *
 * @param opened whether the execution that the record shows is one of a firing that is or was open
 * @param list oldest first, at most one for each firing
 */
public record ItemEnds(boolean opened, List<End> list) {
    public static final ItemEnds NONE = new ItemEnds(false, List.of());

    /** Each costs its bytes with each read of the record. An item that is further behind is unknown. */
    public static final int REMEMBERED = 8;

    private static final int BYTES_OF_INSTANCE = 48;

    /**
     * How one firing was ended. A longer id of an instance is cut here, so that a record is equal to the same one read
     * again.
     *
     * @param outcome one that never began names the instance that has decided so, where that has to be known
     */
    public record End(Instant firing, Outcome outcome) {
        public End {
            outcome = new Outcome(outcome.end(), outcome.attempts(), cut(outcome.instance()));
        }

        private static String cut(String instance) {
            int end = instance.length();
            while (instance.substring(0, end).getBytes(StandardCharsets.UTF_8).length > BYTES_OF_INSTANCE) {
                end--;
            }
            return instance.substring(0, end);
        }
    }

    public ItemEnds {
        list = List.copyOf(list);
    }

    public boolean isEmpty() {
        return !opened && list.isEmpty();
    }

    public Optional<Outcome> of(Instant firing) {
        return list.stream()
                .filter(end -> end.firing().equals(firing))
                .findFirst()
                .map(End::outcome);
    }

    /** The same with one more, unless the firing has an end. Beyond the limit, the oldest are forgotten. */
    public ItemEnds with(Instant firing, Outcome outcome) {
        if (of(firing).isPresent()) {
            return this;
        }
        List<End> all = new ArrayList<>(list);
        all.add(new End(firing, outcome));
        all.sort(Comparator.comparing(End::firing));
        return new ItemEnds(opened, all.subList(Math.max(0, all.size() - REMEMBERED), all.size()));
    }

    /** Only those of firings that are open or may yet be opened. */
    public ItemEnds retaining(Predicate<Instant> firings) {
        return new ItemEnds(
                opened, list.stream().filter(end -> firings.test(end.firing())).toList());
    }

    /** The same for an execution that is, or is not, of an open firing. */
    public ItemEnds opened(boolean ofOpenFiring) {
        return new ItemEnds(ofOpenFiring, list);
    }
}
