package dev.elasticjob.job;

import dev.elasticjob.time.DurationText;
import dev.elasticjob.time.TaskTimer;
import java.time.Duration;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.function.LongSupplier;
import java.util.regex.Pattern;
import org.slf4j.Logger;
import org.slf4j.event.Level;

/**
 * Logs failures of code that is called again and again, such as that of one job: a failure in full when it is new, and
 * then in one line with a count, so that a job that fails each second doesn't bury what else is logged. It is logged in
 * full again after ten minutes, or if 16 others have come in between.
 *
 * <p>Two failures are the same if their texts are, apart from numbers, and the methods that have thrown them, and those of
 * their causes. Thread-safe.
 */
public final class FailureLog {
    private static final Duration IN_FULL_AGAIN = Duration.ofMinutes(10);
    private static final int REMEMBERED = 16;
    private static final int CAUSES = 20;
    private static final int LENGTH = 1_000;
    /** What often differs each time: UUIDs, what objects without a text of their own are printed as, and numbers. */
    private static final Pattern NUMBER =
            Pattern.compile("\\b[0-9a-f]{8}(-[0-9a-f]{4}){3}-[0-9a-f]{12}\\b|@[0-9a-f]{1,16}\\b|\\d+");

    private final Logger log;
    private final LongSupplier nanoTime;
    private final Map<List<String>, Occurrences> seen = new LinkedHashMap<>();

    /** @param timer tells how long ago a failure was logged in full */
    public FailureLog(Logger log, TaskTimer timer) {
        this(log, timer::nanoTime);
    }

    /** @param nanoTime tells how long ago a failure was logged in full, as {@link TaskTimer#nanoTime()} */
    public FailureLog(Logger log, LongSupplier nanoTime) {
        this.log = log;
        this.nanoTime = nanoTime;
    }

    /**
     * A failure that was logged in full.
     *
     * @param since the moment, as of {@link TaskTimer#nanoTime()}
     * @param times how often it was logged since, with that one
     */
    private record Occurrences(long since, int times) {}

    /** @param line what has failed; the failure follows it */
    public void error(String line, Throwable failure) {
        log(Level.ERROR, line, failure);
    }

    /** @param line what has failed; the failure follows it */
    public void warn(String line, Throwable failure) {
        log(Level.WARN, line, failure);
    }

    private void log(Level level, String line, Throwable failure) {
        Throwable printable = Failures.printable(failure);
        Optional<Occurrences> before = seenBefore(kind(printable));
        if (before.isEmpty()) {
            log.atLevel(level).setCause(printable).log(line);
            return;
        }
        Duration since = Duration.ofNanos(nanoTime.getAsLong() - before.get().since());
        log.atLevel(level)
                .log(
                        "{}: {}. This is number {} of the same failure in {}; the first one has the stack trace",
                        line,
                        texts(printable),
                        before.get().times() + 1,
                        DurationText.of(since));
    }

    /** With that of the last cause, whose numbers may differ from those of the first failure. */
    private static String texts(Throwable failure) {
        Throwable root = failure;
        for (int i = 0; root.getCause() != null && i < CAUSES; i++) {
            root = root.getCause();
        }
        String text = Failures.text(failure);
        return root == failure || text.contains(Failures.text(root))
                ? text
                : "%s, caused by %s".formatted(text, Failures.text(root));
    }

    private synchronized Optional<Occurrences> seenBefore(List<String> kind) {
        long now = nanoTime.getAsLong();
        Optional<Occurrences> before =
                Optional.ofNullable(seen.remove(kind)).filter(known -> now - known.since() < IN_FULL_AGAIN.toNanos());
        seen.put(
                kind,
                before.map(known -> new Occurrences(known.since(), known.times() + 1))
                        .orElseGet(() -> new Occurrences(now, 1)));
        if (seen.size() > REMEMBERED) {
            seen.remove(seen.keySet().iterator().next());
        }
        return before;
    }

    private static List<String> kind(Throwable failure) {
        List<String> kind = new ArrayList<>();
        Throwable next = failure;
        for (int i = 0; next != null && i < CAUSES; i++, next = next.getCause()) {
            StackTraceElement[] trace = next.getStackTrace();
            String text = Failures.text(next);
            kind.add(NUMBER.matcher(text.substring(0, Math.min(text.length(), LENGTH)))
                            .replaceAll("#")
                    + (trace.length == 0 ? "" : " " + trace[0].getClassName() + "." + trace[0].getMethodName()));
        }
        return kind;
    }
}
