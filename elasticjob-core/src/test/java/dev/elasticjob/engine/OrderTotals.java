package dev.elasticjob.engine;

import dev.elasticjob.job.ShardingContext;
import dev.elasticjob.job.SimpleJob;
import java.sql.Connection;
import java.sql.PreparedStatement;
import java.sql.SQLException;
import java.util.function.IntFunction;
import javax.sql.DataSource;

/** The example in docs/guide/fencing.md, word for word: the page shows the class as it stands here. */
final class OrderTotals implements SimpleJob {
    private static final String INTEGRITY_VIOLATED = "23";

    private final DataSource database;
    private final IntFunction<Iterable<Long>> amounts;

    /** @param amounts of the orders of an item */
    OrderTotals(DataSource database, IntFunction<Iterable<Long>> amounts) {
        this.database = database;
        this.amounts = amounts;
    }

    @Override
    public void execute(ShardingContext context) throws Exception {
        int item = context.getShardingItem();
        long token = context.getFencingToken();
        try (Connection connection = database.getConnection()) {
            insertIfAbsent(connection, item);
            take(connection, item, token);
            for (long amount : amounts.apply(item)) {
                stopIfAsked(context);
                add(connection, item, token, amount);
            }
        }
    }

    /** The row must exist: an UPDATE that finds no row looks like a rejected one. */
    private static void insertIfAbsent(Connection connection, int item) throws SQLException {
        String sql = "INSERT INTO order_total (item, token, total) SELECT ?, 0, 0"
                + " WHERE NOT EXISTS (SELECT 1 FROM order_total WHERE item = ?)";
        try (PreparedStatement insert = connection.prepareStatement(sql)) {
            insert.setInt(1, item);
            insert.setInt(2, item);
            insert.executeUpdate();
        } catch (SQLException e) {
            boolean isThere = String.valueOf(e.getSQLState()).startsWith(INTEGRITY_VIOLATED);
            if (!isThere) {
                throw e;
            }
        }
    }

    /** The first write, before anything is read. After it, no earlier execution can write to this row. */
    private static void take(Connection connection, int item, long token) throws SQLException {
        String sql = "UPDATE order_total SET total = 0, token = ? WHERE item = ? AND token < ?";
        try (PreparedStatement update = connection.prepareStatement(sql)) {
            update.setLong(1, token);
            update.setInt(2, item);
            update.setLong(3, token);
            mustChangeOneRow(update.executeUpdate(), item, token);
        }
    }

    /** Every later write. The row must still belong to this execution. */
    private static void add(Connection connection, int item, long token, long amount) throws SQLException {
        String sql = "UPDATE order_total SET total = total + ? WHERE item = ? AND token = ?";
        try (PreparedStatement update = connection.prepareStatement(sql)) {
            update.setLong(1, amount);
            update.setInt(2, item);
            update.setLong(3, token);
            mustChangeOneRow(update.executeUpdate(), item, token);
        }
    }

    private static void mustChangeOneRow(int rows, int item, long token) {
        if (rows != 1) {
            throw new IllegalStateException(
                    "Item %d has been started again: the execution with token %d may no longer write"
                            .formatted(item, token));
        }
    }

    /** Ends most executions before the database has to reject their writes. */
    private static void stopIfAsked(ShardingContext context) throws InterruptedException {
        if (context.isLeaseLost() || Thread.currentThread().isInterrupted()) {
            throw new InterruptedException(
                    "Item " + context.getShardingItem() + " may already run on another instance");
        }
    }
}
