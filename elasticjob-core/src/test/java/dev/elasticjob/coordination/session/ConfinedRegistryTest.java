package dev.elasticjob.coordination.session;

import static dev.elasticjob.coordination.Samples.NOON;
import static dev.elasticjob.coordination.Samples.TREE;
import static org.assertj.core.api.Assertions.assertThat;

import dev.elasticjob.registry.ConnectionState;
import dev.elasticjob.registry.Registry.WatchScope;
import dev.elasticjob.registry.RegistryCommit;
import dev.elasticjob.registry.RegistryRead;
import dev.elasticjob.registry.memory.InMemoryEnsemble;
import dev.elasticjob.registry.memory.InMemoryRegistry;
import dev.elasticjob.time.manual.ManualTime;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;

/** What a registry answers at once arrives in a turn of the executor. */
class ConfinedRegistryTest {
    private final Turns turns = new Turns();
    private final InMemoryRegistry registry =
            new InMemoryRegistry(new InMemoryEnsemble(new ManualTime(NOON)), Runnable::run);
    private final ConfinedRegistry confined = new ConfinedRegistry(registry, turns);
    private final List<String> arrived = new ArrayList<>();

    @BeforeEach
    void aNode() {
        commit(RegistryCommit.builder().create(TREE.root()).build());
    }

    private void commit(RegistryCommit commit) {
        registry.commit(registry.session().orElseThrow(), commit)
                .toCompletableFuture()
                .join();
    }

    @Test
    void answersArriveInOrder() {
        confined.read(List.of(RegistryRead.data(TREE.root()))).thenAccept(answer -> arrived.add("read"));
        confined.commit(
                        registry.session().orElseThrow(),
                        RegistryCommit.builder().delete(TREE.root(), 0).build())
                .thenAccept(outcome -> arrived.add("commit"));

        assertThat(arrived).isEmpty();
        turns.run();
        assertThat(arrived).containsExactly("read", "commit");
    }

    @Test
    void eventsArriveToo() {
        confined.watch(TREE.root(), WatchScope.DATA, () -> arrived.add("watch"));
        confined.onConnectionState(state -> arrived.add(state.name()));
        confined.awaitAbsence(TREE.root()).thenRun(() -> arrived.add("absence"));
        confined.enterLatch("/latch", "a").acquired().thenRun(() -> arrived.add("latch"));

        commit(RegistryCommit.builder().delete(TREE.root(), 0).build());
        registry.disconnect();

        assertThat(arrived).isEmpty();
        turns.run();
        assertThat(arrived).containsExactlyInAnyOrder("watch", "absence", "latch", ConnectionState.SUSPENDED.name());
    }

    @Test
    void anEndedWaitLeavesNothing() {
        confined.awaitAbsence(TREE.root()).thenRun(() -> arrived.add("absence"));
        var second = confined.awaitAbsence(TREE.root()).toCompletableFuture();
        second.thenRun(() -> arrived.add("cancelled"));
        second.cancel(false);

        commit(RegistryCommit.builder().delete(TREE.root(), 0).build());
        turns.run();

        assertThat(arrived).containsExactly("absence");
    }
}
