package dev.elasticjob.kubernetes;

import dev.elasticjob.kubernetes.registry.RegistryConnections;
import dev.elasticjob.registry.DelegatingRegistry;
import dev.elasticjob.registry.Registry;
import dev.elasticjob.registry.curator.ClientOptions;
import dev.elasticjob.registry.curator.CuratorRegistry;
import dev.elasticjob.registry.curator.RegistrySettings;
import dev.elasticjob.registry.curator.RegistryUnreachableException;
import dev.elasticjob.spring.autoconfigure.TlsRegistry;
import java.util.Map;
import java.util.Objects;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import java.util.function.Consumer;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;
import org.springframework.boot.diagnostics.FailureAnalyzedException;
import org.springframework.boot.ssl.SslBundle;
import org.springframework.boot.ssl.SslBundles;

/**
 * Connects to namespaces of the registry, encrypted and with credentials as the properties say. All connections use the same
 * SSL bundle. Thread-safe.
 */
final class RegistryClient {
    private static final Logger log = LoggerFactory.getLogger(RegistryClient.class);
    private static final String BUNDLE = "elasticjob.registry.ssl.bundle";

    private final ControllerProperties properties;
    private final SslBundles bundles;
    /** The connections that follow the bundle: handlers of bundles can't be removed. */
    private final Set<Following> open = ConcurrentHashMap.newKeySet();

    RegistryClient(ControllerProperties properties, SslBundles bundles) {
        this.properties = properties;
        this.bundles = bundles;
    }

    /**
     * Connects nowhere. Afterwards, connections follow a bundle that is reloaded.
     *
     * @param namespace any
     * @throws IllegalArgumentException if a setting can't be used
     * @throws FailureAnalyzedException if the SSL bundle can't be used
     */
    void check(String namespace) {
        ControllerProperties.Registry registry = properties.registry();
        registry.of(namespace);
        String name = registry.ssl().bundle();
        if (registry.ssl().isEncrypted() && name != null) {
            checkBundle(name);
            bundles.addBundleUpdateHandler(name, reloaded -> open.forEach(Following::follow));
        }
        if (registry.acl() == ClientOptions.Acl.CREATOR && registry.digest() == null && !hasCertificate()) {
            throw new FailureAnalyzedException(
                    "\"elasticjob.registry.acl\" is \"creator\", but this controller has no identity: neither a digest nor a client certificate.",
                    "Set \"elasticjob.registry.digest\", or \"%s\" to a bundle with a key store, or set \"elasticjob.registry.acl\" to \"open\"."
                            .formatted(BUNDLE));
        }
    }

    private void checkBundle(String name) {
        if (!bundles.getBundleNames().contains(name)) {
            throw new FailureAnalyzedException(
                    "\"%s\" names the SSL bundle \"%s\", but the bundles below \"spring.ssl.bundle\" are: %s."
                            .formatted(
                                    BUNDLE,
                                    name,
                                    bundles.getBundleNames().isEmpty()
                                            ? "none"
                                            : String.join(", ", bundles.getBundleNames())),
                    "Correct the name, or define the bundle with properties below \"spring.ssl.bundle.pem.%s\"."
                            .formatted(name));
        }
        try {
            bundle().getStores().getTrustStore();
            bundle().getStores().getKeyStore();
        } catch (IllegalStateException e) {
            throw new FailureAnalyzedException(
                    "The SSL bundle \"%s\" can't be used: %s.".formatted(name, innermost(e)),
                    "Check that the Secret with its files is mounted, and the properties below \"spring.ssl.bundle\".",
                    e);
        }
    }

    private static @Nullable String innermost(Throwable failure) {
        Throwable cause = failure;
        while (cause.getCause() != null) {
            cause = cause.getCause();
        }
        return cause.getMessage();
    }

    /** Waits for the connection, up to the connection timeout, and fails with what is wrong. */
    Registry connect(String namespace) {
        RegistrySettings settings = properties.registry().of(namespace);
        try {
            return properties.registry().ssl().isEncrypted() ? encrypted(settings) : connect(settings, Map.of());
        } catch (RegistryUnreachableException e) {
            throw e.tlsProblem()
                    .map(problem -> e.becauseOf(problem, certificates()))
                    .orElse(e);
        }
    }

    private Registry encrypted(RegistrySettings settings) {
        var following = new Following();
        following.registry = TlsRegistry.connect(bundle(), following::begin, encryption -> {
            try {
                return connect(settings, encryption);
            } catch (RuntimeException e) {
                following.end();
                throw e;
            }
        });
        return following;
    }

    /** Who creates a namespace with credentials decides who may use it, so that is left to the applications. */
    private Registry connect(RegistrySettings settings, Map<String, String> encryption) {
        ClientOptions.Acl acl = properties.registry().acl();
        var options = new ClientOptions(acl, encryption, ClientOptions.none().customizer());
        boolean hasCredentials = settings.digest().isPresent()
                || properties.kubernetes().digestSecret().name() != null
                || acl == ClientOptions.Acl.CREATOR
                || hasCertificate();
        return hasCredentials
                ? CuratorRegistry.connectToLook(settings, options)
                : RegistryConnections.connect(settings, options);
    }

    private boolean hasCertificate() {
        return properties.registry().ssl().isEncrypted() && bundle().getStores().getKeyStore() != null;
    }

    private SslBundle bundle() {
        String name = properties.registry().ssl().bundle();
        return name == null ? SslBundle.systemDefault() : bundles.getBundle(name);
    }

    private String certificates() {
        String name = properties.registry().ssl().bundle();
        return name == null ? "the JVM's certificates" : "the SSL bundle \"%s\"".formatted(name);
    }

    /** Its next connection uses the certificates of a bundle that was reloaded, as long as it is open. */
    private final class Following extends DelegatingRegistry {
        private @Nullable Registry registry;
        private volatile @Nullable Consumer<SslBundle> replacing;

        /** The bundle may have been reloaded since it was read. */
        void begin(Consumer<SslBundle> replace) {
            replacing = replace;
            open.add(this);
            follow();
        }

        /** One at a time, with the bundle as it is then, so that the newest one is the last. */
        synchronized void follow() {
            Consumer<SslBundle> replace = replacing;
            if (replace == null) {
                return;
            }
            try {
                replace.accept(bundle());
            } catch (RuntimeException e) {
                // Its files are deleted when it ends.
                if (replacing != null) {
                    log.warn(
                            "The SSL bundle of the registry was reloaded, but a connection keeps its former certificates. Correct the bundle's files",
                            e);
                }
            }
        }

        void end() {
            replacing = null;
            open.remove(this);
        }

        @Override
        protected Registry delegate() {
            return Objects.requireNonNull(registry, "connected");
        }

        @Override
        public void close() {
            end();
            super.close();
        }
    }
}
