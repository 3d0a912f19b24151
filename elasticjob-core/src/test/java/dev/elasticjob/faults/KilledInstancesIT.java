package dev.elasticjob.faults;

import static org.assertj.core.api.Assertions.assertThat;

import dev.elasticjob.testing.ZooKeeperProcess;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.CompletableFuture;
import java.util.stream.Stream;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;

/** Instances that end without a farewell. */
class KilledInstancesIT extends FaultTest {
    private static final int KILLS = Integer.getInteger("faults.kills", 12);

    /** What a firing may be late on a machine that has much else to do, without being missed. */
    private static final Duration PERIOD = Duration.ofSeconds(4);

    private final ZooKeeperProcess registry = open(ZooKeeperProcess.start());

    @Test
    @Tag("proof")
    void oneOfThreeIsKilledAndStartedAgainEveryTenSeconds() {
        FaultCluster cluster =
                cluster("one of three killed every 10 s", WorkloadSettings.every(PERIOD, 12, Duration.ofSeconds(1)));
        List<String> living = new ArrayList<>(List.of("a", "b", "c"));
        living.replaceAll(instance -> cluster.start(registry.connectString(), instance));
        cluster.awaitShared(living);
        Instant first = cluster.awaitWholeFirings(1);

        List<Instant> kills = new ArrayList<>();
        for (int kill = 0; kill < KILLS; kill++) {
            String victim = living.get(kill % 3);
            kills.add(Instant.now());
            cluster.kill(victim);
            living.set(kill % 3, cluster.start(registry.connectString(), victim.substring(0, 1)));
            cluster.awaitBeats(living.get((kill + 1) % 3), 10);
            // On a busy machine it takes longer to start: no two are away at a time.
            cluster.awaitShared(living);
        }
        Instant last = cluster.awaitWholeFirings(3);

        Verdict verdict = judge(cluster, first, last);
        History history = cluster.history();
        Duration takeover = median(history.takeovers());
        judged(cluster, verdict, "items of a killed instance are owned again after " + takeover.toMillis() + " ms");
        assertThat(verdict.gaps().stream()
                        .filter(gap -> history.isOwnedByOneThatIsWell(gap.item(), gap.firing()))
                        .map(gap -> history.around(gap.item(), gap.firing())))
                .as("what items of instances that live, and don't stand still, have missed")
                .isEmpty();
        assertThat(kills.stream().filter(kill -> isJudged(history, kill)))
                .as("kills after which an item's absence would not have been excused")
                .hasSizeGreaterThan(KILLS / 2);
        assertThat(takeover).isLessThan(cluster.settings().sessionTimeout().multipliedBy(2));
    }

    /** Whether something that ran within the next ten seconds had to. */
    private static boolean isJudged(History history, Instant kill) {
        return history.executions().stream()
                .filter(one -> one.firing().isAfter(kill) && one.firing().isBefore(kill.plusSeconds(10)))
                .anyMatch(one -> history.isOwnedByOneThatIsWell(one.item(), one.firing()));
    }

    private static Duration median(List<Duration> all) {
        assertThat(all).hasSize(KILLS);
        return all.stream().sorted().toList().get(all.size() / 2);
    }

    /** The pool has room for all ten at a time, so the survivor's own items go on beside those it takes over. */
    @Test
    void orphansStartAtOnceBesideTheSurvivorsOwnItems() {
        FaultCluster cluster = cluster(
                "killed in mid-item, 10 items of 30 s",
                WorkloadSettings.every(Duration.ofMinutes(1), 10, Duration.ofSeconds(30)));
        String survivor = cluster.start(registry.connectString(), "a");
        String victim = cluster.start(registry.connectString(), "b");
        cluster.awaitShared(List.of(survivor, victim));
        // A firing that came while they were starting has met only one of them: the next one counts then.
        cluster.awaitBeats(victim, 2);
        cluster.await(
                "a firing of five items each",
                all -> sharedFiring(all, survivor, victim).isPresent());
        Instant firing = sharedFiring(cluster.history().of(Happening.Kind.START), survivor, victim)
                .orElseThrow();
        CompletableFuture<Instant> disappearance = disappearance(registry.connectString(), cluster.settings(), "b");

        Instant killed = Instant.now();
        cluster.kill(victim);
        Instant gone = disappearance.join();
        cluster.await(
                "five orphans started",
                all -> all.stream().filter(KilledInstancesIT::isTakeover).count() == 5);
        cluster.await(
                "ten items done",
                all -> all.stream()
                                .filter(one -> one.is(Happening.Kind.END)
                                        && one.firing().equals(firing))
                                .count()
                        == 10);

        History history = cluster.history();
        Duration slowest = history.of(Happening.Kind.START).stream()
                .filter(KilledInstancesIT::isTakeover)
                .map(start -> Duration.between(gone, start.at()))
                .max(Duration::compareTo)
                .orElseThrow();
        judged(
                cluster,
                judge(cluster, firing, firing),
                "slowest orphan " + slowest.toMillis() + " ms after the node's end");
        assertThat(slowest)
                .as("the slowest orphan's delay, beside the time that the servers took to end the session")
                .isLessThan(Duration.between(killed, gone).dividedBy(2));
        assertThat(history.executions().stream()
                        .filter(one ->
                                one.process().equals(survivor) && one.firing().equals(firing)))
                .as("its own five go on")
                .hasSize(10)
                .allMatch(Execution::whole);
    }

    /** The firing of which both have begun five items. */
    private static Optional<Instant> sharedFiring(List<Happening> all, String one, String other) {
        return all.stream()
                .filter(happening -> isStart(happening, one))
                .map(Happening::firing)
                .distinct()
                .filter(firing -> Stream.of(one, other)
                        .allMatch(process -> all.stream()
                                        .filter(happening -> isStart(happening, process)
                                                && happening.firing().equals(firing))
                                        .count()
                                == 5))
                .findFirst();
    }

    private static boolean isStart(Happening one, String process) {
        return one.is(Happening.Kind.START) && one.process().equals(process);
    }

    private static boolean isTakeover(Happening one) {
        return one.is(Happening.Kind.START) && one.attempt() == 2;
    }
}
