package dev.elasticjob.console.api;

import dev.elasticjob.console.history.ConsoleHistory;
import java.util.Map;
import java.util.concurrent.Executor;

/**
 * The histories of those registries that have one.
 *
 * @param byRegistry by the registries' names
 * @param remedy what to do to have one
 */
public record Histories(Map<String, Asked> byRegistry, String remedy) {
    public Histories {
        byRegistry = Map.copyOf(byRegistry);
    }

    /**
     * One of them. A database that doesn't answer delays no other's answers.
     *
     * @param blocking runs what waits for the database, and may refuse it
     */
    public record Asked(ConsoleHistory history, Executor blocking) {}

    /** No registry has a history. */
    public static Histories none(String remedy) {
        return new Histories(Map.of(), remedy);
    }
}
