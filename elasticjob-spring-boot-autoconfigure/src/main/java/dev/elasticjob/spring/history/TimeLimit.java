package dev.elasticjob.spring.history;

import dev.elasticjob.job.Failures;
import dev.elasticjob.time.DurationText;
import java.time.Duration;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.Executor;
import java.util.concurrent.RejectedExecutionException;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.TimeoutException;
import java.util.function.Supplier;

/**
 * Asks the database for as long as the limit allows, whatever its driver and its pool are waiting for. The thread that asks
 * is not the caller's: one that hangs occupies a place of the executor until the driver gives up.
 *
 * @param threads refuse a task rather than queue it
 */
record TimeLimit(Executor threads, Duration limit) {
    <T> T ask(Supplier<T> question) {
        try {
            return CompletableFuture.supplyAsync(question, threads).get(limit.toMillis(), TimeUnit.MILLISECONDS);
        } catch (TimeoutException e) {
            throw new HistoryUnavailableException(
                    "The database of the event trace did not answer within " + DurationText.of(limit));
        } catch (RejectedExecutionException e) {
            throw new HistoryUnavailableException(
                    "Too many queries are waiting for the database of the event trace; try again later");
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
            throw new HistoryUnavailableException("Interrupted while waiting for the database of the event trace");
        } catch (ExecutionException e) {
            Throwable reason = e.getCause() == null ? e : e.getCause();
            throw new HistoryUnavailableException(
                    "The database of the event trace can't be read: " + Failures.text(reason), reason);
        }
    }
}
