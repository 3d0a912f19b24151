package dev.elasticjob.testing;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Optional;
import java.util.function.Supplier;
import org.jspecify.annotations.Nullable;

/**
 * Where the tests of this JVM get their ZooKeeper from: chosen once, printed, and written down for {@code .ci/run}. The
 * system property {@code elasticjob.test.zookeeper}, or else the environment variable {@code ELASTICJOB_TEST_ZOOKEEPER},
 * forces either with {@code container} or {@code jars}.
 */
final class ZooKeeperChoice {
    private static final String PROPERTY = "elasticjob.test.zookeeper";
    private static final String VARIABLE = "ELASTICJOB_TEST_ZOOKEEPER";
    private static final Path WRITTEN = Path.of("target", "zookeeper-kind.txt");

    private static @Nullable ZooKeeperChoice made;

    private final String kind;
    private final Supplier<TestZooKeeper> source;

    private ZooKeeperChoice(String kind, Supplier<TestZooKeeper> source) {
        this.kind = kind;
        this.source = source;
    }

    static synchronized ZooKeeperChoice made() {
        ZooKeeperChoice choice = made;
        if (choice == null) {
            choice = choose(cancellation(), ZooKeeperContainer::run);
            choice.tell();
            made = choice;
        }
        return choice;
    }

    /**
     * @param cancellation {@code container}, {@code jars}, or empty for what can be had
     * @param container runs one, or throws an {@link IllegalStateException} that says what is missing
     */
    static ZooKeeperChoice choose(String cancellation, Supplier<ZooKeeperContainer> container) {
        return switch (cancellation) {
            case "container" -> inContainer(container.get());
            case "jars" -> fromJars();
            case "" -> {
                try {
                    yield inContainer(container.get());
                } catch (IllegalStateException e) {
                    System.out.println(e.getMessage());
                    yield fromJars();
                }
            }
            default ->
                throw new IllegalArgumentException("\"%s\" (or %s) was expected to be container or jars, but is \"%s\""
                        .formatted(PROPERTY, VARIABLE, cancellation));
        };
    }

    TestZooKeeper start() {
        return source.get();
    }

    String kind() {
        return kind;
    }

    private static ZooKeeperChoice inContainer(ZooKeeperContainer container) {
        return new ZooKeeperChoice("testcontainers " + ZooKeeperContainer.IMAGE, container::emptyTree);
    }

    private static ZooKeeperChoice fromJars() {
        return new ZooKeeperChoice("server from the jars", ZooKeeperTree::start);
    }

    private static String cancellation() {
        return Optional.ofNullable(System.getProperty(PROPERTY))
                .or(() -> Optional.ofNullable(System.getenv(VARIABLE)))
                .orElse("");
    }

    private void tell() {
        System.out.println("Integration tests ran on: " + kind);
        try {
            Files.createDirectories(WRITTEN.getParent());
            Files.writeString(WRITTEN, kind + "\n");
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }
}
