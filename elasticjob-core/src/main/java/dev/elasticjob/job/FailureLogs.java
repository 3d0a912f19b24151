package dev.elasticjob.job;

import dev.elasticjob.time.TaskTimer;
import java.util.LinkedHashMap;
import java.util.Map;
import java.util.function.LongSupplier;
import org.slf4j.Logger;

/**
 * A {@link FailureLog} for each of many subjects, such as jobs, so that those of one don't count as repetitions of another's.
 * Up to 1,000 subjects are remembered; then, the one that has not failed for the longest time is forgotten. Thread-safe.
 */
public final class FailureLogs {
    private static final int REMEMBERED = 1_000;

    private final Logger log;
    private final LongSupplier nanoTime;
    // Guarded by this object's monitor. In the order of the latest failures.
    private final Map<String, FailureLog> bySubject = new LinkedHashMap<>();

    /** @param nanoTime tells how long ago a failure was logged in full, as {@link TaskTimer#nanoTime()} */
    public FailureLogs(Logger log, LongSupplier nanoTime) {
        this.log = log;
        this.nanoTime = nanoTime;
    }

    /** To be asked for each failure: one that is kept may have been forgotten here, and another one begun. */
    public synchronized FailureLog of(String subject) {
        FailureLog known = bySubject.remove(subject);
        FailureLog failures = known == null ? new FailureLog(log, nanoTime) : known;
        bySubject.put(subject, failures);
        if (bySubject.size() > REMEMBERED) {
            bySubject.remove(bySubject.keySet().iterator().next());
        }
        return failures;
    }
}
