package dev.elasticjob.job.event;

import java.time.Duration;

/**
 * Receives how long the requests of an engine's jobs to the registry took. Called once for each request, which may contain
 * what several jobs asked for at the same time.
 *
 * <p>Called on a thread of the registry, which must never be blocked: only count. An exception is logged and otherwise
 * ignored.
 */
@FunctionalInterface
public interface RegistryRequestListener {
    /** @param took from the request to its answer */
    void answered(Kind kind, Outcome outcome, Duration took);

    /** What was requested. */
    enum Kind {
        READ,
        COMMIT
    }

    /** How a request ended. */
    enum Outcome {
        /** What was asked for was read or written. */
        SUCCESS,
        /** The transaction was refused, because something had changed since it was planned. The instance reads again. */
        REFUSED,
        /** There was no connection, or it was lost before the answer arrived. */
        UNAVAILABLE,
        /** The request can't be carried out: access is denied, for example. */
        ERROR
    }
}
