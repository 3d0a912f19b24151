package dev.elasticjob.spring.autoconfigure;

import dev.elasticjob.registry.Registry;
import dev.elasticjob.registry.curator.ClientOptions;
import dev.elasticjob.registry.curator.CuratorRegistry;
import dev.elasticjob.registry.curator.RegistrySettings;
import dev.elasticjob.registry.curator.RegistryUnreachableException;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.function.Consumer;
import org.apache.curator.framework.CuratorFramework;
import org.apache.curator.framework.CuratorFrameworkFactory;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;
import org.springframework.beans.factory.NoUniqueBeanDefinitionException;
import org.springframework.beans.factory.config.ConfigurableListableBeanFactory;
import org.springframework.boot.diagnostics.FailureAnalyzedException;
import org.springframework.boot.ssl.SslBundle;
import org.springframework.boot.ssl.SslBundles;
import org.springframework.core.env.Environment;
import org.springframework.util.StringUtils;

/** Creates the registry from the properties, or on the application's own {@link CuratorFramework}. */
final class RegistryConnection {
    private static final Logger log = LoggerFactory.getLogger(RegistryConnection.class);
    private static final String NAMESPACE = "elasticjob";
    /** A placeholder: the application's own client knows its servers. */
    private static final String UNUSED = "localhost";

    private final ElasticJobProperties.Registry properties;
    private final ZooKeeperConnectionDetails details;
    private final ConfigurableListableBeanFactory beans;
    private final String registryBean;

    /** @param registryBean is closed before the application's own client */
    RegistryConnection(
            ElasticJobProperties.Registry properties,
            ZooKeeperConnectionDetails details,
            ConfigurableListableBeanFactory beans,
            String registryBean) {
        this.properties = properties;
        this.details = details;
        this.beans = beans;
        this.registryBean = registryBean;
    }

    /**
     * Fails for what another attempt to connect would not change.
     *
     * @throws FailureAnalyzedException if a setting is missing or wrong
     */
    void check() {
        List<FailureAnalyzedException> problems = problems();
        if (!problems.isEmpty()) {
            throw problems.get(0);
        }
        settings(usesOwnClient() ? UNUSED : details.getConnectString());
    }

    /** What can't be used, as far as that can be said without connecting and without starting a server. */
    List<FailureAnalyzedException> problems() {
        List<FailureAnalyzedException> problems = new ArrayList<>();
        boolean ownClient = usesOwnClient();
        String given = properties.connectString();
        String connectString = given == null || given.isBlank() || ownClient ? UNUSED : given;
        collect(problems, () -> settings(connectString));
        if (!ownClient) {
            if (details instanceof PropertiesZooKeeperConnectionDetails ours) {
                collect(problems, ours::checkAddress);
            }
            collect(problems, () -> checkIdentity(details.getSslBundle()));
        }
        return problems;
    }

    private static void collect(List<FailureAnalyzedException> problems, Runnable check) {
        try {
            check.run();
        } catch (FailureAnalyzedException e) {
            problems.add(e);
        }
    }

    private void checkIdentity(@Nullable SslBundle bundle) {
        if (properties.acl() != ClientOptions.Acl.CREATOR) {
            return;
        }
        boolean known = StringUtils.hasText(properties.digest())
                || (bundle != null && bundle.getStores().getKeyStore() != null)
                || beans.getBeanNamesForType(ElasticJobCuratorBuilderCustomizer.class, true, false).length > 0;
        if (!known) {
            throw new FailureAnalyzedException(
                    "\"elasticjob.registry.acl\" is \"creator\", but this application has no identity: neither a digest nor a"
                            + " client certificate.",
                    "Set \"elasticjob.registry.digest\", or \"elasticjob.registry.ssl.bundle\" to a bundle with a key store,"
                            + " or set \"elasticjob.registry.acl\" to \"open\".");
        }
    }

    /** Waits for the first connection, up to the connection timeout. */
    Registry connect() {
        return usesOwnClient() ? onOwnClient() : onNewClient();
    }

    private Registry onNewClient() {
        RegistrySettings settings = settings(details.getConnectString());
        SslBundle bundle = details.getSslBundle();
        checkIdentity(bundle);
        try {
            return bundle == null
                    ? CuratorRegistry.connect(settings, options(Map.of()))
                    : TlsRegistry.connect(
                            bundle,
                            this::onUpdate,
                            properties -> CuratorRegistry.connect(settings, options(properties)));
        } catch (RegistryUnreachableException e) {
            throw e.tlsProblem()
                    .map(problem -> e.becauseOf(problem, certificates(bundle)))
                    .orElse(e);
        }
    }

    private String certificates(@Nullable SslBundle bundle) {
        if (details instanceof PropertiesZooKeeperConnectionDetails
                && properties.ssl().bundle() != null) {
            return "the SSL bundle \"%s\"".formatted(properties.ssl().bundle());
        }
        return bundle == null ? "the client's own TLS settings" : "the SSL bundle of the connection";
    }

    /** The servers close no connection for a new certificate, so it counts from the next one on. */
    private void onUpdate(Consumer<SslBundle> replace) {
        String name = properties.ssl().bundle();
        if (name != null && details instanceof PropertiesZooKeeperConnectionDetails) {
            beans.getBean(SslBundles.class).addBundleUpdateHandler(name, replace);
        }
    }

    private boolean usesOwnClient() {
        return details instanceof PropertiesZooKeeperConnectionDetails ours
                && !ours.isConfigured()
                && beans.getBeanNamesForType(CuratorFramework.class, true, false).length > 0;
    }

    private Registry onOwnClient() {
        CuratorFramework client = ownClient();
        if (properties.digest() != null || properties.ssl().isEnabled()) {
            throw new FailureAnalyzedException(
                    "\"elasticjob.registry.digest\" and \"elasticjob.registry.ssl\" can't be added to the application's own"
                            + " CuratorFramework bean, which connects already.",
                    "Remove these properties and configure the CuratorFramework with the same values, or set"
                            + " \"elasticjob.registry.connect-string\", so that jobs get a client of their own.");
        }
        RegistrySettings settings = settings(UNUSED);
        for (String name : beans.getBeanNamesForType(CuratorFramework.class, true, false)) {
            beans.registerDependentBean(name, registryBean);
        }
        log.info(
                "The jobs use this application's CuratorFramework bean, which connects to \"{}\", because"
                        + " \"elasticjob.registry.connect-string\" is not set",
                client.getZookeeperClient().getCurrentConnectionString());
        try {
            return CuratorRegistry.on(client, settings, options(Map.of()));
        } catch (IllegalArgumentException e) {
            throw new FailureAnalyzedException(
                    String.valueOf(e.getMessage()),
                    "Correct the CuratorFramework bean, or set \"elasticjob.registry.connect-string\", so that jobs get a"
                            + " client of their own.",
                    e);
        }
    }

    private CuratorFramework ownClient() {
        try {
            return beans.getBean(CuratorFramework.class);
        } catch (NoUniqueBeanDefinitionException e) {
            throw new FailureAnalyzedException(
                    "This application has several CuratorFramework beans, and none is marked for its jobs: %s."
                            .formatted(e.getBeanNamesFound()),
                    "Mark one of them as @Primary, or set \"elasticjob.registry.connect-string\", so that jobs get a client of"
                            + " their own.",
                    e);
        }
    }

    private ClientOptions options(Map<String, String> clientProperties) {
        return new ClientOptions(properties.acl(), clientProperties, this::customize);
    }

    private void customize(CuratorFrameworkFactory.Builder builder) {
        List<ElasticJobCuratorBuilderCustomizer> customizers = beans.getBeanProvider(
                        ElasticJobCuratorBuilderCustomizer.class)
                .orderedStream()
                .toList();
        customizers.forEach(customizer -> customizer.customize(builder));
    }

    private RegistrySettings settings(String connectString) {
        ElasticJobProperties.Retry retry = properties.retry();
        try {
            return new RegistrySettings(
                    connectString,
                    namespace(properties, beans.getBean(Environment.class)),
                    properties.sessionTimeout(),
                    properties.connectionTimeout(),
                    new RegistrySettings.Retry(retry.baseSleep(), retry.maxSleep(), retry.maxRetries()),
                    Optional.ofNullable(properties.digest()).filter(StringUtils::hasText));
        } catch (IllegalArgumentException e) {
            throw new FailureAnalyzedException(
                    String.valueOf(e.getMessage()), "Correct the properties mentioned above.", e);
        }
    }

    static String namespace(ElasticJobProperties.Registry properties, Environment environment) {
        if (StringUtils.hasText(properties.namespace())) {
            return properties.namespace();
        }
        String application = environment.getProperty("spring.application.name");
        return StringUtils.hasText(application) ? application : NAMESPACE;
    }
}
