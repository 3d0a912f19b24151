package dev.elasticjob.time;

import static org.assertj.core.api.Assertions.assertThat;

import java.time.Duration;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

class DurationTextTest {
    @ParameterizedTest
    @CsvSource({
        "PT0S, 0 ms",
        "PT0.25S, 250 ms",
        "PT1.5S, 1.5 s",
        "PT1.04S, 1 s",
        "PT24S, 24 s",
        "PT24.9S, 24 s",
        "PT1M, 1 min",
        "PT2M5S, 2 min 5 s",
        "PT3H, 3 h",
        "PT49H1S, 2 d 1 h 1 s",
        "PT-5S, -5 s",
        "PT2562047788015215H30M7S, 106751991167300 d 15 h 30 min 7 s",
        "PT-9223372036854775808S, -106751991167300 d 15 h 30 min 7 s"
    })
    void readsAsPeopleWriteIt(Duration duration, String text) {
        assertThat(DurationText.of(duration)).isEqualTo(text);
    }
}
