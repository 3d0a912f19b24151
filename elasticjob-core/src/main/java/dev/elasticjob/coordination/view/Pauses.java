package dev.elasticjob.coordination.view;

import java.time.Instant;
import java.util.ArrayList;
import java.util.Collection;
import java.util.Comparator;
import java.util.List;
import java.util.Optional;

/**
 * The union of pauses: those that overlap count as one. Pure.
 *
 * @param over those that are over, in order, with a time between each other
 * @param since the beginning of the one that lasts; empty if none does
 */
public record Pauses(List<Pause> over, Optional<Instant> since) {
    public Pauses {
        over = List.copyOf(over);
    }

    public static Pauses of(Collection<Pause> pauses) {
        List<Pause> united = new ArrayList<>();
        pauses.stream().sorted(Comparator.comparing(Pause::from)).forEach(next -> {
            int last = united.size() - 1;
            if (last >= 0 && united.get(last).reaches(next.from())) {
                united.set(last, united.get(last).and(next));
            } else {
                united.add(next);
            }
        });
        List<Pause> over =
                united.stream().filter(pause -> pause.until() != null).toList();
        return new Pauses(
                over,
                united.stream()
                        .filter(pause -> pause.until() == null)
                        .map(Pause::from)
                        .findFirst());
    }

    public boolean lasts() {
        return since.isPresent();
    }

    /** Those that are over, and ended later than that. */
    public List<Pause> endedAfter(Instant time) {
        return over.stream()
                .filter(pause -> pause.until() != null && pause.until().isAfter(time))
                .toList();
    }
}
