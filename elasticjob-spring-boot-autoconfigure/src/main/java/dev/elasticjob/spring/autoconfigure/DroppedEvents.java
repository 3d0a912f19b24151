package dev.elasticjob.spring.autoconfigure;

/**
 * A bounded queue of events that drops the events it has no room for. Each bean of this type is counted in a meter.
 * Thread-safe.
 */
public interface DroppedEvents {
    /** The consumer of the events, in one word: the value of a tag. */
    String consumer();

    /** The number of events dropped so far. */
    long dropped();
}
