package dev.elasticjob.faults;

import static org.assertj.core.api.Assertions.assertThat;

import dev.elasticjob.engine.ElasticJobEngine;
import dev.elasticjob.faults.ListenerWorkload.Call;
import dev.elasticjob.faults.ListenerWorkload.Told;
import dev.elasticjob.faults.SelfStop.Fault;
import dev.elasticjob.faults.SteppedRegistry.Step;
import dev.elasticjob.registry.Registry;
import dev.elasticjob.testing.ChildJvm;
import dev.elasticjob.testing.Heard;
import dev.elasticjob.testing.ZooKeeperProcess;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.TreeMap;
import java.util.function.Predicate;
import java.util.stream.Collectors;
import java.util.stream.Stream;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;

/**
 * Three instances of a job with a cluster listener, and of one that runs after it, on a real ZooKeeper. One of them has a
 * JVM of its own, which stops itself at a step of a firing: paused, right before the transaction is sent, which then comes
 * far too late; and killed, right after it is committed. It is also paused and killed in the application's code. There is
 * a pair of jobs for each step, all at the same time; the two other instances run all of them.
 */
@Tag("proof")
class ListenerFaultsIT extends FaultTest {
    private static final List<String> SMALL =
            List.of("-Xmx64m", "-XX:+UseSerialGC", "-XX:TieredStopAtLevel=1", "-Xshare:auto");
    private static final Duration UNDER_WAY = Duration.ofSeconds(15);
    /** From when a process says that it stops itself until it stands still: what it does meanwhile counts. */
    private static final Duration STOPPING = Duration.ofSeconds(3);

    /** What is stopped at: a transaction, or the application's code. */
    private static final List<String> STEPS = Stream.concat(
                    Step.OF_FIRINGS.stream().map(Step::name),
                    Stream.of(Call.BEFORE, Call.ITEM, Call.AFTER, Call.FOLLOWER).map(Call::name))
            .toList();

    private final Heard<Told> told = new Heard<>();
    private final Map<String, ChildJvm> processes = new LinkedHashMap<>();
    private final List<Stop> stops = new ArrayList<>();
    /** Before, the processes compete for the machine while they start, and may lose their sessions. */
    private Instant begun = Instant.MAX;

    private Instant resumed = Instant.MAX;

    /** A row's own instance that has stopped itself. */
    private record Stop(String row, Fault fault, String step, Told at) {
        /** The starts of this call for the firing, by what the registry shows of the one that was stopped. */
        List<Integer> starts(Call call) {
            if (step.equals(call.name())) {
                return List.of(1, 2);
            }
            return fault == Fault.KILLED ? startsAfter(call) : startsBefore(call);
        }

        /** The claim is committed, and what it was for never began. */
        private List<Integer> startsAfter(Call call) {
            boolean claimed = switch (call) {
                case BEFORE -> step.equals(Step.OPEN.name());
                case ITEM -> step.equals(Step.CLAIM.name());
                case AFTER -> step.equals(Step.AFTER_BEGUN.name());
                default -> step.equals(Step.FOLLOWER_CLAIM.name());
            };
            return claimed ? List.of(2) : List.of(1);
        }

        /** It has ended, and nothing shows that. */
        private List<Integer> startsBefore(Call call) {
            boolean ended = switch (call) {
                case BEFORE -> step.equals(Step.BEFORE_ENDED.name());
                case ITEM -> step.equals(Step.COMPLETION.name());
                case AFTER -> step.equals(Step.ENDED.name());
                default -> step.equals(Step.FOLLOWER_COMPLETION.name());
            };
            return ended ? List.of(1, 2) : List.of(1);
        }
    }

    @Test
    void listenerAndFollowerRunOnceForAFiringAtWhicheverStepAnInstanceIsPausedOrKilled() {
        String connectString = open(ZooKeeperProcess.start()).connectString();
        // A paused instance doesn't lead any more, and only leaders ask.
        List<String> rows =
                new ArrayList<>(STEPS.stream().map(ListenerFaultsIT::row).toList());
        rows.add("asked2");
        rows.forEach(row -> startProcess(connectString, row));
        rows.forEach(row -> await("z" + row, Call.READY, 1));
        start(connectString, "x", rows);
        start(connectString, "y", rows);
        rows.forEach(row -> await("the beginning of", row, all -> hasBegun(all, row)));

        begun = Instant.now();
        List<String> paused = rows.subList(0, STEPS.size());
        stop(Fault.PAUSED, paused);
        goOn();
        resumed = Instant.now();
        paused.forEach(row -> processes.get(row).resume());
        paused.forEach(this::awaitWaking);
        List<String> killed = new ArrayList<>(rows);
        killed.remove(row(Step.ASKED.name()));
        stop(Fault.KILLED, killed);
        goOn();

        assertThat(rows.stream().flatMap(row -> broken(row).stream()).toList())
                .as("rows in which a call took place too often, too rarely or too early")
                .isEmpty();
    }

    private Optional<String> broken(String row) {
        try {
            judge(row);
            return Optional.empty();
        } catch (AssertionError broken) {
            return Optional.of(row + ": " + broken.getMessage());
        }
    }

    private static String row(String step) {
        return step.toLowerCase(Locale.ROOT).replace("_", "");
    }

    // ------------------------------------------------------------------ what is done

    private void startProcess(String connectString, String row) {
        processes.put(
                row,
                open(ChildJvm.start(
                        "listener-" + row,
                        line -> Told.parse(line).ifPresent(told::add),
                        SMALL,
                        ListenerWorkload.class,
                        List.of(connectString, "z" + row, row))));
    }

    private void start(String connectString, String instance, List<String> rows) {
        Registry registry = open(SelfStop.connect(connectString));
        var workload = new ListenerWorkload(
                instance,
                Duration.ofMillis(300),
                line -> told.add(Told.parse(line).orElseThrow()));
        ElasticJobEngine engine = open(workload.engine(registry, rows));
        engine.start();
    }

    private void stop(Fault fault, List<String> rows) {
        Map<String, String> steps = new TreeMap<>();
        for (String row : rows) {
            String step = STEPS.stream()
                    .filter(name -> row.startsWith(row(name)))
                    .max(Comparator.comparing(String::length))
                    .orElseThrow();
            steps.put(row, step);
            processes.get(row).tell(fault + " " + step);
        }
        int before = stops.size();
        steps.forEach((row, step) -> {
            long earlier = stops.stream().filter(stop -> stop.row().equals(row)).count();
            await("z" + row, Call.STOPS, (int) earlier + 1);
            Told at = of(row).filter(one -> one.call() == Call.STOPS)
                    .reduce((one, other) -> other)
                    .orElseThrow();
            stops.add(new Stop(row, fault, step, at));
        });
        assertThat(stops.size() - before).isEqualTo(rows.size());
    }

    /** The other two go on with what was interrupted, and then with a firing of their own. */
    private void goOn() {
        for (Stop stop : stops) {
            await(
                    "firings after those of the stopped",
                    stop.row(),
                    all -> all.stream()
                            .anyMatch(one -> isOf(stop.row(), one)
                                    && one.call() == Call.FOLLOWER_RETURNS
                                    && one.firing().isAfter(stop.at().at().plusSeconds(6))
                                    && one.firing().isAfter(stop.at().firing())));
        }
    }

    /** It joins again, and gets its part of the items. */
    private void awaitWaking(String row) {
        Instant stopped = last(row).at().at();
        await(
                "the waking of",
                row,
                all -> all.stream()
                        .anyMatch(one -> one.process().equals("z" + row)
                                && isOf(row, one)
                                && one.call() == Call.ITEM_RETURNS
                                && one.firing().isAfter(stopped)));
    }

    private Stop last(String row) {
        return stops.stream()
                .filter(stop -> stop.row().equals(row))
                .reduce((one, other) -> other)
                .orElseThrow();
    }

    private static boolean hasBegun(List<Told> all, String row) {
        Set<String> items = all.stream()
                .filter(one -> isOf(row, one) && one.call() == Call.ITEM)
                .map(Told::process)
                .collect(Collectors.toSet());
        boolean followed = all.stream()
                .anyMatch(one -> isOf(row, one)
                        && one.call() == Call.FOLLOWER_RETURNS
                        && one.process().equals("z" + row));
        return items.size() == 3 && followed;
    }

    private void await(String process, Call call, int count) {
        told.await(
                count + " " + call + " of " + process,
                all -> all.stream()
                                .filter(one -> one.process().equals(process) && one.call() == call)
                                .count()
                        >= count);
    }

    private void await(String what, String row, Predicate<List<Told>> enough) {
        told.await(what + " " + row, enough);
    }

    // ------------------------------------------------------------------ what was told

    private static boolean isOf(String row, Told one) {
        return one.runId().startsWith("orders-" + row + "@");
    }

    private Stream<Told> of(String row) {
        return told.all().stream().filter(one -> isOf(row, one));
    }

    private void judge(String row) {
        Map<Instant, List<Told>> firings =
                of(row).collect(Collectors.groupingBy(Told::firing, TreeMap::new, Collectors.toList()));
        Instant over = of(row).filter(one -> one.call() == Call.FOLLOWER_RETURNS)
                .map(Told::firing)
                .max(Instant::compareTo)
                .orElseThrow();
        firings.forEach((firing, all) -> {
            if (firing.isAfter(begun) && !firing.isAfter(over)) {
                judge(row, firing, Call.BEFORE, all);
                judge(row, firing, Call.ITEM, all);
                judge(row, firing, Call.AFTER, all);
                judge(row, firing, Call.FOLLOWER, all);
                isInOrder(row, all);
            }
        });
    }

    private void judge(String row, Instant firing, Call call, List<Told> all) {
        Map<Integer, List<Told>> starts =
                all.stream().filter(one -> one.call() == call).collect(Collectors.groupingBy(Told::item));
        starts.forEach((item, some) -> {
            List<Integer> attempts = some.stream().map(Told::attempt).sorted().toList();
            String what = "%s %d of row %s at %s, stops %s".formatted(call, item, row, firing, stopsOf(row));
            assertThat(attempts).as(what).doesNotHaveDuplicates().allMatch(attempt -> attempt <= 2);
            if (underWay(row, firing).isEmpty()) {
                int returned = all.stream()
                        .filter(one -> one.call() == call.returns() && one.item() == item)
                        .mapToInt(Told::attempt)
                        .min()
                        .orElse(2);
                assertThat(attempts).as(what).allMatch(attempt -> attempt <= returned);
            }
        });
        stopsOf(row).stream()
                .filter(stop -> stop.at().firing().equals(firing))
                .forEach(stop -> assertThat(starts.values().stream()
                                .map(some -> some.stream()
                                        .map(Told::attempt)
                                        .sorted()
                                        .toList())
                                .toList())
                        .as("%s of row %s at %s", call, row, stop)
                        .contains(stop.starts(call)));
    }

    private List<Stop> stopsOf(String row) {
        return stops.stream().filter(stop -> stop.row().equals(row)).toList();
    }

    /** A firing that was under way when the instance was stopped: any call of it may have been cut off. */
    private Optional<Stop> underWay(String row, Instant firing) {
        return stopsOf(row).stream()
                .filter(stop -> !firing.isAfter(stop.at().at().plus(STOPPING))
                        && firing.plus(UNDER_WAY).isAfter(stop.at().at()))
                .findFirst();
    }

    /** No item begins before a call before them has returned; the call after them begins when all have. */
    private void isInOrder(String row, List<Told> firing) {
        Map<Call, List<Told>> calls =
                firing.stream().filter(one -> !isTooLate(row, one)).collect(Collectors.groupingBy(Told::call));
        Instant allowed = calls.getOrDefault(Call.BEFORE_RETURNS, List.of()).stream()
                .map(Told::at)
                .min(Instant::compareTo)
                .orElse(Instant.MAX);
        Instant last = calls.getOrDefault(Call.AFTER, List.of()).stream()
                .map(Told::at)
                .min(Instant::compareTo)
                .orElse(Instant.MAX);
        assertThat(calls.getOrDefault(Call.ITEM, List.of()))
                .as("items of row " + row)
                .allSatisfy(item -> assertThat(item.at()).isBetween(allowed, last));
        assertThat(calls.getOrDefault(Call.ITEM_RETURNS, List.of()))
                .as("ends of items of row " + row)
                .allSatisfy(item -> assertThat(item.at()).isBefore(last));
    }

    /** What a paused process tells on waking, of whatever it had begun by then, concerns nobody any more. */
    private boolean isTooLate(String row, Told one) {
        return one.process().equals("z" + row)
                && one.at().isAfter(resumed)
                && !one.firing().isAfter(resumed);
    }
}
