package dev.elasticjob.job;

import java.util.ArrayDeque;
import java.util.Collections;
import java.util.Deque;
import java.util.IdentityHashMap;
import java.util.Set;
import org.jspecify.annotations.Nullable;

/**
 * Renders failures of user code and libraries. A throwable's own code produces its text, and may throw or return {@code
 * null}; a logger that receives such a throwable fails too. Every failure passes through this class before it is logged
 * or stored, so that it can't cause a second, unexpected failure.
 */
public final class Failures {
    /** A failure with more causes than this has a circle, or creates causes on request. Loggers follow each of them. */
    private static final int MAX_CAUSES = 1_000;

    private Failures() {}

    /**
     * Returns the result of {@link Throwable#toString()}, or the name of the class if that returns {@code null} or
     * throws.
     */
    public static String text(Throwable failure) {
        String text = null;
        try {
            text = failure.toString();
        } catch (Throwable unprintable) {
            // The name of the class is enough.
        }
        return text == null ? failure.getClass().getName() : text;
    }

    /**
     * Returns the failure itself if a logger can render it with all its causes; otherwise a substitute that names its
     * class and has its stack trace.
     */
    public static Throwable printable(Throwable failure) {
        return isPrintable(failure) ? failure : new Unprintable(failure);
    }

    /** Calls everything that loggers call. */
    private static boolean isPrintable(Throwable failure) {
        Set<Throwable> seen = Collections.newSetFromMap(new IdentityHashMap<>());
        Deque<Throwable> open = new ArrayDeque<>();
        open.add(failure);
        try {
            while (!open.isEmpty() && seen.size() <= MAX_CAUSES) {
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
