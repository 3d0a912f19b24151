package dev.elasticjob.console.api;

import dev.elasticjob.console.history.ConsoleHistory;
import java.util.Map;
import java.util.concurrent.Executor;

/**
 * The histories of those registries that have one.
 *
 * @param byRegistry by the registries' names
 * @param blocking runs what waits for their databases
 */
public record Histories(Map<String, ConsoleHistory> byRegistry, Executor blocking) {
    /** No registry has a history. */
    public static final Histories NONE = new Histories(Map.of(), Runnable::run);

    public Histories {
        byRegistry = Map.copyOf(byRegistry);
    }
}
