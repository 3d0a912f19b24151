package dev.elasticjob.registry;

import java.time.Duration;

/**
 * A session: the owner of ephemeral nodes.
 *
 * @param id compared with {@link RegistryNode#ephemeralOwner()}
 * @param timeout as negotiated with the server: how long the session outlives its last sign of life
 */
public record RegistrySession(long id, Duration timeout) {
    public boolean owns(RegistryNode node) {
        return node.ephemeralOwner() == id;
    }
}
