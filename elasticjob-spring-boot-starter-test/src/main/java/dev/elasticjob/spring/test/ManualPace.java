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
 * Time that passes in steps, from one thing that falls due to the next: each finds all done that those before it have
 * given rise to. So it needs to know of everything that is being done.
 */
final class ManualPace implements Pace {
    /** What coordination may need: a moment in which others go first, a pause before a repetition. */
    private static final Duration LEEWAY = Duration.ofSeconds(10);

    /** Longer than engines wait for items, and then for the registry. */
    private static final Duration END = Duration.ofMinutes(10);

    /** Real time for an interrupted item to return before the test's time passes because of it. */
    private static final Duration GRACE = Duration.ofSeconds(1);

    private final ManualTime time;
    private final Activity activity;
    private final Activity coordination;
    private final Duration patience;

    /** @param coordination the part of the activity that is not the jobs' */
    ManualPace(Instant start, Activity activity, Activity coordination, Duration patience) {
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

    /** Where it doesn't come about by itself, lets a little time pass. */
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

    /** Only items that don't return let time pass: it would be missing to an application that is merely paused. */
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
        // Nothing of it runs by itself.
    }
}
