package dev.elasticjob.spring.autoconfigure;

import java.io.IOException;
import java.io.OutputStream;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.security.GeneralSecurityException;
import java.security.Key;
import java.security.KeyStore;
import java.util.Collections;
import java.util.HashMap;
import java.util.Map;
import java.util.UUID;
import org.jspecify.annotations.Nullable;
import org.springframework.boot.ssl.SslBundle;
import org.springframework.boot.ssl.SslOptions;
import org.springframework.util.FileSystemUtils;
import org.springframework.util.StringUtils;

/**
 * An SSL bundle as ZooKeeper's client takes it: as files, which it reads for each connection. They are in a temporary
 * directory that only this user can read, under a password that is made up for them, and are deleted by {@link #close()}.
 */
final class TlsFiles implements AutoCloseable {
    private static final String TYPE = "PKCS12";

    private final Path directory;
    private final String password = UUID.randomUUID().toString();

    private TlsFiles(Path directory) {
        this.directory = directory;
    }

    static TlsFiles of(SslBundle bundle) {
        try {
            var files = new TlsFiles(Files.createTempDirectory("elasticjob-tls"));
            files.write(bundle);
            return files;
        } catch (IOException e) {
            throw new UncheckedIOException(
                    "The SSL bundle could not be written to the directory of \"java.io.tmpdir\": make it writable", e);
        }
    }

    /** Replaces the certificates: the next connection uses these. */
    void write(SslBundle bundle) {
        try {
            store(bundle.getStores().getTrustStore(), "trust", null, null);
            String keyPassword = bundle.getKey().getPassword();
            store(
                    bundle.getStores().getKeyStore(),
                    "key",
                    keyPassword == null ? bundle.getStores().getKeyStorePassword() : keyPassword,
                    bundle.getKey().getAlias());
        } catch (IOException | GeneralSecurityException e) {
            throw new IllegalStateException(
                    "The SSL bundle of the registry can't be used (%s): check its stores, passwords and alias"
                            .formatted(e.getMessage()),
                    e);
        }
    }

    /** For ZooKeeper's client. */
    Map<String, String> properties(SslBundle bundle) {
        Map<String, String> properties = new HashMap<>(encrypted());
        describe(properties, "trust", "trustStore");
        describe(properties, "key", "keyStore");
        SslOptions options = bundle.getOptions();
        if (options.getCiphers() != null) {
            properties.put("zookeeper.ssl.ciphersuites", String.join(",", options.getCiphers()));
        }
        if (options.getEnabledProtocols() != null) {
            properties.put("zookeeper.ssl.enabledProtocols", String.join(",", options.getEnabledProtocols()));
        }
        if (StringUtils.hasText(bundle.getProtocol()) && !bundle.getProtocol().equals(SslBundle.DEFAULT_PROTOCOL)) {
            properties.put("zookeeper.ssl.protocol", bundle.getProtocol());
        }
        return properties;
    }

    private static Map<String, String> encrypted() {
        return Map.of(
                "zookeeper.client.secure",
                "true",
                "zookeeper.clientCnxnSocket",
                "org.apache.zookeeper.ClientCnxnSocketNetty");
    }

    private void describe(Map<String, String> properties, String file, String kind) {
        Path store = directory.resolve(file);
        if (Files.exists(store)) {
            properties.put("zookeeper.ssl." + kind + ".location", store.toString());
            properties.put("zookeeper.ssl." + kind + ".password", password);
            properties.put("zookeeper.ssl." + kind + ".type", TYPE);
        }
    }

    private void store(@Nullable KeyStore from, String file, @Nullable String keyPassword, @Nullable String alias)
            throws IOException, GeneralSecurityException {
        if (from == null) {
            return;
        }
        KeyStore copy = KeyStore.getInstance(TYPE);
        copy.load(null, null);
        for (String name : Collections.list(from.aliases())) {
            if (!from.isKeyEntry(name)) {
                copy.setCertificateEntry(name, from.getCertificate(name));
            } else if (alias == null || alias.equalsIgnoreCase(name)) {
                Key key = from.getKey(name, keyPassword == null ? new char[0] : keyPassword.toCharArray());
                copy.setKeyEntry(name, key, password.toCharArray(), from.getCertificateChain(name));
            }
        }
        try (OutputStream target = Files.newOutputStream(directory.resolve(file))) {
            copy.store(target, password.toCharArray());
        }
    }

    @Override
    public void close() {
        try {
            FileSystemUtils.deleteRecursively(directory);
        } catch (IOException e) {
            throw new UncheckedIOException("The directory \"%s\" could not be deleted".formatted(directory), e);
        }
    }
}
