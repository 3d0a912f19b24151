package dev.elasticjob.registry;

import dev.elasticjob.time.DurationText;
import java.time.Duration;

/**
 * A session: the owner of ephemeral nodes.
 *
 * @param id compared with {@link RegistryNode#ephemeralOwner()}
 * @param timeout the timeout granted by the server: the time after which it expires a silent session
 * @param asked the requested timeout
 */
public record RegistrySession(long id, Duration timeout, Duration asked) {
    /** A session whose requested timeout was granted. */
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
