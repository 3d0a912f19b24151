package dev.elasticjob.registry;

/**
 * The registry denies access to a node, because it was created with another digest. Unlike {@link
 * RegistryUnavailableException}, this doesn't pass by itself: the settings or the node's permissions have to be
 * changed.
 */
public final class RegistryAccessDeniedException extends RuntimeException {
    private static final long serialVersionUID = 1L;

    private final String path;

    /** @param path the node, from the root of the registry's servers */
    public RegistryAccessDeniedException(String path, String message, Throwable cause) {
        super(message, cause);
        this.path = path;
    }

    /** The node, from the root of the registry's servers. */
    public String path() {
        return path;
    }
}
