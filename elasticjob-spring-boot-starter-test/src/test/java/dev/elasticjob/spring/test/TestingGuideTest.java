package dev.elasticjob.spring.test;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import org.junit.jupiter.api.Test;

/** The examples on the pages are tests that run. */
class TestingGuideTest {
    private static final Path ROOT = Path.of("..");

    @Test
    void theReadmeShowsTheQuickstartsTest() throws IOException {
        String source = source("samples/quickstart/src/test/java/dev/elasticjob/samples/quickstart/OrdersJobTest.java");

        assertThat(Files.readString(ROOT.resolve("README.md")))
                .contains("```java\n" + source.substring(source.indexOf("@ElasticJobTest\n")) + "```");
    }

    @Test
    void theGuideShowsATestOfThisModule() throws IOException {
        String source = source(
                "elasticjob-spring-boot-starter-test/src/test/java/dev/elasticjob/spring/test/BillingJobTest.java");

        assertThat(Files.readString(ROOT.resolve("docs/guide/testing.md")))
                .contains("```java\n" + source.substring(source.indexOf("class BillingJobTest")) + "```");
    }

    private static String source(String file) throws IOException {
        return Files.readString(ROOT.resolve(file));
    }
}
