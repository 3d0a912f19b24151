package dev.elasticjob.job;

import java.util.ArrayDeque;
import java.util.Collections;
import java.util.Deque;
import java.util.IdentityHashMap;
import java.util.Set;
import org.jspecify.annotations.Nullable;

/**
 * Renders failures of foreign code. The text of a throwable is made by code of its class, which may throw, or answer
 * {@code null}; a logger that is handed such a throwable fails with it. Every failure that is logged or stored goes
 * through here first, so that a failure is never followed by another one that nobody expects.
 */
public final class Failures {
    /** A failure with more causes than this has a circle or makes them up, and loggers follow each of them. */
    private static final int MOST_CAUSES = 1_000;

    private Failures() {}

    /** What {@link Throwable#toString()} answers; the name of its class where it answers nothing, or throws. */
    public static String text(Throwable failure) {
        String text = null;
        try {
            text = failure.toString();
        } catch (Throwable unprintable) {
            // The name of the class has to do.
        }
        return text == null ? failure.getClass().getName() : text;
    }

    /**
     * The failure itself where a logger can render it, with all its causes. Else a stand-in that names its class and has
     * its stack trace.
     */
    public static Throwable printable(Throwable failure) {
        return isPrintable(failure) ? failure : new Unprintable(failure);
    }

    /** Asks for all that loggers ask for. */
    private static boolean isPrintable(Throwable failure) {
        Set<Throwable> seen = Collections.newSetFromMap(new IdentityHashMap<>());
        Deque<Throwable> open = new ArrayDeque<>();
        open.add(failure);
        try {
            while (!open.isEmpty() && seen.size() <= MOST_CAUSES) {
                Throwable next = open.remove();
                if (seen.add(next)) {
                    touch(next);
                    Collections.addAll(open, next.getSuppressed());
                    Throwable cause = next.getCause();
                    if (cause != null) {
                        open.add(cause);
                    }
                }
            }
            return open.isEmpty();
        } catch (Throwable unprintable) {
            return false;
        }
    }

    private static void touch(Throwable failure) {
        if (failure.toString() == null) {
            throw new IllegalArgumentException("It has no text");
        }
        String message = failure.getMessage();
        String localized = failure.getLocalizedMessage();
        for (StackTraceElement element : failure.getStackTrace()) {
            if (element == null) {
                throw new IllegalArgumentException("Its stack trace has gaps: " + message + localized);
            }
        }
    }

    /** Stands for a failure that can't be rendered. */
    private static final class Unprintable extends RuntimeException {
        private static final long serialVersionUID = 1L;

        Unprintable(Throwable original) {
            super(
                    "a %s, whose text or causes can't be shown"
                            .formatted(original.getClass().getName()),
                    null,
                    false,
                    true);
            StackTraceElement[] trace = traceOf(original);
            setStackTrace(trace == null ? new StackTraceElement[0] : trace);
        }

        private static StackTraceElement @Nullable [] traceOf(Throwable original) {
            try {
                return original.getStackTrace();
            } catch (Throwable unprintable) {
                return null;
            }
        }
    }
}
