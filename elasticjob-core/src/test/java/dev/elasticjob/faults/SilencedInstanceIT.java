package dev.elasticjob.faults;

import static org.assertj.core.api.Assertions.assertThat;

import dev.elasticjob.testing.FaultyConnection;
import dev.elasticjob.testing.ZooKeeperEnsemble;
import dev.elasticjob.testing.ZooKeeperProcess;
import java.time.Duration;
import java.time.Instant;
import java.util.List;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;

/**
 * An instance that the registry hears no more while it runs an item: its execution has ended before another instance
 * begins the next attempt.
 */
@Tag("proof")
class SilencedInstanceIT extends FaultTest {
    private static final WorkloadSettings LONG =
            WorkloadSettings.every(Duration.ofSeconds(20), 2, Duration.ofSeconds(15));

    @Test
    void aPausedInstanceIsInterruptedOnWakingAndItsResultIsNotAccepted() {
        ZooKeeperProcess registry = open(ZooKeeperProcess.start());
        // No other firing follows at once, so that the record can be looked at.
        FaultCluster cluster = cluster(
                "paused in mid-item past its session",
                WorkloadSettings.every(Duration.ofMinutes(1), 2, Duration.ofSeconds(15)));
        Two two = runningOnTwo(cluster, registry.connectString(), registry.connectString());

        cluster.pause(two.victim());
        two.awaitTakeover();
        Instant woken = Instant.now();
        cluster.resume(two.victim());
        two.awaitEndOfFirstAttempt();
        Instant last = two.awaitEndOfTakeover();

        Execution cutOff = two.firstAttempt();
        judged(
                cluster,
                judge(cluster, last, last),
                "interrupted " + Duration.between(woken, cutOff.end()).toMillis() + " ms after waking");
        assertThat(cutOff.whole()).isFalse();
        assertThat(record(registry.connectString(), cluster.settings(), cutOff.item()))
                .as("the result that counts is the survivor's")
                .contains("\"instance\":\"a\"", "\"attempt\":2");
    }

    @Test
    void anInstanceBehindACutNetworkIsInterruptedBeforeTheServerHandsOn() {
        ZooKeeperProcess registry = open(ZooKeeperProcess.start());
        FaultyConnection cable = open(FaultyConnection.to(registry.connectString()));
        FaultCluster cluster = cluster("network cut between instance and server", LONG);
        Two two = runningOnTwo(cluster, cable.connectString(), registry.connectString());

        cluster.isCutOff(two.victim());
        cable.hold();
        two.awaitTakeover();
        cable.mend();
        cluster.isConnected(two.victim());
        Instant last = two.awaitEndOfTakeover();

        two.judgedWithMargin(judge(cluster, last, last));
    }

    @Test
    void readsOfAFollowerThatIsCutOffKeepNoLeaseAlive() {
        ZooKeeperEnsemble ensemble = open(ZooKeeperEnsemble.start());
        int follower = ensemble.follower();
        FaultCluster cluster = cluster("follower cut from its leader", LONG);
        Two two = runningOnTwo(cluster, ensemble.connectString(follower), ensemble.connectString(ensemble.leader()));

        cluster.isCutOff(two.victim());
        ensemble.cutOffFromLeader(follower);
        two.awaitTakeover();
        ensemble.mend(follower);
        cluster.isConnected(two.victim());
        Instant last = two.awaitEndOfTakeover();

        two.judgedWithMargin(judge(cluster, last, last));
    }

    @Test
    void aCommitThatAFollowerAnsweredBeforeItDiedKeepsNoLeaseAlive() {
        ZooKeeperEnsemble ensemble = open(ZooKeeperEnsemble.start());
        int follower = ensemble.follower();
        FaultCluster cluster = cluster("follower killed right after it has answered a commit", LONG);
        Two two = startedOnTwo(cluster, ensemble.connectString(follower), ensemble.connectString(ensemble.leader()));
        cluster.awaitNext(
                "an execution of the victim",
                one -> one.is(Happening.Kind.START) && one.process().equals(two.victim()));

        cluster.isCutOff(two.victim());
        ensemble.kill(follower);
        two.awaitTakeover();
        ensemble.restart(follower);
        cluster.isConnected(two.victim());
        Instant last = two.awaitEndOfTakeover();

        two.judgedWithMargin(judge(cluster, last, last));
    }

    // ------------------------------------------------------------------ two instances

    private Two runningOnTwo(FaultCluster cluster, String ofVictim, String ofSurvivor) {
        Two two = startedOnTwo(cluster, ofVictim, ofSurvivor);
        cluster.awaitNext(
                "an execution of the victim",
                one -> one.is(Happening.Kind.START) && one.process().equals(two.victim()));
        cluster.awaitBeats(two.survivor(), 1);
        return two;
    }

    private Two startedOnTwo(FaultCluster cluster, String ofVictim, String ofSurvivor) {
        String survivor = cluster.start(ofSurvivor, "a");
        String victim = cluster.start(ofVictim, "b");
        Two two = new Two(cluster, victim, survivor);
        cluster.awaitShared(List.of(victim, survivor));
        return two;
    }
}
