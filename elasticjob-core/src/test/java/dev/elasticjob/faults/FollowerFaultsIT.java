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
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.TreeSet;
import java.util.function.Predicate;
import java.util.stream.Collectors;
import java.util.stream.Stream;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

/**
 * Three instances of a job and of one that runs after it, on a real ZooKeeper. The follower's leader has a JVM of its own,
 * which stops itself when it registers the follower, and when it drops a firing after which the follower doesn't run: paused,
 * right before the transaction is sent, which then comes far too late; or killed, right after it is committed. What firings
 * take besides is in {@link ListenerFaultsIT}.
 */
@Tag("proof")
class FollowerFaultsIT extends FaultTest {
    private static final List<String> SMALL =
            List.of("-Xmx64m", "-XX:+UseSerialGC", "-XX:TieredStopAtLevel=1", "-Xshare:auto");
    private static final String FOLLOWS = "follow";
    private static final String DROPS = ListenerWorkload.DROPS;
    private static final List<String> ROWS = List.of(FOLLOWS, DROPS);

    private final Heard<Told> told = new Heard<>();
    private final Map<String, ChildJvm> leaders = new LinkedHashMap<>();

    @ParameterizedTest
    @EnumSource
    void theFollowerRunsOnceForEachFiringAtWhicheverStepItsLeaderIsStopped(Fault fault) {
        String connectString = open(ZooKeeperProcess.start()).connectString();
        startLeader(connectString, DROPS);
        startLeader(connectString, FOLLOWS, fault + " " + Step.FOLLOWED);
        await(
                "z" + DROPS + " to be ready",
                all -> all.stream().anyMatch(one -> one.process().equals("z" + DROPS) && one.call() == Call.READY));
        awaitStop(FOLLOWS);
        start(connectString, "x");
        start(connectString, "y");
        await("the beginning of " + DROPS, all -> processes(all, DROPS).size() == 3);
        awaitFollowing(Instant.now());
        leaders.get(DROPS).tell(fault + " " + Step.DROPPED);
        awaitStop(DROPS);

        awaitFollowing(stopped(DROPS).plusSeconds(6));
        if (fault == Fault.PAUSED) {
            leaders.values().forEach(ChildJvm::resume);
            Instant resumed = Instant.now();
            ROWS.forEach(row -> await(
                    "the waking of z" + row,
                    all -> all.stream()
                            .anyMatch(one -> one.process().equals("z" + row)
                                    && one.call() == Call.ITEM
                                    && one.at().isAfter(resumed)
                                    && one.firing().isAfter(resumed))));
            awaitFollowing(Instant.now());
        }

        ROWS.forEach(this::judge);
    }

    // ------------------------------------------------------------------ what is done

    private void startLeader(String connectString, String row, String... stop) {
        List<String> arguments = Stream.concat(Stream.of(connectString, "z" + row, row), Stream.of(stop))
                .toList();
        leaders.put(
                row,
                open(ChildJvm.start(
                        "follower-" + row,
                        line -> Told.parse(line).ifPresent(told::add),
                        SMALL,
                        ListenerWorkload.class,
                        arguments)));
    }

    private void start(String connectString, String instance) {
        Registry registry = open(SelfStop.connect(connectString));
        var workload = new ListenerWorkload(
                instance,
                Duration.ofMillis(300),
                line -> told.add(Told.parse(line).orElseThrow()));
        ElasticJobEngine engine = open(workload.engine(registry, ROWS));
        engine.start();
    }

    private void await(String what, Predicate<List<Told>> enough) {
        told.await(what, enough);
    }

    private void awaitStop(String row) {
        await("the stop of z" + row, all -> all.stream().anyMatch(one -> stops(row, one)));
    }

    private Instant stopped(String row) {
        return told.all().stream()
                .filter(one -> stops(row, one))
                .findFirst()
                .orElseThrow()
                .at();
    }

    private static boolean stops(String row, Told one) {
        return one.call() == Call.STOPS && isOf(row, one);
    }

    /** Both followers have run for a firing after this moment. */
    private void awaitFollowing(Instant moment) {
        ROWS.forEach(row -> await(
                "followers of " + row + " after " + moment,
                all -> all.stream()
                        .anyMatch(one -> isOf(row, one)
                                && one.call() == Call.FOLLOWER_RETURNS
                                && one.firing().isAfter(moment))));
    }

    // ------------------------------------------------------------------ what was told

    private static boolean isOf(String row, Told one) {
        return one.runId().startsWith("orders-" + row + "@");
    }

    private static Set<String> processes(List<Told> all, String row) {
        return all.stream()
                .filter(one -> isOf(row, one) && one.call() == Call.ITEM)
                .map(Told::process)
                .collect(Collectors.toSet());
    }

    /** From the first firing that was followed to the last: a follower's run counts firings from its registration on. */
    private void judge(String row) {
        List<Told> all = told.all().stream().filter(one -> isOf(row, one)).toList();
        TreeSet<Instant> followed = firings(all, Call.FOLLOWER_RETURNS);
        TreeSet<Instant> begun = firings(all, Call.ITEM);
        for (Instant firing : begun.subSet(followed.first(), true, followed.last(), true)) {
            List<Integer> attempts = all.stream()
                    .filter(one -> one.call() == Call.FOLLOWER && one.firing().equals(firing))
                    .map(Told::attempt)
                    .sorted()
                    .toList();
            boolean runs = !row.equals(DROPS) || isSuccess(all, firing);
            assertThat(attempts)
                    .as("runs of the follower of %s after %s; its leader stops at %s", row, firing, stopped(row))
                    .isIn(allowed(runs, isLastOfStopped(row, firing)));
        }
        assertThat(begun.headSet(followed.last())).hasSizeGreaterThan(2);
    }

    /** An item that was folded into a later firing is no success either. */
    private static boolean isSuccess(List<Told> all, Instant firing) {
        return all.stream()
                        .filter(one ->
                                one.call() == Call.ITEM_RETURNS && one.firing().equals(firing))
                        .map(Told::item)
                        .distinct()
                        .count()
                == ListenerWorkload.ITEMS;
    }

    private static List<List<Integer>> allowed(boolean runs, boolean mayBeCutOff) {
        if (!runs) {
            return List.of(List.of());
        }
        return mayBeCutOff ? List.of(List.of(1), List.of(1, 2)) : List.of(List.of(1));
    }

    /** The run of a firing before may have been cut off with its leader, or have ended without a record. */
    private boolean isLastOfStopped(String row, Instant firing) {
        Instant at = stopped(row);
        return told.all().stream()
                .filter(one -> isOf(row, one) && one.call() == Call.FOLLOWER)
                .filter(one -> one.process().equals("z" + row) && one.at().isBefore(at))
                .map(Told::firing)
                .max(Instant::compareTo)
                .filter(firing::equals)
                .isPresent();
    }

    private static TreeSet<Instant> firings(List<Told> all, Call call) {
        return all.stream()
                .filter(one -> one.call() == call)
                .map(Told::firing)
                .collect(Collectors.toCollection(TreeSet::new));
    }
}
