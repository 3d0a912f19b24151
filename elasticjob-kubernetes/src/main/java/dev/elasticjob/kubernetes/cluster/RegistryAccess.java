package dev.elasticjob.kubernetes.cluster;

import java.util.Optional;

/**
 * How workers reach the registry.
 *
 * @param connectString servers as {@code host:port}, separated by commas
 * @param digest where workers find the credentials; empty if there are none
 */
public record RegistryAccess(String connectString, Optional<SecretKey> digest) {
    /** A key of a Secret in the workers' namespace. It is never read here. */
    public record SecretKey(String secret, String key) {}
}
