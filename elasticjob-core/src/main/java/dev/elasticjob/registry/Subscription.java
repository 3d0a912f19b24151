package dev.elasticjob.registry;

/** A registered callback. Closing it is idempotent; a call in progress may still arrive. */
public interface Subscription extends AutoCloseable {
    @Override
    void close();
}
