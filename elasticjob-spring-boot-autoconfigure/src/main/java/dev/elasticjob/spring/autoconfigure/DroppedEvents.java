package dev.elasticjob.spring.autoconfigure;

/** A bounded queue of events that drops what it can't hold. Each bean of this type is counted in a meter. Thread-safe. */
public interface DroppedEvents {
    /** Who consumes the events, in a word: a tag's value. */
    String consumer();

    /** How many events have been dropped so far. */
    long dropped();
}
