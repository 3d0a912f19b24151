package dev.elasticjob.spring.trace;

import static dev.elasticjob.spring.trace.TraceTables.COMMANDS;
import static dev.elasticjob.spring.trace.TraceTables.EXECUTIONS;
import static dev.elasticjob.spring.trace.TraceTables.LEASES;
import static dev.elasticjob.spring.trace.TraceTables.STATES;

import java.time.Clock;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import java.util.UUID;
import java.util.function.Supplier;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;
import org.springframework.jdbc.core.JdbcOperations;
import org.springframework.transaction.support.TransactionOperations;

/**
 * Deletes old entries, a slice at a time. Of all instances that share the tables, the one that has the lease does: any other
 * takes it when that one has not renewed it for a while. Nothing depends on there being only one, so that clocks which differ
 * do no harm. Confined to the thread that writes the trace.
 */
final class TraceRetention {
    private static final Logger log = LoggerFactory.getLogger(EventTrace.class);
    private static final String LEASE = "retention";
    /** Rows of each table in one transaction: a fraction of a second. */
    private static final int SLICE = 1_000;

    private static final Duration INTERVAL = Duration.ofMinutes(10);
    private static final Duration LEASE_TIME = INTERVAL.multipliedBy(3);

    private final JdbcOperations jdbc;
    private final TransactionOperations transactions;
    private final Supplier<TraceTables> tables;
    private final Clock clock;
    private final Duration age;
    private final String holder = UUID.randomUUID().toString();
    private @Nullable Instant next;

    /** @param age at which entries are deleted; zero or less for never */
    TraceRetention(
            JdbcOperations jdbc,
            TransactionOperations transactions,
            Supplier<TraceTables> tables,
            Clock clock,
            Duration age) {
        this.jdbc = jdbc;
        this.transactions = transactions;
        this.tables = tables;
        this.clock = clock;
        this.age = age;
    }

    /** Deletes a slice if it is time. What fails is tried again next time: another instance may be at it. */
    void deleteIfDue() {
        Instant now = clock.instant();
        if (age.isNegative() || age.isZero() || (next != null && now.isBefore(next))) {
            return;
        }
        next = now.plus(INTERVAL);
        try {
            if (lease(now) && deleteBefore(now.minus(age))) {
                next = now;
            }
        } catch (RuntimeException e) {
            log.warn(
                    "Old entries of the event trace could not be deleted; the next attempt is in {} min: {}",
                    INTERVAL.toMinutes(),
                    e.getMessage());
        }
    }

    /** Whether this instance has the lease now. */
    private boolean lease(Instant now) {
        Instant until = now.plus(LEASE_TIME);
        int updated = jdbc.update(
                "UPDATE " + LEASES
                        + " SET holder = ?, lease_until = ? WHERE name = ? AND (holder = ? OR lease_until < ?)",
                holder,
                RowValues.utc(until),
                LEASE,
                holder,
                RowValues.utc(now));
        if (updated == 0) {
            String insert = tables.get().dialect().insertIfAbsent(LEASES, List.of("name", "holder", "lease_until"));
            jdbc.update(insert, LEASE, holder, RowValues.utc(until));
        }
        return jdbc.queryForList("SELECT holder FROM " + LEASES + " WHERE name = ?", String.class, LEASE)
                .contains(holder);
    }

    /** Whether there may be more. */
    private boolean deleteBefore(Instant time) {
        Object limit = RowValues.utc(time);
        int executions = delete(
                EXECUTIONS,
                "scheduled_time < ? AND (complete_time IS NULL OR complete_time < ?) ORDER BY scheduled_time",
                limit,
                limit);
        int states = delete(STATES, "creation_time < ? ORDER BY creation_time", limit);
        int commands = delete(COMMANDS, "ended_time < ? ORDER BY ended_time", limit);
        return executions == SLICE || states == SLICE || commands == SLICE;
    }

    private int delete(String table, String condition, Object... parameters) {
        List<String> ids = jdbc.queryForList(
                "SELECT id FROM " + table + " WHERE " + condition + " LIMIT " + SLICE, String.class, parameters);
        if (!ids.isEmpty()) {
            List<Object[]> each = new ArrayList<>();
            ids.forEach(id -> each.add(new Object[] {id}));
            transactions.executeWithoutResult(
                    status -> jdbc.batchUpdate("DELETE FROM " + table + " WHERE id = ?", each));
        }
        return ids.size();
    }
}
