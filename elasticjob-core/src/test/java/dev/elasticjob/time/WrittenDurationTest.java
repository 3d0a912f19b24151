package dev.elasticjob.time;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatIllegalArgumentException;

import java.time.Duration;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

class WrittenDurationTest {
    @ParameterizedTest
    @ValueSource(strings = {"5", " 5 ", "+5", "-5", "999"})
    void aNumberNeedsAUnit(String text) {
        String number = text.strip();

        assertThat(WrittenDuration.problem(text))
                .contains("expected a duration with a unit: %1$s what? Write %1$ss or %1$sm".formatted(number));
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
    @ValueSource(strings = {"60000", "-1000"})
    void aLargeNumberMayBeMilliseconds(String number) {
        assertThat(WrittenDuration.problem(number))
                .contains("expected a duration with a unit: %1$s what? Write %1$ss or %1$sms".formatted(number));
    }

    @ParameterizedTest
    @CsvSource({
        "PT0S, 0s",
        "PT0.25S, 250ms",
        "PT1.5S, 1500ms",
        "PT90S, 90s",
        "PT2M, 2m",
        "PT6H, 6h",
        "PT49H, 49h",
        "P2D, 2d",
        "PT-1M, -1m",
        "PT0.000001S, PT0.000001S",
        "PT2562047788015215H30M7S, 9223372036854775807s",
        "PT2562047788015215H30M7.5S, PT2562047788015215H30M7.5S"
    })
    void whatIsWrittenIsReadAsTheSame(Duration duration, String text) {
        assertThat(WrittenDuration.of(duration)).isEqualTo(text);
        assertThat(WrittenDuration.parse(text)).isEqualTo(duration);
    }

    @ParameterizedTest
    @ValueSource(strings = {"", "5", "5 s", "five", "1h30m", "99999999999999999999s", "9223372036854775807d"})
    void whatIsNoDurationIsRefused(String text) {
        assertThatIllegalArgumentException()
                .isThrownBy(() -> WrittenDuration.parse(text))
                .withMessageContaining("expected a duration ");
    }

    @ParameterizedTest
    @ValueSource(strings = {"0", "00", "5s", "500ms", "1h", "-1s", "PT5S", "five", ""})
    void zeroAndWhatIsNoNumberDoNot(String text) {
        assertThat(WrittenDuration.problem(text)).isEmpty();
    }
}
