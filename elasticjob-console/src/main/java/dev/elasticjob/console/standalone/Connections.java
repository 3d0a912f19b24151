package dev.elasticjob.console.standalone;

import dev.elasticjob.console.standalone.CheckedSettings.CheckedRegistry;
import dev.elasticjob.registry.Registry;
import dev.elasticjob.registry.RegistryUnavailableException;
import dev.elasticjob.registry.curator.ChrootMissingException;
import dev.elasticjob.registry.curator.ClientOptions;
import dev.elasticjob.registry.curator.CuratorRegistry;
import dev.elasticjob.registry.curator.RegistrySettings;
import dev.elasticjob.registry.curator.RegistryUnreachableException;
import dev.elasticjob.spring.autoconfigure.TlsRegistry;
import dev.elasticjob.time.DurationText;
import dev.elasticjob.time.SystemTaskTimer;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import org.jspecify.annotations.Nullable;
import org.springframework.boot.ssl.SslBundle;
import org.springframework.boot.ssl.SslBundles;

/** The connections to all registries. Each is made when somebody looks at it. */
final class Connections implements AutoCloseable {
    private static final Duration IDLE = Duration.ofMinutes(5);

    private final SslBundles bundles;
    private final SystemTaskTimer timer = new SystemTaskTimer("elasticjob-console-connections");
    private final List<RegistryOnDemand> registries = new ArrayList<>();

    Connections(SslBundles bundles) {
        this.bundles = bundles;
    }

    /** For what waits for the registries. */
    SystemTaskTimer timer() {
        return timer;
    }

    RegistryOnDemand add(CheckedRegistry checked) {
        var registry = new RegistryOnDemand(checked.name(), () -> connect(checked), timer, IDLE);
        registries.add(registry);
        String bundle = checked.properties().bundle();
        if (checked.properties().isEncrypted() && bundle != null) {
            bundles.addBundleUpdateHandler(bundle, replaced -> registry.letGo());
        }
        return registry;
    }

    private Registry connect(CheckedRegistry checked) {
        String name = checked.name();
        RegistrySettings settings = checked.settings();
        ClientOptions.Acl acl = checked.properties().acl();
        try {
            return checked.properties().isEncrypted()
                    ? TlsRegistry.connect(
                            bundle(checked.properties().bundle()),
                            // A replaced bundle ends the connection, and the next one has its own files.
                            replace -> {},
                            encryption -> look(settings, acl, encryption))
                    : look(settings, acl, Map.of());
        } catch (RegistryUnreachableException e) {
            throw new RegistryUnavailableException(
                    "No ZooKeeper server of the registry \"%s\" has answered at \"%s\" within %s. The next request tries again"
                            .formatted(name, settings.connectString(), DurationText.of(settings.connectionTimeout())),
                    false,
                    e);
        } catch (ChrootMissingException e) {
            throw new RegistryUnavailableException(
                    "The chroot \"%s\" in \"elasticjob.console.registries.%s.connect-string\" was expected to exist, but doesn't"
                            .formatted(e.chroot(), name),
                    false,
                    e);
        }
    }

    private SslBundle bundle(@Nullable String name) {
        return name == null ? SslBundle.systemDefault() : bundles.getBundle(name);
    }

    private static Registry look(RegistrySettings settings, ClientOptions.Acl acl, Map<String, String> encryption) {
        return CuratorRegistry.connectToLook(settings, new ClientOptions(acl, encryption, builder -> {}));
    }

    @Override
    public void close() {
        registries.forEach(RegistryOnDemand::close);
        timer.close();
    }
}
