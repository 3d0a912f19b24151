package dev.elasticjob.coordination.view;

import dev.elasticjob.coordination.state.LeaveMark;
import dev.elasticjob.coordination.state.StateJson;
import dev.elasticjob.registry.RegistryNode;
import java.time.Instant;
import java.util.Optional;
import org.jspecify.annotations.Nullable;

/**
 * An operator's request that an instance gives its items away, and gets none. Unlike the drain of an instance that leaves,
 * which names its node, it means the instance by its id, in any session.
 *
 * @param since by the registry's clock
 * @param reason empty if none was given
 */
public record OperatorDrain(Instant since, String actor, String reason) {
    /** Reads a drain; empty if the instance itself has written it, when it left or before. */
    public static Optional<OperatorDrain> of(RegistryNode drain) {
        if (LeaveMark.of(drain).isPresent()) {
            return Optional.empty();
        }
        return StateJson.read(drain.data(), Stored.class)
                .map(stored -> new OperatorDrain(
                        drain.modified(),
                        stored.actor == null ? "" : stored.actor,
                        stored.reason == null ? "" : stored.reason));
    }

    /** The node's text. */
    public static String text(String actor, String reason) {
        return StateJson.text(new Stored(actor, reason));
    }

    private record Stored(@Nullable String actor, @Nullable String reason) {}
}
