package dev.elasticjob.engine;

import static dev.elasticjob.engine.RealEngines.get;
import static org.assertj.core.api.Assertions.assertThat;

import dev.elasticjob.admin.RegistryJobAdmin;
import dev.elasticjob.definition.JobDefinition;
import dev.elasticjob.job.ShardingContext;
import dev.elasticjob.job.event.ExecutionOutcome;
import dev.elasticjob.job.event.JobEvent.AssignmentChanged;
import dev.elasticjob.job.event.JobEvent.ItemFinished;
import java.util.List;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicBoolean;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.RegisterExtension;

/** Three instances on a real ZooKeeper, each with room for one item, and one of them with an item that is long. */
class HelpingIT {
    private static final int ITEMS = 12;

    @RegisterExtension
    final RealEngines engines = new RealEngines();

    private final AtomicBoolean lasts = new AtomicBoolean();
    private final CountDownLatch others = new CountDownLatch(ITEMS - 1);

    @Test
    void whatABusyInstanceOwnsIsDoneByThoseThatAreIdle() {
        for (String instance : List.of("a@-@1", "b@-@1", "c@-@1")) {
            ElasticJobEngine engine = engines.engine(instance, settings -> settings.capacity(1));
            engine.register(
                    JobDefinition.builder("orders")
                            .cron("")
                            .shardingTotalCount(ITEMS)
                            .build(),
                    context -> execute(instance, context));
            get(engine.start());
        }
        for (String instance : List.of("a@-@1", "b@-@1", "c@-@1")) {
            engines.events()
                    .await(
                            AssignmentChanged.class,
                            change -> change.instance().equals(instance)
                                    && change.items().size() == ITEMS / 3);
        }

        get(new RegistryJobAdmin(engines.registry()).trigger("orders"));
        engines.events().awaitAll(ItemFinished.class, end -> true, ITEMS);

        List<ItemFinished> ends = engines.events().all(ItemFinished.class);
        assertThat(ends).extracting(ItemFinished::item).hasSize(ITEMS).doesNotHaveDuplicates();
        assertThat(ends).extracting(ItemFinished::outcome).containsOnly(ExecutionOutcome.COMPLETED);
        assertThat(ends).filteredOn(end -> end.instance().equals("a@-@1")).hasSize(1);
    }

    /** The first item that begins at the first instance lasts until all others have ended, including those of its owner. */
    private void execute(String instance, ShardingContext context) {
        if (!instance.equals("a@-@1") || !lasts.compareAndSet(false, true)) {
            others.countDown();
            return;
        }
        try {
            if (!others.await(30, TimeUnit.SECONDS)) {
                throw new IllegalStateException(
                        others.getCount() + " items wait for item " + context.getShardingItem());
            }
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
            throw new IllegalStateException(e);
        }
    }
}
