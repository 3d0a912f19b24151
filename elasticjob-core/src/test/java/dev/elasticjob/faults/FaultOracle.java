package dev.elasticjob.faults;

import dev.elasticjob.faults.Disturbance.Kind;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.NavigableMap;
import java.util.Optional;
import java.util.TreeMap;
import java.util.stream.Stream;

/**
 * Judges a history: which pairs of a firing and an item ran, were folded, lost or forgotten, and what ran twice or beside
 * another one. Pure.
 */
final class FaultOracle {
    /** How long a process that stood still, and stands no more, may take to interrupt what it was doing. */
    private static final Duration WAKING = Duration.ofSeconds(1);

    private final History history;
    private final List<Execution> executions;
    private final Map<Integer, NavigableMap<Instant, List<Execution>>> byItem = new HashMap<>();

    FaultOracle(History history) {
        this.history = history;
        this.executions = history.executions();
        for (Execution execution : executions) {
            byItem.computeIfAbsent(execution.item(), any -> new TreeMap<>())
                    .computeIfAbsent(execution.firing(), any -> new ArrayList<>())
                    .add(execution);
        }
    }

    /**
     * Judges what was due from one firing to another.
     *
     * @param first included
     * @param last included; what is due later may still be missing
     */
    Verdict judge(WorkloadSettings workload, Instant first, Instant last) {
        List<Instant> firings = Stream.iterate(
                        first, firing -> !firing.isAfter(last), firing -> firing.plus(workload.period()))
                .toList();
        Count count = new Count();
        for (int item = 0; item < workload.items(); item++) {
            count.add(item, firings);
        }
        return new Verdict(
                firings.size() * workload.items(),
                count.run,
                count.folded,
                count.lost,
                count.gaps,
                count.silent,
                doubled(),
                overlaps(),
                unfenced(),
                worstDelay(first, last));
    }

    // ------------------------------------------------------------------ what was due

    private final class Count {
        private int run;
        private int folded;
        private int lost;
        private final List<Verdict.Gap> gaps = new ArrayList<>();
        private final List<String> silent = new ArrayList<>();

        void add(int item, List<Instant> firings) {
            NavigableMap<Instant, List<Execution>> ran = byItem.getOrDefault(item, new TreeMap<>());
            Map<Instant, List<Instant>> missing = new HashMap<>();
            for (Instant firing : firings) {
                if (ran.containsKey(firing)) {
                    run++;
                } else {
                    Instant next = Optional.ofNullable(ran.higherKey(firing)).orElse(Instant.MAX);
                    missing.computeIfAbsent(next, any -> new ArrayList<>()).add(firing);
                    gaps.add(new Verdict.Gap(item, firing));
                }
            }
            missing.forEach((next, firingsBefore) -> explain(item, next, firingsBefore));
        }

        /** Firings of a gap are explained from the latest one on: an event counts back from where the gap ends. */
        private void explain(int item, Instant next, List<Instant> missing) {
            int foldedHere = Math.min(told(Happening.Kind.FOLDED, item, next), missing.size());
            int lostHere = Math.min(told(Happening.Kind.LOST, item, next), missing.size() - foldedHere);
            folded += foldedHere;
            lost += lostHere;
            missing.subList(0, missing.size() - foldedHere - lostHere)
                    .forEach(firing -> silent.add("item %d has no run for %s, and nobody says why; it ran next for %s"
                            .formatted(item, firing, next)));
        }

        private int told(Happening.Kind kind, int item, Instant next) {
            return history.of(kind).stream()
                    .filter(gap -> gap.item() == item && gap.firing().equals(next))
                    .mapToInt(Happening::count)
                    .max()
                    .orElse(0);
        }
    }

    private Duration worstDelay(Instant first, Instant last) {
        return executions.stream()
                .filter(one -> one.attempt() == 1)
                .filter(one -> !one.firing().isBefore(first) && !one.firing().isAfter(last))
                .map(one -> Duration.between(one.firing(), one.start()))
                .max(Comparator.naturalOrder())
                .orElse(Duration.ZERO);
    }

    // ------------------------------------------------------------------ what should not have run

    private List<String> doubled() {
        List<String> found = new ArrayList<>();
        byItem.values()
                .forEach(firings -> firings.values().forEach(attempts -> {
                    for (int i = 1; i < attempts.size(); i++) {
                        Execution before = attempts.get(i - 1);
                        Execution after = attempts.get(i);
                        boolean interrupted =
                                history.isDisturbed(before, after.start()) || wasSeenToEndEarly(before, after);
                        boolean explained = interrupted && after.attempt() > before.attempt();
                        if (!explained) {
                            found.add("after %s there ran %s".formatted(before, after));
                        }
                    }
                }));
        return found;
    }

    /** It has said itself that it was interrupted: a machine that is busy may cost a session. */
    private static boolean wasSeenToEndEarly(Execution before, Execution after) {
        return !before.whole() && !before.end().isAfter(after.start());
    }

    private List<String> overlaps() {
        List<String> found = new ArrayList<>();
        Map<Integer, List<Execution>> earlier = new HashMap<>();
        for (Execution execution : executions) {
            List<Execution> others = earlier.computeIfAbsent(execution.item(), any -> new ArrayList<>());
            others.stream()
                    .filter(other -> runs(other, execution.start(), execution.end()))
                    .forEach(other -> found.add("beside %s there ran %s".formatted(other, execution)));
            others.add(execution);
        }
        return found;
    }

    /** Whether it did anything in that time: not while its process stood still, nor in the moment of its waking. */
    private boolean runs(Execution execution, Instant from, Instant to) {
        Instant last = execution.end().isBefore(to) ? execution.end() : to;
        if (!from.isBefore(last)) {
            return false;
        }
        return history.disturbances().stream()
                .filter(one -> one.kind() == Kind.PAUSED && one.process().equals(execution.process()))
                .noneMatch(
                        one -> !one.from().isAfter(from) && !plus(one.until()).isBefore(last));
    }

    private static Instant plus(Instant woken) {
        return woken.equals(Instant.MAX) ? woken : woken.plus(WAKING);
    }

    private List<String> unfenced() {
        List<String> found = new ArrayList<>();
        Map<Integer, Execution> newest = new HashMap<>();
        for (Execution execution : executions) {
            Execution before = newest.put(execution.item(), execution);
            if (before != null && before.token() >= execution.token()) {
                found.add("after %s the token of %s has not risen".formatted(before, execution));
            }
        }
        return found;
    }
}
