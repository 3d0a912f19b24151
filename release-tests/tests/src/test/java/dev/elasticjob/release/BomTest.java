package dev.elasticjob.release;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.nio.file.Files;
import java.util.List;
import java.util.regex.MatchResult;
import java.util.regex.Pattern;
import org.junit.jupiter.api.Test;

/** The versions that an application imports. That they resolve, getting-started and the matrix show. */
class BomTest {
    private static final Pattern DEPENDENCY = Pattern.compile(
            "<dependency>\\s*<groupId>([^<]*)</groupId>\\s*<artifactId>([^<]*)</artifactId>");

    @Test
    void everyJarOfOursIsManaged() throws IOException {
        List<String> jars = Release.jars().stream()
                .map(module -> "dev.elasticjob:" + module)
                .toList();

        assertThat(managed()).containsAll(jars);
    }

    @Test
    void theJarsOfAnEmbeddedServerAreManaged() throws IOException {
        assertThat(managed()).contains("io.dropwizard.metrics:metrics-core", "org.xerial.snappy:snappy-java");
    }

    @Test
    void whatSpringBootManagesIsLeftToIt() throws IOException {
        String bom = bom();

        assertThat(bom).doesNotContain("<parent>").doesNotContain("<scope>import</scope>");
        assertThat(managed()).noneMatch(name -> name.startsWith("org.springframework") || name.contains("jackson"));
    }

    private static List<String> managed() throws IOException {
        return DEPENDENCY
                .matcher(bom())
                .results()
                .map(BomTest::name)
                .toList();
    }

    private static String name(MatchResult dependency) {
        return dependency.group(1) + ":" + dependency.group(2);
    }

    private static String bom() throws IOException {
        return Files.readString(Release.installed("elasticjob-bom", "", "pom"));
    }
}
