package dev.elasticjob.benchmarks;

import dev.elasticjob.benchmarks.workload.WorkloadSettings;
import dev.elasticjob.engine.ElasticJobEngine;
import dev.elasticjob.job.event.JobEvent.AssignmentChanged;
import dev.elasticjob.registry.JobTree;
import dev.elasticjob.registry.Registry;
import dev.elasticjob.registry.curator.CuratorRegistry;
import dev.elasticjob.registry.curator.RegistrySettings;
import dev.elasticjob.testing.Heard;
import dev.elasticjob.testing.SharedPlan;
import java.util.ArrayList;
import java.util.List;

/** Instances of ours in this JVM, each with a connection of its own. For one thread. */
final class OurCluster implements AutoCloseable {
    private final WorkloadSettings settings;
    private final Heard<AssignmentChanged> changes = new Heard<>();
    private final List<AutoCloseable> opened = new ArrayList<>();
    private final List<Registry> registries = new ArrayList<>();
    private int prepared;

    OurCluster(WorkloadSettings settings) {
        this.settings = settings;
    }

    /** Connects an instance and starts it later, when asked. */
    Runnable prepare() {
        prepared++;
        String ip = "10.1.0." + prepared;
        Registry registry = CuratorRegistry.connect(RegistrySettings.of(settings.registry(), "benchmark"));
        opened.add(registry);
        registries.add(registry);
        ElasticJobEngine engine = ElasticJobEngine.builder(registry)
                .instanceId(ip + "@-@1")
                .ip(ip)
                .listener(event -> {
                    if (event instanceof AssignmentChanged changed) {
                        changes.add(changed);
                    }
                })
                .build();
        opened.add(engine);
        engine.register(OurWorkload.definition(settings, 0), context -> {});
        return () -> engine.start().toCompletableFuture().join();
    }

    /** Waits until so many members know the same plan, and have divided all items. */
    void awaitShared(int members) {
        changes.await(
                members + " members that share " + settings.items() + " items",
                all -> SharedPlan.isKnown(all, members, settings.items()));
    }

    /** Waits until operators are shown all of the plan: then its bell is answered. */
    void awaitShown() {
        JobTree tree = new JobTree(settings.job(0));
        registries.get(0).awaitAbsence(tree.necessary()).toCompletableFuture().join();
    }

    @Override
    public void close() throws Exception {
        for (int i = opened.size() - 1; i >= 0; i--) {
            opened.get(i).close();
        }
    }
}
