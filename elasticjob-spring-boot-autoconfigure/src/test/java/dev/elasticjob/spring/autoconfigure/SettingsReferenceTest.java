package dev.elasticjob.spring.autoconfigure;

import static org.assertj.core.api.Assertions.assertThat;

import dev.elasticjob.definition.JobSettings;
import dev.elasticjob.definition.Setting;
import dev.elasticjob.spring.ElasticJob;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Set;
import java.util.stream.Collectors;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;

/** What users read about settings, on the page and in editors. {@code -Dsettings.write} writes both anew. */
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
                .allSatisfy(setting -> assertThat(StoredKeys.of(setting.camelCase()))
                        .as(setting.name())
                        .isPresent());
    }

    @Test
    void everyRowThatAnApplicationDeclaresHasALineOfThePage() {
        String page = reference.page();

        assertThat(JobSettings.ALL)
                .filteredOn(row -> row.declaredBy() != Setting.DeclaredBy.CODE)
                .allSatisfy(row ->
                        assertThat(page).containsPattern("(?m)^\\| `" + DescribedProperty.kebab(row.name()) + "[`.]"));
    }

    @Test
    void thePageOfAllSettingsIsCurrent() throws IOException {
        isCurrent(PAGE, reference.page());
    }

    @Test
    void whatEditorsShowOfAJobIsCurrent() throws IOException {
        isCurrent(JobMetadata.FILE, JobMetadata.file());
    }

    private static void isCurrent(Path file, String content) throws IOException {
        if (System.getProperty("settings.write") != null) {
            Files.writeString(file, content);
        }

        assertThat(Files.readString(file))
                .as(
                        "%s; write it anew with mvn test -pl elasticjob-spring-boot-autoconfigure -am -Dtest=SettingsReferenceTest -Dsurefire.failIfNoSpecifiedTests=false -Dsettings.write",
                        file)
                .isEqualTo(content);
    }
}
