package dev.elasticjob.faults;

import dev.elasticjob.registry.CommitOutcome;
import dev.elasticjob.registry.Registry;
import dev.elasticjob.registry.RegistryCommit;
import dev.elasticjob.registry.RegistryNode;
import dev.elasticjob.registry.RegistryRead;
import java.time.Duration;
import java.util.List;
import java.util.concurrent.CompletionStage;
import java.util.concurrent.TimeUnit;

/** Somebody with access to the registry who doesn't know the protocol, or doesn't care. */
record ThirdParty(Registry registry) {
    private static final int ATTEMPTS = 1_000;
    private static final Duration PATIENCE = Duration.ofSeconds(60);

    /** Writes over what is there; answers what it was. */
    String spoil(String path, String garbage) {
        return replace(path, garbage, RegistryCommit.builder().build());
    }

    /** The same in a moment in which another node is not there. */
    String spoilWithout(String absent, String path, String garbage) {
        awaitAbsence(absent);
        return replace(
                path, garbage, RegistryCommit.builder().assertAbsent(absent).build());
    }

    /** Nobody's write is lost in between: what is answered is what was written over. */
    private String replace(String path, String text, RegistryCommit guard) {
        for (int attempt = 0; attempt < ATTEMPTS; attempt++) {
            RegistryNode before = get(registry.read(List.of(RegistryRead.data(path))))
                    .node(path)
                    .orElseThrow();
            RegistryCommit.Builder commit =
                    RegistryCommit.builder().addAll(guard).set(path, text, before.version());
            if (isCommitted(commit)) {
                return before.text();
            }
        }
        throw new IllegalStateException("\"%s\" did not stand still for a moment".formatted(path));
    }

    void write(String path, String text) {
        commit(RegistryCommit.builder().set(path, text, RegistryCommit.ANY_VERSION));
    }

    void createUnlessThere(String path, String text) {
        if (get(registry.read(List.of(RegistryRead.data(path)))).node(path).isEmpty()) {
            isCommitted(RegistryCommit.builder().create(path, text));
        }
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
        if (!isCommitted(commit)) {
            throw new IllegalStateException("A third party's write was refused: " + commit.build());
        }
    }

    private boolean isCommitted(RegistryCommit.Builder commit) {
        return get(registry.commit(registry.session().orElseThrow(), commit.build()))
                instanceof CommitOutcome.Committed;
    }

    private static <T> T get(CompletionStage<T> stage) {
        return stage.toCompletableFuture()
                .orTimeout(PATIENCE.toSeconds(), TimeUnit.SECONDS)
                .join();
    }
}
