package dev.elasticjob.release;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Comparator;
import java.util.List;
import java.util.stream.Stream;

/** The JDK that runs this, and those that lie beside it. */
final class Jdks {
    private static final int FIRST_VERSION = 17;

    private Jdks() {}

    static Path own() {
        return Path.of(System.getProperty("java.home"));
    }

    /** One of each version since 17, the oldest first. */
    static List<Path> all() throws IOException {
        try (Stream<Path> beside = Files.list(own().toRealPath().getParent())) {
            return Stream.concat(Stream.of(own().toRealPath()), beside.sorted())
                    .filter(jdk -> version(jdk) >= FIRST_VERSION)
                    .collect(java.util.stream.Collectors.toMap(Jdks::version, jdk -> jdk, (one, other) -> one))
                    .values()
                    .stream()
                    .sorted(Comparator.comparingInt(Jdks::version))
                    .toList();
        }
    }

    /** Of a directory that is no JDK, 0. */
    static int version(Path jdk) {
        Path release = jdk.resolve("release");
        if (!Files.isRegularFile(release) || !Files.exists(jdk.resolve(Path.of("bin", "java")))) {
            return 0;
        }
        try (Stream<String> lines = Files.lines(release)) {
            return lines.filter(line -> line.startsWith("JAVA_VERSION="))
                    .map(line -> line.replaceAll("\\D*(\\d+).*", "$1"))
                    .mapToInt(Integer::parseInt)
                    .findFirst()
                    .orElse(0);
        } catch (IOException e) {
            return 0;
        }
    }
}
