package dev.elasticjob.testing;

import java.io.IOException;
import java.io.InputStream;
import java.io.OutputStream;
import java.nio.file.Files;
import java.nio.file.Path;
import java.security.GeneralSecurityException;
import java.security.KeyStore;
import java.util.List;
import java.util.Map;
import java.util.Properties;
import java.util.concurrent.TimeUnit;
import org.apache.zookeeper.server.embedded.ExitHandler;
import org.apache.zookeeper.server.embedded.ZooKeeperServerEmbedded;

/**
 * A real ZooKeeper server in a JVM of its own, on loopback, that accepts only clients with a certificate it trusts: that
 * of "shop" or that of "stranger". It trusts no other one, and only "server" is trusted by these.
 */
public final class TlsZooKeeper implements AutoCloseable {
    private static final String PASSWORD = "changeit";
    private static final String READY = "ready at ";

    private final Path directory;
    private final ChildJvm server;
    private final String connectString;

    public TlsZooKeeper() throws IOException, GeneralSecurityException {
        directory = Files.createTempDirectory("tls");
        for (String name : List.of("server", "shop", "stranger", "unknown")) {
            generate(name);
        }
        trust("server", "shop", "stranger");
        trust("shop", "server");
        trust("stranger", "server");
        trust("unknown", "server");
        server = ChildJvm.start(
                "tls zookeeper",
                line -> {},
                List.of(
                        "-Xmx256m",
                        "-Dzookeeper.authProvider.x509=org.apache.zookeeper.server.auth.X509AuthenticationProvider"),
                Main.class,
                List.of(directory.toString()));
        server.await("the server", line -> line.startsWith(READY));
        connectString = server.printed().all().stream()
                .filter(line -> line.startsWith(READY))
                .map(line -> "127.0.0.1:" + line.replaceFirst(".*:", ""))
                .findFirst()
                .orElseThrow();
    }

    public String connectString() {
        return connectString;
    }

    /** The properties of an SSL bundle of Spring Boot that has this name. */
    public List<String> bundle(String name) {
        String prefix = "--spring.ssl.bundle.jks." + name;
        return List.of(
                prefix + ".keystore.location=file:" + directory.resolve(name + ".p12"),
                prefix + ".keystore.password=" + PASSWORD,
                prefix + ".truststore.location=file:" + directory.resolve(name + "-trust.p12"),
                prefix + ".truststore.password=" + PASSWORD);
    }

    /** The properties of a ZooKeeper client with the certificate of this name. */
    public Map<String, String> client(String name) {
        return Map.of(
                "zookeeper.client.secure",
                "true",
                "zookeeper.clientCnxnSocket",
                "org.apache.zookeeper.ClientCnxnSocketNetty",
                "zookeeper.ssl.keyStore.location",
                directory.resolve(name + ".p12").toString(),
                "zookeeper.ssl.keyStore.password",
                PASSWORD,
                "zookeeper.ssl.trustStore.location",
                directory.resolve(name + "-trust.p12").toString(),
                "zookeeper.ssl.trustStore.password",
                PASSWORD);
    }

    @Override
    public void close() {
        server.kill();
        ZooKeeperTestServer.deleteRecursively(directory);
    }

    private void generate(String name) throws IOException {
        Process keytool = new ProcessBuilder(
                        Path.of(System.getProperty("java.home"), "bin", "keytool")
                                .toString(),
                        "-genkeypair",
                        "-alias",
                        name,
                        "-keyalg",
                        "EC",
                        "-dname",
                        "CN=" + name,
                        "-ext",
                        "san=ip:127.0.0.1,dns:localhost",
                        "-storetype",
                        "PKCS12",
                        "-keystore",
                        directory.resolve(name + ".p12").toString(),
                        "-storepass",
                        PASSWORD)
                .inheritIO()
                .start();
        int status = keytool.onExit().orTimeout(60, TimeUnit.SECONDS).join().exitValue();
        if (status != 0) {
            throw new IllegalStateException("keytool was expected to succeed but ended with " + status);
        }
    }

    private void trust(String name, String... others) throws IOException, GeneralSecurityException {
        KeyStore trusted = KeyStore.getInstance("PKCS12");
        trusted.load(null, null);
        for (String other : others) {
            KeyStore store = KeyStore.getInstance("PKCS12");
            try (InputStream input = Files.newInputStream(directory.resolve(other + ".p12"))) {
                store.load(input, PASSWORD.toCharArray());
            }
            trusted.setCertificateEntry(other, store.getCertificate(other));
        }
        try (OutputStream output = Files.newOutputStream(directory.resolve(name + "-trust.p12"))) {
            trusted.store(output, PASSWORD.toCharArray());
        }
    }

    /** Runs in the other JVM. */
    static final class Main {
        private Main() {}

        public static void main(String[] arguments) throws Exception {
            Path directory = Path.of(arguments[0]);
            var configuration = new Properties();
            configuration.putAll(Map.of(
                    "secureClientPort",
                    "0",
                    "secureClientPortAddress",
                    "127.0.0.1",
                    "tickTime",
                    "500",
                    "admin.enableServer",
                    "false",
                    "serverCnxnFactory",
                    "org.apache.zookeeper.server.NettyServerCnxnFactory",
                    "ssl.clientAuth",
                    "need"));
            store(configuration, "ssl.keyStore", directory.resolve("server.p12"));
            store(configuration, "ssl.trustStore", directory.resolve("server-trust.p12"));
            var server = ZooKeeperServerEmbedded.builder()
                    .baseDir(Files.createDirectories(directory.resolve("data")))
                    .configuration(configuration)
                    .exitHandler(ExitHandler.LOG_ONLY)
                    .build();
            server.start(TimeUnit.SECONDS.toMillis(60));
            System.out.println(READY + server.getSecureConnectionString());
            while (System.in.read() >= 0) {
                // Ends with the JVM that started this one.
            }
            Runtime.getRuntime().halt(0);
        }

        private static void store(Properties configuration, String kind, Path file) {
            configuration.put(kind + ".location", file.toString());
            configuration.put(kind + ".password", PASSWORD);
            configuration.put(kind + ".type", "PKCS12");
        }
    }
}
