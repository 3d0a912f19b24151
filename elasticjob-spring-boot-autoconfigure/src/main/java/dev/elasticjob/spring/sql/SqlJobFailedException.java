package dev.elasticjob.spring.sql;

import org.jspecify.annotations.Nullable;

/** The statement of a SQL job has failed. It has no cause: those of drivers repeat the values that were bound. */
public final class SqlJobFailedException extends Exception {
    private static final long serialVersionUID = 1L;

    private final @Nullable String sqlState;

    SqlJobFailedException(String jobName, int item, @Nullable String sqlState, String text) {
        super("Job \"%s\": the statement of item %d failed with %s: %s"
                .formatted(jobName, item, sqlState == null ? "no SQL state" : "SQL state " + sqlState, text));
        this.sqlState = sqlState;
    }

    /** As the driver gives it; null if it gives none, for example because there was no connection. */
    public @Nullable String sqlState() {
        return sqlState;
    }
}
