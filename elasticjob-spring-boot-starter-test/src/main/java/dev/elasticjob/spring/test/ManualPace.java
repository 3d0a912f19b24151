package dev.elasticjob.spring.test;

import dev.elasticjob.time.DurationText;
import dev.elasticjob.time.TaskTimer;
import dev.elasticjob.time.manual.ManualTime;
import java.time.Clock;
import java.time.Duration;
import java.time.Instant;
import java.util.Optional;
import java.util.function.BooleanSupplier;

/**
 * Time that advances from one due task to the next: each task runs after all work caused by the earlier ones is done.
 * This requires that all work is counted.
 */
final class ManualPace implements Pace {
    /**
     * The time that coordination may need: a moment in which other instances go first, or a pause before a repetition.
     */
    private static final Duration LEEWAY = Duration.ofSeconds(10);

    /** Longer than an engine waits for items, and then for the registry. */
    private static final Duration END = Duration.ofMinutes(10);

    /** The real time that an interrupted item has to return before the test's time advances for it. */
    private static final Duration GRACE = Duration.ofSeconds(1);

    private final ManualTime time;
    private final RunningTasks activity;
    private final RunningTasks coordination;
    private final Duration patience;

    /** @param coordination the part of the activity that doesn't come from jobs */
    ManualPace(Instant start, RunningTasks activity, RunningTasks coordination, Duration patience) {
        this.time = new ManualTime(start);
        this.coordination = coordination;
        this.activity = activity;
        this.patience = patience;
    }

    @Override
    public Clock clock() {
        return time;
    }

    @Override
    public TaskTimer timer() {
        return time;
    }

    /** Lets a little time pass if the condition doesn't hold by itself. */
    @Override
    public boolean await(BooleanSupplier reached) {
        Instant limit = time.instant().plus(LEEWAY);
        boolean rests = activity.awaitRest(patience);
        while (rests && !reached.getAsBoolean()) {
            Optional<Instant> next = time.nextTask().filter(due -> !due.isAfter(limit));
            if (next.isEmpty()) {
                return false;
            }
            advanceTo(next.get());
            rests = activity.awaitRest(patience);
        }
        return rests;
    }

    @Override
    public boolean awaitAnswer(BooleanSupplier reached) {
        return (coordination.awaitRest(patience) && reached.getAsBoolean()) || await(reached);
    }

    @Override
    public String patience() {
        return "within %s of the test's time and %s of real time"
                .formatted(DurationText.of(LEEWAY), DurationText.of(patience));
    }

    @Override
    public void advance(Duration duration) {
        Instant end = time.instant().plus(duration);
        rest();
        Optional<Instant> next = nextUntil(end);
        while (next.isPresent()) {
            advanceTo(next.get());
            rest();
            next = nextUntil(end);
        }
        advanceTo(end);
    }

    private Optional<Instant> nextUntil(Instant end) {
        return time.nextTask().filter(due -> !due.isAfter(end));
    }

    private void advanceTo(Instant moment) {
        Duration left = Duration.between(time.instant(), moment);
        time.advance(left.isNegative() ? Duration.ZERO : left);
    }

    private void rest() {
        if (!activity.awaitRest(patience)) {
            throw new AssertionError(
                    ("Time can't advance at %s, because running work did not end within %s. Does a job wait for"
                                    + " something?")
                            .formatted(time.instant(), DurationText.of(patience)));
        }
    }

    /**
     * Lets time pass only if items don't return; otherwise an application that is merely paused would lose that time.
     */
    @Override
    public void leaveItemsBehind() {
        if (activity.awaitRest(GRACE)) {
            return;
        }
        Instant end = time.instant().plus(END);
        while (coordination.awaitRestBesideOthers(patience)) {
            Optional<Instant> next = nextUntil(end);
            if (next.isEmpty()) {
                return;
            }
            advanceTo(next.get());
        }
    }

    @Override
    public void close() {
        // No task runs by itself.
    }
}
