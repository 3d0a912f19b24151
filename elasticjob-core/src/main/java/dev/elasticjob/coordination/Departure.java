package dev.elasticjob.coordination;

import dev.elasticjob.registry.RegistrySession;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionStage;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/** Takes this instance out of its job: what its session owns there is deleted. Confined to the coordination executor. */
final class Departure {
    private static final Logger log = LoggerFactory.getLogger(Departure.class);
    private static final int ATTEMPTS = 10;

    private final JobScope scope;
    private final InstanceRegistration registration;

    Departure(JobScope scope, InstanceRegistration registration) {
        this.scope = scope;
        this.registration = registration;
    }

    /**
     * Leaves as long as there is a connection, with a process that ends.
     *
     * @return completes when it has left, or could not because the registry is away; then its session's end does it
     */
    CompletionStage<Void> now() {
        return scope.connection()
                .session()
                .map(session -> now(session, 0))
                .orElseGet(() -> CompletableFuture.completedFuture(null));
    }

    private CompletionStage<Void> now(RegistrySession session, int attempt) {
        return registration
                .leave(session)
                .handleAsync(
                        (left, error) -> {
                            if (error != null) {
                                log.warn(
                                        "Job \"{}\": can't leave in good order: its nodes go with the session. {}",
                                        scope.jobName(),
                                        RegistryConnection.unwrap(error).getMessage());
                            }
                            boolean again = error == null && !left && attempt < ATTEMPTS;
                            return again ? now(session, attempt + 1) : CompletableFuture.<Void>completedFuture(null);
                        },
                        scope.executor())
                .thenCompose(stage -> stage);
    }

    /** This process and its session live on: nobody else would delete what it owns here, such as its leadership. */
    CompletionStage<Void> forGood(RegistrySession session) {
        return forGood(session, 0);
    }

    private CompletionStage<Void> forGood(RegistrySession session, int attempt) {
        return registration
                .leave(session)
                .handleAsync(
                        (left, error) -> error == null && left
                                ? CompletableFuture.<Void>completedFuture(null)
                                : scope.connection()
                                        .afterPause(attempt)
                                        .thenComposeAsync(paused -> again(session, attempt), scope.executor()),
                        scope.executor())
                .thenCompose(stage -> stage);
    }

    private CompletionStage<Void> again(RegistrySession session, int attempt) {
        boolean same = scope.connection()
                .session()
                .filter(now -> now.id() == session.id())
                .isPresent();
        return same ? forGood(session, attempt + 1) : CompletableFuture.completedFuture(null);
    }
}
