package dev.elasticjob.kubernetes.registry;

import dev.elasticjob.admin.app.PublishedApp;
import java.time.Duration;
import java.util.Set;
import java.util.concurrent.CompletionStage;

/**
 * The registries of the applications: one connection for each namespace, as long as an application uses it. Nothing is
 * written but what is {@linkplain #publish shown} of applications. Thread-safe.
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

    /**
     * Shows an application in the namespace that it has been read from last, for people. Does nothing if it hasn't been
     * read, and writes nothing if the same is shown already. A failure is told in the log, once for each that follows a
     * success: the next look tries again.
     *
     * @param uid of the resource
     */
    void publish(String uid, PublishedApp app);

    /** Allows {@link #read}, as it is before any {@link #rest}. */
    void begin();

    /**
     * Ends what {@link #read} has begun for all applications, and lets it fail from then on, as another controller looks after them, or none: they stay
     * shown, but not as looked after by this one.
     */
    void rest();

    /** Ends what {@link #read} has begun for an application, and shows it no more. */
    void release(String app);
}
