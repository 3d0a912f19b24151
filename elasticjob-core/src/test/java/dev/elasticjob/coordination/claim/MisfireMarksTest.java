package dev.elasticjob.coordination.claim;

import static dev.elasticjob.coordination.Samples.NOON;
import static dev.elasticjob.coordination.Samples.TREE;
import static org.assertj.core.api.Assertions.assertThat;

import dev.elasticjob.coordination.session.Announcements;
import dev.elasticjob.coordination.session.JobScope;
import dev.elasticjob.coordination.session.RegistryTime;
import dev.elasticjob.coordination.session.SessionLease;
import dev.elasticjob.coordination.session.SharedConnection;
import dev.elasticjob.coordination.session.Turns;
import dev.elasticjob.registry.Registry;
import dev.elasticjob.registry.RegistryCommit;
import dev.elasticjob.registry.RegistryRead;
import dev.elasticjob.registry.RegistrySession;
import dev.elasticjob.registry.memory.InMemoryEnsemble;
import dev.elasticjob.registry.memory.InMemoryRegistry;
import dev.elasticjob.testing.ChangedRegistry;
import dev.elasticjob.time.manual.ManualTime;
import java.time.Duration;
import java.util.List;
import java.util.stream.IntStream;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;

class MisfireMarksTest {
    private static final int FIRST_VERSION = 0;

    private final ManualTime time = new ManualTime(NOON);
    private final Turns turns = new Turns();
    private final Counted registry = new Counted(new InMemoryRegistry(new InMemoryEnsemble(time), Runnable::run));
    private final SharedConnection connection = new SharedConnection(
            registry, turns, time, new SessionLease(time, Duration.ofSeconds(2)), new RegistryTime(time, time));
    private final MisfireMarks marks =
            new MisfireMarks(new JobScope(TREE, connection, time, event -> {}, new Announcements()));
    private final RegistrySession session = registry.session().orElseThrow();

    private static final class Counted extends ChangedRegistry {
        private int commits;

        private Counted(Registry registry) {
            super(registry);
        }

        @Override
        protected RegistryCommit sent(RegistryCommit commit) {
            commits++;
            return commit;
        }
    }

    @BeforeEach
    void aJobWithThreeItems() {
        connection.open();
        RegistryCommit.Builder job =
                RegistryCommit.builder().create(TREE.root()).create(TREE.sharding());
        IntStream.range(0, 3).forEach(item -> job.create(TREE.item(item)));
        registry.commit(session, job.build()).toCompletableFuture().join();
        registry.commits = 0;
    }

    @Test
    void allItemsThatAFiringMeetsAreMarkedInOneTransaction() {
        marks.mark(session, 0, FIRST_VERSION);
        marks.mark(session, 2, FIRST_VERSION);
        turns.run();

        assertThat(marked()).containsExactly(0, 2);
        assertThat(registry.commits).isEqualTo(1);
    }

    /** One by one, the marks of a large job would cost more requests than its firings. */
    @Test
    void whereARecordHasMovedOnTheNextFiringMarksTheOthers() {
        marks.mark(session, 0, FIRST_VERSION);
        marks.mark(session, 1, FIRST_VERSION + 1);
        turns.run();
        assertThat(marked()).isEmpty();
        assertThat(registry.commits).isEqualTo(1);

        marks.mark(session, 0, FIRST_VERSION);
        turns.run();

        assertThat(marked()).containsExactly(0);
    }

    @Test
    void anItemThatEndsAtOnceIsNotMarked() {
        marks.mark(session, 0, FIRST_VERSION);
        marks.forget(0);
        turns.run();

        assertThat(marked()).isEmpty();
    }

    @Test
    void theNextExecutionOfAnItemIsMarkedAgain() {
        marks.mark(session, 0, FIRST_VERSION);
        turns.run();
        RegistryCommit ended = RegistryCommit.builder()
                .delete(TREE.misfire(0), RegistryCommit.ANY_VERSION)
                .build();
        registry.commit(session, ended).toCompletableFuture().join();

        marks.mark(session, 0, FIRST_VERSION);
        turns.run();
        assertThat(marked()).as("the same execution").isEmpty();
        marks.forget(0);
        marks.mark(session, 0, FIRST_VERSION);
        turns.run();

        assertThat(marked()).containsExactly(0);
    }

    private List<Integer> marked() {
        return IntStream.range(0, 3)
                .filter(item -> registry.read(List.of(RegistryRead.data(TREE.misfire(item))))
                        .toCompletableFuture()
                        .join()
                        .node(TREE.misfire(item))
                        .isPresent())
                .boxed()
                .toList();
    }
}
