package dev.elasticjob.coordination.session;

import com.fasterxml.jackson.annotation.JsonInclude;
import com.fasterxml.jackson.annotation.JsonInclude.Include;
import dev.elasticjob.coordination.session.DataLoss.Confirmed;
import dev.elasticjob.coordination.state.StateJson;
import dev.elasticjob.job.event.RegistryLoss;
import dev.elasticjob.registry.RegistryNode;
import dev.elasticjob.registry.RegistrySession;
import java.time.Instant;
import java.util.Optional;
import org.jspecify.annotations.Nullable;

/**
 * The data of the registry's own node: it tells one registry's data from another's.
 *
 * @param id made with the node, and again when the data has gone back
 * @param base is added to the number of the transaction that starts an execution, and makes its fencing token
 * @param loss the last one that was noticed; empty if there was none
 */
public record Incarnation(String id, long base, Optional<DataLoss> loss) {
    /**
     * Of a registry that has none yet.
     *
     * @param session that writes it: the servers number sessions by their clocks, so no other data has its number
     */
    public static Incarnation first(RegistrySession session, Instant now) {
        return new Incarnation("%x-%x".formatted(session.id(), now.toEpochMilli()), 0, Optional.empty());
    }

    /** Reads the node; empty if it can't be read. */
    public static Optional<Incarnation> read(RegistryNode node) {
        return StateJson.read(node.data(), Stored.class).flatMap(Stored::value);
    }

    public String text() {
        return StateJson.text(new Stored(id, base, loss.map(StoredLoss::of).orElse(null)));
    }

    /** The loss that no operator has confirmed yet. */
    public Optional<DataLoss> unconfirmed() {
        return loss.filter(noticed -> !noticed.isConfirmed());
    }

    Incarnation with(DataLoss noticed) {
        return new Incarnation(id, base, Optional.of(noticed));
    }

    public Incarnation withBase(long next) {
        return new Incarnation(id, next, loss);
    }

    /** The same after an operator has confirmed the loss. */
    public Incarnation confirmed(String actor, String reason) {
        return new Incarnation(
                id,
                base,
                loss.map(noticed -> new DataLoss(
                        noticed.kind(),
                        noticed.former(),
                        noticed.at(),
                        noticed.by(),
                        Optional.of(new Confirmed(actor, reason)))));
    }

    /** Whether somebody has already noted that this data has followed the other one. */
    boolean follows(String formerId) {
        return loss.filter(noticed -> noticed.former().equals(formerId)).isPresent();
    }

    @JsonInclude(Include.NON_NULL)
    private record Stored(
            @Nullable String id,
            @Nullable Long base,
            @Nullable StoredLoss loss) {
        Optional<Incarnation> value() {
            return Optional.ofNullable(id)
                    .filter(known -> base == null || base >= 0)
                    .map(known -> new Incarnation(
                            known,
                            base == null ? 0 : base,
                            Optional.ofNullable(loss).flatMap(StoredLoss::value)));
        }
    }

    @JsonInclude(Include.NON_NULL)
    private record StoredLoss(
            @Nullable String kind,
            @Nullable String former,
            @Nullable Instant at,
            @Nullable String by,
            @Nullable String confirmedBy,
            @Nullable String reason) {
        static StoredLoss of(DataLoss loss) {
            return new StoredLoss(
                    loss.kind().name(),
                    loss.former(),
                    loss.at(),
                    loss.by(),
                    loss.confirmed().map(Confirmed::actor).orElse(null),
                    loss.confirmed().map(Confirmed::reason).orElse(null));
        }

        /** A kind of a later version reads as the most general one. */
        Optional<DataLoss> value() {
            if (kind == null || former == null || at == null || by == null) {
                return Optional.empty();
            }
            RegistryLoss known = RegistryLoss.REPLACED;
            for (RegistryLoss each : RegistryLoss.values()) {
                known = each.name().equals(kind) ? each : known;
            }
            return Optional.of(new DataLoss(
                    known,
                    former,
                    at,
                    by,
                    Optional.ofNullable(confirmedBy).map(actor -> new Confirmed(actor, reason == null ? "" : reason))));
        }
    }
}
