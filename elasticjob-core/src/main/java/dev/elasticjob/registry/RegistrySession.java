package dev.elasticjob.registry;

import dev.elasticjob.time.DurationText;
import java.time.Duration;

/**
 * A session: the owner of ephemeral nodes.
 *
 * @param id compared with {@link RegistryNode#ephemeralOwner()}
 * @param timeout as negotiated with the server: how long the session outlives its last sign of life
 * @param asked the timeout that was asked for
 */
public record RegistrySession(long id, Duration timeout, Duration asked) {
    /** A session whose timeout is the one that was asked for. */
    public RegistrySession(long id, Duration timeout) {
        this(id, timeout, timeout);
    }

    public boolean owns(RegistryNode node) {
        return node.ephemeralOwner() == id;
    }

    @Override
    public String toString() {
        return "0x%x (timeout %s)".formatted(id, DurationText.of(timeout));
    }
}
