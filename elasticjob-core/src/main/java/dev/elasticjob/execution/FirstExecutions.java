package dev.elasticjob.execution;

import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionStage;

/**
 * Whether executions may still begin in one run of an engine. On a fresh worker, none begins after one has ended, of
 * whichever job; the attempts of those that have begun go on. Thread-safe.
 */
public final class FirstExecutions {
    private final CompletableFuture<Void> over = new CompletableFuture<>();
    private volatile boolean only;

    /** Lets no execution begin after the first one has ended. */
    public void only() {
        only = true;
    }

    boolean letBegin() {
        return !(only && over.isDone());
    }

    /** An execution that had begun has ended. Called before its thread takes up other work. */
    void ended() {
        over.complete(null);
    }

    /** Completes when the first execution has ended, on its thread. */
    public CompletionStage<Void> over() {
        return over.copy();
    }
}
