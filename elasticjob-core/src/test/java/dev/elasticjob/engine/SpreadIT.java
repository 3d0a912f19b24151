package dev.elasticjob.engine;

import static dev.elasticjob.engine.RealEngines.get;
import static org.assertj.core.api.Assertions.assertThat;

import dev.elasticjob.admin.RegistryJobAdmin;
import dev.elasticjob.coordination.session.Stages;
import dev.elasticjob.coordination.state.NodeCodec;
import dev.elasticjob.definition.JobDefinition;
import dev.elasticjob.registry.JobTree;
import dev.elasticjob.registry.Registry;
import dev.elasticjob.registry.Registry.WatchScope;
import dev.elasticjob.registry.RegistryAnswer;
import dev.elasticjob.registry.RegistryCommit;
import dev.elasticjob.registry.RegistryNode;
import dev.elasticjob.registry.RegistryRead;
import dev.elasticjob.testing.ChangedRegistry;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionStage;
import java.util.concurrent.atomic.AtomicLong;
import java.util.function.UnaryOperator;
import java.util.stream.IntStream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.RegisterExtension;

/** A hundred jobs of one item on ten instances, on a real ZooKeeper. */
class SpreadIT {
    private static final List<String> INSTANCES = IntStream.range(0, 10)
            .mapToObj(number -> (char) ('a' + number) + "@-@1")
            .toList();

    @RegisterExtension
    final RealEngines engines = new RealEngines();

    private final AtomicLong turns = new AtomicLong();
    private final AtomicLong plans = new AtomicLong();
    private final Map<String, ElasticJobEngine> running = new TreeMap<>();
    private final List<String> jobs = new ArrayList<>(
            IntStream.range(0, 100).mapToObj(number -> "job" + number).toList());

    @Test
    void jobsOfOneItemAreSharedEvenlyWheneverInstancesComeAndGo() {
        Registry reader = engines.registry();
        start(INSTANCES);
        awaitEven(reader, 10);
        long turnsOfStart = turns.get();
        long plansOfStart = plans.get();
        allArePlanned();
        int first = get(reader.read(List.of(RegistryRead.data(JobTree.namespaceLoads()))))
                .node(JobTree.namespaceLoads())
                .map(RegistryNode::version)
                .orElseThrow();

        Map<String, String> before = owners(reader);
        jobs.add("added");
        running.values().forEach(engine -> register(engine, "added"));
        awaitEven(reader, 10);
        allArePlanned();
        Map<String, String> added = owners(reader);
        running.remove(INSTANCES.get(4)).close();
        awaitEven(reader, 9);
        start(List.of("z@-@1"));
        awaitEven(reader, 10);

        assertThat(added).containsAllEntriesOf(before).containsKey("added");
        assertThat(first).as("moves until all ten had started").isLessThan(1_000);
        assertThat(turnsOfStart).as("turns of ten engines that start together").isLessThan(300);
        assertThat(plansOfStart)
                .as("plans that ten engines sent which started together, each in as many transactions as carried it")
                .isLessThan(2_000);
    }

    /** All at the same time. */
    private void start(List<String> instances) {
        instances.forEach(instance -> {
            ElasticJobEngine engine = engines.engine(instance, UnaryOperator.identity(), this::counted);
            jobs.forEach(job -> register(engine, job));
            running.put(instance, engine);
        });
        get(Stages.all(instances.stream()
                .map(instance -> running.get(instance).start())
                .toList()));
    }

    private Registry counted(Registry registry) {
        return new ChangedRegistry(registry) {
            @Override
            public CompletionStage<RegistryAnswer> read(List<RegistryRead> asked) {
                if (asked.contains(RegistryRead.data(JobTree.namespaceLoads()))) {
                    turns.incrementAndGet();
                }
                return super.read(asked);
            }

            @Override
            protected RegistryCommit sent(RegistryCommit commit) {
                plans.addAndGet(commit.operations().stream()
                        .filter(step -> step.path().equals(JobTree.namespaceLoads()))
                        .count());
                return commit;
            }
        };
    }

    private static void register(ElasticJobEngine engine, String job) {
        engine.register(
                JobDefinition.builder(job)
                        .cron("0 0 0 1 1 ?")
                        .shardingTotalCount(1)
                        .jobShardingStrategyClass("SPREAD")
                        .build(),
                context -> {});
    }

    /** What was signalled before is behind the answers to these requests. */
    private void allArePlanned() {
        RegistryJobAdmin admin = new RegistryJobAdmin(engines.registry());
        get(Stages.all(jobs.stream().map(admin::reshard).toList()));
    }

    /** Waits until all jobs have an owner, so many instances own some, and none has more than another one and one item. */
    private void awaitEven(Registry reader, int instances) {
        CompletableFuture<Void> even = new CompletableFuture<>();
        Runnable look = () -> reader.read(plans()).thenAccept(answer -> {
            Map<String, Integer> loads = new TreeMap<>();
            Map<String, String> owners = owners(answer);
            owners.values().forEach(owner -> loads.merge(owner, 1, Integer::sum));
            int most = loads.values().stream().mapToInt(Integer::intValue).max().orElse(0);
            int least =
                    loads.values().stream().mapToInt(Integer::intValue).min().orElse(0);
            if (owners.size() == jobs.size() && loads.size() == instances && most - least <= 1) {
                even.complete(null);
            }
        });
        try (var watch = reader.watch(JobTree.NAMESPACE, WatchScope.SUBTREE, look)) {
            look.run();
            get(even);
        }
    }

    private List<RegistryRead> plans() {
        return RegistryRead.allData(
                jobs.stream().map(job -> new JobTree(job).sharding()).toList());
    }

    private Map<String, String> owners(Registry reader) {
        return owners(get(reader.read(plans())));
    }

    private Map<String, String> owners(RegistryAnswer answer) {
        Map<String, String> owners = new TreeMap<>();
        jobs.forEach(job -> {
            String path = new JobTree(job).sharding();
            answer.node(path)
                    .filter(node -> node.data().length > 0)
                    .map(node ->
                            NodeCodec.readAssignment(path, node.data()).owners().get(0))
                    .ifPresent(owner -> owners.put(job, owner));
        });
        return owners;
    }
}
