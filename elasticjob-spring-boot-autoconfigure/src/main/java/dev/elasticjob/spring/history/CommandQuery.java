package dev.elasticjob.spring.history;

import java.util.Optional;

/**
 * Which commands to look for, for example {@code CommandQuery.all().ofJob("orders").by("alice")}.
 *
 * @param jobName also finds commands for all jobs of the namespace
 * @param actor who carried them out
 * @param refusedOnly whether to leave out those that succeeded
 * @param after where the page before ended
 * @param limit the number of entries, 1 to {@value HistoryQuery#MOST}
 */
public record CommandQuery(
        Optional<String> jobName,
        Optional<String> actor,
        boolean refusedOnly,
        Optional<HistoryCursor> after,
        int limit) {
    private static final int USUAL = 100;

    public CommandQuery {
        if (limit < 1 || limit > HistoryQuery.MOST) {
            throw new IllegalArgumentException(
                    "Expected a limit of 1 to %d entries, but was %d".formatted(HistoryQuery.MOST, limit));
        }
    }

    /** All of them, in pages of 100. */
    public static CommandQuery all() {
        return new CommandQuery(Optional.empty(), Optional.empty(), false, Optional.empty(), USUAL);
    }

    public CommandQuery ofJob(String name) {
        return new CommandQuery(Optional.of(name), actor, refusedOnly, after, limit);
    }

    public CommandQuery by(String name) {
        return new CommandQuery(jobName, Optional.of(name), refusedOnly, after, limit);
    }

    public CommandQuery thatWereRefused() {
        return new CommandQuery(jobName, actor, true, after, limit);
    }

    /** Continues after a page. */
    public CommandQuery after(HistoryCursor cursor) {
        return new CommandQuery(jobName, actor, refusedOnly, Optional.of(cursor), limit);
    }

    public CommandQuery limit(int entries) {
        return new CommandQuery(jobName, actor, refusedOnly, after, entries);
    }
}
