package dev.elasticjob.benchmarks.workload;

import java.time.Duration;
import java.time.Instant;
import java.util.HashMap;
import java.util.Map;
import java.util.concurrent.BlockingQueue;
import java.util.concurrent.LinkedBlockingQueue;
import org.jspecify.annotations.Nullable;

/**
 * Gathers the executions of a firing, and tells of it when enough of them have been seen: on a thread of its own, so that
 * what is measured does not wait for what is told. Safe for use by any thread.
 */
public final class FiringLog {
    private final WorkloadSettings settings;
    private final Map<Firing, Seen> firings = new HashMap<>();
    private final BlockingQueue<Told> told = new LinkedBlockingQueue<>();

    private volatile @Nullable Instant requested;

    private record Firing(String job, Instant scheduledAt) {}

    private record Seen(Instant first, int count) {}

    private record Told(Firing firing, Instant first, Instant last) {}

    private FiringLog(WorkloadSettings settings) {
        this.settings = settings;
    }

    static FiringLog start(WorkloadSettings settings) {
        FiringLog log = new FiringLog(settings);
        Thread teller = new Thread(log::tell, "firing-log");
        teller.setDaemon(true);
        teller.start();
        return log;
    }

    /** From now on, what is executed has been asked for at this moment, and its delay counts from here. */
    void request() {
        requested = Instant.now();
    }

    /** An item has been executed; the work itself is nothing. */
    public void executed(String job, Instant scheduledAt) {
        Instant now = Instant.now();
        Instant asked = requested;
        Firing firing = new Firing(job, asked == null ? scheduledAt : asked);
        synchronized (this) {
            Seen seen =
                    firings.merge(firing, new Seen(now, 1), (known, one) -> new Seen(known.first(), known.count() + 1));
            if (seen.count() == settings.itemsHere()) {
                firings.remove(firing);
                told.add(new Told(firing, seen.first(), now));
            }
        }
    }

    private void tell() {
        try {
            while (true) {
                Told next = told.take();
                Instant scheduledAt = next.firing().scheduledAt();
                WorkloadProcess.say(
                        "FIRED",
                        next.firing().job(),
                        scheduledAt,
                        millis(Duration.between(scheduledAt, next.first())),
                        millis(Duration.between(scheduledAt, next.last())));
            }
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
        }
    }

    private static String millis(Duration duration) {
        return String.valueOf(duration.toNanos() / 1_000_000.0);
    }
}
