package dev.elasticjob.spring.missing;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.File;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.net.MalformedURLException;
import java.net.URL;
import java.net.URLClassLoader;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Set;
import java.util.function.Function;
import java.util.regex.Pattern;
import java.util.stream.Stream;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

/**
 * For each optional dependency: an application without its jars starts and runs its job, has nothing of ours that needs
 * them, and has the rest. The application has a class loader without these jars, so that a class of ours that needs one
 * fails as it would in production; a class loader that only refuses names would leave the linking of our classes alone.
 */
@Tag("proof")
class MissingJarsTest {
    /** Everything on. */
    private static final List<String> SETTINGS = List.of(
            "--spring.main.web-application-type=none",
            "--spring.main.banner-mode=off",
            "--management.endpoints.web.exposure.include=elasticjob",
            "--spring.mail.host=localhost");

    private static final Pattern OPTIONAL =
            Pattern.compile("<artifactId>([^<]+)</artifactId>\\s*<optional>true</optional>");
    private static final String TRACE = "--elasticjob.tracing.enabled=true";
    private static final String MAIL = "--elasticjob.alerts.mail.to=ops@shop.example";

    /** What is missing, and which of our beans are missing then. */
    private enum Missing {
        NOTHING("none", Set.of(), TRACE, MAIL),
        ACTUATOR(
                "spring-boot-actuator.*",
                Set.of("elasticJobEndpoint", "elasticJobInfoContributor", "elasticJobSecretSettings"),
                TRACE,
                MAIL),
        HEALTH("spring-boot-health", Set.of("elasticjobHealthIndicator", "elasticJobReportedProblems"), TRACE, MAIL),
        METRICS(
                "micrometer-core|micrometer-jakarta9|micrometer-registry-.*|spring-boot-micrometer-metrics",
                Set.of("elasticJobMeters"),
                TRACE,
                MAIL),
        OBSERVATION(
                "micrometer-.*|spring-boot-micrometer-.*|context-propagation",
                Set.of("elasticJobMeters", "elasticJobObservedExecutions"),
                TRACE,
                MAIL),
        CONTEXT_PROPAGATION("context-propagation", Set.of(), TRACE, MAIL),
        JDBC(
                "spring-jdbc|spring-tx|spring-boot-jdbc|spring-boot-sql|HikariCP",
                Set.of(
                        "elasticJobTraceDataSource",
                        "elasticJobTraceSchema",
                        "elasticJobEventTrace",
                        "elasticJobHistory",
                        "elasticJobSqlKind"),
                MAIL),
        MAIL_SENDER("spring-context-support|spring-boot-mail|jakarta\\.mail.*|angus-.*", Set.of("EMAIL"), TRACE),
        CONTAINERS("spring-boot-testcontainers|testcontainers|spring-boot-docker-compose", Set.of(), TRACE, MAIL);

        private final Pattern jars;
        private final Set<String> beans;
        private final List<String> settings;

        Missing(String jars, Set<String> beans, String... settings) {
            this.jars = Pattern.compile("(?:" + jars + ")");
            this.beans = beans;
            this.settings = List.of(settings);
        }

        boolean has(String artifact) {
            return jars.matcher(artifact).matches();
        }
    }

    /** Ours in an application that has everything. */
    private static final Set<String> OPTIONAL_BEANS = Set.of(
            "elasticJobEndpoint",
            "elasticJobInfoContributor",
            "elasticJobSecretSettings",
            "elasticjobHealthIndicator",
            "elasticJobReportedProblems",
            "elasticJobMeters",
            "elasticJobObservedExecutions",
            "elasticJobTraceDataSource",
            "elasticJobTraceSchema",
            "elasticJobEventTrace",
            "elasticJobHistory",
            "elasticJobSqlKind",
            "EMAIL");

    @ParameterizedTest
    @EnumSource(Missing.class)
    void anApplicationRunsItsJobWithout(Missing missing) throws Exception {
        List<String> arguments = new ArrayList<>(SETTINGS);
        arguments.addAll(missing.settings);

        Set<String> seen = run(missing, arguments.toArray(String[]::new));

        assertThat(seen).contains("job completed true");
        assertThat(OPTIONAL_BEANS)
                .filteredOn(bean -> !seen.contains(bean))
                .containsExactlyInAnyOrderElementsOf(missing.beans);
    }

    @Test
    void noOptionalDependencyIsForgotten() throws IOException {
        String pom = Files.readString(Path.of("pom.xml"));
        List<String> optional = OPTIONAL.matcher(pom)
                .results()
                .map(found -> found.group(1))
                // Jackson has it, and the core has Jackson.
                .filter(artifact -> !artifact.equals("jackson-annotations"))
                .toList();

        assertThat(optional)
                .hasSizeGreaterThan(10)
                .allMatch(artifact -> Arrays.stream(Missing.values()).anyMatch(missing -> missing.has(artifact)));
    }

    private static Set<String> run(Missing missing, String... arguments) throws Exception {
        URL[] jars = Stream.of(System.getProperty("java.class.path").split(File.pathSeparator))
                .filter(jar -> !missing.has(artifact(jar)))
                .map(jar -> url(Path.of(jar)))
                .toArray(URL[]::new);
        Thread thread = Thread.currentThread();
        ClassLoader before = thread.getContextClassLoader();
        try (var loader = new URLClassLoader(jars, ClassLoader.getPlatformClassLoader())) {
            thread.setContextClassLoader(loader);
            @SuppressWarnings("unchecked")
            var application = (Function<String[], Set<String>>) loader.loadClass(SmallApplication.class.getName())
                    .getDeclaredConstructor()
                    .newInstance();
            return application.apply(arguments);
        } finally {
            thread.setContextClassLoader(before);
        }
    }

    /** The name of a jar, without its version. */
    private static String artifact(String jar) {
        return Path.of(jar).getFileName().toString().replaceFirst("-[0-9][^/]*\\.jar$", "");
    }

    private static URL url(Path jar) {
        try {
            return jar.toUri().toURL();
        } catch (MalformedURLException e) {
            throw new UncheckedIOException(e);
        }
    }
}
