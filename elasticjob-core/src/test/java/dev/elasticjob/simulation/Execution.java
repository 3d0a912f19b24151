package dev.elasticjob.simulation;

import java.time.Instant;

/** One execution of an item, as user code sees it. */
record Execution(
        SimulatedProcess process,
        int item,
        String cause,
        Instant scheduledAt,
        int attempt,
        long token,
        long session,
        Instant began,
        boolean stubborn) {
    @Override
    public String toString() {
        return "item %d for %s, attempt %d, token %d, on %s".formatted(item, cause, attempt, token, process.name());
    }
}
