package dev.elasticjob.spring.test;

import dev.elasticjob.time.TaskTimer;
import java.time.Clock;
import java.time.Duration;
import java.util.function.BooleanSupplier;

/** The time of a cluster, and the way in which a test waits. Used by the test's thread only. */
interface Pace extends AutoCloseable {
    Clock clock();

    TaskTimer timer();

    /** Waits until the condition holds and all other due work is done. Returns false if that doesn't happen. */
    boolean await(BooleanSupplier reached);

    /** Waits for a result that coordination produces by itself, whatever the jobs do in the meantime. */
    boolean awaitAnswer(BooleanSupplier reached);

    /** The limit of {@link #await}, as the end of a sentence. */
    String patience();

    /** Advances time, and runs everything that becomes due. */
    void advance(Duration duration);

    /** An engine was asked to stop. If items prevent this, advances time until it gives up waiting for them. */
    void leaveItemsBehind();

    @Override
    void close();
}
