package dev.elasticjob.spring.autoconfigure;

import dev.elasticjob.registry.DelegatingRegistry;
import dev.elasticjob.registry.Registry;
import java.util.Map;
import java.util.function.Consumer;
import java.util.function.Function;
import org.springframework.boot.ssl.SslBundle;

/**
 * A registry with an encrypted connection. ZooKeeper's client reads the certificates from files, which are deleted when the
 * registry is closed, after the last connection that needs them.
 */
public final class TlsRegistry extends DelegatingRegistry {
    private final Registry registry;
    private final TlsFiles files;

    private TlsRegistry(Registry registry, TlsFiles files) {
        this.registry = registry;
        this.files = files;
    }

    /**
     * Waits for the connection as {@code connecting} does, and fails as that does.
     *
     * @param updates is called before, with what replaces the certificates of the following connections
     * @param connecting connects, with the properties of ZooKeeper's client for the encryption
     */
    public static Registry connect(
            SslBundle bundle,
            Consumer<Consumer<SslBundle>> updates,
            Function<Map<String, String>, ? extends Registry> connecting) {
        TlsFiles files = TlsFiles.of(bundle);
        try {
            updates.accept(files::write);
            return new TlsRegistry(connecting.apply(files.properties(bundle)), files);
        } catch (RuntimeException e) {
            files.close();
            throw e;
        }
    }

    @Override
    protected Registry delegate() {
        return registry;
    }

    @Override
    public void close() {
        super.close();
        files.close();
    }
}
