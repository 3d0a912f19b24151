package dev.elasticjob.faults;

import static org.assertj.core.api.Assertions.assertThat;

import dev.elasticjob.registry.JobTree;
import dev.elasticjob.registry.Registry;
import dev.elasticjob.registry.RegistryAccessDeniedException;
import dev.elasticjob.registry.curator.CuratorRegistry;
import dev.elasticjob.testing.ChildJvm;
import dev.elasticjob.testing.ZooKeeperProcess;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;

/** A third party writes what nobody can read into the nodes of one job; another job runs in the same processes. */
@Tag("proof")
class CorruptNodesIT extends FaultTest {
    private static final String SPOILT = "spoilt";
    private static final String DIGEST = "faults:right";
    private static final String GARBAGE = "mend me";
    private static final JobTree TREE = new JobTree(SPOILT);
    private static final int NO_ITEM = 99;
    private static final int MISTAKES = 7;

    private final ZooKeeperProcess server = open(ZooKeeperProcess.start());
    private final FaultCluster cluster = cluster(
            "corrupt config, extension, assignment, record and failover entry, wrong digest",
            WorkloadSettings.every(Duration.ofSeconds(1), 4, Duration.ofMillis(200))
                    .beside(SPOILT)
                    .withDigest(DIGEST));
    private final List<String> named = new ArrayList<>();

    @Test
    void theNodeIsNamedTheOtherJobGoesOnAndTheSpoiltOneWhenItIsMended() {
        String a = cluster.start(server.connectString(), "a");
        String b = cluster.start(server.connectString(), "b");
        cluster.awaitShared(List.of(a, b));
        ThirdParty thirdParty = new ThirdParty(open(registry()));
        Instant firstSpoilt = cluster.awaitWholeFirings(SPOILT, 1);
        Instant first = cluster.awaitWholeFirings(1);

        spoil(thirdParty, TREE.config(), a, b);
        // Nobody watches it: whoever reads it next names it.
        spoil(thirdParty, TREE.extension());
        spoil(thirdParty, TREE.sharding(), a, b);
        spoilRecord(thirdParty);
        spoilFailover(thirdParty);
        joinWithAWrongDigest(a, b);
        Instant lastSpoilt = cluster.awaitWholeFirings(SPOILT, 1);
        Instant last = cluster.awaitWholeFirings(1);

        Verdict spoilt = judge(cluster, SPOILT, firstSpoilt, lastSpoilt);
        Verdict other = judged(
                cluster,
                judge(cluster, first, last),
                "named %d of %d".formatted(named.size(), MISTAKES),
                "the spoilt job " + spoilt.figures());
        assertThat(other.lost()).as("pairs of the other job that were lost").isZero();
        assertThat(other.gaps())
                .as("pairs of the other job that a later firing covered, as a busy machine makes it do")
                .hasSizeLessThan(spoilt.gaps().size());
        assertThat(spoilt.brokenPromises()).isEmpty();
        assertThat(named).hasSize(MISTAKES);
    }

    /**
     * Long enough for a firing to be missed, while the other job runs.
     *
     * @param processes which name the node; any one, where none is given
     */
    private void spoil(ThirdParty thirdParty, String node, String... processes) {
        String good = thirdParty.spoil(node, GARBAGE);
        awaitNamed(node, processes);
        cluster.awaitWholeFirings(2);
        thirdParty.write(node, good);
        cluster.awaitWholeFirings(SPOILT, 1);
    }

    /** Between two firings: what is executing has its record to itself. */
    private void spoilRecord(ThirdParty thirdParty) {
        cluster.awaitNext(
                "the end of item 0", one -> one.isOf(SPOILT) && one.is(Happening.Kind.END) && one.item() == 0);
        thirdParty.awaitAbsence(TREE.running(0));
        String good = thirdParty.spoil(TREE.item(0), GARBAGE);
        awaitNamed(TREE.item(0));
        cluster.awaitNext("another item", one -> one.isOf(SPOILT) && one.is(Happening.Kind.START) && one.item() == 1);
        thirdParty.write(TREE.item(0), good);
        cluster.awaitWholeFirings(SPOILT, 1);
    }

    private void spoilFailover(ThirdParty thirdParty) {
        thirdParty.create(TREE.failoverItem(0), GARBAGE);
        awaitNamed(TREE.failoverItem(0));
        thirdParty.awaitAbsence(TREE.failoverItem(0));
        thirdParty.create(TREE.failoverItem(NO_ITEM), GARBAGE);
        awaitNamed(TREE.failoverItem(NO_ITEM));
        thirdParty.delete(TREE.failoverItem(NO_ITEM));
        cluster.awaitWholeFirings(SPOILT, 1);
    }

    private void joinWithAWrongDigest(String a, String b) {
        WorkloadSettings right = cluster.settings().on(server.connectString(), "c");
        ChildJvm refused = cluster.process(cluster.start(right.withDigest("faults:wrong")));
        refused.awaitExit();
        assertThat(refused.printed().all())
                .as("what a process says that has the wrong digest")
                .anyMatch(line -> line.contains(RegistryAccessDeniedException.class.getSimpleName())
                        && line.contains("/" + Workload.NAMESPACE)
                        && line.contains("elasticjob.registry.digest"));
        named.add("/" + Workload.NAMESPACE);
        cluster.awaitShared(List.of(a, b, cluster.start(right)));
    }

    /** @param processes which name it; any one, where none is given */
    private void awaitNamed(String node, String... processes) {
        cluster.awaitComplaint("\"" + node + "\"", processes);
        named.add(node);
    }

    private Registry registry() {
        return CuratorRegistry.connect(
                cluster.settings().on(server.connectString(), "").registry());
    }
}
