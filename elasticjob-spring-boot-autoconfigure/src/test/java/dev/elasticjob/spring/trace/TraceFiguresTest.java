package dev.elasticjob.spring.trace;

import static dev.elasticjob.spring.trace.Traces.A;
import static dev.elasticjob.spring.trace.Traces.NOON;
import static dev.elasticjob.spring.trace.Traces.finished;
import static dev.elasticjob.spring.trace.Traces.started;
import static org.assertj.core.api.Assertions.assertThat;

import java.time.Clock;
import java.time.Duration;
import java.time.Instant;
import java.time.ZoneId;
import java.time.ZoneOffset;
import java.util.List;
import org.junit.jupiter.api.Test;

/** What an event trace shows of what its database has not taken yet. */
class TraceFiguresTest {
    private Instant now = NOON;

    /** Nothing writes. */
    private final EventTrace trace = new EventTrace(
            Traces.properties(),
            (queue, counts) -> {
                throw new IllegalStateException("Expected that nobody starts this trace");
            },
            work -> {},
            new Clock() {
                @Override
                public Instant instant() {
                    return now;
                }

                @Override
                public ZoneId getZone() {
                    return ZoneOffset.UTC;
                }

                @Override
                public Clock withZone(ZoneId zone) {
                    return this;
                }
            });

    @Test
    void eventsThatWaitAreCountedWithTheAgeOfTheOldest() {
        Duration before = trace.delay();

        trace.onEvent(started(0, NOON, 1, A));
        now = NOON.plus(Duration.ofMinutes(7));
        trace.onEvent(finished(0, NOON, 1, A));

        assertThat(before).isZero();
        assertThat(trace.waiting()).isEqualTo(2);
        assertThat(trace.delay()).isEqualTo(Duration.ofMinutes(7));
        assertThat(trace.failures()).isZero();
    }

    @Test
    void aBatchThatIsBeingWrittenStillWaits() {
        TraceCounts counts = new TraceCounts();

        counts.begin(
                List.of(new TracedEvent(started(0, NOON, 1, A), NOON), new TracedEvent(finished(0, NOON, 1, A), NOON)));
        counts.failed();

        assertThat(counts.writing()).isEqualTo(2);
        assertThat(counts.oldest()).contains(NOON);
        assertThat(counts.failures()).isEqualTo(1);
        counts.end();
        assertThat(counts.writing()).isZero();
        assertThat(counts.oldest()).isEmpty();
    }
}
