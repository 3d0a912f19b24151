package dev.elasticjob.release;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import java.util.stream.Collectors;
import org.junit.jupiter.api.Test;
import tools.jackson.databind.JsonNode;
import tools.jackson.databind.json.JsonMapper;

/**
 * {@code docs/reference/third-party.md} lists what an application gets with the starter, what is in the two runnable
 * jars besides, and under which licences.
 */
class ThirdPartyPageTest {
    private static final Path PAGE = Release.ROOT.resolve(Path.of("docs", "reference", "third-party.md"));
    private static final String STARTER = "elasticjob-spring-boot-starter";
    private static final String CONSOLE = "elasticjob-console";
    private static final String CONTROLLER = "elasticjob-kubernetes";
    /** Licences that let an application be distributed under any other one. */
    private static final List<String> PERMISSIVE = List.of(
            "Apache-2.0",
            "MIT",
            "BSD-2-Clause",
            "BSD-3-Clause",
            "CC0-1.0 or BSD-2-Clause",
            "Apache-2.0 or EPL-1.0",
            "Apache-2.0 or EPL-2.0",
            "EPL-2.0 or LGPL-2.1-only",
            "EPL-2.0 or GPL-2.0-with-classpath-exception");
    /** The one jar that isn't: it may be distributed with ours, unchanged and as a jar that can be replaced. */
    private static final String MARIADB = "org.mariadb.jdbc:mariadb-java-client:";

    @Test
    void thePageIsCurrent() throws IOException {
        String expected = page();
        if (System.getProperty("third-party.write") != null) {
            Files.writeString(PAGE, expected);
        }

        assertThat(Files.readString(PAGE))
                .as("to update the page, run: .ci/release-tests -Dtest=ThirdPartyPageTest -Dthird-party.write")
                .isEqualTo(expected);
    }

    @Test
    void everyLicenceIsPermissive() throws IOException {
        for (String module : List.of(STARTER, CONSOLE, CONTROLLER)) {
            assertThat(components(module)).isNotEmpty().allSatisfy((name, licence) -> {
                if (module.equals(CONSOLE) && name.startsWith(MARIADB)) {
                    assertThat(licence).as(name).isEqualTo("LGPL-2.1-or-later");
                } else {
                    assertThat(PERMISSIVE).as(name).contains(licence);
                }
            });
        }
    }

    /** The table below says what it is for, and how to bring it back. */
    @Test
    void whatNoClientUsesIsLeftOut() throws IOException {
        List<String> leftOut = List.of(
                "io.netty:netty-tcnative",
                "com.google.guava:",
                "commons-io:",
                "io.dropwizard.metrics:",
                "org.xerial.snappy:");

        assertThat(components(STARTER).keySet())
                .isNotEmpty()
                .allSatisfy(jar -> assertThat(leftOut).noneMatch(jar::startsWith));
    }

    private static String page() throws IOException {
        return """
                # What the starter brings

                These are the jars that an application gets with `elasticjob-spring-boot-starter`, with their licences. Versions that Spring Boot manages follow the application's Spring Boot. The page is generated from the jar's [SBOM](../security.md#what-is-shipped), and a test keeps it current. `elasticjob-spring-boot-starter` itself and all other modules are licensed under the [Apache License 2.0](../../LICENSE).

                | jar | licence |
                |---|---|
                """
                + lines(components(STARTER))
                + """

                ## What is left out

                ZooKeeper and Curator ask for more than a client uses. The starter leaves this out, with and without `elasticjob-bom`. An application that uses one of these itself declares it.

                | left out | needed for | to bring it back |
                |---|---|---|
                | `io.netty:netty-tcnative-boringssl-static`, OpenSSL for five platforms | TLS by OpenSSL, and OCSP stapling. Without it, TLS is the JDK's | a dependency on it; Spring Boot manages its version |
                | `com.google.guava:guava` and what it brings | nothing: Curator has a copy of its own | a dependency on it, with a version |
                | `commons-io:commons-io` | servers of an ensemble with an oracle | a dependency on it, with a version |
                | `io.dropwizard.metrics:metrics-core`, `org.xerial.snappy:snappy-java` | an embedded server | a dependency on each; `elasticjob-bom` manages their versions, and `elasticjob-spring-boot-starter-test` brings them for tests |

                Netty's other jars are for TLS. An application that connects without it may exclude `io.netty:netty-handler` and `io.netty:netty-transport-native-epoll` from the starter.

                ## What the console on its own has besides

                `elasticjob-console`, the runnable jar, also contains these. The page of the console, in `elasticjob-console-web`, contains lit-html, under the licence BSD-3-Clause. All of these licences are permissive but one: the driver of MariaDB is under the LGPL. It lies in `BOOT-INF/lib` unchanged, where another version can take its place.

                | jar | licence |
                |---|---|
                """
                + lines(besides(CONSOLE))
                + """

                ## What the controller for Kubernetes has besides

                `elasticjob-kubernetes`, the runnable jar, also contains these.

                | jar | licence |
                |---|---|
                """
                + lines(besides(CONTROLLER));
    }

    private static Map<String, String> besides(String module) throws IOException {
        Map<String, String> besides = new TreeMap<>(components(module));
        besides.keySet().removeAll(components(STARTER).keySet());
        return besides;
    }

    private static String lines(Map<String, String> components) {
        return components.entrySet().stream()
                .map(component -> "| `" + component.getKey() + "` | " + component.getValue() + " |\n")
                .collect(Collectors.joining());
    }

    /** Licences by group, artifact and version. Ours, and further classifiers of one artifact, are left out. */
    private static Map<String, String> components(String module) throws IOException {
        JsonNode bill = JsonMapper.shared().readTree(PublishedJarsTest.read(module, PublishedJarsTest.bill(module)));
        Map<String, String> components = new TreeMap<>();
        for (JsonNode component : bill.at("/components")) {
            if (!component.at("/group").asString().equals("dev.elasticjob")) {
                components.put(
                        "%s:%s:%s".formatted(
                                component.at("/group").asString(),
                                component.at("/name").asString(),
                                component.at("/version").asString()),
                        licence(component.at("/licenses")));
            }
        }
        return components;
    }

    private static String licence(JsonNode licences) {
        return licences.valueStream()
                .map(licence -> licence.has("expression")
                        ? licence.at("/expression").asString()
                        : licence.at("/license/id").asString(licence.at("/license/name").asString("unknown")))
                .collect(Collectors.joining(" or "));
    }
}
