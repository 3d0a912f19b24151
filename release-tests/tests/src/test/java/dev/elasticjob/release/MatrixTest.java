package dev.elasticjob.release;

import static org.assertj.core.api.Assertions.assertThat;

import dev.elasticjob.spring.embedded.EmbeddedZooKeeper;
import java.io.File;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.stream.Collectors;
import java.util.stream.Stream;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.parallel.Execution;
import org.junit.jupiter.api.parallel.ExecutionMode;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;
import org.springframework.util.FileSystemUtils;

/**
 * An application with each combination of technologies and JDKs runs its job, on a ZooKeeper server that they share. By
 * default, those combinations start that it takes to have each two of the choices together once; with {@code
 * -Dmatrix=all}, all of them, and with {@code -Dmatrix.only=webflux}, only those whose description contains the text.
 */
@Execution(ExecutionMode.CONCURRENT)
class MatrixTest {
    private static final Path MATRIX = Path.of("..", "matrix");
    private static final List<String> WEB = List.of("none", "mvc", "webflux");
    private static final List<String> TECHNOLOGIES = List.of("actuator", "micrometer", "security", "jdbc", "devtools");

    private static EmbeddedZooKeeper server;

    /** What is on the class path beside the starter, on a JDK. */
    record Combination(Path jdk, String web, List<String> technologies) {
        boolean has(String technology) {
            return technologies.contains(technology);
        }

        String namespace() {
            return "jdk" + Jdks.version(jdk) + "-" + web + "-" + String.join("-", technologies);
        }

        Set<String> choices() {
            return Stream.concat(
                            Stream.of("JDK " + Jdks.version(jdk), "web " + web),
                            TECHNOLOGIES.stream().map(technology -> (has(technology) ? "with " : "without ") + technology))
                    .collect(Collectors.toSet());
        }

        boolean isWeb() {
            return !web.equals("none");
        }

        @Override
        public String toString() {
            return "JDK " + Jdks.version(jdk) + ", web: " + web + ", with " + technologies;
        }
    }

    static List<Combination> combinations() throws IOException {
        String only = System.getProperty("matrix.only", "");
        return chosen().stream()
                .filter(combination -> combination.toString().contains(only))
                .toList();
    }

    private static List<Combination> chosen() throws IOException {
        List<Combination> all = new ArrayList<>();
        for (Path jdk : Jdks.all()) {
            for (String web : WEB) {
                for (int bits = 0; bits < 1 << TECHNOLOGIES.size(); bits++) {
                    all.add(new Combination(jdk, web, technologies(bits)));
                }
            }
        }
        return System.getProperty("matrix", "pairs").equals("all") ? all : Pairs.covering(all, Combination::choices);
    }

    @BeforeAll
    static void startServer() throws IOException {
        FileSystemUtils.deleteRecursively(Path.of("target", "matrix"));
        server = EmbeddedZooKeeper.start("127.0.0.1", 0, null, Duration.ofSeconds(2), Duration.ofSeconds(60));
    }

    @AfterAll
    static void stopServer() {
        server.close();
    }

    /** CI says on which JDKs the matrix was; one alone is no matrix. */
    @Test
    void thereAreTwoJdks() throws IOException {
        List<Integer> versions = Jdks.all().stream().map(Jdks::version).toList();
        Files.writeString(Path.of("target", "matrix-jdks.txt"), versions + "\n");

        assertThat(versions).contains(17).anyMatch(version -> version >= 25);
    }

    @Test
    void eachTwoChoicesOccurTogether() throws IOException {
        List<Set<String>> chosen = chosen().stream().map(Combination::choices).toList();

        for (String web : WEB) {
            for (int version : Jdks.all().stream().map(Jdks::version).toList()) {
                assertThat(chosen).anyMatch(choices -> choices.containsAll(List.of("web " + web, "JDK " + version)));
            }
            for (String one : TECHNOLOGIES) {
                assertThat(chosen)
                        .anyMatch(choices -> choices.containsAll(List.of("web " + web, "with " + one)))
                        .anyMatch(choices -> choices.containsAll(List.of("web " + web, "without " + one)));
                for (String other : TECHNOLOGIES) {
                    assertThat(chosen)
                            .anyMatch(choices -> choices.containsAll(List.of("with " + one, "with " + other)))
                            .anyMatch(choices -> choices.containsAll(List.of("without " + one, "without " + other)))
                            .anyMatch(choices -> one.equals(other)
                                    || choices.containsAll(List.of("with " + one, "without " + other)));
                }
            }
        }
    }

    @ParameterizedTest
    @MethodSource("combinations")
    void theApplicationRunsItsJob(Combination combination) throws IOException {
        try (Started application = Started.java(combination.jdk(), arguments(combination))) {
            List<String> lines = application.lines();

            assertThat(facts(lines)).as(() -> String.join("\n", lines)).isEqualTo(expected(combination));
        }
    }

    private static Map<String, String> expected(Combination combination) {
        boolean endpoint = combination.isWeb() && combination.has("actuator");
        String found = endpoint ? "200" : "404";
        Map<String, String> expected = new LinkedHashMap<>();
        expected.put("items", "ran");
        expected.put("devtools", combination.has("devtools") ? "restarts" : "absent");
        expected.put("meters", combination.has("micrometer") ? "counted" : "absent");
        expected.put("endpoint", combination.has("actuator") ? "there" : "absent");
        expected.put("anonymous", !combination.isWeb() ? "no web" : combination.has("security") ? "401" : found);
        expected.put("user", combination.isWeb() ? found : "no web");
        expected.put("trace", combination.has("jdbc") ? "written" : "absent");
        expected.put("exit", "0");
        return expected;
    }

    private static Map<String, String> facts(List<String> lines) {
        return lines.stream()
                .filter(line -> line.startsWith("fact: "))
                .map(line -> line.substring("fact: ".length()).split("=", 2))
                .collect(Collectors.toMap(fact -> fact[0], fact -> fact[1], (one, other) -> other, LinkedHashMap::new));
    }

    private static List<String> arguments(Combination combination) throws IOException {
        List<String> arguments = new ArrayList<>();
        arguments.addAll(List.of("-cp", classPath(combination), "com.example.matrix.MatrixApplication"));
        arguments.add("--server.port=0");
        arguments.add("--elasticjob.registry.connect-string=" + server.connectString());
        arguments.add("--elasticjob.registry.namespace=" + combination.namespace());
        arguments.add("--management.endpoints.web.exposure.include=elasticjob");
        if (combination.has("security")) {
            arguments.addAll(List.of("--spring.security.user.name=reader", "--spring.security.user.password=secret"));
        }
        if (combination.has("jdbc")) {
            arguments.add("--elasticjob.tracing.enabled=true");
            // In a file: DevTools empties a database in memory before anybody can look.
            Path database = Path.of("target", "matrix", combination.namespace()).toAbsolutePath();
            arguments.add("--spring.datasource.url=jdbc:h2:" + database);
            arguments.add("--spring.datasource.username=sa");
            arguments.add("--elasticjob.tracing.initialize-schema=always");
        }
        return arguments;
    }

    /** The application's classes and the jars of all parts, each once. Their versions agree: Spring Boot manages them. */
    private static String classPath(Combination combination) throws IOException {
        Set<String> entries = new LinkedHashSet<>();
        entries.add(MATRIX.resolve(Path.of("application", "target", "classes"))
                .toAbsolutePath()
                .normalize()
                .toString());
        List<String> parts = Stream.concat(Stream.of("none", combination.web()), combination.technologies().stream())
                .toList();
        for (String part : parts) {
            String path = Files.readString(MATRIX.resolve(Path.of(part, "target", "class.path")));
            entries.addAll(List.of(path.strip().split(File.pathSeparator)));
        }
        return String.join(File.pathSeparator, entries);
    }

    private static List<String> technologies(int bits) {
        return TECHNOLOGIES.stream()
                .filter(technology -> (bits >> TECHNOLOGIES.indexOf(technology) & 1) == 1)
                .toList();
    }
}
