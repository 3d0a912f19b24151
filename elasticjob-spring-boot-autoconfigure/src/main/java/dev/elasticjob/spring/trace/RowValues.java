package dev.elasticjob.spring.trace;

import java.sql.PreparedStatement;
import java.sql.SQLException;
import java.sql.Types;
import java.time.Instant;
import java.time.LocalDateTime;
import java.time.ZoneOffset;
import java.time.temporal.ChronoUnit;
import org.jspecify.annotations.Nullable;

/** The values of one row, in the order of the columns. */
final class RowValues {
    private final PreparedStatement statement;
    private final int[] lengths;
    private int index;

    /** @param lengths of the columns, as {@link TraceTables#lengths} gives them */
    RowValues(PreparedStatement statement, int[] lengths) {
        this.statement = statement;
        this.lengths = lengths;
    }

    void add(@Nullable String text) throws SQLException {
        int length = lengths[index++];
        statement.setString(index, text == null ? null : TraceTables.fit(text, length));
    }

    /** With its beginning and its end, if it is too long. */
    void addTrace(@Nullable String trace) throws SQLException {
        int length = lengths[index++];
        statement.setString(index, trace == null ? null : TraceTables.fitTrace(trace, length));
    }

    void add(int number) throws SQLException {
        statement.setInt(++index, number);
    }

    void add(boolean flag) throws SQLException {
        statement.setBoolean(++index, flag);
    }

    void add(@Nullable Instant time) throws SQLException {
        if (time == null) {
            statement.setNull(++index, Types.TIMESTAMP);
        } else {
            statement.setObject(++index, utc(time));
        }
    }

    /** As all times are stored: in UTC, to the millisecond. */
    static LocalDateTime utc(Instant time) {
        return LocalDateTime.ofInstant(time.truncatedTo(ChronoUnit.MILLIS), ZoneOffset.UTC);
    }
}
