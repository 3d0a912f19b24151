package dev.elasticjob.definition;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatIllegalArgumentException;

import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

class JobTypeTest {
    @ParameterizedTest
    @CsvSource({"script, SCRIPT", "Script, SCRIPT", "my-kind, MY_KIND", "MY_KIND, MY_KIND", "s3, S3"})
    void aTypeIsReadAsPeopleWriteIt(String written, String name) {
        assertThat(JobType.of(written)).isEqualTo(new JobType(name)).hasToString(name);
    }

    @Test
    void itIsWrittenAsPropertiesAre() {
        assertThat(new JobType("MY_KIND").kebab()).isEqualTo("my-kind");
        assertThat(JobType.of(new JobType("MY_KIND").kebab())).isEqualTo(new JobType("MY_KIND"));
    }

    @ParameterizedTest
    @ValueSource(strings = {"", " ", "3D", "a b", "é", "../config", "A$B"})
    void whatIsNoNameIsRefused(String written) {
        assertThatIllegalArgumentException()
                .isThrownBy(() -> JobType.of(written))
                .withMessageContaining("letter");
    }

    @Test
    void theRegistrySpellsItInOneWayOnly() {
        assertThatIllegalArgumentException().isThrownBy(() -> new JobType("script"));
    }

    @Test
    void aKindOfAnApplicationNeedsNoCode() {
        assertThat(new JobType("SQL").isWithoutCode()).isTrue();
        assertThat(JobType.SCRIPT.isWithoutCode()).isTrue();
        assertThat(JobType.DATAFLOW.isWithoutCode()).isFalse();
    }
}
