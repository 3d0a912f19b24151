package dev.elasticjob.spring.autoconfigure;

import java.time.Duration;

/** Events that wait to be written to a database. Beans of this type are shown by meters. Thread-safe; never waits. */
public interface WaitingWrites {
    /** How many events wait, including those of the write that is under way. */
    long waiting();

    /** For how long the oldest of them has waited; zero if none does. */
    Duration delay();

    /** How many writes have failed so far. Each is repeated. */
    long failures();
}
