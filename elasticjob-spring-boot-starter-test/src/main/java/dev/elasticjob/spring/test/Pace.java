package dev.elasticjob.spring.test;

import dev.elasticjob.time.TaskTimer;
import java.time.Clock;
import java.time.Duration;
import java.util.function.BooleanSupplier;

/** How time passes for a cluster, and how a test waits in it. For the test's thread. */
interface Pace extends AutoCloseable {
    Clock clock();

    TaskTimer timer();

    /** Waits until it is reached, and what else was to be done is done; false when that doesn't come about. */
    boolean await(BooleanSupplier reached);

    /** The same for what coordination can bring about by itself, whatever jobs do meanwhile. */
    boolean awaitAnswer(BooleanSupplier reached);

    /** Why {@link #await} has given up, as the end of a sentence. */
    String patience();

    /** Lets time pass, and everything happen that falls due meanwhile. */
    void advance(Duration duration);

    /** An engine has been asked to stop: where items keep it from that, as much time passes as it gives them. */
    void leaveItemsBehind();

    @Override
    void close();
}
