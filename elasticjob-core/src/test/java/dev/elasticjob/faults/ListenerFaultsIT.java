package dev.elasticjob.faults;

import static org.assertj.core.api.Assertions.assertThat;

import dev.elasticjob.faults.ListenerWorkload.Call;
import dev.elasticjob.faults.ListenerWorkload.Told;
import dev.elasticjob.testing.ChildJvm;
import dev.elasticjob.testing.Heard;
import dev.elasticjob.testing.ZooKeeperProcess;
import java.time.Instant;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.stream.Collectors;
import org.junit.jupiter.api.Test;

/**
 * Three instances of a job with a cluster listener, in JVMs of their own on a real ZooKeeper, one of which is killed or
 * paused at each step of a firing: the listener is called once before the items and once after them, and again only for the
 * one that was killed or paused.
 */
class ListenerFaultsIT extends FaultTest {
    private static final List<String> SMALL = List.of("-Xmx96m", "-XX:+UseSerialGC", "-XX:TieredStopAtLevel=1");

    private final Heard<Told> told = new Heard<>();
    private final Map<String, ChildJvm> processes = new HashMap<>();
    /** What a process did when it was killed or paused. */
    private final Map<String, Told> silenced = new HashMap<>();

    private String connectString = "";
    private int started;

    @Test
    void theListenerIsCalledOnceForAFiringWhicheverStepItsInstanceDiesIn() {
        connectString = open(ZooKeeperProcess.start()).connectString();
        start();
        start();
        start();
        awaitEnd(next(Call.AFTER).runId());

        String killedBefore = killAt(Call.BEFORE);
        String killedAtWork = killAt(Call.ITEM);
        String killedAfter = killAt(Call.AFTER);
        String pausedBefore = pauseAt(Call.BEFORE);
        String pausedAfter = pauseAt(Call.AFTER);

        assertThat(attempts(killedBefore, Call.BEFORE)).containsExactly(1, 2);
        assertThat(attempts(killedBefore, Call.AFTER)).containsExactly(1);
        assertThat(attempts(killedAtWork, Call.BEFORE)).containsExactly(1);
        assertThat(attempts(killedAtWork, Call.AFTER)).containsExactly(1);
        assertThat(attempts(killedAfter, Call.BEFORE)).containsExactly(1);
        assertThat(attempts(killedAfter, Call.AFTER)).containsExactly(1, 2);
        assertThat(attempts(pausedBefore, Call.BEFORE)).containsExactly(1, 2);
        assertThat(attempts(pausedAfter, Call.AFTER)).containsExactly(1, 2);
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

    /** Kills the instance that next takes this step; another one replaces it. */
    private String killAt(Call step) {
        Told now = next(step);
        silenced.put(now.process(), now);
        processes.get(now.process()).kill();
        start();
        awaitEnd(now.runId());
        return now.runId();
    }

    /** Pauses the instance that next takes this step, until others have ended the firing. */
    private String pauseAt(Call step) {
        Told now = next(step);
        silenced.put(now.process(), now);
        processes.get(now.process()).pause();
        awaitEnd(now.runId());
        processes.get(now.process()).resume();
        return now.runId();
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
                all -> all.stream().anyMatch(one -> one.runId().equals(runId) && one.call() == Call.AFTER_RETURNS));
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

    /** What a paused process tells of this firing on waking concerns nobody any more. */
    private boolean isTooLate(Told one) {
        return Optional.ofNullable(silenced.get(one.process()))
                .filter(then -> one.runId().equals(then.runId()) && one.at().isAfter(then.at()))
                .isPresent();
    }
}
