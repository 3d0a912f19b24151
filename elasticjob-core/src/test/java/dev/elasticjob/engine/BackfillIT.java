package dev.elasticjob.engine;

import static dev.elasticjob.engine.RealEngines.get;
import static org.assertj.core.api.Assertions.assertThat;

import dev.elasticjob.admin.JobAdmin;
import dev.elasticjob.admin.RegistryJobAdmin;
import dev.elasticjob.admin.command.BackfillAnswer;
import dev.elasticjob.admin.command.BackfillRequest;
import dev.elasticjob.definition.JobDefinition;
import dev.elasticjob.job.event.JobEvent;
import dev.elasticjob.registry.JobTree;
import dev.elasticjob.registry.RegistryNode;
import dev.elasticjob.registry.RegistryRead;
import dev.elasticjob.testing.Heard;
import java.time.Instant;
import java.time.ZoneOffset;
import java.util.List;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;
import java.util.stream.IntStream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.RegisterExtension;

/** A backfill on three instances and a real ZooKeeper. */
class BackfillIT {
    private static final JobTree TREE = new JobTree("orders");
    private static final JobDefinition YEARLY = JobDefinition.builder("orders")
            .cron("0 0 0 1 1 ?")
            .timeZone(ZoneOffset.UTC)
            .shardingTotalCount(3)
            .failover(true)
            .build();
    private static final JobDefinition MANY =
            YEARLY.toBuilder().shardingTotalCount(1_600).build();
    private static final Instant THIRD = Instant.parse("2016-01-01T00:00:00Z");

    @RegisterExtension
    final RealEngines engines = new RealEngines();

    private final Heard<Started> started = new Heard<>();
    private final CountDownLatch never = new CountDownLatch(1);

    private record Started(String instance, int item, Instant time, int attempt) {
        boolean hangs() {
            return time.equals(THIRD) && attempt == 1;
        }
    }

    @Test
    void itGoesOnWhenTheLeaderIsKilledInTheMiddleAndEachTimeIsStartedOnce() {
        engines.add(never::countDown);
        List.of("a@-@1", "b@-@1", "c@-@1").forEach(this::start);
        JobAdmin admin = engines.add(new RegistryJobAdmin(engines.registry()));

        BackfillAnswer begun = get(admin.backfill(
                "orders",
                BackfillRequest.of(Instant.parse("2014-01-01T00:00:00Z"), Instant.parse("2018-12-31T00:00:00Z"))));
        started.await(
                "the third time on all items",
                all -> all.stream().filter(Started::hangs).count() == 3);
        engines.registryOf(leader()).close();
        never.countDown();
        engines.events().await(JobEvent.BackfillEnded.class, end -> end.id().equals(begun.id()));

        assertThat(begun.times()).isEqualTo(5);
        assertThat(started.all())
                .filteredOn(one -> one.attempt() == 1)
                .extracting(one -> one.time().atZone(ZoneOffset.UTC).getYear() + " " + one.item())
                .containsExactlyInAnyOrderElementsOf(IntStream.rangeClosed(2014, 2018)
                        .boxed()
                        .flatMap(year -> IntStream.range(0, 3).mapToObj(item -> year + " " + item))
                        .toList());
        assertThat(started.all())
                .filteredOn(one -> one.attempt() > 1)
                .allSatisfy(one -> assertThat(one.time()).isEqualTo(THIRD));
    }

    /** Each time needs several transactions. */
    @Test
    void aRequestOfSeveralTransactionsBeginsEachItemOnceWhenTheLeaderIsKilledInTheMiddle() {
        engines.add(never::countDown);
        List.of("a@-@1", "b@-@1", "c@-@1").forEach(instance -> start(instance, MANY));
        JobAdmin admin = engines.add(new RegistryJobAdmin(engines.registry()));

        BackfillAnswer begun = get(admin.backfill("orders", BackfillRequest.of(THIRD, THIRD)));
        started.await("a first item", all -> !all.isEmpty());
        engines.registryOf(leader()).close();
        never.countDown();
        engines.events().await(JobEvent.BackfillEnded.class, end -> end.id().equals(begun.id()));

        assertThat(started.all())
                .filteredOn(one -> one.attempt() == 1)
                .extracting(Started::item)
                .containsExactlyInAnyOrderElementsOf(
                        IntStream.range(0, MANY.shardingTotalCount()).boxed().toList());
    }

    private void start(String instance) {
        start(instance, YEARLY);
    }

    private void start(String instance, JobDefinition definition) {
        ElasticJobEngine engine = engines.engine(instance);
        engine.register(definition, context -> {
            Started one =
                    new Started(instance, context.getShardingItem(), context.getScheduledTime(), context.getAttempt());
            started.add(one);
            if (one.hangs()) {
                never.await(60, TimeUnit.SECONDS);
            }
        });
        engine.start();
        engines.events()
                .await(
                        JobEvent.AssignmentChanged.class,
                        change -> change.instance().equals(instance)
                                && !change.items().isEmpty());
    }

    private String leader() {
        return get(engines.registry().read(List.of(RegistryRead.data(TREE.leader()))))
                .node(TREE.leader())
                .map(RegistryNode::text)
                .orElseThrow();
    }
}
