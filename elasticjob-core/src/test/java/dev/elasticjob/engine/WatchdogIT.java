package dev.elasticjob.engine;

import static dev.elasticjob.engine.RealEngines.get;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.tuple;

import dev.elasticjob.admin.RegistryJobAdmin;
import dev.elasticjob.admin.command.RunRequest;
import dev.elasticjob.definition.JobDefinition;
import dev.elasticjob.job.ShardingContext;
import dev.elasticjob.job.event.JobEvent.AssignmentChanged;
import dev.elasticjob.job.event.JobEvent.ItemFinished;
import dev.elasticjob.job.event.JobEvent.ItemStarted;
import dev.elasticjob.job.event.JobEvent.ItemStuck;
import dev.elasticjob.registry.Registry;
import dev.elasticjob.registry.curator.CuratorRegistry;
import dev.elasticjob.registry.curator.RegistrySettings;
import dev.elasticjob.testing.FaultyConnection;
import dev.elasticjob.testing.SharedPlan;
import java.time.Duration;
import java.util.List;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.RegisterExtension;

/** Three instances on a real ZooKeeper, with an item each. The first one leads, and the second one's item hangs. */
class WatchdogIT {
    private static final JobDefinition ORDERS = JobDefinition.builder("orders")
            .cron("0 0 0 1 1 ?")
            .shardingTotalCount(3)
            .build();
    private static final Duration LIMIT = Duration.ofSeconds(1);

    @RegisterExtension
    final RealEngines engines = new RealEngines();

    private final EventLog events = engines.events();
    private final CountDownLatch mayReturn = new CountDownLatch(1);

    @AfterEach
    void letReturn() {
        mayReturn.countDown();
    }

    @Test
    void whatALeaderHasReportedIsNotReportedByItsSuccessor() {
        startThree(ORDERS, engines.registry());
        int hanging = itemOf("b@-@1");
        String owner = hangs(hanging);
        // An execution keeps the settings of its claim, so only the leader watches this one.
        get(admin().redefine("orders", now -> now.toBuilder().stuckAfter(LIMIT).build()));
        ItemStuck reported = events.await(ItemStuck.class, stuck -> true);

        events.clear();
        engines.registryOf("a@-@1").close();
        awaitPlan(2);
        int another = itemOf("c@-@1", hanging);
        String itsOwner = hangs(another);
        events.await(ItemStuck.class, stuck -> stuck.item() == another);

        assertThat(reported.item()).isEqualTo(hanging);
        assertThat(reported.instance()).isEqualTo(owner).isNotEqualTo("a@-@1");
        assertThat(reported.reportedBy()).isEqualTo("a@-@1");
        assertThat(events.all(ItemStuck.class))
                .extracting(ItemStuck::item, ItemStuck::reportedBy)
                .containsExactly(tuple(another, itsOwner));
    }

    @Test
    void whatTheLeaderHasReportedIsNotReportedByItsOwnerThatIsBackLater() {
        FaultyConnection cable =
                engines.add(FaultyConnection.to(engines.server().connectString()));
        startThree(
                ORDERS.toBuilder().stuckAfter(LIMIT).build(),
                engines.add(CuratorRegistry.connect(
                        RegistrySettings.of(cable.connectString(), "shop").withSessionTimeout(Duration.ofMinutes(1)))));
        int hanging = itemOf("b@-@1");
        hangs(hanging);

        cable.hold();
        events.await(ItemStuck.class, stuck -> true);
        cable.mend();
        mayReturn.countDown();
        events.await(ItemFinished.class, run -> run.item() == hanging);

        assertThat(events.all(ItemStuck.class))
                .extracting(ItemStuck::item, ItemStuck::instance, ItemStuck::reportedBy)
                .containsExactly(tuple(hanging, "b@-@1", "a@-@1"));
    }

    // ------------------------------------------------------------------ what is done

    private void startThree(JobDefinition definition, Registry ofSecond) {
        start(engines.engine("a@-@1"), definition);
        ElasticJobEngine second = ElasticJobEngine.builder(ofSecond)
                .instanceId("b@-@1")
                .ip("10.0.0.2")
                .shutdownTimeout(Duration.ofSeconds(1))
                .listener(events)
                .build();
        start(engines.add(second), definition);
        start(engines.engine("c@-@1"), definition);
        // A plan without the one that has come last has three items, too.
        for (String instance : List.of("a@-@1", "b@-@1", "c@-@1")) {
            events.await(
                    AssignmentChanged.class,
                    change -> change.instance().equals(instance)
                            && change.epoch() == epochOf("c@-@1")
                            && change.items().size() == 1);
        }
    }

    /** Of the plan that gives it items; -1 before. */
    private int epochOf(String instance) {
        return events.all(AssignmentChanged.class).stream()
                .filter(change ->
                        change.instance().equals(instance) && !change.items().isEmpty())
                .mapToInt(AssignmentChanged::epoch)
                .findFirst()
                .orElse(-1);
    }

    private void start(ElasticJobEngine engine, JobDefinition definition) {
        engine.register(definition, this::execute);
        get(engine.start());
    }

    private void execute(ShardingContext context) throws InterruptedException {
        assertThat(mayReturn.await(60, TimeUnit.SECONDS)).isTrue();
    }

    /** Returns the instance that executes it. */
    private String hangs(int item) {
        get(admin().trigger("orders", RunRequest.create().ofItems(List.of(item))));
        return events.await(ItemStarted.class, run -> run.item() == item).instance();
    }

    private RegistryJobAdmin admin() {
        return new RegistryJobAdmin(engines.registry());
    }

    private void awaitPlan(int instances) {
        events.awaitThat(
                instances + " instances that share three items",
                told -> SharedPlan.isKnown(EventLog.only(AssignmentChanged.class, told), instances, 3));
    }

    private int itemOf(String instance, Integer... others) {
        AssignmentChanged newest = events.all(AssignmentChanged.class).stream()
                .filter(change -> change.instance().equals(instance))
                .reduce((before, last) -> last)
                .orElseThrow();
        return newest.items().stream()
                .filter(item -> !List.of(others).contains(item))
                .findFirst()
                .orElseThrow();
    }
}
