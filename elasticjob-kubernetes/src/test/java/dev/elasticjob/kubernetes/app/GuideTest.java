package dev.elasticjob.kubernetes.app;

import static org.assertj.core.api.Assertions.assertThat;

import io.fabric8.kubernetes.client.utils.KubernetesSerialization;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Map;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import org.junit.jupiter.api.Test;

/** What the guide shows can be applied, and it has each field with its default. */
class GuideTest {
    private static final Pattern YAML = Pattern.compile("```yaml\n(.*?)```", Pattern.DOTALL);

    private final String guide = read();

    @Test
    void itsResourceIsRight() {
        Matcher yaml = YAML.matcher(guide);
        assertThat(yaml.find()).isTrue();
        Map<?, ?> resource = new KubernetesSerialization().unmarshal(yaml.group(1), Map.class);

        assertThat(new ElasticAppCheck(new KubernetesSerialization())
                        .check("shop", (Map<?, ?>) resource.get("spec"))
                        .faults())
                .isEmpty();
    }

    @Test
    void itHasEachFieldWithItsDefault() {
        SpecField.OF_POOL.forEach(field -> assertThat(guide)
                .contains("| `pools[]." + field.name() + "` | "
                        + field.fallback().map(value -> "`" + value + "` |").orElse("")));
        SpecField.OF_APP.stream()
                .filter(field -> !field.name().equals("pools"))
                .forEach(field -> assertThat(guide).contains("| `" + field.name() + "` | "));
    }

    private static String read() {
        try {
            return Files.readString(Path.of("..", "docs", "guide", "kubernetes.md"));
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }
}
