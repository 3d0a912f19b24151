package dev.elasticjob.release;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.net.InetAddress;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/** {@code docs/getting-started.md}, followed step by step; its test has run with the module getting-started. */
class GettingStartedTest {
    private static final Path PROJECT = Path.of("..", "getting-started");

    @ParameterizedTest
    @CsvSource({
        "xml, pom.xml",
        "java, src/main/java/com/example/shop/ShopApplication.java",
        "java, src/main/java/com/example/shop/OrdersJob.java",
        "yaml, src/main/resources/application.yml",
        "java, src/test/java/com/example/shop/OrdersJobTest.java"
    })
    void thePageShowsTheFile(String language, String file) throws IOException {
        String page = Files.readString(Release.ROOT.resolve(Path.of("docs", "getting-started.md")));

        assertThat(page)
                .contains("`" + file + "`")
                .contains("```" + language + "\n" + Files.readString(PROJECT.resolve(file)) + "```");
    }

    @Test
    void theApplicationRunsItsJobAndListensToThisMachineOnly() throws IOException {
        Path jar = PROJECT.resolve(Path.of("target", "shop-0.0.1-SNAPSHOT.jar"));

        try (Started application = Started.java(
                Jdks.own(),
                List.of("-jar", jar.toString(), "--elasticjob.registry.embedded.port=0"))) {
            assertThat(application.lineWith("Processing the orders of Shanghai")).contains("OrdersJob");
            assertThat(application.listensOn())
                    .as("local addresses on which the application and its embedded server listen")
                    .isNotEmpty()
                    .allMatch(InetAddress::isLoopbackAddress);
        }
    }
}
