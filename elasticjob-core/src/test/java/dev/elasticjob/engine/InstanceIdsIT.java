package dev.elasticjob.engine;

import static org.assertj.core.api.Assertions.assertThat;

import dev.elasticjob.definition.JobDefinition;
import dev.elasticjob.job.event.JobEvent.AssignmentChanged;
import dev.elasticjob.job.event.JobEvent.ItemFinished;
import dev.elasticjob.job.event.JobEvent.ItemStarted;
import dev.elasticjob.registry.curator.CuratorRegistry;
import dev.elasticjob.registry.curator.RegistrySettings;
import dev.elasticjob.testing.FaultyConnection;
import dev.elasticjob.testing.Opened;
import dev.elasticjob.testing.TestZooKeeper;
import java.time.Duration;
import java.util.List;
import java.util.Set;
import java.util.concurrent.TimeUnit;
import java.util.stream.Collectors;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.RegisterExtension;

/** Processes that believe to be the same instance, on a real ZooKeeper: in containers every process has the pid 1. */
class InstanceIdsIT {
    private static final int ITEMS = 4;

    @RegisterExtension
    final Opened opened = new Opened();

    private final TestZooKeeper server = opened.add(TestZooKeeper.start());
    private final EventLog events = new EventLog();

    @Test
    void twoProcessesOfOneIdBothTakePart() {
        start("10.0.0.9@-@1", server.connectString());
        start("10.0.0.9@-@1", server.connectString());

        awaitItems("10.0.0.9@-@1", 2);
        awaitItems("10.0.0.9@-@1-2", 2);
        awaitFirings("10.0.0.9@-@1", 2);
        awaitFirings("10.0.0.9@-@1-2", 2);

        assertThat(startedTwice()).isEmpty();
    }

    @Test
    void addressesOfIpv6CanBeIds() {
        ElasticJobEngine engine = start("2001:db8:0:0:0:0:0:10@-@1", server.connectString());
        start("2001:db8:0:0:0:0:0:10@-@1", server.connectString());

        awaitItems("2001:db8:0:0:0:0:0:10@-@1-2", 2);

        assertThat(engine.inspector()
                        .job("orders")
                        .toCompletableFuture()
                        .join()
                        .orElseThrow()
                        .instances())
                .containsExactlyInAnyOrder("2001:db8:0:0:0:0:0:10@-@1", "2001:db8:0:0:0:0:0:10@-@1-2");
    }

    @Test
    void aProcessThatIsBackBeforeItsFormerSessionIsOverIsRegisteredAtOnceAndHasAllItemsThen() {
        FaultyConnection cable = FaultyConnection.to(server.connectString());
        opened.add(cable);
        start("10.0.0.9@-@1", cable.connectString());
        awaitItems("10.0.0.9@-@1", ITEMS);
        awaitFirings("10.0.0.9@-@1", 1);

        cable.cut();
        start("10.0.0.9@-@1", server.connectString());

        awaitItems("10.0.0.9@-@1-2", 0);
        awaitItems("10.0.0.9@-@1-2", ITEMS);
        events.clear();
        awaitFirings("10.0.0.9@-@1-2", 2);
        assertThat(startedTwice()).isEmpty();
        assertThat(events.all(ItemStarted.class))
                .extracting(ItemStarted::instance)
                .containsOnly("10.0.0.9@-@1-2");
    }

    private ElasticJobEngine start(String id, String connectString) {
        CuratorRegistry registry = CuratorRegistry.connect(
                RegistrySettings.of(connectString, "shop").withSessionTimeout(Duration.ofSeconds(4)));
        opened.add(registry);
        ElasticJobEngine engine = ElasticJobEngine.builder(registry)
                .instanceId(id)
                .ip(id.substring(0, id.indexOf('@')))
                .serverTick(TestZooKeeper.TICK)
                .shutdownTimeout(Duration.ofSeconds(2))
                .listener(events)
                .build();
        opened.add(engine);
        JobDefinition orders = JobDefinition.builder("orders")
                .cron("* * * * * ?")
                .shardingTotalCount(ITEMS)
                .build();
        engine.register(orders, context -> {});
        engine.start().toCompletableFuture().orTimeout(30, TimeUnit.SECONDS).join();
        return engine;
    }

    private void awaitItems(String instance, int count) {
        events.await(
                AssignmentChanged.class,
                now -> now.instance().equals(instance) && now.items().size() == count);
    }

    /** Waits until an instance has run so many firings of whatever it owns. */
    private void awaitFirings(String instance, int count) {
        events.awaitThat(count + " firings on " + instance, told -> {
            Set<?> firings = EventLog.only(ItemFinished.class, told).stream()
                    .filter(run -> run.instance().equals(instance))
                    .map(ItemFinished::scheduledAt)
                    .collect(Collectors.toSet());
            return firings.size() >= count;
        });
    }

    private List<String> startedTwice() {
        List<String> started = events.all(ItemStarted.class).stream()
                .map(run -> "item " + run.item() + " for " + run.scheduledAt())
                .toList();
        return started.stream()
                .filter(run -> started.indexOf(run) != started.lastIndexOf(run))
                .toList();
    }
}
