package dev.elasticjob.faults;

import dev.elasticjob.faults.Happening.Kind;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.TreeSet;
import java.util.stream.Collectors;
import java.util.stream.IntStream;
import java.util.stream.Stream;

/** All that was told, and all that was done to the processes. */
record History(List<Happening> told, List<Disturbance> disturbances) {
    /** Hearts beat once a second. */
    private static final Duration STEADY = Duration.ofMillis(1_500);

    /** What may pass between two looks at a clock. */
    private static final Duration MOMENT = Duration.ofSeconds(1);

    /** What an item that moves may wait for its plan, on a machine that has much else to do. */
    private static final Duration PLANNING = Duration.ofSeconds(3);

    private static final Duration SURROUNDINGS = Duration.ofSeconds(10);

    History {
        told = List.copyOf(told);
        disturbances = List.copyOf(disturbances);
    }

    /** By their start. One whose end nobody told lasts until its process was killed, or to the end of the log. */
    List<Execution> executions() {
        Map<String, Happening> ends = new HashMap<>();
        told.stream().filter(one -> one.is(Kind.END)).forEach(end -> ends.put(key(end), end));
        List<Execution> executions = new ArrayList<>();
        for (Happening start : told) {
            if (start.is(Kind.START)) {
                Happening end = ends.get(key(start));
                executions.add(new Execution(
                        start.process(),
                        start.item(),
                        start.firing(),
                        start.attempt(),
                        start.token(),
                        start.at(),
                        end == null ? death(start.process()) : end.at(),
                        end != null && end.whole()));
            }
        }
        executions.sort(Comparator.comparing(Execution::start));
        return executions;
    }

    private Instant death(String process) {
        return disturbances.stream()
                .filter(one ->
                        one.kind() == Disturbance.Kind.KILLED && one.process().equals(process))
                .map(Disturbance::from)
                .findFirst()
                .orElse(Instant.MAX);
    }

    /** What of it is told of one job, or of the processes. */
    History of(String job) {
        return new History(
                told.stream().filter(one -> one.isOf(job) || one.isOfNone()).toList(), disturbances);
    }

    List<Happening> of(Kind kind) {
        return told.stream().filter(one -> one.is(kind)).toList();
    }

    /** Whether something was done to the process that may have interrupted what ran there. */
    boolean isDisturbed(Execution execution, Instant until) {
        return disturbances.stream()
                .anyMatch(one -> one.process().equals(execution.process()) && one.touches(execution.start(), until));
    }

    /**
     * Whether the item belonged, around the time of a firing, to a process that lived and whose heart was steady: then
     * nothing excuses that it didn't run. An item that a dead process owns is nobody's until somebody says to own it, and
     * may be locked until it has begun again elsewhere.
     */
    boolean isOwnedByOneThatIsWell(int item, Instant firing) {
        return !isHeldByTheDead(item, firing)
                && owners(item, firing.minus(MOMENT), firing.plus(PLANNING)).stream()
                        .anyMatch(
                                process -> isWell(process, firing.minus(MOMENT), firing.plus(MOMENT.multipliedBy(2))));
    }

    /**
     * Whether the lock of a killed process may still be there: it ran the item, or owned it and may have claimed it without
     * having told so, and nobody has begun the item since.
     */
    private boolean isHeldByTheDead(int item, Instant firing) {
        List<Execution> before = executions().stream()
                .filter(one -> one.item() == item && !one.start().isAfter(firing))
                .toList();
        Optional<Execution> last = before.stream().reduce((earlier, later) -> later);
        // An end that is told just before its process is killed may not have been recorded.
        boolean ran = last.filter(one -> {
                    Instant death = death(one.process());
                    return !death.isAfter(firing.plus(MOMENT))
                            && (!one.whole() || death.isBefore(one.end().plus(MOMENT)));
                })
                .isPresent();
        return ran
                || disturbances.stream()
                        .filter(one -> one.kind() == Disturbance.Kind.KILLED
                                && !one.from().isAfter(firing.plus(MOMENT)))
                        .filter(kill -> ownedAtItsEnd(kill).contains(item))
                        .anyMatch(kill ->
                                before.stream().noneMatch(one -> one.start().isAfter(kill.from())));
    }

    /** What a killed process said last that it owned. */
    private Set<Integer> ownedAtItsEnd(Disturbance kill) {
        return of(Kind.OWNS).stream()
                .filter(one -> one.process().equals(kill.process()) && one.at().isBefore(kill.from()))
                .reduce((earlier, later) -> later)
                .map(Happening::items)
                .orElse(Set.of());
    }

    /** What was told of an item and of the processes around the time of a firing, for a person who wants to know why. */
    String around(int item, Instant firing) {
        Stream<Map.Entry<Instant, String>> said = told.stream()
                .filter(one -> !one.details().containsKey("item") || one.item() == item)
                .map(one -> Map.entry(one.at(), one.process() + " " + one.line(one.at())));
        Stream<Map.Entry<Instant, String>> done = disturbances.stream().map(one -> Map.entry(one.from(), one + ""));
        return Stream.concat(said, done)
                .filter(one -> Duration.between(one.getKey(), firing).abs().compareTo(SURROUNDINGS) < 0)
                .sorted(Map.Entry.comparingByKey())
                .map(Map.Entry::getValue)
                .collect(Collectors.joining("\n", "item %d at %s:\n".formatted(item, firing), ""));
    }

    /** The processes that said that they own an item, and didn't say otherwise until some time later. */
    private List<String> owners(int item, Instant from, Instant until) {
        Map<String, Boolean> owns = new HashMap<>();
        for (Happening one : of(Kind.OWNS)) {
            if (!one.at().isAfter(from)) {
                owns.put(one.process(), one.items().contains(item));
            } else if (!one.at().isAfter(until)) {
                owns.computeIfPresent(
                        one.process(),
                        (process, before) -> before && one.items().contains(item));
            }
        }
        return owns.keySet().stream().filter(owns::get).toList();
    }

    /** For each killed process that owned items: how long it took until others said that they own all of them. */
    List<Duration> takeovers() {
        List<Duration> found = new ArrayList<>();
        for (Disturbance kill : disturbances) {
            Set<Integer> left = new TreeSet<>(ownedAtItsEnd(kill));
            Optional<Instant> whole = Optional.empty();
            for (Happening one : of(Kind.OWNS)) {
                if (one.at().isAfter(kill.from()) && left.removeAll(one.items()) && left.isEmpty()) {
                    whole = Optional.of(one.at());
                }
            }
            whole.ifPresent(at -> found.add(Duration.between(kill.from(), at)));
        }
        return found;
    }

    /** Whether the process lived, and told each second that it does. */
    private boolean isWell(String process, Instant from, Instant until) {
        List<Instant> moments = new ArrayList<>(of(Kind.BEAT).stream()
                .filter(beat -> beat.process().equals(process))
                .map(Happening::at)
                .filter(at -> at.isAfter(from) && at.isBefore(until))
                .sorted()
                .toList());
        moments.add(0, from);
        moments.add(until);
        return !death(process).isBefore(until)
                && IntStream.range(1, moments.size())
                        .allMatch(next -> Duration.between(moments.get(next - 1), moments.get(next))
                                        .compareTo(STEADY)
                                <= 0);
    }

    private static String key(Happening one) {
        return one.process() + "|" + one.item() + "|" + one.firing() + "|" + one.attempt() + "|" + one.token();
    }
}
