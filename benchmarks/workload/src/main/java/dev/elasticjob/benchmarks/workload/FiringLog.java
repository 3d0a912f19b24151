package dev.elasticjob.benchmarks.workload;

import java.time.Duration;
import java.time.Instant;
import java.util.HashMap;
import java.util.Map;

/** Gathers the executions of a firing, and tells of it when enough of them have been seen. Safe for use by any thread. */
public final class FiringLog {
    private final WorkloadSettings settings;
    private final Map<String, Seen> firings = new HashMap<>();

    private record Seen(Instant first, int count) {}

    FiringLog(WorkloadSettings settings) {
        this.settings = settings;
    }

    /** An item has been executed; the work itself is nothing. */
    public void executed(String job, Instant scheduledAt) {
        Instant now = Instant.now();
        String key = job + " " + scheduledAt;
        Seen seen;
        synchronized (this) {
            seen = firings.merge(key, new Seen(now, 1), (known, one) -> new Seen(known.first(), known.count() + 1));
            if (seen.count() < settings.itemsHere()) {
                return;
            }
            firings.remove(key);
        }
        WorkloadProcess.say(
                "FIRED",
                job,
                scheduledAt,
                millis(Duration.between(scheduledAt, seen.first())),
                millis(Duration.between(scheduledAt, now)));
    }

    private static String millis(Duration duration) {
        return String.valueOf(duration.toNanos() / 1_000_000.0);
    }
}
