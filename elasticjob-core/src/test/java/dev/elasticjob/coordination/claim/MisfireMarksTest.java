package dev.elasticjob.coordination.claim;

import static dev.elasticjob.coordination.Samples.NOON;
import static dev.elasticjob.coordination.Samples.TREE;
import static org.assertj.core.api.Assertions.assertThat;

import dev.elasticjob.coordination.session.Announcements;
import dev.elasticjob.coordination.session.JobScope;
import dev.elasticjob.coordination.session.RegistryTime;
import dev.elasticjob.coordination.session.SessionLease;
import dev.elasticjob.coordination.session.SharedConnection;
import dev.elasticjob.registry.RegistryCommit;
import dev.elasticjob.registry.RegistryRead;
import dev.elasticjob.registry.RegistrySession;
import dev.elasticjob.registry.memory.InMemoryEnsemble;
import dev.elasticjob.registry.memory.InMemoryRegistry;
import dev.elasticjob.time.manual.ManualTime;
import java.time.Duration;
import java.util.List;
import java.util.stream.IntStream;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;

class MisfireMarksTest {
    private static final int FIRST_VERSION = 0;

    private final ManualTime time = new ManualTime(NOON);
    private final InMemoryRegistry registry = new InMemoryRegistry(new InMemoryEnsemble(time), Runnable::run);
    private final SharedConnection connection = new SharedConnection(
            registry, Runnable::run, time, new SessionLease(time, Duration.ofSeconds(2)), new RegistryTime(time, time));
    private final MisfireMarks marks =
            new MisfireMarks(new JobScope(TREE, connection, time, event -> {}, new Announcements()));
    private final RegistrySession session = registry.session().orElseThrow();

    @BeforeEach
    void aJobWithThreeItems() {
        connection.open();
        RegistryCommit.Builder job =
                RegistryCommit.builder().create(TREE.root()).create(TREE.sharding());
        IntStream.range(0, 3).forEach(item -> job.create(TREE.item(item)));
        registry.commit(session, job.build()).toCompletableFuture().join();
    }

    @Test
    void anItemWhoseRecordHasMovedOnDoesNotKeepOthersFromBeingMarked() {
        marks.mark(session, 0, FIRST_VERSION);
        marks.mark(session, 1, FIRST_VERSION + 1);
        marks.mark(session, 2, FIRST_VERSION);

        assertThat(marked()).containsExactly(0, 2);
    }

    @Test
    void theNextExecutionOfAnItemIsMarkedAgain() {
        marks.mark(session, 0, FIRST_VERSION);
        RegistryCommit ended = RegistryCommit.builder()
                .delete(TREE.misfire(0), RegistryCommit.ANY_VERSION)
                .build();
        registry.commit(session, ended).toCompletableFuture().join();

        marks.mark(session, 0, FIRST_VERSION);
        assertThat(marked()).as("the same execution").isEmpty();
        marks.forget(0);
        marks.mark(session, 0, FIRST_VERSION);

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
