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
 * @param childChanges how many children were created and deleted below the node so far: one that was deleted and created
 *     again counts twice more, although the names of the children are the same
 */
public record RegistryNode(
        byte[] data,
        int version,
        long czxid,
        long mzxid,
        Instant created,
        Instant modified,
        long ephemeralOwner,
        int childChanges) {
    /** One that never had a child. */
    public RegistryNode(
            byte[] data, int version, long czxid, long mzxid, Instant created, Instant modified, long ephemeralOwner) {
        this(data, version, czxid, mzxid, created, modified, ephemeralOwner, 0);
    }

    public boolean isEphemeral() {
        return ephemeralOwner != 0;
    }

    /** Returns a copy with other data. */
    public RegistryNode holding(byte[] other) {
        return new RegistryNode(other, version, czxid, mzxid, created, modified, ephemeralOwner, childChanges);
    }

    /** Returns a copy with another count of changes below it. */
    public RegistryNode withChildChanges(int changes) {
        return new RegistryNode(data, version, czxid, mzxid, created, modified, ephemeralOwner, changes);
    }

    public String text() {
        return new String(data, StandardCharsets.UTF_8);
    }
}
