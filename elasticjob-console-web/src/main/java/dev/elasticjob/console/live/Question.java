package dev.elasticjob.console.live;

import java.time.Duration;
import java.util.concurrent.CompletionStage;
import java.util.function.Supplier;

/**
 * A question to a registry or a database, which several viewers may ask.
 *
 * @param key the same for the same question
 * @param pace the shortest time between two reads; an answer is shared for as long
 * @param read asks. Runs on a thread that may block; the answer becomes JSON
 */
public record Question(String key, Duration pace, Supplier<? extends CompletionStage<?>> read) {}
