package dev.elasticjob.engine;

import static dev.elasticjob.engine.RealEngines.get;
import static org.assertj.core.api.Assertions.assertThat;

import dev.elasticjob.definition.JobDefinition;
import dev.elasticjob.job.event.JobEvent;
import dev.elasticjob.registry.JobTree;
import dev.elasticjob.registry.Registry.WatchScope;
import dev.elasticjob.registry.RegistryNode;
import dev.elasticjob.registry.RegistryRead;
import dev.elasticjob.registry.Subscription;
import dev.elasticjob.testing.Heard;
import java.time.Duration;
import java.time.Instant;
import java.time.ZoneOffset;
import java.util.List;
import java.util.concurrent.Semaphore;
import java.util.concurrent.TimeUnit;
import java.util.stream.IntStream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.RegisterExtension;

/** A job with a fixed delay on three instances and a real ZooKeeper, whose leader is killed. */
class FixedDelayIT {
    private static final JobTree TREE = new JobTree("orders");
    private static final Duration DELAY = Duration.ofSeconds(3);
    private static final JobDefinition FEW = JobDefinition.builder("orders")
            .fixedDelay(DELAY)
            .timeZone(ZoneOffset.UTC)
            .shardingTotalCount(3)
            .failover(true)
            .build();
    private static final JobDefinition MANY =
            FEW.toBuilder().shardingTotalCount(1_600).build();

    @RegisterExtension
    final RealEngines engines = new RealEngines();

    private final Heard<Started> started = new Heard<>();

    private record Started(int item, Instant time, int attempt) {}

    @Test
    void theNextFiringComesAfterTheDelayWhenTheLeaderIsKilledBetweenTheEndAndTheNextRequest()
            throws InterruptedException {
        List.of("a@-@1", "b@-@1", "c@-@1").forEach(instance -> start(instance, FEW));
        started.await("a firing on all items", all -> all.size() >= 3);
        Instant killed = last();
        awaitEnd();
        engines.registryOf(leader()).close();
        started.await(
                "two more firings",
                all -> all.stream()
                                .map(Started::time)
                                .filter(killed::isBefore)
                                .distinct()
                                .count()
                        >= 2);

        List<Instant> times =
                started.all().stream().map(Started::time).distinct().sorted().toList();
        for (int next = 1; next < times.size(); next++) {
            assertThat(Duration.between(times.get(next - 1), times.get(next))).isGreaterThanOrEqualTo(DELAY);
        }
        assertThat(started.all()).doesNotHaveDuplicates().allMatch(one -> one.attempt() == 1);
    }

    /** Each firing needs several transactions. */
    @Test
    void aRequestOfSeveralTransactionsBeginsEachItemOnceWhenTheLeaderIsKilledInTheMiddle() {
        List.of("a@-@1", "b@-@1", "c@-@1").forEach(instance -> start(instance, MANY));
        Instant first = started.all().isEmpty() ? firstTime() : last();
        started.await(
                "a first item of the next firing",
                all -> all.stream().anyMatch(one -> one.time().isAfter(first)));
        Instant second = last();
        engines.registryOf(leader()).close();
        started.await(
                "another firing", all -> all.stream().anyMatch(one -> one.time().isAfter(second)));

        assertThat(started.all())
                .filteredOn(one -> one.time().equals(second) && one.attempt() == 1)
                .extracting(Started::item)
                .containsExactlyInAnyOrderElementsOf(
                        IntStream.range(0, MANY.shardingTotalCount()).boxed().toList());
    }

    private Instant firstTime() {
        started.await("a first item", all -> !all.isEmpty());
        return last();
    }

    private Instant last() {
        return started.all().stream().map(Started::time).max(Instant::compareTo).orElseThrow();
    }

    private void start(String instance, JobDefinition definition) {
        ElasticJobEngine engine = engines.engine(instance);
        engine.register(
                definition,
                context -> started.add(
                        new Started(context.getShardingItem(), context.getScheduledTime(), context.getAttempt())));
        engine.start();
        engines.events()
                .await(
                        JobEvent.AssignmentChanged.class,
                        change -> change.instance().equals(instance)
                                && !change.items().isEmpty());
    }

    /** The leader has noted the end of the last firing. */
    private void awaitEnd() throws InterruptedException {
        Semaphore changed = new Semaphore(0);
        try (Subscription watch = engines.registry().watch(TREE.delay(), WatchScope.DATA, changed::release)) {
            while (!isEnded()) {
                assertThat(changed.tryAcquire(30, TimeUnit.SECONDS))
                        .as("an end")
                        .isTrue();
            }
        }
    }

    private boolean isEnded() {
        return get(engines.registry().read(List.of(RegistryRead.data(TREE.delay()))))
                .node(TREE.delay())
                .map(RegistryNode::text)
                .filter(text -> text.contains("ended"))
                .isPresent();
    }

    private String leader() {
        return get(engines.registry().read(List.of(RegistryRead.data(TREE.leader()))))
                .node(TREE.leader())
                .map(RegistryNode::text)
                .orElseThrow();
    }
}
