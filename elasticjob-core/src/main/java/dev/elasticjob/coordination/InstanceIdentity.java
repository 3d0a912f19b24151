package dev.elasticjob.coordination;

/**
 * Under which id this process takes part in its jobs, and on which server.
 *
 * @param baseId {@code ip@-@pid}, or what the user has set
 * @param ip the address under which operators know the server
 */
public record InstanceIdentity(String baseId, String ip) {
    public InstanceIdentity {
        if (baseId.isBlank() || baseId.contains("/") || ip.isBlank() || ip.contains("/")) {
            throw new IllegalArgumentException(
                    ("An instance needs an id and an address that can be names of nodes, without \"/\"; found the id"
                                    + " \"%s\" and the address \"%s\"")
                            .formatted(baseId, ip));
        }
    }

    /** The id to use where that many living strangers have used the ones before. */
    String id(int collisions) {
        return collisions == 0 ? baseId : baseId + "-" + (collisions + 1);
    }
}
