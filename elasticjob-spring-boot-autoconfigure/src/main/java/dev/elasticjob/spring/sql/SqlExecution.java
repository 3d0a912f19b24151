package dev.elasticjob.spring.sql;

import java.sql.Connection;
import java.sql.PreparedStatement;
import java.sql.SQLException;
import java.sql.Statement;
import java.util.concurrent.Callable;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.Future;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.TimeoutException;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;
import org.springframework.core.task.AsyncTaskExecutor;
import org.springframework.jdbc.core.PreparedStatementCallback;

/**
 * One execution of one statement. A thread that waits for a database doesn't notice an interrupt, so the statement has a
 * thread of its own, and the item's thread waits for that one: interrupted, it cancels the statement, and returns when the
 * statement has ended.
 */
final class SqlExecution implements PreparedStatementCallback<Long> {
    private static final Logger log = LoggerFactory.getLogger(SqlExecution.class);

    /** A driver ignores a cancellation that comes just before the statement is sent. */
    private static final long CANCEL_AGAIN_MILLIS = 500;

    /** There were rows instead of a count. */
    static final long ROWS = -1;

    // Written by the statement's thread, read by the item's.
    private volatile @Nullable Statement statement;
    // The other way round.
    private volatile boolean cancelled;

    /** Waits for the number of rows that were changed, or {@link #ROWS}. */
    long await(Callable<Long> running, AsyncTaskExecutor threads) throws InterruptedException, ExecutionException {
        Future<Long> result = threads.submit(running);
        try {
            return result.get();
        } catch (InterruptedException e) {
            long rows = ended(result, e);
            // What it has done is done.
            Thread.currentThread().interrupt();
            return rows;
        }
    }

    private long ended(Future<Long> result, InterruptedException interrupted) throws InterruptedException {
        cancelled = true;
        while (true) {
            cancel();
            try {
                return result.get(CANCEL_AGAIN_MILLIS, TimeUnit.MILLISECONDS);
            } catch (TimeoutException | InterruptedException e) {
                log.debug("The statement has not ended yet and is cancelled again");
            } catch (ExecutionException e) {
                throw interrupted;
            }
        }
    }

    private void cancel() {
        Statement current = statement;
        if (current != null) {
            try {
                current.cancel();
            } catch (SQLException e) {
                log.warn("A statement can't be cancelled, and is waited for: {}", e.getMessage());
            }
        }
    }

    /** Called on the statement's thread. A connection without auto-commit would forget what was done. */
    @Override
    public Long doInPreparedStatement(PreparedStatement prepared) throws SQLException {
        statement = prepared;
        try {
            if (cancelled) {
                throw new SQLException("cancelled before it was sent");
            }
            long changed = prepared.execute() ? ROWS : prepared.getUpdateCount();
            Connection connection = prepared.getConnection();
            if (!connection.getAutoCommit()) {
                connection.commit();
            }
            return changed;
        } finally {
            statement = null;
        }
    }
}
