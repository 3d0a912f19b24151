package dev.elasticjob.spring.history;

import java.util.List;
import java.util.Optional;

/**
 * A part of the history.
 *
 * @param entries latest scheduled time first
 * @param next where the next page begins; empty if this is the last one
 */
public record HistoryPage(List<HistoryEntry> entries, Optional<HistoryCursor> next) {
    public HistoryPage {
        entries = List.copyOf(entries);
    }
}
