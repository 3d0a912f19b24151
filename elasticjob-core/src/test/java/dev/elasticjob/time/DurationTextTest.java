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
        "PT-5S, -5 s"
    })
    void readsAsPeopleWriteIt(Duration duration, String text) {
        assertThat(DurationText.of(duration)).isEqualTo(text);
    }
}
