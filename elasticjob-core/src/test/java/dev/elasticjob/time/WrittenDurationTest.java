package dev.elasticjob.time;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatIllegalArgumentException;

import java.time.Duration;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

class WrittenDurationTest {
    @ParameterizedTest
    @ValueSource(strings = {"5", " 5 ", "+5", "-5", "5000"})
    void aNumberNeedsAUnit(String text) {
        String number = text.strip();

        assertThat(WrittenDuration.problem(text))
                .contains("expected a duration with a unit: %1$s what? Write %1$ss, %1$sms or %1$sm".formatted(number));
    }

    @ParameterizedTest
    @CsvSource({
        "500ms, PT0.5S",
        " 20s , PT20S",
        "10m, PT10M",
        "6H, PT6H",
        "2d, PT48H",
        "-1s, PT-1S",
        "PT1H30M, PT1H30M",
        "0, PT0S"
    })
    void itIsReadAsPeopleWriteIt(String text, String duration) {
        assertThat(WrittenDuration.parse(text)).isEqualTo(Duration.parse(duration));
    }

    @ParameterizedTest
    @ValueSource(strings = {"", "5", "5 s", "five", "1h30m", "99999999999999999999s", "9223372036854775807d"})
    void whatIsNoDurationIsRefused(String text) {
        assertThatIllegalArgumentException()
                .isThrownBy(() -> WrittenDuration.parse(text))
                .withMessageContaining("expected a duration such as 60s or PT60S");
    }

    @ParameterizedTest
    @ValueSource(strings = {"0", "00", "5s", "500ms", "1h", "-1s", "PT5S", "five", ""})
    void zeroAndWhatIsNoNumberDoNot(String text) {
        assertThat(WrittenDuration.problem(text)).isEmpty();
    }
}
