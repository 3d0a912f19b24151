package dev.elasticjob.registry.curator;

import java.time.Duration;

/** There was no first connection in time, so the application can't start with this registry. */
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

    /** The time for which the application has waited for the connection. */
    public Duration timeout() {
        return timeout;
    }
}
