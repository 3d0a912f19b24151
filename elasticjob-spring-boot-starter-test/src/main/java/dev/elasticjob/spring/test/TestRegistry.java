package dev.elasticjob.spring.test;

import dev.elasticjob.registry.Registry;
import dev.elasticjob.registry.curator.CuratorRegistry;
import dev.elasticjob.registry.curator.RegistrySettings;
import dev.elasticjob.registry.memory.InMemoryEnsemble;
import dev.elasticjob.registry.memory.InMemoryRegistry;
import dev.elasticjob.spring.embedded.EmbeddedZooKeeper;
import java.time.Clock;
import java.time.Duration;
import java.util.concurrent.Executor;

/** The registry that the instances of a cluster share. */
interface TestRegistry extends AutoCloseable {
    /** The tick of its servers, with which the session timeout is compared. */
    Duration TICK = Duration.ofSeconds(2);

    /** A client with its own session, which the caller closes. */
    Registry connect();

    @Override
    void close();

    static TestRegistry inMemory(Clock clock, Executor executor) {
        var ensemble = new InMemoryEnsemble(clock);
        return new TestRegistry() {
            @Override
            public Registry connect() {
                return new InMemoryRegistry(ensemble, executor);
            }

            @Override
            public void close() {
                // Garbage.
            }
        };
    }

    static TestRegistry onEmbeddedZooKeeper(Duration startTimeout) {
        EmbeddedZooKeeper server = EmbeddedZooKeeper.start("127.0.0.1", 0, null, TICK, startTimeout);
        return new TestRegistry() {
            @Override
            public Registry connect() {
                return CuratorRegistry.connect(RegistrySettings.of(server.connectString(), "elasticjob"));
            }

            @Override
            public void close() {
                server.close();
            }
        };
    }
}
