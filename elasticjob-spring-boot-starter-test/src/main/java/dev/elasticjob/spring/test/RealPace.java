package dev.elasticjob.spring.test;

import dev.elasticjob.time.DurationText;
import dev.elasticjob.time.SystemTaskTimer;
import dev.elasticjob.time.TaskTimer;
import java.time.Clock;
import java.time.Duration;
import java.util.function.BooleanSupplier;

/** The machine's time. A test checks its condition after each event. */
final class RealPace implements Pace {
    private final Journal journal;
    private final Duration patience;
    private final SystemTaskTimer timer = new SystemTaskTimer("elasticjob-test-timer");

    RealPace(Journal journal, Duration patience) {
        this.journal = journal;
        this.patience = patience;
    }

    @Override
    public Clock clock() {
        return Clock.systemUTC();
    }

    @Override
    public TaskTimer timer() {
        return timer;
    }

    @Override
    public boolean await(BooleanSupplier reached) {
        return journal.await(reached, patience);
    }

    @Override
    public boolean awaitAnswer(BooleanSupplier reached) {
        return await(reached);
    }

    @Override
    public String patience() {
        return "within " + DurationText.of(patience);
    }

    @Override
    public void advance(Duration duration) {
        throw new IllegalStateException(
                "This test uses the machine's clock, which can't be advanced: use JobEnvironment.MANUAL_TIME");
    }

    @Override
    public void leaveItemsBehind() {
        // Time passes.
    }

    @Override
    public void close() {
        timer.close();
    }
}
