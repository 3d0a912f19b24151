package dev.elasticjob.registry.curator;

import java.time.Duration;

/** The first connection was not made in time: the application can't start with this registry. */
public final class RegistryUnreachableException extends RuntimeException {
    private static final long serialVersionUID = 1L;

    private final String connectString;
    private final Duration timeout;

    RegistryUnreachableException(String message, RegistrySettings settings, Throwable cause) {
        super(message, cause);
        this.connectString = settings.connectString();
        this.timeout = settings.connectionTimeout();
    }

    public String connectString() {
        return connectString;
    }

    /** How long the connection was waited for. */
    public Duration timeout() {
        return timeout;
    }
}
