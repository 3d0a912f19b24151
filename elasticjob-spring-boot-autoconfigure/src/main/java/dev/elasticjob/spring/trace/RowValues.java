package dev.elasticjob.spring.trace;

import java.sql.PreparedStatement;
import java.sql.SQLException;
import java.sql.Types;
import java.time.Instant;
import java.time.LocalDateTime;
import java.time.ZoneOffset;
import java.time.temporal.ChronoUnit;
import java.util.List;
import org.jspecify.annotations.Nullable;

/** The values of one row, in the order of the columns. */
final class RowValues {
    private final PreparedStatement statement;
    private final TraceTables tables;
    private final String table;
    private final List<String> columns;
    private int index;

    RowValues(PreparedStatement statement, TraceTables tables, String table, List<String> columns) {
        this.statement = statement;
        this.tables = tables;
        this.table = table;
        this.columns = columns;
    }

    void add(@Nullable String text) throws SQLException {
        String column = columns.get(index++);
        statement.setString(index, text == null ? null : tables.fit(table, column, text));
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
