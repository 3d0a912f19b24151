package dev.elasticjob.faults;

import static org.assertj.core.api.Assertions.assertThat;

import dev.elasticjob.job.event.JobState;
import dev.elasticjob.testing.ZooKeeperEnsemble;
import java.time.Duration;
import java.time.Instant;
import java.util.List;
import java.util.stream.Stream;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;

/** An ensemble that loses its leader, and then its quorum. */
@Tag("proof")
class EnsembleFaultsIT extends FaultTest {
    private static final WorkloadSettings OFTEN =
            WorkloadSettings.every(Duration.ofSeconds(2), 6, Duration.ofMillis(500));

    @Test
    void nothingIsLostOrOverlapsWithoutALeaderAndNothingRunsWithoutAQuorum() {
        ZooKeeperEnsemble ensemble = open(ZooKeeperEnsemble.start());
        FaultCluster cluster = cluster("ensemble: its leader killed, then two of three cut off", OFTEN);
        List<String> three = startThree(cluster, ensemble);
        Instant first = cluster.awaitWholeFirings(1);

        int leader = ensemble.leader();
        three.forEach(cluster::isCutOff);
        ensemble.kill(leader);
        cluster.awaitWholeFirings(2);
        ensemble.restart(leader);
        ensemble.awaitQuorum(ensemble.connectString(leader));
        three.forEach(cluster::isConnected);

        List<Integer> others = allBut(leader);
        three.forEach(cluster::isCutOff);
        others.forEach(ensemble::pause);
        Blocked blocked = awaitBlocked(cluster, three);
        others.forEach(ensemble::resume);
        Instant last = cluster.awaitWholeFirings(2);
        three.forEach(cluster::isConnected);

        judged(cluster, judge(cluster, first, last));
        blocked.judge(cluster);
    }

    @Test
    void aServerThatIsReadOnlyIsNoRegistry() {
        ZooKeeperEnsemble ensemble = open(ZooKeeperEnsemble.start());
        FaultCluster cluster = cluster("server back read-only", OFTEN);
        List<String> three = startThree(cluster, ensemble);
        Instant first = cluster.awaitWholeFirings(1);

        three.forEach(cluster::isCutOff);
        List.of(0, 1, 2).forEach(ensemble::kill);
        ensemble.restart(0);
        ensemble.awaitReadOnly(0);
        Blocked blocked = awaitBlocked(cluster, three);
        allBut(0).forEach(ensemble::restart);
        Instant last = cluster.awaitWholeFirings(2);
        three.forEach(cluster::isConnected);

        judged(cluster, judge(cluster, first, last));
        blocked.judge(cluster);
    }

    // ------------------------------------------------------------------ sentences

    private static List<String> startThree(FaultCluster cluster, ZooKeeperEnsemble ensemble) {
        List<String> three = List.of(
                cluster.start(ensemble.connectString(), "a"),
                cluster.start(ensemble.connectString(), "b"),
                cluster.start(ensemble.connectString(), "c"));
        cluster.awaitShared(three);
        return three;
    }

    private static List<Integer> allBut(int server) {
        return Stream.of(0, 1, 2).filter(other -> other != server).toList();
    }

    /** All have said that they are blocked, and five seconds have passed since. */
    private static Blocked awaitBlocked(FaultCluster cluster, List<String> names) {
        names.forEach(name -> cluster.awaitLater(
                name + " says that it is blocked",
                one -> one.is(Happening.Kind.STATE)
                        && one.process().equals(name)
                        && one.state() == JobState.REGISTERING));
        Instant from = Instant.now();
        cluster.awaitBeats(names.get(0), 5);
        return new Blocked(from, Instant.now());
    }

    private record Blocked(Instant from, Instant until) {
        void judge(FaultCluster cluster) {
            assertThat(cluster.history().of(Happening.Kind.START))
                    .as("starts without a quorum")
                    .noneMatch(start -> start.at().isAfter(from) && start.at().isBefore(until));
        }
    }
}
