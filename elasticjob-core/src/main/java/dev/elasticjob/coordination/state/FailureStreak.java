package dev.elasticjob.coordination.state;

import java.time.Instant;
import java.util.Objects;
import org.jspecify.annotations.Nullable;

/**
 * The executions of an item that have failed one after the other. It ends with the next execution that completes; those that
 * were cancelled don't count. Times are from the executing instances' clocks.
 *
 * @param times how many; 0 if the last one that counts has not failed
 * @param since the end of the first of them; null if there is none
 * @param succeeded the end of the last one before them that has completed; null if none is known
 * @param last the first line of the latest failure, while a later execution runs; otherwise empty
 */
public record FailureStreak(
        int times, @Nullable Instant since, @Nullable Instant succeeded, String last) {
    static final FailureStreak NONE = new FailureStreak(0, null, null, "");

    private static final int BYTES_OF_FAILURE = 120;

    public boolean isEmpty() {
        return times == 0;
    }

    /**
     * Without failures, nothing is stored: one that was read has no time of a success, and is the same nevertheless. An
     * instance whose answer was lost recognizes its own record by this.
     */
    @Override
    public boolean equals(Object other) {
        if (!(other instanceof FailureStreak that) || times != that.times) {
            return false;
        }
        return isEmpty()
                || (Objects.equals(since, that.since)
                        && Objects.equals(succeeded, that.succeeded)
                        && last.equals(that.last));
    }

    @Override
    public int hashCode() {
        return isEmpty() ? 0 : Objects.hash(times, since, succeeded, last);
    }

    /** None, after an execution that completed at this time. */
    static FailureStreak none(@Nullable Instant succeeded) {
        return succeeded == null ? NONE : new FailureStreak(0, null, succeeded, "");
    }

    FailureStreak failed(@Nullable Instant at) {
        return new FailureStreak(times + 1, isEmpty() ? at : since, succeeded, "");
    }

    /** With the first line of the latest failure, if the record shows it. */
    public FailureStreak shown(@Nullable String failure) {
        if (isEmpty()) {
            return this;
        }
        String line = failure == null
                ? last
                : RequestedBy.cut(failure.lines().findFirst().orElse(""), BYTES_OF_FAILURE);
        return new FailureStreak(times, since, succeeded, line);
    }
}
