package dev.elasticjob.coordination.session;

import dev.elasticjob.job.event.RegistryLoss;
import java.time.Instant;
import java.util.Optional;

/**
 * A loss of the registry's data, as the first instance that noticed it has noted it.
 *
 * @param former the id of the data before
 * @param at when it was noticed, by that instance's clock
 * @param by the id of that instance
 * @param confirmed by an operator, who knows what it means; empty until then
 */
public record DataLoss(RegistryLoss kind, String former, Instant at, String by, Optional<Confirmed> confirmed) {
    /** @param reason empty if none was given */
    record Confirmed(String actor, String reason) {}

    boolean isConfirmed() {
        return confirmed.isPresent();
    }

    /** What happened, as a sentence for operators. */
    public String fact() {
        return switch (kind) {
            case EMPTIED -> "The registry has lost its data: instance \"%s\" found it empty at %s".formatted(by, at);
            case REPLACED ->
                "The registry has other data than before: instance \"%s\" noticed it at %s".formatted(by, at);
            case WENT_BACK ->
                "The registry has gone back to an older copy of its data: instance \"%s\" noticed it at %s"
                        .formatted(by, at);
        };
    }
}
