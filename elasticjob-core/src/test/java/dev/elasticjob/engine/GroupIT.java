package dev.elasticjob.engine;

import static dev.elasticjob.engine.RealEngines.get;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.elasticjob.group.ShardAssignment;
import dev.elasticjob.group.ShardingNotice;
import dev.elasticjob.registry.Registry;
import dev.elasticjob.registry.RegistryAccessDeniedException;
import dev.elasticjob.registry.RegistryNode;
import dev.elasticjob.registry.RegistryRead;
import dev.elasticjob.registry.curator.CuratorRegistry;
import dev.elasticjob.registry.curator.RegistrySettings;
import dev.elasticjob.testing.Heard;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.RegisterExtension;

/** Where the nodes of groups are on a real ZooKeeper, and who may access them. */
class GroupIT {
    private static final String INSTANCE = "/dynamic-sharding/instances/10.0.0.1@-@1";

    @RegisterExtension
    final RealEngines engines = new RealEngines();

    @Test
    void aGroupIsOutsideOfTheNamespaceBelowTheChrootAndClosedToOthers() {
        Registry beside = connect(RegistrySettings.of(engines.server().connectString(), "tenant"));
        String inTenant = engines.server().connectString() + "/tenant";
        Registry registry = connect(RegistrySettings.of(inTenant, "shop").withDigest("orders:secret"));
        Heard<ShardAssignment> told = new Heard<>();

        join(registry, told);

        told.await("an index", all -> all.size() == 1);
        assertThatThrownBy(() -> get(beside.read(RegistryRead.allData(INSTANCE))))
                .hasCauseInstanceOf(RegistryAccessDeniedException.class);
        Registry known = connect(
                RegistrySettings.of(engines.server().connectString(), "tenant").withDigest("orders:secret"));
        assertThat(get(known.read(RegistryRead.allData(INSTANCE))).node(INSTANCE))
                .get()
                .extracting(RegistryNode::text)
                .isEqualTo("instanceId: 10.0.0.1@-@1\nserverIp: 10.0.0.1\n");
    }

    @Test
    void aGroupWhoseNodesBelongToSomebodyElseIsRefused() {
        Registry others = connect(
                RegistrySettings.of(engines.server().connectString(), "shop").withDigest("others:secret"));
        join(others, new Heard<>());
        Registry registry = connect(
                RegistrySettings.of(engines.server().connectString(), "orders").withDigest("orders:secret"));
        ElasticJobEngine engine = engine(registry);
        engine.groups().join("", notice(new Heard<>()));

        assertThatThrownBy(() -> get(engine.start())).hasCauseInstanceOf(RegistryAccessDeniedException.class);
    }

    private void join(Registry registry, Heard<ShardAssignment> told) {
        ElasticJobEngine engine = engine(registry);
        engine.groups().join("", notice(told));
        get(engine.start());
    }

    private ElasticJobEngine engine(Registry registry) {
        return engines.add(ElasticJobEngine.builder(registry)
                .instanceId("10.0.0.1@-@1")
                .ip("10.0.0.1")
                .build());
    }

    private Registry connect(RegistrySettings settings) {
        return engines.add(CuratorRegistry.connect(settings));
    }

    private static ShardingNotice notice(Heard<ShardAssignment> told) {
        return new ShardingNotice() {
            @Override
            public void startSharding() {
                // Nothing to stop.
            }

            @Override
            public void shardingCompleted(ShardAssignment assignment) {
                told.add(assignment);
            }
        };
    }
}
