package dev.elasticjob.faults;

import static org.assertj.core.api.Assertions.assertThat;

import dev.elasticjob.engine.ElasticJobEngine;
import dev.elasticjob.faults.GroupSteps.Call;
import dev.elasticjob.faults.GroupSteps.Step;
import dev.elasticjob.faults.GroupSteps.Told;
import dev.elasticjob.faults.SelfStop.Fault;
import dev.elasticjob.registry.Registry;
import dev.elasticjob.testing.ChildJvm;
import dev.elasticjob.testing.Heard;
import dev.elasticjob.testing.ZooKeeperProcess;
import java.time.Instant;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.HashMap;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

/**
 * Three instances of a group on a real ZooKeeper. The leader has a JVM of its own, which stops itself at a step by which
 * indexes go to other instances, when the third one joins: paused, right before the transaction is sent, which then comes
 * far too late; or killed, right after it is committed. There is a group for each step, all at the same time; the two
 * other instances belong to all of them.
 */
@Tag("proof")
class GroupStepsIT extends FaultTest {
    private static final List<String> SMALL =
            List.of("-Xmx64m", "-XX:+UseSerialGC", "-XX:TieredStopAtLevel=1", "-Xshare:auto");

    private final Heard<Told> told = new Heard<>();
    private final Map<String, ChildJvm> leaders = new LinkedHashMap<>();

    @ParameterizedTest
    @EnumSource
    void noIndexIsHeldByTwoAtWhicheverStepTheLeaderIsSilenced(Fault fault) {
        String connectString = open(ZooKeeperProcess.start()).connectString();
        for (Step step : Step.values()) {
            startLeader(connectString, group(fault, step));
        }
        leaders.keySet().forEach(group -> awaitSharedBy(group, leader(group)));
        start(connectString, "x");
        leaders.keySet().forEach(group -> awaitSharedBy(group, leader(group), "x"));

        for (Step step : Step.values()) {
            leaders.get(group(fault, step)).tell(fault + " " + step);
        }
        start(connectString, "y");
        leaders.keySet().forEach(this::awaitSilence);
        leaders.keySet().forEach(group -> awaitSharedBy(group, "x", "y"));
        Instant woken = Instant.now();
        if (fault == Fault.PAUSED) {
            leaders.values().forEach(ChildJvm::resume);
            leaders.keySet().forEach(group -> awaitSharedBy(group, "x", "y", leader(group)));
        }

        leaders.keySet().forEach(group -> assertNothingIsHeldTwice(group, woken));
    }

    private static String group(Fault fault, Step step) {
        return (fault + "-" + step).toLowerCase(Locale.ROOT);
    }

    private static String leader(String group) {
        return "z-" + group;
    }

    // ------------------------------------------------------------------ what is done

    private void startLeader(String connectString, String group) {
        leaders.put(
                group,
                open(ChildJvm.start(
                        "group-" + group,
                        line -> Told.parse(line).ifPresent(told::add),
                        SMALL,
                        GroupSteps.class,
                        List.of(connectString, leader(group), group))));
    }

    private void start(String connectString, String instance) {
        Registry registry = open(SelfStop.connect(connectString));
        var steps = new GroupSteps(instance, line -> told.add(Told.parse(line).orElseThrow()));
        ElasticJobEngine engine = open(steps.engine(registry, List.copyOf(leaders.keySet())));
        engine.start();
    }

    private void awaitSilence(String group) {
        told.await(
                "the end of the leader of " + group,
                all -> all.stream().anyMatch(one -> one.group().equals(group) && one.call() == Call.SILENCED));
    }

    /** Waits until the last call of each of these began its share of one epoch, whose shares they have all. */
    private void awaitSharedBy(String group, String... instances) {
        told.await("shares of " + List.of(instances) + " in " + group, all -> {
            Map<String, Told> last = new HashMap<>();
            all.stream().filter(one -> one.group().equals(group)).forEach(one -> last.put(one.process(), one));
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

    // ------------------------------------------------------------------ what was told

    /** Nobody begins before each holder of another epoch has stopped; a silenced one holds nothing until it begins again. */
    private void assertNothingIsHeldTwice(String group, Instant woken) {
        List<Told> inOrder = new ArrayList<>(
                told.all().stream().filter(one -> one.group().equals(group)).toList());
        inOrder.sort(Comparator.comparing(Told::at));
        Map<String, Told> holders = new HashMap<>();
        for (Told one : inOrder) {
            switch (one.call()) {
                case BEGINS -> {
                    assertThat(holders.values())
                            .as("others in %s while %s begins", group, one)
                            .allSatisfy(other -> assertThat(other.epoch()).isEqualTo(one.epoch()))
                            .noneMatch(other -> other.index() == one.index());
                    holders.put(one.process(), one);
                }
                case STOPPED, SILENCED -> holders.remove(one.process());
                default -> {
                    // It still works on its share.
                }
            }
        }
        assertThat(inOrder.stream()
                        .filter(one -> one.process().equals(leader(group)) && one.call() == Call.BEGINS)
                        .filter(one -> one.at().isAfter(woken)))
                .as("the leader of %s begins what was assigned after its session", group)
                .allMatch(one -> one.epoch() >= lastEpochOfOthers(inOrder, woken));
    }

    private static long lastEpochOfOthers(List<Told> inOrder, Instant woken) {
        return inOrder.stream()
                .filter(one -> !one.process().startsWith("z-") && one.at().isBefore(woken))
                .mapToLong(Told::epoch)
                .max()
                .orElseThrow();
    }
}
