package dev.elasticjob.faults;

import dev.elasticjob.faults.Happening.Kind;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.stream.IntStream;

/** All that was told, and all that was done to the processes. */
record History(List<Happening> told, List<Disturbance> disturbances) {
    /** Hearts beat once a second. */
    private static final Duration STEADY = Duration.ofMillis(1_500);

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

    /** Whether a process of the instance has told each second that it lives. */
    boolean hasSteadyHeart(String instance, Instant from, Instant until) {
        List<Instant> moments = new ArrayList<>(of(Kind.BEAT).stream()
                .filter(beat -> beat.process().startsWith(instance + "-"))
                .map(Happening::at)
                .filter(at -> at.isAfter(from) && at.isBefore(until))
                .sorted()
                .toList());
        moments.add(0, from);
        moments.add(until);
        return IntStream.range(1, moments.size())
                .allMatch(next -> Duration.between(moments.get(next - 1), moments.get(next))
                                .compareTo(STEADY)
                        <= 0);
    }

    private static String key(Happening one) {
        return one.process() + "|" + one.item() + "|" + one.firing() + "|" + one.attempt() + "|" + one.token();
    }
}
