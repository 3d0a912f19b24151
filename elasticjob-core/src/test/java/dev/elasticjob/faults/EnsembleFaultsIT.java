package dev.elasticjob.faults;

import static org.assertj.core.api.Assertions.assertThat;

import dev.elasticjob.job.JobState;
import dev.elasticjob.testing.ZooKeeperEnsemble;
import java.time.Duration;
import java.time.Instant;
import java.util.List;
import org.junit.jupiter.api.Test;

/** An ensemble that loses its leader, and then its quorum. */
class EnsembleFaultsIT extends FaultTest {
    @Test
    void nothingIsLostOrOverlapsWithoutALeaderAndNothingRunsWithoutAQuorum() {
        ZooKeeperEnsemble ensemble = open(ZooKeeperEnsemble.start());
        FaultCluster cluster = cluster(
                "ensemble: its leader killed, then two of three cut off",
                WorkloadSettings.every(Duration.ofSeconds(2), 6, Duration.ofMillis(500)));
        List<String> three = List.of(
                cluster.start(ensemble.connectString(), "a"),
                cluster.start(ensemble.connectString(), "b"),
                cluster.start(ensemble.connectString(), "c"));
        cluster.awaitShared(three);
        Instant first = cluster.awaitWholeFirings(1);

        int leader = ensemble.leader();
        three.forEach(cluster::isCutOff);
        ensemble.kill(leader);
        cluster.awaitWholeFirings(2);
        ensemble.restart(leader);
        ensemble.awaitQuorum(ensemble.connectString(leader));
        three.forEach(cluster::isConnected);

        int remaining = leader;
        List<Integer> others =
                List.of(0, 1, 2).stream().filter(server -> server != remaining).toList();
        three.forEach(cluster::isCutOff);
        others.forEach(ensemble::pause);
        three.forEach(name -> cluster.awaitLater(
                name + " says that it is blocked",
                one -> one.is(Happening.Kind.STATE)
                        && one.process().equals(name)
                        && one.state() == JobState.REGISTERING));
        Instant blocked = Instant.now();
        cluster.awaitBeats(three.get(0), 5);
        Instant mended = Instant.now();
        others.forEach(ensemble::resume);
        Instant last = cluster.awaitWholeFirings(2);
        three.forEach(cluster::isConnected);

        judged(cluster, judge(cluster, first, last));
        assertThat(cluster.history().of(Happening.Kind.START))
                .as("starts without a quorum")
                .noneMatch(start -> start.at().isAfter(blocked) && start.at().isBefore(mended));
    }
}
