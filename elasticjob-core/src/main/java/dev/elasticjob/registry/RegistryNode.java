package dev.elasticjob.registry;

import java.nio.charset.StandardCharsets;
import java.time.Instant;

/**
 * A node as it was read.
 *
 * @param data its data, which must not be changed; empty, never null
 * @param version the version of the data: 0 at creation, one more with each set
 * @param czxid the transaction that created the node; grows over the whole tree
 * @param mzxid the transaction that last set its data
 * @param created the time of its creation, by the registry's clock
 * @param modified the time when the data was last set, by the registry's clock
 * @param ephemeralOwner the session that owns the node; 0 for a persistent node
 */
public record RegistryNode(
        byte[] data, int version, long czxid, long mzxid, Instant created, Instant modified, long ephemeralOwner) {
    public boolean isEphemeral() {
        return ephemeralOwner != 0;
    }

    /** Returns a copy with other data. */
    public RegistryNode holding(byte[] other) {
        return new RegistryNode(other, version, czxid, mzxid, created, modified, ephemeralOwner);
    }

    public String text() {
        return new String(data, StandardCharsets.UTF_8);
    }
}
