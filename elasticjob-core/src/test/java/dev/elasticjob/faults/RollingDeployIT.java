package dev.elasticjob.faults;

import static org.assertj.core.api.Assertions.assertThat;

import dev.elasticjob.testing.ZooKeeperProcess;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;

/** Instances that are replaced, one after another. */
@Tag("proof")
class RollingDeployIT extends FaultTest {
    private static final int ROUNDS = 3;
    private static final Duration PERIOD = Duration.ofSeconds(1);

    private final ZooKeeperProcess registry = open(ZooKeeperProcess.start());

    @Test
    void everyFiringRunsEveryItemOnceThoughAllInstancesAreReplacedThreeTimes() {
        FaultCluster cluster =
                cluster("rolling deploy, three times over", WorkloadSettings.every(PERIOD, 12, Duration.ofMillis(300)));
        List<String> living = new ArrayList<>(List.of("a", "b", "c"));
        living.replaceAll(instance -> cluster.start(registry.connectString(), instance));
        cluster.awaitShared(living);
        Instant first = cluster.awaitWholeFirings(1);

        for (int replaced = 0; replaced < ROUNDS * living.size(); replaced++) {
            int place = replaced % living.size();
            cluster.terminate(living.get(place));
            living.set(place, cluster.start(registry.connectString(), "abc".substring(place, place + 1)));
            cluster.awaitShared(living);
            cluster.awaitWholeFirings(1);
        }
        Instant last = cluster.awaitWholeFirings(2);

        Verdict verdict = judged(cluster, judge(cluster, first, last));
        assertThat(verdict.run()).as("pairs that ran").isEqualTo(verdict.due());
        assertThat(verdict.worstDelay())
                .as("the worst delay: no item waited for a session to end")
                .isLessThan(cluster.settings().sessionTimeout());
        assertThat(cluster.history().executions()).allMatch(one -> one.attempt() == 1);
    }
}
