package dev.elasticjob.faults;

import static org.assertj.core.api.Assertions.assertThat;

import dev.elasticjob.testing.ZooKeeperProcess;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;

/** Instances that are killed without a farewell. */
class KilledInstancesIT {
    private static final int KILLS = Integer.getInteger("faults.kills", 12);

    private final ZooKeeperProcess registry = ZooKeeperProcess.start();
    private final List<AutoCloseable> opened = new ArrayList<>(List.of(registry));

    @AfterEach
    void close() throws Exception {
        for (int i = opened.size() - 1; i >= 0; i--) {
            opened.get(i).close();
        }
    }

    @Test
    void oneOfThreeIsKilledAndStartedAgainEveryTenSeconds() {
        FaultCluster cluster =
                cluster("rolling kills", WorkloadSettings.every(Duration.ofSeconds(2), 12, Duration.ofMillis(500)));
        List<String> living = new ArrayList<>(List.of("a", "b", "c"));
        living.replaceAll(instance -> cluster.start(registry.connectString(), instance));
        cluster.awaitShared(living);
        Instant first = cluster.awaitWholeFirings(1);

        for (int kill = 0; kill < KILLS; kill++) {
            String victim = living.get(kill % 3);
            cluster.kill(victim);
            living.set(kill % 3, cluster.start(registry.connectString(), victim.substring(0, 1)));
            cluster.awaitBeats(living.get((kill + 1) % 3), 10);
        }
        Instant last = cluster.awaitWholeFirings(3);

        Verdict verdict = new FaultOracle(cluster.history()).judge(cluster.settings(), first, last);
        FaultTable.report("rolling kills", verdict.figures());
        assertThat(verdict.brokenPromises()).isEmpty();
    }

    private FaultCluster cluster(String row, WorkloadSettings settings) {
        FaultCluster cluster = new FaultCluster(row, settings);
        opened.add(cluster);
        return cluster;
    }
}
