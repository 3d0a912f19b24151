package dev.elasticjob.kubernetes.registry;

import java.time.Duration;
import java.util.Set;
import java.util.concurrent.CompletionStage;

/**
 * The registries of the applications: one connection for each namespace, as long as an application uses it. Nothing is
 * written. Thread-safe.
 */
public interface Registries {
    /**
     * Reads all jobs of a namespace, and from then on calls back after each change in it, until the application uses another
     * namespace or is {@linkplain #release released}. <b>Unavailable is never absent:</b> the stage fails then, and the
     * callback comes when the connection is back.
     *
     * @param app the application that uses it
     * @param ahead for which times from now the demand is wanted as well
     * @param changed must not block
     */
    CompletionStage<Work> read(String app, String namespace, Set<Duration> ahead, Runnable changed);

    /** Ends what {@link #read} has begun for an application. */
    void release(String app);
}
