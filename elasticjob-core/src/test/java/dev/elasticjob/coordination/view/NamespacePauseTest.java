package dev.elasticjob.coordination.view;

import static org.assertj.core.api.Assertions.assertThat;

import dev.elasticjob.job.event.JobState;
import dev.elasticjob.registry.JobTree;
import dev.elasticjob.registry.Registry;
import dev.elasticjob.registry.RegistryAccessDeniedException;
import dev.elasticjob.registry.RegistryAnswer;
import dev.elasticjob.registry.RegistryCommit;
import dev.elasticjob.registry.RegistryRead;
import dev.elasticjob.registry.memory.InMemoryEnsemble;
import dev.elasticjob.registry.memory.InMemoryRegistry;
import dev.elasticjob.testing.ChangedRegistry;
import dev.elasticjob.time.manual.ManualTime;
import java.time.Instant;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionStage;
import org.junit.jupiter.api.Test;

class NamespacePauseTest {
    private static final JobTree TREE = new JobTree("orders");

    private final Registry registry = new InMemoryRegistry(
            new InMemoryEnsemble(new ManualTime(Instant.parse("2026-11-22T12:00:00Z"))), Runnable::run);

    @Test
    void whoeverMayReadItIsPausedByIt() {
        pause();

        assertThat(view(registry).standing()).isEqualTo(JobState.PAUSED);
    }

    /** Another application has made it, with permissions of its own: this one's jobs go on. */
    @Test
    void whoeverMayNotReadItGoesOn() {
        pause();
        Registry denied = new ChangedRegistry(registry) {
            @Override
            public CompletionStage<RegistryAnswer> read(List<RegistryRead> reads) {
                return reads.contains(RegistryRead.data(JobTree.namespacePaused()))
                        ? CompletableFuture.failedFuture(new RegistryAccessDeniedException(
                                "/shop" + JobTree.namespacePaused(), "denied", new IllegalStateException()))
                        : super.read(reads);
            }
        };

        assertThat(view(denied).standing()).isEqualTo(JobState.ACTIVE);
    }

    private void pause() {
        registry.commit(RegistryCommit.builder()
                .create(JobTree.namespacePaused(), "{\"paused\":true}")
                .build());
    }

    private static JobView view(Registry registry) {
        return new JobViewReader(TREE, registry)
                .asMember("a@-@1", "10.0.0.1")
                .toCompletableFuture()
                .join();
    }
}
