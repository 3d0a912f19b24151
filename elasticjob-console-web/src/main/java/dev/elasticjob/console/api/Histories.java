package dev.elasticjob.console.api;

import dev.elasticjob.console.history.ConsoleHistory;
import dev.elasticjob.console.history.HistoryAwayException;
import dev.elasticjob.console.live.Queries;
import dev.elasticjob.console.live.Snapshots;
import dev.elasticjob.console.web.Json;
import dev.elasticjob.time.TaskTimer;
import java.time.Clock;
import java.time.Duration;
import java.util.Map;
import java.util.Optional;
import java.util.concurrent.Executor;
import java.util.function.UnaryOperator;

/**
 * The histories of those registries that have one.
 *
 * @param byRegistry by the registries' names
 * @param remedy what to do to have one, by the registry's name
 */
public record Histories(Map<String, Asked> byRegistry, UnaryOperator<String> remedy) {
    /** How long anyone waits for the database, whatever its own limits are, and however many others wait. */
    private static final Duration LONGEST = Duration.ofSeconds(5);

    private static final Queries.Source DATABASE = new Queries.Source() {
        @Override
        public String name() {
            return "The database of the trace";
        }

        @Override
        public RuntimeException unanswered(String why, Optional<Throwable> cause) {
            return cause.map(known -> new HistoryAwayException(why, known))
                    .orElseGet(() -> new HistoryAwayException(why));
        }
    };

    public Histories {
        byRegistry = Map.copyOf(byRegistry);
    }

    /**
     * One of them. A database that doesn't answer delays no other's answers, and none of a registry.
     *
     * @param queries asks it, with an end
     * @param snapshots shares its answers among all viewers
     */
    public record Asked(ConsoleHistory history, Queries queries, Snapshots snapshots) {
        /**
         * @param blocking runs what waits for the database, and may refuse it
         * @param held how many viewers may wait for a change; further ones are answered at once
         */
        public static Asked of(ConsoleHistory history, TaskTimer timer, Clock clock, Executor blocking, int held) {
            var queries = new Queries(timer, blocking, LONGEST, DATABASE);
            return new Asked(history, queries, new Snapshots(queries, clock, Json::bytes, held));
        }
    }

    /** No registry has a history. */
    public static Histories none(String remedy) {
        return new Histories(Map.of(), any -> remedy);
    }
}
