package dev.elasticjob.faults;

import static org.assertj.core.api.Assertions.assertThat;

import dev.elasticjob.faults.ListenerWorkload.Call;
import dev.elasticjob.faults.ListenerWorkload.Told;
import dev.elasticjob.testing.ChildJvm;
import dev.elasticjob.testing.Heard;
import dev.elasticjob.testing.ZooKeeperProcess;
import java.time.Instant;
import java.util.HashMap;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.stream.Collectors;
import org.junit.jupiter.api.Test;

/**
 * Three instances of a job with a cluster listener, and of one that runs after it, in JVMs of their own on a real ZooKeeper,
 * one of which is killed or paused at each step of a firing: the listener is called once before the items and once after
 * them, the follower runs once, and what the killed or paused instance had begun is begun once more.
 */
class ListenerFaultsIT extends FaultTest {
    private static final List<String> SMALL = List.of("-Xmx96m", "-XX:+UseSerialGC", "-XX:TieredStopAtLevel=1");

    private enum Fault {
        KILLED,
        PAUSED
    }

    /** What happens to an instance in which step. */
    private record Row(Fault fault, Call step) {
        /** Only what was cut off is started again. */
        List<Integer> starts(Call call) {
            return call == step ? List.of(1, 2) : List.of(1);
        }
    }

    private static final List<Row> ROWS = List.of(
            new Row(Fault.KILLED, Call.BEFORE),
            new Row(Fault.KILLED, Call.ITEM),
            new Row(Fault.KILLED, Call.AFTER),
            new Row(Fault.KILLED, Call.FOLLOWER),
            new Row(Fault.PAUSED, Call.BEFORE),
            new Row(Fault.PAUSED, Call.ITEM),
            new Row(Fault.PAUSED, Call.AFTER),
            new Row(Fault.PAUSED, Call.FOLLOWER));

    private final Heard<Told> told = new Heard<>();
    private final Map<String, ChildJvm> processes = new HashMap<>();
    /** What a process did when it was killed or paused. */
    private final Map<String, Told> silenced = new HashMap<>();

    private String connectString = "";
    private int started;

    @Test
    void listenerAndFollowerRunOnceForAFiringWhicheverStepItsInstanceDiesIn() {
        connectString = open(ZooKeeperProcess.start()).connectString();
        start();
        start();
        start();
        // The first firings may be older than the registration of the follower.
        next(Call.FOLLOWER_RETURNS);

        Map<String, Row> rows = new LinkedHashMap<>();
        ROWS.forEach(row -> rows.put(silenceAt(row), row));

        rows.forEach((runId, row) -> {
            assertThat(attempts(runId, Call.BEFORE)).as("before, %s", row).isEqualTo(row.starts(Call.BEFORE));
            assertThat(attempts(runId, Call.AFTER)).as("after, %s", row).isEqualTo(row.starts(Call.AFTER));
            assertThat(attempts(runId, Call.FOLLOWER)).as("follower, %s", row).isEqualTo(row.starts(Call.FOLLOWER));
        });
        told.all().stream().map(Told::runId).distinct().forEach(this::isInOrder);
    }

    // ------------------------------------------------------------------ what is done

    private void start() {
        String instance = "i" + ++started;
        processes.put(
                instance,
                open(ChildJvm.start(
                        "listener-" + instance,
                        line -> Told.parse(instance, line).ifPresent(told::add),
                        SMALL,
                        ListenerWorkload.class,
                        List.of(connectString, instance))));
    }

    /** Silences the instance that next takes this step, until others have gone on. Another one replaces it in the end. */
    private String silenceAt(Row row) {
        Told now = next(row.step());
        silenced.put(now.process(), now);
        if (row.fault() == Fault.PAUSED) {
            processes.get(now.process()).pause();
            awaitEnd(now.runId());
            processes.get(now.process()).resume();
            awaitWaking(now.process());
        }
        processes.get(now.process()).kill();
        start();
        awaitEnd(now.runId());
        return now.runId();
    }

    /** It joins again, and gets its part of the items. */
    private void awaitWaking(String process) {
        int before = told.all().size();
        told.await(
                process + " to go on",
                all -> all.stream()
                        .skip(before)
                        .anyMatch(one -> one.process().equals(process) && one.call() == Call.ITEM_RETURNS));
    }

    private Told next(Call step) {
        int before = told.all().size();
        told.await("the next " + step, all -> find(all, before, step).isPresent());
        return find(told.all(), before, step).orElseThrow();
    }

    /** By an instance that was never silenced. */
    private Optional<Told> find(List<Told> all, int from, Call step) {
        return all.stream()
                .skip(from)
                .filter(one -> one.call() == step && one.attempt() == 1 && !silenced.containsKey(one.process()))
                .findFirst();
    }

    private void awaitEnd(String runId) {
        told.await(
                "the end of " + runId,
                all -> all.stream().anyMatch(one -> one.runId().equals(runId) && one.call() == Call.FOLLOWER_RETURNS));
    }

    // ------------------------------------------------------------------ what was told

    private List<Integer> attempts(String runId, Call step) {
        return of(runId, step).stream().map(Told::attempt).sorted().toList();
    }

    private List<Told> of(String runId, Call step) {
        return told.all().stream()
                .filter(one -> one.runId().equals(runId) && one.call() == step)
                .toList();
    }

    /** No item begins before a call before them has returned; the call after them begins when all have. */
    private void isInOrder(String runId) {
        Map<Call, List<Told>> calls = told.all().stream()
                .filter(one -> one.runId().equals(runId))
                .filter(one -> !isTooLate(one))
                .collect(Collectors.groupingBy(Told::call));
        Instant allowed = calls.getOrDefault(Call.BEFORE_RETURNS, List.of()).stream()
                .map(Told::at)
                .min(Instant::compareTo)
                .orElse(Instant.MAX);
        Instant last = calls.getOrDefault(Call.AFTER, List.of()).stream()
                .map(Told::at)
                .min(Instant::compareTo)
                .orElse(Instant.MAX);
        assertThat(calls.getOrDefault(Call.ITEM, List.of()))
                .as("items of " + runId)
                .allSatisfy(item -> assertThat(item.at()).isBetween(allowed, last));
        assertThat(calls.getOrDefault(Call.ITEM_RETURNS, List.of()))
                .as("ends of items of " + runId)
                .allSatisfy(item -> assertThat(item.at()).isBefore(last));
    }

    /** What a paused process tells on waking, of whatever it had begun by then, concerns nobody any more. */
    private boolean isTooLate(Told one) {
        return Optional.ofNullable(silenced.get(one.process()))
                .filter(then -> one.at().isAfter(then.at()))
                .filter(then -> !Instant.parse(one.runId().substring("orders@".length()))
                        .isAfter(then.at()))
                .isPresent();
    }
}
