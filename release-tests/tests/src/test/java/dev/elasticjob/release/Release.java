package dev.elasticjob.release;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.stream.Stream;

/** What was built: the repository that it was installed into, and the two trees that it was built in. */
final class Release {
    /** The repository's root: this project lies right below it. */
    static final Path ROOT = Path.of("..", "..").toAbsolutePath().normalize();

    static final String VERSION = System.getProperty("elasticjob.version");

    private Release() {}

    /** The modules that are published with a jar. */
    static List<String> jars() throws IOException {
        return published().stream()
                .filter(module -> !module.equals("elasticjob-bom"))
                .toList();
    }

    /** The modules that are published: those of the build that don't refuse to be installed. */
    static List<String> published() throws IOException {
        try (Stream<Path> folders = Files.list(ROOT)) {
            return folders.filter(folder -> folder.getFileName().toString().startsWith("elasticjob-"))
                    .filter(folder -> Files.exists(folder.resolve("pom.xml")))
                    .filter(folder -> !text(folder.resolve("pom.xml")).contains("maven.install.skip"))
                    .map(folder -> folder.getFileName().toString())
                    .sorted()
                    .toList();
        }
    }

    /** A file of a module as it was installed; the classifier is empty, or begins with a dash. */
    static Path installed(String module, String classifier, String extension) {
        return directory("release.repository")
                .resolve(Path.of("dev", "elasticjob", module, VERSION))
                .resolve(module + "-" + VERSION + classifier + "." + extension);
    }

    /** A directory that the script which starts the tests has named. */
    static Path directory(String property) {
        String value = System.getProperty(property);
        if (value == null) {
            throw new IllegalStateException(
                    "Expected the system property \"%s\" but it was not set; run .ci/release-tests".formatted(property));
        }
        return Path.of(value);
    }

    private static String text(Path file) {
        try {
            return Files.readString(file);
        } catch (IOException e) {
            throw new java.io.UncheckedIOException(e);
        }
    }
}
