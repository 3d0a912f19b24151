package dev.elasticjob.spring.autoconfigure;

import dev.elasticjob.definition.text.NearestName;
import dev.elasticjob.spring.embedded.EmbeddedZooKeeper;
import java.util.List;
import java.util.function.Supplier;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;
import org.springframework.boot.diagnostics.FailureAnalyzedException;
import org.springframework.boot.ssl.NoSuchSslBundleException;
import org.springframework.boot.ssl.SslBundle;
import org.springframework.boot.ssl.SslBundles;
import org.springframework.util.StringUtils;

/**
 * The registry's address according to the properties: the connect string if there is one, otherwise the embedded
 * server.
 */
final class PropertiesZooKeeperConnectionDetails implements ZooKeeperConnectionDetails {
    private static final Logger log = LoggerFactory.getLogger(PropertiesZooKeeperConnectionDetails.class);

    private final ElasticJobProperties.Registry properties;
    private final Supplier<EmbeddedZooKeeper> embedded;
    private final Supplier<@Nullable SslBundles> bundles;

    /**
     * @param embedded starts the embedded server; called only if it is needed
     * @param bundles returns null if there are none
     */
    PropertiesZooKeeperConnectionDetails(
            ElasticJobProperties.Registry properties,
            Supplier<EmbeddedZooKeeper> embedded,
            Supplier<@Nullable SslBundles> bundles) {
        this.properties = properties;
        this.embedded = embedded;
        this.bundles = bundles;
    }

    /** Whether the properties contain an address. */
    boolean isConfigured() {
        return StringUtils.hasText(properties.connectString())
                || properties.embedded().enabled();
    }

    /** Starts the embedded server if it is used. */
    @Override
    public String getConnectString() {
        String connectString = properties.connectString();
        if (connectString != null && !connectString.isBlank()) {
            if (properties.embedded().enabled()) {
                log.info("Joining the registry at \"{}\"; the embedded ZooKeeper is not started", connectString);
            }
            return connectString;
        }
        checkAddress();
        return embedded.get().connectString();
    }

    /** @throws FailureAnalyzedException if the properties name no server */
    void checkAddress() {
        if (isConfigured()) {
            return;
        }
        throw new FailureAnalyzedException(
                "This application has jobs and needs ZooKeeper, but the property \"elasticjob.registry.connect-string\" is not"
                        + " set.",
                "Set \"elasticjob.registry.connect-string\" to your servers, for example \"zk1:2181,zk2:2181\", or declare a"
                        + " CuratorFramework bean. To try things"
                        + " without a server, set \"elasticjob.registry.embedded.enabled\" to true. To run without jobs,"
                        + " set \"elasticjob.enabled\" to false.");
    }

    @Override
    public @Nullable SslBundle getSslBundle() {
        ElasticJobProperties.Ssl ssl = properties.ssl();
        if (!ssl.isEnabled()) {
            return null;
        }
        if (ssl.bundle() == null) {
            return SslBundle.systemDefault();
        }
        SslBundles known = bundles.get();
        try {
            if (known != null) {
                return known.getBundle(ssl.bundle());
            }
        } catch (NoSuchSslBundleException e) {
            throw unknown(ssl.bundle(), known.getBundleNames());
        }
        throw unknown(ssl.bundle(), List.of());
    }

    private static FailureAnalyzedException unknown(String bundle, List<String> known) {
        return new FailureAnalyzedException(
                "\"elasticjob.registry.ssl.bundle\" names the SSL bundle \"%s\", but there is none of that name.%s The bundles are: %s."
                        .formatted(
                                bundle,
                                NearestName.question(bundle, known),
                                known.isEmpty() ? "none" : String.join(", ", known)),
                "Correct the name, or define the bundle with properties below \"spring.ssl.bundle.pem.%s\" or"
                                .formatted(bundle)
                        + " \"spring.ssl.bundle.jks.%s\".".formatted(bundle));
    }
}
