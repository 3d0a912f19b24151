package dev.elasticjob.engine;

import static dev.elasticjob.engine.RealEngines.get;
import static org.assertj.core.api.Assertions.assertThat;

import dev.elasticjob.admin.JobAdmin;
import dev.elasticjob.admin.RegistryJobAdmin;
import dev.elasticjob.admin.command.RunOutcome;
import dev.elasticjob.admin.command.RunRequest;
import dev.elasticjob.definition.JobDefinition;
import dev.elasticjob.definition.trust.RegistryTrust;
import dev.elasticjob.job.ShardingContext;
import dev.elasticjob.job.event.JobEvent;
import dev.elasticjob.registry.CommitOutcome;
import dev.elasticjob.registry.DelegatingRegistry;
import dev.elasticjob.registry.JobTree;
import dev.elasticjob.registry.Registry;
import dev.elasticjob.registry.RegistryCommit;
import dev.elasticjob.registry.RegistrySession;
import dev.elasticjob.registry.RegistryUnavailableException;
import dev.elasticjob.testing.Heard;
import java.time.Duration;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionStage;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;
import java.util.function.Predicate;
import java.util.function.UnaryOperator;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.RegisterExtension;

/** Jobs that only the registry has, on three instances and a real ZooKeeper. */
class RegistryJobsIT {
    private static final JobTree TREE = new JobTree("orders");

    @RegisterExtension
    final RealEngines engines = new RealEngines();

    private final Heard<Started> started = new Heard<>();
    private final CountDownLatch released = new CountDownLatch(1);

    private record Started(String instance, int item, int attempt) {}

    /** One that dies leaves its threads behind: they wait, and are not heard of again. */
    private void work(String instance, ShardingContext context) throws InterruptedException {
        started.add(new Started(instance, context.getShardingItem(), context.getAttempt()));
        if (context.getRunParameter().equals("lasts") && context.getAttempt() == 1) {
            released.await(60, TimeUnit.SECONDS);
        }
    }

    @Test
    void aCreatedJobRunsOnAllInstancesThatMayIsTakenOverAndIsRemoved() {
        JobAdmin admin = threeInstances();
        start("d", engine -> engine.registryTrust(trust("d")));

        get(admin.create(job()));
        awaitOneItemEach("a", "b", "c");
        RunOutcome first = get(admin.run("orders", RunRequest.create()));
        CompletableFuture<RunOutcome> second = admin.run("orders", new RunRequest("second", "lasts"));
        started.await("the second run", all -> all.size() == 6);
        Started doomed = started.all().get(5);
        engines.registryOf(doomed.instance()).close();
        started.await("its take-over", all -> all.stream().anyMatch(one -> one.attempt() == 2));
        released.countDown();
        RunOutcome taken = get(second);
        get(admin.remove("orders"));

        assertThat(first.isSuccessful()).isTrue();
        assertThat(started.all().subList(0, 3)).extracting(Started::instance).containsExactlyInAnyOrder("a", "b", "c");
        assertThat(taken.items().keySet()).containsExactly(0, 1, 2);
        assertThat(started.all())
                .filteredOn(one -> one.attempt() == 2)
                .singleElement()
                .satisfies(one -> {
                    assertThat(one.item()).isEqualTo(doomed.item());
                    assertThat(one.instance()).isNotIn(doomed.instance(), "d");
                });
        assertThat(engines.exists(TREE.root())).isFalse();
    }

    @Test
    void aJobWhoseCreatorDiesInTheMiddleIsThereAsAWholeAndMayBeCreatedOnceMore() {
        JobAdmin admin = threeInstances();
        JobAdmin dying = new RegistryJobAdmin(new DyingWithItsCommit(engines.registry(), any -> true));

        CompletionStage<?> creation = dying.create(job());
        awaitOneItemEach("a", "b", "c");
        RunOutcome run = get(admin.run("orders", RunRequest.create()));
        get(admin.create(job()));

        assertThat(creation.toCompletableFuture()).isCompletedExceptionally();
        assertThat(run.isSuccessful()).isTrue();
        assertThat(run.items()).hasSize(3);
    }

    @Test
    void anInstanceThatDiesWhileItJoinsKeepsTheJobFromNobody() {
        JobAdmin admin = threeInstances();
        Registry doomed = engines.registry();
        ElasticJobEngine engine = engines.add(
                ElasticJobEngine.builder(new DyingWithItsCommit(doomed, path -> path.equals(TREE.instance("d"))))
                        .instanceId("d")
                        .ip("10.0.0.4")
                        .shutdownTimeout(Duration.ofSeconds(1))
                        .jobsFromRegistry()
                        .registryTrust(trust("d"))
                        .build());
        get(engine.start());

        get(admin.create(job()));
        awaitOneItemEach("a", "b", "c");
        RunOutcome run = get(admin.run("orders", RunRequest.create()));

        assertThat(run.isSuccessful()).isTrue();
        assertThat(started.all()).extracting(Started::instance).doesNotContain("d");
    }

    // ------------------------------------------------------------------

    private JobAdmin threeInstances() {
        engines.add(released::countDown);
        for (String instance : List.of("a", "b", "c")) {
            start(instance, engine -> engine.jobsFromRegistry().registryTrust(trust(instance)));
        }
        return engines.add(new RegistryJobAdmin(engines.registry()));
    }

    private void start(String instance, UnaryOperator<ElasticJobEngineBuilder> settings) {
        get(engines.engine(instance, settings).start());
    }

    private RegistryTrust trust(String instance) {
        return RegistryTrust.NONE.withCode("nightly", context -> work(instance, context));
    }

    private static JobDefinition job() {
        return JobDefinition.builder("orders")
                .jobClass("nightly")
                .cron("0 0 0 1 1 ?")
                .shardingTotalCount(3)
                .failover(true)
                .build();
    }

    private void awaitOneItemEach(String... instances) {
        engines.events()
                .awaitThat(
                        "an item for each of " + List.of(instances),
                        events -> Stream.of(instances)
                                .allMatch(instance -> EventLog.only(JobEvent.AssignmentChanged.class, events).stream()
                                        .filter(event -> event.jobName().equals("orders")
                                                && event.instance().equals(instance))
                                        .reduce((first, last) -> last)
                                        .filter(last -> last.items().size() == 1)
                                        .isPresent()));
    }

    /** The connection of a process that dies when a transaction is carried out, and never hears of it. */
    private static final class DyingWithItsCommit extends DelegatingRegistry {
        private final Registry delegate;
        private final Predicate<String> deadly;

        DyingWithItsCommit(Registry delegate, Predicate<String> deadly) {
            this.delegate = delegate;
            this.deadly = deadly;
        }

        @Override
        protected Registry delegate() {
            return delegate;
        }

        @Override
        public CompletionStage<CommitOutcome> commit(RegistrySession session, RegistryCommit commit) {
            return commit.operations().stream()
                            .map(RegistryCommit.Operation::path)
                            .noneMatch(deadly)
                    ? super.commit(session, commit)
                    : super.commit(session, commit).thenCompose(carriedOut -> {
                        delegate.close();
                        return CompletableFuture.failedFuture(new RegistryUnavailableException("the process is dead"));
                    });
        }
    }
}
