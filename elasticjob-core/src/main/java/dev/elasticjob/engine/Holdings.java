package dev.elasticjob.engine;

import dev.elasticjob.coordination.HeldItems;
import java.util.HashMap;
import java.util.Map;
import java.util.Objects;

/**
 * What this process holds of each job, as long as something works with it: a runtime that has left the job still does
 * while one of its threads ignores its interruption, beside the one that came after it.
 *
 * <p>Safe for use by any thread; what it gives out is not.
 */
final class Holdings {
    private final Map<String, Shared> byJob = new HashMap<>();

    private record Shared(HeldItems held, int users) {}

    /** The items of the job, for one more who works with them until he {@linkplain #giveBack gives them back}. */
    synchronized HeldItems lend(String job) {
        Shared present = byJob.getOrDefault(job, new Shared(new HeldItems(), 0));
        byJob.put(job, new Shared(present.held(), present.users() + 1));
        return present.held();
    }

    synchronized void giveBack(String job) {
        Shared present = Objects.requireNonNull(byJob.remove(job), job);
        if (present.users() > 1) {
            byJob.put(job, new Shared(present.held(), present.users() - 1));
        }
    }
}
