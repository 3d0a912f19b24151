package dev.elasticjob.testing;

import java.io.IOException;
import java.util.Map;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.concurrent.atomic.AtomicLong;
import org.apache.zookeeper.client.FourLetterWordMain;
import org.apache.zookeeper.common.X509Exception.SSLContextException;
import org.testcontainers.DockerClientFactory;
import org.testcontainers.containers.GenericContainer;
import org.testcontainers.containers.wait.strategy.Wait;
import org.testcontainers.images.ImagePullPolicy;
import org.testcontainers.images.PullPolicy;
import org.testcontainers.utility.DockerImageName;

/**
 * A ZooKeeper server in a container, which ends with this JVM. All tests share it, each in a tree of its own: a new
 * container takes seconds, a chroot milliseconds. Safe for use by any thread.
 */
final class ZooKeeperContainer {
    static final String IMAGE = "zookeeper:3.9";

    private static final int PORT = 2181;
    private static final int LIMIT_MILLIS = 30_000;
    private static final String RECEIVED = "Received: ";

    /** For the official image; the one of {@code .ci/docker-engine} is made with the same settings. */
    private static final Map<String, String> SETTINGS = Map.of(
            "ZOO_TICK_TIME", String.valueOf(TestZooKeeper.TICK.toMillis()),
            "ZOO_MAX_CLIENT_CNXNS", "0",
            "ZOO_4LW_COMMANDS_WHITELIST", "*",
            "ZOO_CFG_EXTRA", "maxSessionTimeout=120000");

    private final GenericContainer<?> container;
    private final AtomicInteger trees = new AtomicInteger();
    private final AtomicLong questions = new AtomicLong();

    private ZooKeeperContainer(GenericContainer<?> container) {
        this.container = container;
    }

    /** @throws IllegalStateException if there is no engine, or the container doesn't start; it says which, and why */
    static ZooKeeperContainer run() {
        if (!anEngineAnswers()) {
            throw new IllegalStateException("No Docker engine answers");
        }
        try {
            // Runs until Testcontainers removes it when this JVM ends.
            var container = new GenericContainer<>(DockerImageName.parse(IMAGE))
                    .withImagePullPolicy(pullPolicy())
                    .withEnv(SETTINGS)
                    .withExposedPorts(PORT)
                    // Its last word: a client that comes between "binding to port" and this may never be answered.
                    .waitingFor(Wait.forLogMessage(".*ZooKeeper audit is.*", 1));
            container.start();
            return new ZooKeeperContainer(container);
        } catch (RuntimeException e) {
            throw new IllegalStateException(
                    "A Docker engine answers, but %s does not run there: %s".formatted(IMAGE, causes(e)), e);
        }
    }

    private static boolean anEngineAnswers() {
        try {
            return DockerClientFactory.instance().isDockerAvailable();
        } catch (RuntimeException e) {
            // The engine is there, but not the helper image that Testcontainers asks for.
            return false;
        }
    }

    /** In CI the image is there or not: where nothing can be pulled, a try takes minutes. */
    private static ImagePullPolicy pullPolicy() {
        return System.getenv("CI") == null ? PullPolicy.defaultPolicy() : image -> false;
    }

    private static String causes(Throwable failure) {
        var text = new StringBuilder(String.valueOf(failure.getMessage()));
        for (Throwable cause = failure.getCause(); cause != null; cause = cause.getCause()) {
            text.append("; ").append(cause.getMessage());
        }
        return text.toString();
    }

    TestZooKeeper emptyTree() {
        var chroot = "/tests-" + trees.incrementAndGet();
        try (var client = PlainClient.of(server())) {
            client.create(chroot);
        }
        return new Tree(chroot);
    }

    private String server() {
        return container.getHost() + ":" + container.getMappedPort(PORT);
    }

    /** What one test sees of the server. */
    private final class Tree implements TestZooKeeper {
        private final String chroot;

        private Tree(String chroot) {
            this.chroot = chroot;
        }

        @Override
        public String connectString() {
            return server() + chroot;
        }

        @Override
        public String chroot() {
            return chroot;
        }

        @Override
        public long packetsReceived() {
            // The question is counted before it is answered.
            return received() - questions.incrementAndGet();
        }

        @Override
        public void expire(long sessionId) {
            PlainClient.of(server(), sessionId).close();
        }

        @Override
        public void close() {
            // It ends with the container.
        }
    }

    private long received() {
        try {
            String answer = FourLetterWordMain.send4LetterWord(
                    container.getHost(), container.getMappedPort(PORT), "srvr", false, LIMIT_MILLIS);
            return answer.lines()
                    .filter(line -> line.startsWith(RECEIVED))
                    .mapToLong(line -> Long.parseLong(line.substring(RECEIVED.length())))
                    .findFirst()
                    .orElseThrow(() ->
                            new IllegalStateException("A line \"%s…\" was expected in the answer to srvr, which is: %s"
                                    .formatted(RECEIVED, answer)));
        } catch (IOException | SSLContextException e) {
            throw new IllegalStateException("The server was expected to tell its count of packets but didn't", e);
        }
    }
}
