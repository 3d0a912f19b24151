package dev.elasticjob.coordination;

import dev.elasticjob.job.JobEvent;
import java.time.Instant;
import java.util.List;
import java.util.Optional;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Says what will not run: to listeners, and to operators in the log. Called once for each loss, by whoever has committed
 * it. Confined to the coordination executor.
 */
final class Losses {
    private static final Logger log = LoggerFactory.getLogger(Losses.class);

    private final JobScope scope;

    Losses(JobScope scope) {
        this.scope = scope;
    }

    /** Tells what a claim has found in the gap that it closes. */
    void tell(JobEvent event) {
        sentence(event).ifPresent(sentence -> log.warn("Job \"{}\": {}", scope.jobName(), sentence));
        scope.events().accept(event);
    }

    /** An interrupted execution will not be repeated. */
    void tellInterrupted(ItemView item) {
        Instant scheduledAt = item.current().scheduledAt();
        Instant firing = scheduledAt == null ? Instant.EPOCH : scheduledAt;
        tell(new JobEvent.FiringsLost(scope.jobName(), item.item(), firing, 1));
    }

    /** Manual runs that waited for an item will not happen. */
    void tellDropped(int item, List<String> runIds, String reason) {
        tell(new JobEvent.ManualRunDropped(scope.jobName(), item, runIds, reason));
    }

    /** What operators are to know of it; empty where nothing is lost. */
    static Optional<String> sentence(JobEvent event) {
        if (event instanceof JobEvent.FiringsLost lost) {
            return Optional.of("item %d has lost %d firings, told with the one of %s"
                    .formatted(lost.item(), lost.count(), lost.before()));
        }
        if (event instanceof JobEvent.ManualRunDropped dropped) {
            return Optional.of("run \"%s\" of item %d is dropped: %s"
                    .formatted(String.join(",", dropped.runIds()), dropped.item(), dropped.reason()));
        }
        return Optional.empty();
    }
}
