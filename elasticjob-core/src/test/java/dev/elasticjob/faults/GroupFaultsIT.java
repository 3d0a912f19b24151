package dev.elasticjob.faults;

import static org.assertj.core.api.Assertions.assertThat;

import dev.elasticjob.faults.GroupWorkload.Call;
import dev.elasticjob.faults.GroupWorkload.Told;
import dev.elasticjob.testing.ChildJvm;
import dev.elasticjob.testing.FaultyConnection;
import dev.elasticjob.testing.Heard;
import dev.elasticjob.testing.ZooKeeperProcess;
import java.time.Instant;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.function.Predicate;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;

/**
 * Three instances of a group in JVMs of their own, on a real ZooKeeper, which are killed, paused and cut off: no index is
 * held by two, and the others get new ones.
 */
@Tag("proof")
class GroupFaultsIT extends FaultTest {
    private static final List<String> SMALL = List.of("-Xmx96m", "-XX:+UseSerialGC", "-XX:TieredStopAtLevel=1");
    private static final int QUICK = 200;
    private static final int SLOW = 12_000;

    private final Heard<Told> told = new Heard<>();
    private final Map<String, ChildJvm> processes = new HashMap<>();
    /** When a process was killed or paused: it can't tell any more that it has stopped. */
    private final Map<String, Instant> silenced = new HashMap<>();

    @Test
    void theOthersGetTheIndexesOfAKilledInstance() {
        ZooKeeperProcess registry = open(ZooKeeperProcess.start());
        startThree(registry, "killed-at-work", QUICK);

        kill("b");

        awaitSharedBy("a", "c");
        assertNothingIsHeldTwice();
    }

    @Test
    void anInstanceThatIsKilledWhileItStopsIsWaitedForUntilItsSessionIsOver() {
        ZooKeeperProcess registry = open(ZooKeeperProcess.start());
        start(registry.connectString(), "killed-while-stopping", "a", QUICK);
        start(registry.connectString(), "killed-while-stopping", "b", SLOW);
        awaitSharedBy("a", "b");
        start(registry.connectString(), "killed-while-stopping", "c", QUICK);
        await("b stops", one -> one.process().equals("b") && one.call() == Call.STOPPING);

        kill("b");

        awaitSharedBy("a", "c");
        assertNothingIsHeldTwice();
    }

    @Test
    void aLeaderThatIsKilledWhileAllStopIsReplacedByOneThatGoesOn() {
        ZooKeeperProcess registry = open(ZooKeeperProcess.start());
        start(registry.connectString(), "leader-killed", "a", QUICK);
        start(registry.connectString(), "leader-killed", "b", SLOW / 2);
        awaitSharedBy("a", "b");
        start(registry.connectString(), "leader-killed", "c", QUICK);
        await("b stops", one -> one.process().equals("b") && one.call() == Call.STOPPING);

        kill("a");

        awaitSharedBy("b", "c");
        assertNothingIsHeldTwice();
    }

    @Test
    void aPausedInstanceStopsOnWakingAndThenGetsAnIndexAgain() {
        ZooKeeperProcess registry = open(ZooKeeperProcess.start());
        startThree(registry, "paused-at-work", QUICK);

        silenced.put("b", Instant.now());
        processes.get("b").pause();
        awaitSharedBy("a", "c");
        processes.get("b").resume();

        awaitSharedBy("a", "b", "c");
        assertThat(callsOf("b")).endsWith(Call.STOPPING, Call.STOPPED, Call.BEGINS);
        assertNothingIsHeldTwice();
    }

    @Test
    void anInstanceBehindACutNetworkHasStoppedBeforeTheOthersGetItsIndex() {
        ZooKeeperProcess registry = open(ZooKeeperProcess.start());
        FaultyConnection cable = open(FaultyConnection.to(registry.connectString()));
        start(registry.connectString(), "cut-off", "a", QUICK);
        start(cable.connectString(), "cut-off", "b", QUICK);
        start(registry.connectString(), "cut-off", "c", QUICK);
        awaitSharedBy("a", "b", "c");

        cable.hold();
        awaitSharedBy("a", "c");
        cable.mend();

        awaitSharedBy("a", "b", "c");
        assertNothingIsHeldTwice();
    }

    @Test
    void anInstanceThatEndsInGoodOrderHasStoppedBefore() {
        ZooKeeperProcess registry = open(ZooKeeperProcess.start());
        startThree(registry, "ends", 1_000);

        processes.get("a").terminate();

        awaitSharedBy("b", "c");
        assertThat(callsOf("a")).endsWith(Call.BEGINS, Call.STOPPING, Call.STOPPED, Call.LEFT);
        assertNothingIsHeldTwice();
    }

    // ------------------------------------------------------------------ what is done

    private void startThree(ZooKeeperProcess registry, String row, int toStop) {
        for (String instance : List.of("a", "b", "c")) {
            start(registry.connectString(), row, instance, toStop);
        }
        awaitSharedBy("a", "b", "c");
    }

    private void start(String connectString, String row, String instance, int toStop) {
        ChildJvm process = open(ChildJvm.start(
                "group-" + row + "-" + instance,
                line -> Told.parse(instance, line).ifPresent(told::add),
                SMALL,
                GroupWorkload.class,
                List.of(connectString, instance, Integer.toString(toStop))));
        processes.put(instance, process);
    }

    private void kill(String instance) {
        silenced.put(instance, Instant.now());
        processes.get(instance).kill();
    }

    // ------------------------------------------------------------------ what is told

    private void await(String what, Predicate<Told> wanted) {
        told.await(what, all -> all.stream().anyMatch(wanted));
    }

    /** Waits until the last call of each of these began its share of one epoch, whose shares they have all. */
    private void awaitSharedBy(String... instances) {
        told.await("shares of " + List.of(instances), all -> {
            Map<String, Told> last = new HashMap<>();
            all.forEach(one -> last.put(one.process(), one));
            List<Told> shares = List.of(instances).stream()
                    .filter(last::containsKey)
                    .map(last::get)
                    .filter(one -> one.call() == Call.BEGINS && one.total() == instances.length)
                    .toList();
            return shares.size() == instances.length
                    && shares.stream().map(Told::epoch).distinct().count() == 1
                    && shares.stream().map(Told::index).distinct().count() == instances.length;
        });
    }

    private List<Call> callsOf(String instance) {
        return told.all().stream()
                .filter(one -> one.process().equals(instance))
                .map(Told::call)
                .toList();
    }

    /** Nobody begins before each holder of another epoch has stopped, unless it couldn't tell any more. */
    private void assertNothingIsHeldTwice() {
        List<Told> inOrder = new ArrayList<>(told.all());
        inOrder.sort((one, other) -> one.at().compareTo(other.at()));
        Map<String, Told> holders = new HashMap<>();
        for (Told one : inOrder) {
            silenced.forEach((process, at) -> {
                if (one.at().isAfter(at)) {
                    holders.remove(process);
                }
            });
            if (one.call() == Call.BEGINS) {
                assertThat(holders.values())
                        .as("others while %s begins", one)
                        .allSatisfy(other -> assertThat(other.epoch()).isEqualTo(one.epoch()))
                        .noneMatch(other -> other.index() == one.index());
                holders.put(one.process(), one);
            } else if (one.call() == Call.STOPPED) {
                holders.remove(one.process());
            }
        }
    }
}
