package dev.elasticjob.time;

import static org.assertj.core.api.Assertions.assertThat;

import org.junit.jupiter.params.ParameterizedTest;
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
    @ValueSource(strings = {"0", "00", "5s", "500ms", "1h", "-1s", "PT5S", "five", ""})
    void zeroAndWhatIsNoNumberDoNot(String text) {
        assertThat(WrittenDuration.problem(text)).isEmpty();
    }
}
