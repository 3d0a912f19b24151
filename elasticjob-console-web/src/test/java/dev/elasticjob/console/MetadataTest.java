package dev.elasticjob.console;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.Test;
import org.springframework.boot.json.JsonParserFactory;

/** What the jar tells editors about the console's properties. */
class MetadataTest {
    private static final Path METADATA = Path.of("target", "classes", "META-INF", "spring-configuration-metadata.json");

    @Test
    void everyPropertyHasATypeAndADescription() throws IOException {
        List<?> properties = (List<?>) JsonParserFactory.getJsonParser()
                .parseMap(Files.readString(METADATA))
                .get("properties");

        assertThat(properties).hasSizeGreaterThan(3).allSatisfy(property -> {
            Map<?, ?> one = (Map<?, ?>) property;
            assertThat(one.get("name")).asString().startsWith("elasticjob.console.");
            assertThat(one.get("type")).as("type of %s", one).isNotNull();
            assertThat(one.get("description"))
                    .asString()
                    .as("description of %s", one)
                    .endsWith(".");
        });
    }
}
