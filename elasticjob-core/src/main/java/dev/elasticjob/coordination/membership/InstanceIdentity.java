package dev.elasticjob.coordination.membership;

import dev.elasticjob.definition.text.InstanceLabels;
import dev.elasticjob.registry.RegistryCommit;
import java.time.Duration;
import java.util.OptionalInt;

/**
 * The id of this process in its jobs, and its server.
 *
 * @param baseId {@code ip@-@pid}, or what the user has set
 * @param ip the server's address, as operators use it
 * @param labels by which jobs choose instances
 * @param capacity what its items may weigh together; empty for no limit
 * @param rebalanceDelay how long its items wait for its successor once it has left in good order; zero if they don't
 */
public record InstanceIdentity(
        String baseId, String ip, InstanceLabels labels, OptionalInt capacity, Duration rebalanceDelay) {
    /** The record and the nodes of each item contain both. */
    private static final int MAX_BYTES = 255;

    private static final String BEHIND_IP = "@-@";

    public InstanceIdentity {
        if (baseId.isBlank() || baseId.contains("/") || ip.isBlank() || ip.contains("/")) {
            throw new IllegalArgumentException(
                    ("Expected an instance id and an address that are valid node names without \"/\", but the id is"
                                    + " \"%s\" and the address is \"%s\": choose others")
                            .formatted(baseId, ip));
        }
        if (RegistryCommit.bytes(baseId) > MAX_BYTES || RegistryCommit.bytes(ip) > MAX_BYTES) {
            throw new IllegalArgumentException(
                    ("An instance's id and address may have at most %d bytes of UTF-8 each, but the id \"%s\" has %d and the"
                                    + " address \"%s\" %d: choose shorter ones")
                            .formatted(MAX_BYTES, baseId, RegistryCommit.bytes(baseId), ip, RegistryCommit.bytes(ip)));
        }
    }

    /** Of an instance without labels, and without a limit of its capacity. */
    public InstanceIdentity(String baseId, String ip) {
        this(baseId, ip, InstanceLabels.NONE, OptionalInt.empty(), Duration.ZERO);
    }

    /** Whether its items wait for its successor once it has left in good order. */
    public boolean mayReturn() {
        return rebalanceDelay.toMillis() > 0;
    }

    /** Completes an id for the tools of 2.1.5, which expect the server's address in front of the first {@code @-@}. */
    public static String complete(String id, String ip) {
        return id.contains(BEHIND_IP) ? id : ip + BEHIND_IP + id;
    }

    /** The id after this many collisions with other processes. */
    String id(int collisions) {
        return collisions == 0 ? baseId : baseId + "-" + (collisions + 1);
    }
}
