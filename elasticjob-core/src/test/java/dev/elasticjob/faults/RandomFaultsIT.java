package dev.elasticjob.faults;

import dev.elasticjob.registry.JobTree;
import dev.elasticjob.registry.Registry;
import dev.elasticjob.registry.curator.CuratorRegistry;
import dev.elasticjob.testing.ZooKeeperEnsemble;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.EnumMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Random;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;

/**
 * Faults of all kinds, at random, one after another, for as long as one likes: the profile {@code faults} with
 * {@code -Dfaults.minutes=60 -Dfaults.seed=7}, or the length in the environment variable
 * {@code ELASTICJOB_TEST_FAULT_MINUTES}. Not among them is a server that loses
 * its disk: after two such in a row not even ZooKeeper promises anything.
 */
@Tag("proof")
class RandomFaultsIT extends FaultTest {
    private static final Duration LENGTH = Duration.ofMinutes(Integer.getInteger("faults.minutes", minutes()));
    private static final long SEED = Long.getLong("faults.seed", System.nanoTime());
    private static final String INSTANCES = "abcd";
    private static final List<Integer> SERVERS = List.of(0, 1, 2);
    private static final String GARBAGE = "mend me";

    private enum Fault {
        KILL,
        PAUSE,
        CUT,
        REPLACE,
        WRONG_DIGEST,
        LEADER_KILL,
        FOLLOWER_KILL,
        FOLLOWER_CUT,
        QUORUM_PAUSE,
        SERVERS_KILL,
        CORRUPT_CONFIG,
        CORRUPT_ASSIGNMENT,
        CORRUPT_RECORD,
        CORRUPT_FAILOVER
    }

    private final Random random = new Random(SEED);
    private final ZooKeeperEnsemble ensemble = open(ZooKeeperEnsemble.start());
    private final FaultCluster cluster = cluster(
            "random faults for " + LENGTH.toMinutes() + " minutes, seed " + SEED,
            WorkloadSettings.every(Duration.ofSeconds(2), 8, Duration.ofMillis(700))
                    .withDigest("faults:right"));
    private final JobTree tree = new JobTree(cluster.settings().job());
    private final List<Cable> cables = new ArrayList<>();
    private final List<String> living = new ArrayList<>();
    private final Map<Fault, Integer> counts = new EnumMap<>(Fault.class);
    /** Works for nobody: its heart beats whatever happens to the others. */
    private String clock = "";

    @Test
    void everyPairIsAccountedFor() {
        clock = cluster.startClock();
        for (String instance : INSTANCES.split("")) {
            cables.add(
                    open(Cable.to(SERVERS.stream().map(ensemble::connectString).toList())));
            living.add(start(instance));
        }
        cluster.awaitShared(living);
        Instant first = cluster.awaitWholeFirings(1);

        Instant end = Instant.now().plus(LENGTH);
        while (Instant.now().isBefore(end)) {
            Fault fault = Fault.values()[random.nextInt(Fault.values().length)];
            counts.merge(fault, 1, Integer::sum);
            happen(fault, 1 + random.nextInt(12));
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
        return cluster.start(cables.get(INSTANCES.indexOf(instance)).connectString(), instance);
    }

    private void happen(Fault fault, int seconds) {
        int place = random.nextInt(living.size());
        switch (fault) {
            case KILL -> kill(place, seconds);
            case PAUSE -> pause(living.get(place), seconds);
            case CUT -> cut(place, seconds);
            case REPLACE -> replace(place);
            case WRONG_DIGEST -> joinWithAWrongDigest();
            case LEADER_KILL -> killServers(List.of(ensemble.leader()), seconds);
            case FOLLOWER_KILL -> killServers(List.of(ensemble.follower()), seconds);
            case FOLLOWER_CUT -> cutOffFollower(seconds);
            case QUORUM_PAUSE -> pauseQuorum(seconds);
            case SERVERS_KILL -> killServers(SERVERS, seconds);
            case CORRUPT_CONFIG -> spoil(tree.config(), seconds);
            case CORRUPT_ASSIGNMENT -> spoil(tree.sharding(), seconds);
            case CORRUPT_RECORD -> spoilRecord(anItem(), seconds);
            case CORRUPT_FAILOVER -> spoilFailover(anItem());
        }
    }

    // ------------------------------------------------------------------ instances

    private void kill(int place, int seconds) {
        String name = living.get(place);
        cluster.kill(name);
        cluster.awaitBeats(clock, seconds);
        living.set(place, start(name.substring(0, 1)));
    }

    private void pause(String name, int seconds) {
        cluster.pause(name);
        cluster.awaitBeats(clock, seconds);
        cluster.resume(name);
    }

    private void cut(int place, int seconds) {
        cluster.isCutOff(living.get(place));
        cables.get(place).hold();
        cluster.awaitBeats(clock, seconds);
        cables.get(place).mend();
        cluster.isConnected(living.get(place));
    }

    private void replace(int place) {
        String name = living.get(place);
        cluster.terminate(name);
        living.set(place, start(name.substring(0, 1)));
    }

    private void joinWithAWrongDigest() {
        WorkloadSettings wrong =
                cluster.settings().on(ensemble.connectString(), "x").withDigest("faults:wrong");
        cluster.process(cluster.start(wrong)).awaitExit();
    }

    // ------------------------------------------------------------------ servers

    private void killServers(List<Integer> servers, int seconds) {
        withServers(() -> servers.forEach(ensemble::kill), seconds, () -> servers.forEach(ensemble::restart));
    }

    private void pauseQuorum(int seconds) {
        int spared = SERVERS.get(random.nextInt(SERVERS.size()));
        List<Integer> two = SERVERS.stream().filter(server -> server != spared).toList();
        withServers(() -> two.forEach(ensemble::pause), seconds, () -> two.forEach(ensemble::resume));
    }

    private void cutOffFollower(int seconds) {
        int follower = ensemble.follower();
        withServers(() -> ensemble.cutOffFromLeader(follower), seconds, () -> ensemble.mend(follower));
    }

    /** Any of the instances may notice. */
    private void withServers(Runnable fault, int seconds, Runnable mending) {
        living.forEach(cluster::isCutOff);
        fault.run();
        cluster.awaitBeats(clock, seconds);
        mending.run();
        ensemble.awaitQuorum(ensemble.connectString());
        living.forEach(cluster::isConnected);
    }

    // ------------------------------------------------------------------ nodes

    private int anItem() {
        return random.nextInt(cluster.settings().items());
    }

    private void spoil(String node, int seconds) {
        try (Registry registry = registry()) {
            ThirdParty thirdParty = new ThirdParty(registry);
            String good = thirdParty.spoil(node, GARBAGE);
            cluster.awaitBeats(clock, seconds);
            thirdParty.write(node, good);
        }
    }

    private void spoilRecord(int item, int seconds) {
        try (Registry registry = registry()) {
            ThirdParty thirdParty = new ThirdParty(registry);
            String good = thirdParty.spoilWithout(tree.running(item), tree.item(item), GARBAGE);
            cluster.awaitBeats(clock, seconds);
            thirdParty.write(tree.item(item), good);
        }
    }

    private void spoilFailover(int item) {
        try (Registry registry = registry()) {
            ThirdParty thirdParty = new ThirdParty(registry);
            thirdParty.createUnlessThere(tree.failoverItem(item), GARBAGE);
            thirdParty.awaitAbsence(tree.failoverItem(item));
        }
    }

    private Registry registry() {
        return CuratorRegistry.connect(
                cluster.settings().on(ensemble.connectString(), "").registry());
    }
}
