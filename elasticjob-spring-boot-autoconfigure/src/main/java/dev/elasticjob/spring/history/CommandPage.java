package dev.elasticjob.spring.history;

import java.util.List;
import java.util.Optional;

/**
 * Some of the commands.
 *
 * @param entries the latest first
 * @param next where the next page begins; empty if this is the last one
 */
public record CommandPage(List<CommandEntry> entries, Optional<HistoryCursor> next) {
    public CommandPage {
        entries = List.copyOf(entries);
    }
}
