package dev.elasticjob.testing;

import java.io.IOException;
import java.util.function.Supplier;

/** What foreign code may throw, whatever its signature says: a compiler of another language doesn't ask for {@code throws}. */
public enum Foreign {
    CHECKED(() -> new IOException("provoked by this test")),
    INTERRUPTION(() -> new InterruptedException("provoked by this test")),
    WITHOUT_TEXT(Textless::new),
    UNPRINTABLE(Unprintable::new),
    UNPRINTABLE_CAUSE(() -> new IllegalStateException("provoked by this test", new Unprintable())),
    ENDLESS_CAUSES(Endless::new),
    CAUSE_UNKNOWN(Causeless::new),
    OUT_OF_MEMORY(() -> new OutOfMemoryError("provoked by this test")),
    STACK_OVERFLOW(() -> new StackOverflowError("provoked by this test")),
    LINKAGE(() -> new NoClassDefFoundError("provoked/by/this/Test"));

    private final Supplier<Throwable> kind;

    Foreign(Supplier<Throwable> kind) {
        this.kind = kind;
    }

    public Throwable failure() {
        return kind.get();
    }

    /** Never returns. The declared result is for callers that need a value. */
    public <T> T thrown() {
        return Foreign.<RuntimeException, T>sneak(failure());
    }

    @SuppressWarnings({"unchecked", "TypeParameterUnusedInFormals"})
    private static <E extends Throwable, T> T sneak(Throwable failure) throws E {
        throw (E) failure;
    }

    private static final class Textless extends RuntimeException {
        private static final long serialVersionUID = 1L;

        @Override
        public String getMessage() {
            return null;
        }

        @Override
        public String toString() {
            return null;
        }
    }

    private static final class Unprintable extends RuntimeException {
        private static final long serialVersionUID = 1L;

        @Override
        public String getMessage() {
            throw new IllegalStateException("there is no message");
        }
    }

    private static final class Causeless extends RuntimeException {
        private static final long serialVersionUID = 1L;

        @Override
        public synchronized Throwable getCause() {
            throw new IllegalStateException("there is no cause");
        }
    }

    private static final class Endless extends RuntimeException {
        private static final long serialVersionUID = 1L;

        @Override
        public synchronized Throwable getCause() {
            return new Endless();
        }
    }
}
