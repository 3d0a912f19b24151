package dev.elasticjob.spring.autoconfigure;

import static org.assertj.core.api.Assertions.assertThat;

import dev.elasticjob.spring.ElasticJob;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Set;
import java.util.stream.Collectors;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;

/** What users read about settings. {@code -Dsettings.write} writes the page anew. */
class SettingsReferenceTest {
    private static final Path PAGE = Path.of("..", "docs", "reference", "settings.md");

    private final SettingsReference reference = new SettingsReference();

    @Test
    void everySettingHasADescriptionAndADefaultOrWordsForIt() {
        List<DescribedProperty> all = Stream.concat(reference.ofApplication().stream(), reference.ofAJob().stream())
                .toList();

        assertThat(all).hasSizeGreaterThan(50).allSatisfy(setting -> {
            assertThat(setting.description()).as(setting.name()).isNotBlank();
            assertThat(setting.saysWhatHoldsByDefault())
                    .as(
                            "\"%s\" has a default, or its description says what holds \"by default\" or that it is \"Required\": %s",
                            setting.name(), setting.description())
                    .isTrue();
        });
    }

    @Test
    void everyAttributeOfTheAnnotationIsAPropertyToo() {
        Set<String> properties = reference.ofAJob().stream()
                .flatMap(setting -> SettingsReference.attribute(setting).stream())
                .map(attribute -> attribute.getDeclaringClass().getSimpleName() + "." + attribute.getName())
                .collect(Collectors.toSet());

        Set<String> attributes = Stream.of(ElasticJob.class, ElasticJob.Retry.class)
                .flatMap(annotation -> Stream.of(annotation.getDeclaredMethods()))
                .map(attribute -> attribute.getDeclaringClass().getSimpleName() + "." + attribute.getName())
                .filter(attribute ->
                        !Set.of("ElasticJob.name", "ElasticJob.retry").contains(attribute))
                .collect(Collectors.toSet());
        assertThat(properties).isEqualTo(attributes);
    }

    @Test
    void everySettingOfAJobIsStoredByTheNameItHasEverywhere() {
        assertThat(reference.ofAJob())
                .filteredOn(setting -> !Set.of("enabled", "bean").contains(setting.name()))
                .allSatisfy(setting -> assertThat(reference.storedAs(setting))
                        .as(setting.name())
                        .isPresent());
    }

    @Test
    void thePageOfAllSettingsIsCurrent() throws IOException {
        String page = reference.page();

        if (System.getProperty("settings.write") != null) {
            Files.createDirectories(PAGE.getParent());
            Files.writeString(PAGE, page);
        }

        assertThat(Files.exists(PAGE) ? Files.readString(PAGE) : "")
                .as(
                        "docs/reference/settings.md; write it anew with mvn test -pl elasticjob-spring-boot-autoconfigure -am"
                                + " -Dtest=SettingsReferenceTest -Dsurefire.failIfNoSpecifiedTests=false -Dsettings.write")
                .isEqualTo(page);
    }
}
