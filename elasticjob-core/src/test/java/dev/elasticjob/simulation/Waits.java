package dev.elasticjob.simulation;

import dev.elasticjob.registry.JobTree;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;

/**
 * Firings that came while their item was running: it has to begin again as soon as it has ended. Unless somebody else has
 * begun a later one before, when what has ended was an execution that ignored the loss of its lease.
 */
final class Waits {
    private final Quorum quorum;
    private final JobTree tree;
    private final List<Wait> waits = new ArrayList<>();
    private Optional<Duration> patience = Optional.empty();

    private record Wait(Execution execution, Instant ended, Instant latest) {
        private boolean isOver(Execution next) {
            return next.item() == execution.item()
                    && !next.began().isAfter(latest)
                    && (!next.began().isBefore(ended) || next.scheduledAt().isAfter(execution.scheduledAt()));
        }
    }

    Waits(Quorum quorum, JobTree tree) {
        this.quorum = quorum;
        this.tree = tree;
    }

    void count(Duration longest) {
        patience = Optional.of(longest);
    }

    void ended(Execution execution, Instant now) {
        if (patience.isEmpty() || execution.token() == 0) {
            return;
        }
        InForce.at(quorum.tree(), tree)
                .flatMap(plan -> plan.schedule().latestNotAfter(now.minus(patience.get())))
                .filter(execution.scheduledAt()::isBefore)
                .ifPresent(due -> waits.add(new Wait(execution, now, now.plus(patience.get()))));
    }

    /** The first that waited too long. */
    Optional<String> judge(List<Execution> begun) {
        patience = Optional.empty();
        return waits.stream()
                .filter(wait -> begun.stream().noneMatch(wait::isOver))
                .map(wait -> "lateness: item %d was due when it ended at %s, and did not begin again in time"
                        .formatted(wait.execution().item(), wait.ended()))
                .findFirst();
    }
}
