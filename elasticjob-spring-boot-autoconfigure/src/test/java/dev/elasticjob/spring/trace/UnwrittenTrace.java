package dev.elasticjob.spring.trace;

import java.time.Clock;
import java.time.Duration;

/** An event trace whose database doesn't answer: nothing that it has received is ever written. */
public final class UnwrittenTrace {
    private UnwrittenTrace() {}

    public static EventTrace of(int bufferSize, Clock clock) {
        return new EventTrace(
                Traces.properties(bufferSize, Duration.ZERO),
                (queue, counts) -> {
                    throw new IllegalStateException("Expected that nobody starts this trace");
                },
                work -> {},
                clock);
    }
}
