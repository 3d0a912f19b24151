package dev.elasticjob.engine;

import static dev.elasticjob.engine.RealEngines.get;
import static org.assertj.core.api.Assertions.assertThat;

import dev.elasticjob.definition.JobDefinition;
import dev.elasticjob.job.ShardingContext;
import dev.elasticjob.job.event.JobEvent.ItemStarted;
import dev.elasticjob.registry.JobTree;
import dev.elasticjob.registry.Registry;
import dev.elasticjob.testing.TestZooKeeper;
import java.time.Duration;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.RegisterExtension;

/** An engine and its registry are closed while an item ignores its interruption. */
class CloseIT {
    private static final JobTree TREE = new JobTree("orders");

    @RegisterExtension
    final RealEngines engines = new RealEngines();

    private final EventLog events = engines.events();
    private final CompletableFuture<String> running = new CompletableFuture<>();
    private final CountDownLatch mayReturn = new CountDownLatch(1);

    @AfterEach
    void letReturn() {
        mayReturn.countDown();
    }

    @Test
    void whatStillRunsKeepsItsItemLockedUntilItHasReturnedAndItsEndIsWritten() {
        ElasticJobEngine first = engine("a@-@1");
        get(first.start());
        get(running);
        get(engine("b@-@1").start());
        Registry reader = engines.registry();

        first.close();
        engines.registryOf("a@-@1").close();
        var unlocked = reader.awaitAbsence(TREE.running(0)).toCompletableFuture();
        // Whatever a session's end would let begin has begun by the time that the other item has.
        events.awaitAll(ItemStarted.class, run -> run.instance().equals("b@-@1") && run.item() == 1, 3);
        boolean locked = !unlocked.isDone();
        List<ItemStarted> beside = events.all(ItemStarted.class).stream()
                .filter(run -> run.instance().equals("b@-@1") && run.item() == 0)
                .toList();
        mayReturn.countDown();
        get(unlocked);
        ItemStarted next = events.await(ItemStarted.class, run -> run.instance().equals("b@-@1") && run.item() == 0);

        assertThat(locked).isTrue();
        assertThat(beside).isEmpty();
        assertThat(next.attempt())
                .as("of another firing: the end of the first is written")
                .isEqualTo(1);
    }

    /** The first execution of item 0 hears of nothing. */
    private void execute(ShardingContext context) {
        if (context.getShardingItem() == 0 && running.complete(context.getTaskId())) {
            boolean returned = false;
            while (!returned) {
                try {
                    returned = mayReturn.await(60, TimeUnit.SECONDS);
                } catch (InterruptedException ignored) {
                    // As code does that knows better.
                }
            }
        }
    }

    private ElasticJobEngine engine(String instance) {
        ElasticJobEngine engine = engines.engine(
                instance, settings -> settings.serverTick(TestZooKeeper.TICK).shutdownTimeout(Duration.ofMillis(200)));
        engine.register(
                JobDefinition.builder("orders")
                        .cron("* * * * * ?")
                        .shardingTotalCount(2)
                        .failover(true)
                        .build(),
                this::execute);
        return engine;
    }
}
