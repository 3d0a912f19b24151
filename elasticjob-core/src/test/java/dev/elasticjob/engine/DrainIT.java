package dev.elasticjob.engine;

import static dev.elasticjob.engine.RealEngines.get;
import static org.assertj.core.api.Assertions.assertThat;

import dev.elasticjob.definition.JobDefinition;
import dev.elasticjob.job.ShardingContext;
import dev.elasticjob.job.event.JobEvent.AssignmentChanged;
import dev.elasticjob.job.event.JobEvent.ItemFinished;
import dev.elasticjob.job.event.JobEvent.ItemStarted;
import dev.elasticjob.registry.JobTree;
import java.time.Duration;
import java.util.Map;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.extension.RegisterExtension;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** One of two engines stops while an item still runs there. */
class DrainIT {
    private static final JobTree TREE = new JobTree("orders");

    @RegisterExtension
    final RealEngines engines = new RealEngines().thatLive();

    private final EventLog events = engines.events();
    private final CompletableFuture<Integer> held = new CompletableFuture<>();
    private final CountDownLatch mayReturn = new CountDownLatch(1);
    private volatile String stopping = "";

    @AfterEach
    void letReturn() {
        mayReturn.countDown();
    }

    /** The first one to start leads. */
    @ParameterizedTest(name = "{0} stops")
    @ValueSource(strings = {"a@-@1", "b@-@1"})
    void theOthersRunItsItemsAtOnceButForTheOneThatStillRuns(String victim) {
        Map<String, ElasticJobEngine> both = Map.of("a@-@1", start("a@-@1"), "b@-@1", start("b@-@1"));
        String survivor = victim.equals("a@-@1") ? "b@-@1" : "a@-@1";
        awaitItems("a@-@1", 2);
        awaitItems("b@-@1", 2);
        stopping = victim;
        int lasting = get(held);
        int other = otherItem(victim, lasting);
        events.clear();

        CompletableFuture<Void> stopped = both.get(victim).stop().toCompletableFuture();
        awaitItems(survivor, 4);
        events.await(ItemFinished.class, run -> run.instance().equals(survivor) && run.item() == other);
        boolean waited = !stopped.isDone();
        boolean alone = events.all(ItemStarted.class).stream()
                .noneMatch(run -> run.instance().equals(survivor) && run.item() == lasting);
        mayReturn.countDown();
        get(stopped);
        events.await(ItemFinished.class, run -> run.instance().equals(survivor) && run.item() == lasting);

        assertThat(waited).as("it had not left when its other item ran").isTrue();
        assertThat(alone).as("the item that still ran was left alone").isTrue();
        assertThat(get(both.get(survivor).inspector().job("orders"))
                        .orElseThrow()
                        .instances())
                .containsExactly(survivor);
        assertThat(engines.children(TREE.drains())).isEmpty();
    }

    /** Of the two that the instance had before it gave them away. */
    private int otherItem(String instance, int lasting) {
        return events.all(AssignmentChanged.class).stream()
                .filter(change ->
                        change.instance().equals(instance) && change.items().size() == 2)
                .reduce((before, last) -> last)
                .orElseThrow()
                .items()
                .stream()
                .filter(item -> item != lasting)
                .findFirst()
                .orElseThrow();
    }

    private void awaitItems(String instance, int count) {
        events.await(
                AssignmentChanged.class,
                change -> change.instance().equals(instance) && change.items().size() == count);
    }

    private ElasticJobEngine start(String instance) {
        ElasticJobEngine engine =
                engines.engine(instance, settings -> settings.shutdownTimeout(Duration.ofSeconds(20)));
        engine.register(
                JobDefinition.builder("orders")
                        .cron("* * * * * ?")
                        .shardingTotalCount(4)
                        .build(),
                this::execute);
        get(engine.start());
        return engine;
    }

    /** The first item of the instance that is to stop lasts. */
    private void execute(ShardingContext context) throws InterruptedException {
        boolean lasts = !stopping.isEmpty()
                && context.getTaskId().endsWith(stopping)
                && held.complete(context.getShardingItem());
        if (lasts) {
            assertThat(mayReturn.await(30, TimeUnit.SECONDS)).isTrue();
        }
    }
}
