package dev.elasticjob.spring.autoconfigure;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.InputStream;
import java.nio.charset.StandardCharsets;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.Test;
import org.springframework.boot.json.JsonParserFactory;

class ConfigurationMetadataTest {
    @Test
    void everyPropertyHasADescription() throws Exception {
        try (InputStream metadata =
                ElasticJobProperties.class.getResourceAsStream("/META-INF/spring-configuration-metadata.json")) {
            String text = new String(metadata.readAllBytes(), StandardCharsets.UTF_8);
            List<?> properties =
                    (List<?>) JsonParserFactory.getJsonParser().parseMap(text).get("properties");

            assertThat(properties)
                    .isNotEmpty()
                    .allSatisfy(property -> assertThat((Map<?, ?>) property)
                            .extracting("description")
                            .as("description of %s", property)
                            .asString()
                            .isNotBlank());
        }
    }
}
