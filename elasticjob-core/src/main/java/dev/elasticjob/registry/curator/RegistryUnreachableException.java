package dev.elasticjob.registry.curator;

import dev.elasticjob.time.DurationText;
import java.time.Duration;
import java.util.Optional;

/** There was no first connection in time, so the application can't start with this registry. */
public final class RegistryUnreachableException extends RuntimeException {
    private static final long serialVersionUID = 1L;

    private final String connectString;
    private final Duration timeout;
    private final transient Optional<TlsProblem> tlsProblem;
    private final String certificates;

    RegistryUnreachableException(String message, RegistrySettings settings, Throwable cause) {
        super(message, cause);
        this.connectString = settings.connectString();
        this.timeout = settings.connectionTimeout();
        this.tlsProblem = Optional.empty();
        this.certificates = "";
    }

    private RegistryUnreachableException(
            String message, RegistryUnreachableException of, TlsProblem problem, String certificates) {
        super(message, of.getCause());
        this.connectString = of.connectString;
        this.timeout = of.timeout;
        this.tlsProblem = Optional.of(problem);
        this.certificates = certificates;
    }

    /**
     * The same, because of this problem.
     *
     * @param certificates the client's, for people, as in {@code the SSL bundle "shop"}
     */
    public RegistryUnreachableException becauseOf(TlsProblem problem, String certificates) {
        String message = "A ZooKeeper server was expected to answer at \"%s\" within %s, but none did. %s %s"
                .formatted(
                        connectString,
                        DurationText.of(timeout),
                        problem.found(certificates),
                        problem.advice(certificates));
        return new RegistryUnreachableException(message, this, problem, certificates);
    }

    /** What keeps the client and its servers apart, if that is their encryption. */
    public Optional<TlsProblem> tlsProblem() {
        return tlsProblem;
    }

    /** The client's certificates, for people; empty if they don't matter. */
    public String certificates() {
        return certificates;
    }

    public String connectString() {
        return connectString;
    }

    /** The time for which the application has waited for the connection. */
    public Duration timeout() {
        return timeout;
    }
}
