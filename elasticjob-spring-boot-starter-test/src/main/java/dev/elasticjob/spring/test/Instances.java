package dev.elasticjob.spring.test;

import dev.elasticjob.admin.JobInspector;
import dev.elasticjob.admin.RegistryJobInspector;
import dev.elasticjob.definition.JobDefinition;
import dev.elasticjob.engine.ElasticJobEngine;
import dev.elasticjob.engine.ElasticJobEngineBuilder;
import dev.elasticjob.job.event.JobEvent.AssignmentChanged;
import dev.elasticjob.registry.JobTree;
import dev.elasticjob.registry.Registry;
import dev.elasticjob.registry.RegistryRead;
import java.time.Clock;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.TreeMap;
import java.util.TreeSet;
import java.util.function.ToIntFunction;
import java.util.stream.Collectors;
import java.util.stream.IntStream;

/**
 * The instances of a cluster, each an engine with its own session: those that a test starts and, if there is an
 * application, its own. Used by the test's thread only, except {@link #kill}.
 */
final class Instances implements AutoCloseable {
    /** Less than any epoch. */
    private static final int NO_EPOCH = -1;

    private final ClusterResources world;
    private final Registry own;
    private final Jobs jobs;
    private final JobInspector inspector;
    private final Optional<Application> application;
    private final Workload workload;
    // Guarded by itself: a job may kill an instance.
    private final Map<String, Instance> started = new LinkedHashMap<>();

    private record Instance(ElasticJobEngine engine, Registry registry, InstanceRuntime life) {}

    /** The application's own instance, which lives as long as the application. */
    private record Application(String name, InstanceRuntime life) {}

    private Instances(ClusterResources world, Optional<String> application, Workload workload) {
        this.world = world;
        this.own = world.connect();
        this.jobs = new Jobs(world, own);
        Clock clock = world.pace().clock();
        this.inspector = new RegistryJobInspector(own, clock, world.pace().timer(), clock::instant, TreeMap::new);
        this.application = application.map(name -> new Application(name, world.life()));
        this.workload = workload;
    }

    static Instances of(ClusterResources world, Workload workload) {
        return new Instances(world, Optional.empty(), workload);
    }

    /** @param name the name of the application's own instance */
    static Instances besideApplication(String name, ClusterResources world, Workload workload) {
        return new Instances(world, Optional.of(name), workload);
    }

    ClusterResources world() {
        return world;
    }

    Jobs jobs() {
        return jobs;
    }

    /** Makes the application's engine an instance of the cluster. */
    void settleApplication(ElasticJobEngineBuilder engine) {
        application.ifPresent(own -> world.settle(engine, own.name(), own.life()));
    }

    Set<String> names() {
        Set<String> names = new TreeSet<>();
        application.ifPresent(own -> names.add(own.name()));
        synchronized (started) {
            names.addAll(started.keySet());
        }
        return names;
    }

    void start(String name, Map<String, String> labels) {
        if (names().contains(name)) {
            throw new IllegalStateException("Instance \"%s\" already exists: %s".formatted(name, names()));
        }
        Map<String, Integer> before = world.journal().epochs();
        Registry registry = world.connect();
        InstanceRuntime life = world.life();
        ElasticJobEngineBuilder builder = ElasticJobEngine.builder(registry);
        workload.configure(builder);
        builder.labels(labels);
        world.settle(builder, name, life);
        ElasticJobEngine engine = builder.build();
        workload.registerWith(engine);
        synchronized (started) {
            started.put(name, new Instance(engine, registry, life));
        }
        world.answer("instance \"" + name + "\" to start", engine.start());
        awaitPlans(engine, job -> isDisabled(job, name) ? NO_EPOCH : before.getOrDefault(job, NO_EPOCH));
    }

    void stop(String name) {
        Instance leaving = theOne(name, "stopped");
        world.answer("instance \"" + name + "\" to stop", leaving.engine().stop());
        remove(name);
        leaving.life().end();
        leaving.registry().close();
        world.journal().left(name);
        awaitPlans(leaving.engine(), job -> NO_EPOCH);
    }

    void kill(String name) {
        Instance dying = theOne(name, "killed");
        remove(name);
        dying.life().end();
        // Runs before other instances can continue its work.
        world.journal().left(name);
        dying.registry().close();
        dying.life().giveUpItems();
        if (!Threads.areRunningThis()) {
            awaitPlans(dying.engine(), job -> NO_EPOCH);
        }
    }

    /** Ends the test: the instances that it has started die, and running items are interrupted. */
    void killAll() {
        application.ifPresent(own -> own.life().interruptItems());
        Set<String> all;
        synchronized (started) {
            all = Set.copyOf(started.keySet());
        }
        all.forEach(this::kill);
    }

    @Override
    public void close() {
        List<Instance> all;
        synchronized (started) {
            all = List.copyOf(started.values());
            started.clear();
        }
        // All at once, so that no instance continues the work of another.
        all.forEach(instance -> instance.life().end());
        all.forEach(instance -> {
            instance.registry().close();
            instance.life().giveUpItems();
        });
        own.close();
    }

    private Instance theOne(String name, String what) {
        if (application.filter(own -> own.name().equals(name)).isPresent()) {
            throw new IllegalArgumentException(
                    ("Instance \"%s\" is the application itself, which can't be %s without its context: start another"
                                    + " instance, which can be %s")
                            .formatted(name, what, what));
        }
        synchronized (started) {
            return Optional.ofNullable(started.get(name))
                    .orElseThrow(() -> new IllegalArgumentException(
                            "There is no instance \"%s\" that could be %s; the instances are %s"
                                    .formatted(name, what, names())));
        }
    }

    private void remove(String name) {
        synchronized (started) {
            started.remove(name);
        }
    }

    // ------------------------------------------------------------------ plans

    /**
     * Waits until all instances share all items of the jobs of this engine.
     *
     * @param before the epoch after which a job's plan counts: an instance that joins first follows the plan before,
     *     without an item
     */
    private void awaitPlans(ElasticJobEngine engine, ToIntFunction<String> before) {
        Set<String> all = names();
        if (!all.isEmpty()) {
            engine.jobNames().forEach(job -> awaitPlan(jobs.definition(job), all, before.applyAsInt(job)));
        }
    }

    /** An instance that joins on a disabled server causes no new plan. */
    private boolean isDisabled(String job, String server) {
        String path = new JobTree(job).server(server);
        return world.answer("the state of server \"" + server + "\"", own.read(List.of(RegistryRead.data(path))))
                .node(path)
                .filter(node -> node.text().equals("DISABLED"))
                .isPresent();
    }

    private void awaitPlan(JobDefinition definition, Set<String> all, int before) {
        // A new server of a disabled job gets no items until it is enabled.
        if (!definition.disabled()) {
            String job = definition.jobName();
            int total = isChosen(definition, all) ? definition.shardingTotalCount() : 0;
            world.await(
                    "%s to share the items of job \"%s\"".formatted(all, job),
                    () -> isShared(total, all, before, world.journal().plans(job)),
                    () -> "What they follow: " + world.journal().plans(job));
        }
    }

    /** Whether one of them has the labels that the job's {@code runOn} asks for: otherwise nobody owns an item. */
    private boolean isChosen(JobDefinition definition, Set<String> all) {
        return definition.instances().isAny()
                || world
                        .answer(
                                "the instances of job \"" + definition.jobName() + "\"",
                                inspector.instances(definition.jobName()))
                        .orElse(List.of())
                        .stream()
                        .anyMatch(instance -> instance.matches() && all.contains(instance.id()));
    }

    /** @param total how many items have an owner once it is */
    static boolean isShared(int total, Set<String> all, int before, List<AssignmentChanged> plans) {
        Set<Integer> items =
                plans.stream().flatMap(plan -> plan.items().stream()).collect(Collectors.toSet());
        long epochs =
                plans.stream().mapToInt(AssignmentChanged::epoch).distinct().count();
        return plans.stream()
                        .map(AssignmentChanged::instance)
                        .collect(Collectors.toSet())
                        .equals(all)
                && epochs == 1
                && plans.get(0).epoch() > before
                && items.equals(IntStream.range(0, total).boxed().collect(Collectors.toSet()));
    }
}
