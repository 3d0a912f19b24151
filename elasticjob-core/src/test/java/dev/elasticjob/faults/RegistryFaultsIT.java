package dev.elasticjob.faults;

import static org.assertj.core.api.Assertions.assertThat;

import dev.elasticjob.registry.curator.RegistryUnreachableException;
import dev.elasticjob.testing.ChildJvm;
import dev.elasticjob.testing.ZooKeeperProcess;
import java.nio.file.Path;
import java.time.Duration;
import java.time.Instant;
import java.util.List;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;

/** A registry that goes away and comes back. */
class RegistryFaultsIT extends FaultTest {
    private static final WorkloadSettings OFTEN =
            WorkloadSettings.every(Duration.ofSeconds(2), 6, Duration.ofMillis(500));

    private final ZooKeeperProcess registry = open(ZooKeeperProcess.start());

    @Test
    void allResumeWhenTheServerIsBack() {
        FaultCluster cluster = cluster("server away for 15 s, data kept", OFTEN);
        List<String> three = startThree(cluster);
        Instant first = cluster.awaitWholeFirings(1);

        Instant gone = Instant.now();
        registry.kill();
        three.forEach(cluster::isCutOff);
        cluster.awaitBeats(three.get(0), 15);
        registry.restart();
        Instant back = Instant.now();
        cluster.awaitNext("a first execution", one -> one.is(Happening.Kind.START));
        Duration resumed = Duration.between(back, Instant.now());
        three.forEach(cluster::isConnected);
        Instant last = cluster.awaitWholeFirings(2);

        judged(cluster, judge(cluster, first, last), "first execution " + resumed.toMillis() + " ms after its return");
        assertThat(resumed)
                .as("the delay of the first execution, beside the time without a server")
                .isLessThan(Duration.between(gone, back));
    }

    @Test
    @Tag("proof")
    void allBeginAnewWhenTheServerHasLostItsDisk() {
        FaultCluster cluster = cluster("server back with an empty disk", OFTEN);
        List<String> three = startThree(cluster);
        cluster.awaitWholeFirings(1);

        registry.kill();
        registry.restartWithoutData();
        Instant first = cluster.awaitWholeFirings(1);
        Instant last = cluster.awaitWholeFirings(2);

        Verdict verdict = judge(cluster, first, last);
        FaultTable.report(cluster.row(), verdict.figures());
        assertThat(verdict.silent()).isEmpty();
        assertThat(verdict.overlaps()).isEmpty();
        assertThat(three).allMatch(name -> cluster.process(name).isAlive());
        assertThat(three).allSatisfy(name -> assertThatItSays(cluster, name, "The registry has lost its data"));
        assertThat(verdict.unfenced()).isEmpty();
    }

    @Test
    @Tag("proof")
    void allNoticeThatTheServerHasGoneBackToACopy() {
        FaultCluster cluster = cluster("server restored from a copy", OFTEN);
        List<String> three = startThree(cluster);
        cluster.awaitWholeFirings(1);
        registry.kill();
        Path copy = registry.copy();
        registry.restart();
        cluster.awaitWholeFirings(3);

        registry.kill();
        registry.restartFrom(copy);
        Instant first = cluster.awaitWholeFirings(1);
        Instant last = cluster.awaitWholeFirings(2);

        Verdict verdict = judge(cluster, first, last);
        FaultTable.report(cluster.row(), verdict.figures());
        assertThat(verdict.silent()).isEmpty();
        assertThat(verdict.overlaps()).isEmpty();
        assertThat(verdict.unfenced()).isEmpty();
        assertThat(three)
                .allSatisfy(name -> assertThatItSays(cluster, name, "The registry has gone back to an older copy"));
    }

    private static void assertThatItSays(FaultCluster cluster, String name, String line) {
        assertThat(cluster.process(name).printed().all())
                .as("what %s says", name)
                .anyMatch(printed -> printed.contains(line));
    }

    @Test
    @Tag("proof")
    void instancesWaitForAServerThatRefusesThemAtFirst() {
        FaultCluster cluster = cluster("server refuses connections at start", OFTEN);
        String clock = cluster.startClock();
        registry.kill();
        String waiting = cluster.start(registry.connectString(), "a");
        cluster.awaitBeats(clock, 4);
        assertThat(cluster.history().of(Happening.Kind.START))
                .as("starts without a server")
                .isEmpty();

        registry.restart();
        cluster.awaitShared(List.of(waiting));
        Instant first = cluster.awaitWholeFirings(1);
        Instant last = cluster.awaitWholeFirings(1);
        registry.kill();
        ChildJvm tooLate = cluster.process(cluster.start(registry.connectString(), "b"));
        tooLate.awaitExit();

        judged(cluster, judge(cluster, first, last));
        assertThat(tooLate.printed().all())
                .as("what a process says that has waited in vain")
                .anyMatch(line -> line.contains(RegistryUnreachableException.class.getSimpleName())
                        && line.contains(registry.connectString()));
    }

    private List<String> startThree(FaultCluster cluster) {
        List<String> three = List.of(
                cluster.start(registry.connectString(), "a"),
                cluster.start(registry.connectString(), "b"),
                cluster.start(registry.connectString(), "c"));
        cluster.awaitShared(three);
        return three;
    }
}
