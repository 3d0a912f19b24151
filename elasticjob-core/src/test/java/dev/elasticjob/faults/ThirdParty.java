package dev.elasticjob.faults;

import dev.elasticjob.registry.CommitOutcome;
import dev.elasticjob.registry.Registry;
import dev.elasticjob.registry.RegistryCommit;
import dev.elasticjob.registry.RegistryRead;
import java.time.Duration;
import java.util.List;
import java.util.concurrent.CompletionStage;
import java.util.concurrent.TimeUnit;

/** Somebody with access to the registry who doesn't know the protocol, or doesn't care. */
record ThirdParty(Registry registry) {
    private static final Duration PATIENCE = Duration.ofSeconds(60);

    /** Writes over what is there; answers what it was. */
    String spoil(String path, String garbage) {
        String before = get(registry.read(List.of(RegistryRead.data(path))))
                .node(path)
                .orElseThrow()
                .text();
        write(path, garbage);
        return before;
    }

    void write(String path, String text) {
        commit(RegistryCommit.builder().set(path, text, RegistryCommit.ANY_VERSION));
    }

    void create(String path, String text) {
        commit(RegistryCommit.builder().create(path, text));
    }

    void delete(String path) {
        commit(RegistryCommit.builder().delete(path, RegistryCommit.ANY_VERSION));
    }

    /** Waits until the node is gone. */
    void awaitAbsence(String path) {
        get(registry.awaitAbsence(path));
    }

    private void commit(RegistryCommit.Builder commit) {
        CommitOutcome outcome = get(registry.commit(registry.session().orElseThrow(), commit.build()));
        if (!(outcome instanceof CommitOutcome.Committed)) {
            throw new IllegalStateException("A third party's write was refused: " + outcome);
        }
    }

    private static <T> T get(CompletionStage<T> stage) {
        return stage.toCompletableFuture()
                .orTimeout(PATIENCE.toSeconds(), TimeUnit.SECONDS)
                .join();
    }
}
