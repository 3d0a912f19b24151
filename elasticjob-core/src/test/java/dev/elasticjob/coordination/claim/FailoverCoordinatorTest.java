package dev.elasticjob.coordination.claim;

import static dev.elasticjob.coordination.Samples.NOON;
import static dev.elasticjob.coordination.Samples.TREE;
import static dev.elasticjob.coordination.Samples.US;
import static org.assertj.core.api.Assertions.assertThat;

import dev.elasticjob.coordination.Samples;
import dev.elasticjob.coordination.session.Announcements;
import dev.elasticjob.coordination.session.Capacity;
import dev.elasticjob.coordination.session.JobScope;
import dev.elasticjob.coordination.session.RegistryTime;
import dev.elasticjob.coordination.session.SessionLease;
import dev.elasticjob.coordination.session.SharedConnection;
import dev.elasticjob.coordination.view.Ownership;
import dev.elasticjob.registry.CommitOutcome;
import dev.elasticjob.registry.RegistryCommit;
import dev.elasticjob.registry.memory.InMemoryEnsemble;
import dev.elasticjob.registry.memory.InMemoryRegistry;
import dev.elasticjob.time.manual.ManualTime;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.NavigableSet;
import java.util.OptionalLong;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionStage;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;

/** When waiting executions are tried for again. The bell rings when they change, and for nothing else. */
class FailoverCoordinatorTest {
    private static final Ownership OWN =
            Samples.ownership(Samples.definition().failover(true).build());

    private final ManualTime time = new ManualTime(NOON);
    private final InMemoryRegistry registry = new InMemoryRegistry(new InMemoryEnsemble(time), Runnable::run);
    private final RegistryTime registryTime = new RegistryTime(time, time);
    private final SharedConnection connection = new SharedConnection(
            registry, Runnable::run, time, new SessionLease(time, Duration.ofSeconds(2)), registryTime);
    private final JobScope scope = new JobScope(TREE, connection, time, event -> {}, new Announcements());
    private final List<NavigableSet<Integer>> tried = new ArrayList<>();
    private final FailoverCoordinator failoverCoordinator =
            new FailoverCoordinator(scope, new Room(), this::tryInVain, waiting -> {});

    private static final class Room implements Capacity {
        @Override
        public int free() {
            return 10;
        }

        @Override
        public void whenFree(Runnable once) {
            once.run();
        }
    }

    /** A take that was refused, as for an old plan: what waits goes on waiting. */
    private CompletionStage<Void> tryInVain(NavigableSet<Integer> items) {
        tried.add(items);
        return CompletableFuture.completedFuture(null);
    }

    @BeforeEach
    void aJobWithOneThatWaits() {
        connection.open();
        RegistryCommit.Builder job = RegistryCommit.builder().create(TREE.root());
        TREE.parents().forEach(job::create);
        job.create(TREE.sharding())
                .createEphemeral(TREE.instance(US), US)
                .create(TREE.item(1))
                .create(TREE.failoverItem(1));
        assertThat(registry.commit(registry.session().orElseThrow(), job.build())
                        .toCompletableFuture()
                        .join())
                .isInstanceOf(CommitOutcome.Committed.class);
    }

    @Test
    void whatCouldNotBeTakenIsTriedOnceByAPlan() {
        failoverCoordinator.follow(OWN);

        assertThat(tried).hasSize(1);
    }

    @Test
    void whatCouldNotBeTakenByAnOldPlanIsTriedByTheNextOne() {
        failoverCoordinator.follow(OWN);

        failoverCoordinator.follow(atEpoch(6, true));

        assertThat(tried).hasSize(2);
    }

    @Test
    void whoWasDisabledWhenTheBellRangTriesOnceHeIsEnabled() {
        failoverCoordinator.follow(atEpoch(5, false));
        assertThat(tried).isEmpty();

        failoverCoordinator.follow(atEpoch(6, true));

        assertThat(tried).hasSize(1);
    }

    @Test
    void whoWasWithoutASessionTriesOnceHeHasOne() {
        failoverCoordinator.follow(OWN);
        failoverCoordinator.suspend();

        failoverCoordinator.follow(OWN);

        assertThat(tried).hasSize(2);
    }

    @Test
    void amongOthersNobodyWaitsLongForTheLatch() {
        assertThat(registry.commit(
                                registry.session().orElseThrow(),
                                RegistryCommit.builder()
                                        .createEphemeral(TREE.instance("10.0.0.0@-@1"), "")
                                        .build())
                        .toCompletableFuture()
                        .join())
                .isInstanceOf(CommitOutcome.Committed.class);
        somebodyHoldsTheLatch();

        failoverCoordinator.follow(OWN);
        assertThat(tried).isEmpty();
        time.advance(Duration.ofSeconds(1));

        assertThat(tried).hasSize(1);
    }

    @Test
    void theOnlyInstanceDoesNotWaitForTheLatch() {
        somebodyHoldsTheLatch();

        failoverCoordinator.follow(OWN);

        assertThat(tried).hasSize(1);
    }

    private void somebodyHoldsTheLatch() {
        assertThat(registry.enterLatch(TREE.failoverLatch(), "somebody")
                        .acquired()
                        .toCompletableFuture())
                .isCompleted();
    }

    private static Ownership atEpoch(int epoch, boolean enabled) {
        return new Ownership(
                OWN.session(),
                OWN.instance(),
                epoch,
                OWN.assignment(),
                OWN.definition(),
                OWN.definitionVersion(),
                OWN.items(),
                enabled,
                OptionalLong.empty());
    }
}
