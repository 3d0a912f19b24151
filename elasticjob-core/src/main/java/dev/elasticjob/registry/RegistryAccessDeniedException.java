package dev.elasticjob.registry;

import java.util.HashSet;
import java.util.Set;

/**
 * The registry denies access to a node, because it was created with another digest. Unlike {@link
 * RegistryUnavailableException}, this doesn't pass by itself: the settings or the node's permissions have to be
 * changed.
 */
public final class RegistryAccessDeniedException extends RuntimeException {
    private static final long serialVersionUID = 1L;

    private final String path;
    private final HashSet<String> paths;

    /** @param path the node, from the root of the registry's servers */
    public RegistryAccessDeniedException(String path, String message, Throwable cause) {
        this(path, Set.of(path), message, cause);
    }

    /**
     * @param path the first node, from the root of the registry's servers
     * @param paths all nodes of the request that are known to be denied, the first one included
     */
    public RegistryAccessDeniedException(String path, Set<String> paths, String message, Throwable cause) {
        super(message, cause);
        this.path = path;
        this.paths = new HashSet<>(paths);
    }

    /** The node, from the root of the registry's servers. */
    public String path() {
        return path;
    }

    /** All nodes of the request that are known to be denied, from the root of the registry's servers. */
    public Set<String> paths() {
        return Set.copyOf(paths);
    }
}
