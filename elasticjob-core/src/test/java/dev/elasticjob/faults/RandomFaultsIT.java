package dev.elasticjob.faults;

import dev.elasticjob.testing.FaultyConnection;
import dev.elasticjob.testing.ZooKeeperProcess;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.EnumMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Random;
import org.junit.jupiter.api.Test;

/**
 * Faults of all kinds, at random, for as long as one likes: {@code -Dfaults.minutes=60 -Dfaults.seed=7}, or the length in
 * the environment variable {@code ELASTICJOB_TEST_FAULT_MINUTES}.
 */
class RandomFaultsIT extends FaultTest {
    private static final Duration LENGTH = Duration.ofMinutes(Integer.getInteger("faults.minutes", minutes()));
    private static final long SEED = Long.getLong("faults.seed", System.nanoTime());

    private enum Fault {
        KILL,
        PAUSE,
        CUT,
        REPLACE,
        SERVER_KILL,
        SERVER_PAUSE
    }

    private final Random random = new Random(SEED);
    private final ZooKeeperProcess registry = open(ZooKeeperProcess.start());
    private final FaultCluster cluster = cluster(
            "random faults for " + LENGTH.toMinutes() + " minutes, seed " + SEED,
            WorkloadSettings.every(Duration.ofSeconds(2), 8, Duration.ofMillis(700)));
    private final List<FaultyConnection> cables = new ArrayList<>();
    private final List<String> living = new ArrayList<>();
    private final Map<Fault, Integer> counts = new EnumMap<>(Fault.class);
    /** Works for nobody: its heart beats whatever happens to the others. */
    private String clock = "";

    @Test
    void everyPairIsAccountedFor() {
        clock = cluster.startClock();
        for (String instance : List.of("a", "b", "c", "d")) {
            cables.add(open(FaultyConnection.to(registry.connectString())));
            living.add(start(instance));
        }
        cluster.awaitShared(living);
        Instant first = cluster.awaitWholeFirings(1);

        Instant end = Instant.now().plus(LENGTH);
        while (Instant.now().isBefore(end)) {
            Fault fault = Fault.values()[random.nextInt(Fault.values().length)];
            counts.merge(fault, 1, Integer::sum);
            happen(fault, random.nextInt(living.size()));
            cluster.awaitBeats(clock, 1 + random.nextInt(8));
        }
        Instant last = cluster.awaitWholeFirings(3);

        judged(cluster, judge(cluster, first, last), "faults " + counts);
    }

    private static int minutes() {
        return Optional.ofNullable(System.getenv("ELASTICJOB_TEST_FAULT_MINUTES"))
                .map(Integer::valueOf)
                .orElse(1);
    }

    private String start(String instance) {
        return cluster.start(cables.get("abcd".indexOf(instance)).connectString(), instance);
    }

    private void happen(Fault fault, int place) {
        String name = living.get(place);
        FaultyConnection cable = cables.get(place);
        int seconds = 1 + random.nextInt(12);
        switch (fault) {
            case KILL -> {
                cluster.kill(name);
                cluster.awaitBeats(clock, seconds);
                living.set(place, start(name.substring(0, 1)));
            }
            case PAUSE -> {
                cluster.pause(name);
                cluster.awaitBeats(clock, seconds);
                cluster.resume(name);
            }
            case CUT -> {
                cluster.isCutOff(name);
                cable.hold();
                cluster.awaitBeats(clock, seconds);
                cable.mend();
                cluster.isConnected(name);
            }
            case REPLACE -> {
                cluster.terminate(name);
                living.set(place, start(name.substring(0, 1)));
            }
            case SERVER_KILL -> {
                living.forEach(cluster::isCutOff);
                registry.kill();
                cluster.awaitBeats(clock, seconds);
                registry.restart();
                living.forEach(cluster::isConnected);
            }
            case SERVER_PAUSE -> {
                living.forEach(cluster::isCutOff);
                registry.pause();
                cluster.awaitBeats(clock, seconds);
                registry.resume();
                living.forEach(cluster::isConnected);
            }
        }
    }
}
