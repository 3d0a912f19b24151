package dev.elasticjob.registry.curator;

import dev.elasticjob.registry.RegistryCommit;
import dev.elasticjob.time.DurationText;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import org.apache.zookeeper.client.ConnectStringParser;
import org.apache.zookeeper.common.PathUtils;

/**
 * The settings of the connection. All violations are reported at once, with the full names of the properties.
 *
 * @param connectString {@code host:port}, several separated by commas; a chroot at the end must exist
 * @param namespace the node below which everything is stored, without a leading or trailing slash
 * @param sessionTimeout the time for which a dead process keeps its items; the server adjusts it to its own limits
 * @param connectionTimeout the maximum time that startup waits for the first connection
 * @param retry the retries of Curator's latch; no other request is ever repeated
 * @param digest {@code user:password}: only clients with this digest can read and write the nodes that this one creates
 */
public record RegistrySettings(
        String connectString,
        String namespace,
        Duration sessionTimeout,
        Duration connectionTimeout,
        Retry retry,
        Optional<String> digest) {
    private static final int MAX_BYTES_OF_ROOT = 100;
    private static final Duration MAX_DURATION = Duration.ofMillis(Integer.MAX_VALUE);

    /** Retries with pauses that double from the base to the maximum. */
    public record Retry(Duration baseSleep, Duration maxSleep, int maxRetries) {
        static final Retry DEFAULT = new Retry(Duration.ofSeconds(1), Duration.ofSeconds(3), 3);
    }

    public RegistrySettings {
        List<String> violations = problems(connectString, namespace, sessionTimeout, connectionTimeout, retry, digest);
        if (!violations.isEmpty()) {
            throw new IllegalArgumentException("The registry's settings can't be used: " + String.join("; ", violations)
                    + ". Correct these properties.");
        }
    }

    /** What can't be used of these settings, each with the full name of its property; empty if there is nothing. */
    public static List<String> problems(
            String connectString,
            String namespace,
            Duration sessionTimeout,
            Duration connectionTimeout,
            Retry retry,
            Optional<String> digest) {
        List<String> violations = new ArrayList<>();
        checkConnectString(connectString, violations);
        checkNamespace(namespace, violations);
        checkRoot(connectString, namespace, violations);
        checkPositive("session-timeout", sessionTimeout, violations);
        checkPositive("connection-timeout", connectionTimeout, violations);
        checkRetry(retry, violations);
        if (digest.isPresent() && !digest.get().matches("(?s)[^:]+:.+")) {
            violations.add("\"elasticjob.registry.digest\" must be user:password, but has no colon between two parts");
        }
        return violations;
    }

    private static void checkRetry(Retry retry, List<String> violations) {
        checkPositive("retry.base-sleep", retry.baseSleep(), violations);
        checkPositive("retry.max-sleep", retry.maxSleep(), violations);
        if (retry.maxSleep().compareTo(retry.baseSleep()) < 0) {
            violations.add(
                    "\"elasticjob.registry.retry.max-sleep\" must not be below \"elasticjob.registry.retry.base-sleep\" (%s), but is %s"
                            .formatted(DurationText.of(retry.baseSleep()), DurationText.of(retry.maxSleep())));
        }
        if (retry.maxRetries() < 0 || retry.maxRetries() > 29) {
            violations.add("\"elasticjob.registry.retry.max-retries\" must be 0 to 29, but is %d"
                    .formatted(retry.maxRetries()));
        }
    }

    /** The defaults: a session of 20 s, 10 s for the first connection, no digest. */
    public static RegistrySettings of(String connectString, String namespace) {
        return new RegistrySettings(
                connectString,
                namespace,
                Duration.ofSeconds(20),
                Duration.ofSeconds(10),
                Retry.DEFAULT,
                Optional.empty());
    }

    /** The connect string without the chroot. */
    String servers() {
        int slash = connectString.indexOf('/');
        return slash < 0 ? connectString : connectString.substring(0, slash);
    }

    /** The chroot with its leading slash; empty if there is none. */
    String chroot() {
        String path = connectString.substring(servers().length());
        return path.equals("/") ? "" : path;
    }

    public RegistrySettings withConnectString(String other) {
        return new RegistrySettings(other, namespace, sessionTimeout, connectionTimeout, retry, digest);
    }

    public RegistrySettings withNamespace(String other) {
        return new RegistrySettings(connectString, other, sessionTimeout, connectionTimeout, retry, digest);
    }

    public RegistrySettings withSessionTimeout(Duration other) {
        return new RegistrySettings(connectString, namespace, other, connectionTimeout, retry, digest);
    }

    public RegistrySettings withConnectionTimeout(Duration other) {
        return new RegistrySettings(connectString, namespace, sessionTimeout, other, retry, digest);
    }

    public RegistrySettings withRetry(Duration baseSleep, Duration maxSleep, int maxRetries) {
        var other = new Retry(baseSleep, maxSleep, maxRetries);
        return new RegistrySettings(connectString, namespace, sessionTimeout, connectionTimeout, other, digest);
    }

    /** @param other {@code user:password} */
    public RegistrySettings withDigest(String other) {
        return new RegistrySettings(
                connectString, namespace, sessionTimeout, connectionTimeout, retry, Optional.of(other));
    }

    /** Doesn't contain the password. */
    @Override
    public String toString() {
        String user = digest.map(text -> text.substring(0, text.indexOf(':'))).orElse("none");
        return "RegistrySettings[connectString=%s, namespace=%s, sessionTimeout=%s, connectionTimeout=%s, retry=%s, digest=%s]"
                .formatted(connectString, namespace, sessionTimeout, connectionTimeout, retry, user);
    }

    private static void checkConnectString(String connectString, List<String> violations) {
        if (connectString.isBlank()) {
            violations.add(
                    "\"elasticjob.registry.connect-string\" must name at least one server as host:port, but is empty");
            return;
        }
        try {
            new ConnectStringParser(connectString);
        } catch (IllegalArgumentException e) {
            violations.add(
                    "\"elasticjob.registry.connect-string\" must be host:port[,host:port…][/chroot], but is \"%s\" (%s)"
                            .formatted(connectString, e.getMessage()));
        }
    }

    private static void checkNamespace(String namespace, List<String> violations) {
        String expected =
                "\"elasticjob.registry.namespace\" must be a node path without a leading or trailing slash, but is ";
        if (namespace.isBlank()) {
            violations.add(expected + "empty");
        } else if (namespace.equals("zookeeper") || namespace.startsWith("zookeeper/")) {
            violations.add(expected + "\"%s\", which ZooKeeper reserves".formatted(namespace));
        } else {
            try {
                PathUtils.validatePath("/" + namespace);
            } catch (IllegalArgumentException e) {
                violations.add(expected + "\"%s\" (%s)".formatted(namespace, e.getMessage()));
            }
        }
    }

    /** Each step of a transaction contains the root, and the size of a transaction is limited. */
    private static void checkRoot(String connectString, String namespace, List<String> violations) {
        int slash = connectString.indexOf('/');
        String chroot = slash < 0 ? "" : connectString.substring(slash);
        int bytes = RegistryCommit.bytes(chroot) + RegistryCommit.bytes(namespace);
        if (bytes > MAX_BYTES_OF_ROOT) {
            violations.add(
                    "\"elasticjob.registry.namespace\" and the chroot of \"elasticjob.registry.connect-string\" must have at most %d bytes together, but have %d"
                            .formatted(MAX_BYTES_OF_ROOT, bytes));
        }
    }

    private static void checkPositive(String name, Duration duration, List<String> violations) {
        if (duration.compareTo(Duration.ofMillis(1)) < 0 || duration.compareTo(MAX_DURATION) > 0) {
            violations.add("\"elasticjob.registry.%s\" must be 1 ms to %s, but is %s"
                    .formatted(name, DurationText.of(MAX_DURATION), DurationText.of(duration)));
        }
    }
}
