package dev.elasticjob.coordination.state;

import java.time.Instant;
import java.util.Objects;
import java.util.OptionalLong;
import org.jspecify.annotations.Nullable;

/**
 * The executions of an item that have failed one after the other. It ends with the next execution that completes; those that
 * were cancelled don't count. Times are from the executing instances' clocks.
 *
 * @param times how many; 0 if the last one that counts has not failed
 * @param since the end of the first of them; null if there is none
 * @param succeeded the end of the last one before them that has completed; null if none is known
 * @param last the first line of the latest failure, while a later execution runs; otherwise empty
 * @param counted those of them that count towards a pause; null if the job doesn't count them
 */
public record FailureStreak(
        int times,
        @Nullable Instant since,
        @Nullable Instant succeeded,
        String last,
        @Nullable Counted counted) {
    static final FailureStreak NONE = new FailureStreak(0, null, null, "");

    private static final int BYTES_OF_FAILURE = 120;

    /**
     * The failures of a job with {@code pauseAfterFailures}. They count for the state of the job's pause in which their
     * executions were claimed, and for no other: whoever pauses or resumes the job lets them begin anew.
     *
     * @param times how many
     * @param under the transaction that last changed the job's pause; 0 if there was none
     */
    public record Counted(int times, long under) {}

    /** Failures that count towards no pause. */
    public FailureStreak(int times, @Nullable Instant since, @Nullable Instant succeeded, String last) {
        this(times, since, succeeded, last, null);
    }

    public boolean isEmpty() {
        return times == 0;
    }

    /**
     * Without failures, nothing is stored: one that was read has no time of a success, and is the same nevertheless. An
     * instance whose answer was lost recognizes its own record by this.
     */
    @Override
    public boolean equals(Object other) {
        if (!(other instanceof FailureStreak that) || times != that.times || !Objects.equals(counted, that.counted)) {
            return false;
        }
        return isEmpty()
                || (Objects.equals(since, that.since)
                        && Objects.equals(succeeded, that.succeeded)
                        && last.equals(that.last));
    }

    @Override
    public int hashCode() {
        return isEmpty() ? Objects.hashCode(counted) : Objects.hash(times, since, succeeded, last, counted);
    }

    /** None, after an execution that completed at this time. */
    static FailureStreak none(@Nullable Instant succeeded) {
        return succeeded == null ? NONE : new FailureStreak(0, null, succeeded, "");
    }

    FailureStreak failed(@Nullable Instant at) {
        Counted more = counted == null ? null : new Counted(counted.times + 1, counted.under);
        return new FailureStreak(times + 1, isEmpty() ? at : since, succeeded, "", more);
    }

    /** The same for an execution that is claimed in this state of the job's pause; empty if the job doesn't count. */
    FailureStreak countedUnder(OptionalLong pause) {
        Counted next = pause.isPresent() ? new Counted(countedIn(pause.getAsLong()), pause.getAsLong()) : null;
        return new FailureStreak(times, since, succeeded, last, next);
    }

    /** How many count in this state of the job's pause. */
    int countedIn(long pause) {
        return counted != null && counted.under == pause ? counted.times : 0;
    }

    /** With the first line of the latest failure, if the record shows it. */
    public FailureStreak shown(@Nullable String failure) {
        if (isEmpty()) {
            return this;
        }
        return new FailureStreak(times, since, succeeded, lastFailure(failure), counted);
    }

    /** The first line of the latest failure, cut, if the record shows it, and what is known of it otherwise. */
    String lastFailure(@Nullable String failure) {
        return failure == null
                ? last
                : RequestedBy.cut(failure.lines().findFirst().orElse(""), BYTES_OF_FAILURE);
    }
}
