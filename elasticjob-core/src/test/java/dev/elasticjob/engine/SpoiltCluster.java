package dev.elasticjob.engine;

import dev.elasticjob.definition.AfterSettings;
import dev.elasticjob.definition.JobDefinition;
import dev.elasticjob.group.ShardAssignment;
import dev.elasticjob.group.ShardingNotice;
import dev.elasticjob.job.ShardingContext;
import dev.elasticjob.job.after.AfterOutcome;
import dev.elasticjob.job.cluster.ClusterFiring;
import dev.elasticjob.job.cluster.ClusterJobListener;
import dev.elasticjob.job.cluster.FiringOutcomes;
import dev.elasticjob.registry.RegistryCommit;
import dev.elasticjob.registry.RegistryNode;
import dev.elasticjob.registry.RegistryRead;
import dev.elasticjob.testing.LoggedLines;
import java.time.Duration;
import java.time.ZoneOffset;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.TreeMap;

/**
 * Two instances with one job of each kind, and a group, in virtual time: {@code orders} with cluster listeners, {@code report},
 * which runs after it, {@code once}, which only runs when it is asked to, {@code imports}, which has a follower and no
 * listener, {@code audit} after it, and {@code billing}, which has nothing to do with the others.
 */
final class SpoiltCluster {
    static final Duration MINUTE = Duration.ofMinutes(1);

    /** Of each item of a job, in a minute. */
    static final int FIRINGS = 6;

    static final Map<String, Integer> ITEMS =
            new TreeMap<>(Map.of("orders", 3, "report", 2, "imports", 2, "audit", 1, "billing", 2));
    private static final Duration TO_BEGIN = Duration.ofSeconds(34);

    private final SimulatedCluster cluster = new SimulatedCluster(11);
    private final Map<String, Integer> runs = new HashMap<>();

    /** What happened in a minute. */
    record Minute(Map<String, Integer> runs, long requests, List<String> lines) {
        int runsOf(String job) {
            return runs.getOrDefault(job, 0);
        }

        List<String> problems() {
            return lines.stream()
                    .filter(line -> line.startsWith("WARN") || line.startsWith("ERROR"))
                    .toList();
        }
    }

    private static JobDefinition.Builder scheduled(String name, int items) {
        return JobDefinition.builder(name)
                .cron("0/10 * * * * ?")
                .timeZone(ZoneOffset.UTC)
                .shardingTotalCount(items)
                .failover(true);
    }

    private static JobDefinition after(String name, String parent, int items) {
        return JobDefinition.builder(name)
                .after(new AfterSettings(List.of(parent), AfterOutcome.SUCCESS, Duration.ofHours(1)))
                .shardingTotalCount(items)
                .build();
    }

    SpoiltCluster() {
        for (String instance : List.of("a@-@1", "b@-@1")) {
            cluster.start(instance, this::register, settings -> settings.clusterListeners(List.of(new Listener())));
        }
        cluster.pass(TO_BEGIN);
    }

    private void register(ElasticJobEngine engine) {
        engine.register(
                scheduled("orders", ITEMS.get("orders"))
                        .stuckAfter(Duration.ofSeconds(30))
                        .expectWithin(Duration.ofMinutes(5))
                        .build(),
                this::run);
        engine.register(after("report", "orders", ITEMS.get("report")), this::run);
        engine.register(scheduled("imports", ITEMS.get("imports")).build(), this::run);
        engine.register(after("audit", "imports", ITEMS.get("audit")), this::run);
        engine.register(scheduled("billing", ITEMS.get("billing")).build(), this::run);
        engine.register(JobDefinition.builder("once").build(), this::run);
        engine.groups().join("", new Nothing());
    }

    private void run(ShardingContext context) {
        runs.merge(context.getJobName(), 1, Integer::sum);
        context.checkpoint("seen");
    }

    private static final class Listener implements ClusterJobListener {
        @Override
        public boolean appliesTo(String jobName) {
            return jobName.equals("orders");
        }

        @Override
        public void beforeFirstItem(ClusterFiring firing) {}

        @Override
        public void afterLastItem(ClusterFiring firing, FiringOutcomes outcomes) {}
    }

    private static final class Nothing implements ShardingNotice {
        @Override
        public void startSharding() {}

        @Override
        public void shardingCompleted(ShardAssignment assignment) {}
    }

    Minute minute() {
        return minuteAfter(() -> {});
    }

    /** The minute that begins with somebody writing this. */
    Minute minuteWith(String path, String text) {
        return minuteAfter(() -> write(path, text));
    }

    private Minute minuteAfter(Runnable first) {
        runs.clear();
        long before = cluster.requests();
        try (LoggedLines lines = new LoggedLines()) {
            first.run();
            cluster.pass(MINUTE);
            return new Minute(Map.copyOf(runs), cluster.requests() - before, lines.all());
        }
    }

    Optional<RegistryNode> read(String path) {
        return cluster.read(path);
    }

    /** All nodes with data, by path. */
    TreeMap<String, String> nodes() {
        TreeMap<String, String> found = new TreeMap<>();
        List<String> unread = new ArrayList<>(List.of("/", GroupCluster.ROOT));
        while (!unread.isEmpty()) {
            String path = unread.remove(unread.size() - 1);
            read(path).map(RegistryNode::text).filter(text -> !text.isEmpty()).ifPresent(text -> found.put(path, text));
            for (String name : cluster.get(cluster.operator().read(List.of(RegistryRead.children(path))))
                    .children(path)) {
                unread.add(path.equals("/") ? path + name : path + "/" + name);
            }
        }
        return found;
    }

    /** Writes as somebody does who has no tool of ours. */
    void write(String path, String text) {
        RegistryCommit.Builder commit = RegistryCommit.builder();
        cluster.commit(
                read(path).isPresent()
                        ? commit.set(path, text, RegistryCommit.ANY_VERSION)
                        : commit.create(path, text));
    }

    void delete(String path) {
        cluster.commit(RegistryCommit.builder().delete(path, RegistryCommit.ANY_VERSION));
    }

    SimulatedCluster cluster() {
        return cluster;
    }

    String tree() {
        return cluster.tree();
    }
}
