package dev.elasticjob.registry;

import java.util.concurrent.CompletionStage;

/** A place in the queue of a latch. */
public interface RegistryLatch extends AutoCloseable {
    /** Completes when the latch is ours; fails with {@link RegistryUnavailableException} when it can't become so. */
    CompletionStage<Void> acquired();

    /** Gives the latch back, or leaves the queue. Idempotent; doesn't block. */
    @Override
    void close();
}
