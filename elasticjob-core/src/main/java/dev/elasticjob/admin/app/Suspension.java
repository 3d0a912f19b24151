package dev.elasticjob.admin.app;

import com.fasterxml.jackson.annotation.JsonInclude;
import com.fasterxml.jackson.annotation.JsonInclude.Include;
import dev.elasticjob.coordination.state.StateJson;
import dev.elasticjob.registry.RegistryNode;
import java.time.Instant;
import java.util.Objects;
import java.util.Optional;
import org.jspecify.annotations.Nullable;

/**
 * An operator keeps an application from getting workers. Immutable.
 *
 * @param actor empty if it isn't known
 * @param reason empty if none was given
 * @param since by the registry's clock
 */
public record Suspension(String actor, String reason, Instant since) {
    /** Reads its node. What isn't JSON was written by a person in a hurry, and suspends too. */
    static Suspension of(RegistryNode node) {
        Optional<Stored> stored = StateJson.read(node.data(), Stored.class);
        return new Suspension(
                stored.map(Stored::actor).orElse(""),
                stored.map(known -> Objects.requireNonNullElse(known.reason(), ""))
                        .orElseGet(() -> node.text().strip()),
                node.created());
    }

    /** The text of its node. */
    public static String text(String actor, String reason) {
        return StateJson.text(new Stored(actor, reason));
    }

    /** For people. */
    @Override
    public String toString() {
        String by = actor.isEmpty() ? "" : " by \"%s\"".formatted(actor);
        return "suspended%s since %s%s".formatted(by, since, reason.isEmpty() ? "" : " (%s)".formatted(reason));
    }

    @JsonInclude(Include.NON_EMPTY)
    private record Stored(@Nullable String actor, @Nullable String reason) {}
}
