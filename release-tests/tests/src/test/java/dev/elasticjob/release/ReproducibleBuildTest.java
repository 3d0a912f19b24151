package dev.elasticjob.release;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Arrays;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import java.util.jar.JarEntry;
import java.util.jar.JarFile;
import java.util.stream.Stream;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;

/** Two builds, in two directories and time zones, make the same jars. */
class ReproducibleBuildTest {
    static List<String> jars() throws IOException {
        return Release.jars();
    }

    @ParameterizedTest
    @MethodSource("jars")
    void bothBuildsMakeTheSameJars(String module) throws IOException {
        Path first = Release.directory("release.built.first").resolve(module).resolve("target");
        Path second = Release.directory("release.built.second").resolve(module).resolve("target");
        List<Path> jars;
        try (Stream<Path> files = Files.list(first)) {
            jars = files.filter(file -> file.toString().endsWith(".jar")).toList();
        }

        assertThat(jars).as("jars of the first build in %s", first).isNotEmpty();
        for (Path jar : jars) {
            Path other = second.resolve(jar.getFileName());
            assertThat(differences(jar, other))
                    .as("entries of %s and %s that differ", jar, other)
                    .isEmpty();
            assertThat(Files.mismatch(jar, other))
                    .as("first byte of %s and %s that differs", jar, other)
                    .isEqualTo(-1);
        }
    }

    /** Names of entries that are in one jar only, or have other bytes in it. */
    private static List<String> differences(Path first, Path second) throws IOException {
        Map<String, byte[]> ones = entries(first);
        Map<String, byte[]> others = entries(second);
        return Stream.concat(ones.keySet().stream(), others.keySet().stream())
                .distinct()
                .filter(name -> !Arrays.equals(ones.get(name), others.get(name)))
                .toList();
    }

    private static Map<String, byte[]> entries(Path jar) throws IOException {
        Map<String, byte[]> entries = new TreeMap<>();
        try (JarFile file = new JarFile(jar.toFile())) {
            for (JarEntry entry : file.stream().toList()) {
                entries.put(entry.getName(), file.getInputStream(entry).readAllBytes());
            }
        }
        return entries;
    }
}
