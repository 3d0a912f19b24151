package dev.elasticjob.coordination.state;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.catchThrowable;

import java.time.DateTimeException;
import java.time.Instant;
import java.util.Random;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

class InstantTextTest {
    private static final int[] UNITS = {1, 1_000, 1_000_000, 1_000_000_000};

    @Test
    void writesAndReadsAsTheLibraryDoes() {
        Random random = new Random(1);
        long span = Instant.parse("9999-12-31T23:59:59Z").getEpochSecond()
                - Instant.parse("0000-01-01T00:00:00Z").getEpochSecond();
        for (int i = 0; i < 100_000; i++) {
            int unit = UNITS[random.nextInt(UNITS.length)];
            Instant instant = Instant.parse("0000-01-01T00:00:00Z")
                    .plusSeconds(random.nextLong(span))
                    .plusNanos(random.nextInt(1_000_000_000) / unit * (long) unit % 1_000_000_000);

            assertThat(InstantText.write(instant)).isEqualTo(instant.toString());
            assertThat(InstantText.read(instant.toString())).isEqualTo(instant);
        }
    }

    @ParameterizedTest
    @ValueSource(
            strings = {
                "1970-01-01T00:00:00Z",
                "1969-12-31T23:59:59.999999999Z",
                "2024-02-29T23:59:59.5Z",
                "2024-02-29T23:59:59.123456Z",
                "+10000-01-01T00:00:00Z",
                "-0001-12-31T00:00:00Z",
                "2026-03-01T24:00:00Z",
                "2026-03-01T00:00:00.Z",
                "2016-12-31T23:59:60Z",
                "2026-03-01T01:00:00+01:00"
            })
    void readsWhatIsUnusualToo(String text) {
        Instant expected = Instant.parse(text);

        assertThat(InstantText.read(text)).isEqualTo(expected);
        assertThat(InstantText.write(expected)).isEqualTo(expected.toString());
    }

    @ParameterizedTest
    @ValueSource(
            strings = {
                "",
                "Z",
                "mend me",
                "2026-02-30T00:00:00Z",
                "2026-13-01T00:00:00Z",
                "2026-03-01T25:00:00Z",
                "2026-03-01T00:60:00Z",
                "2026-03-01T00:00:00",
                "2026-03-01T00:00:00.1234567890Z",
                "2026-03-01 00:00:00Z",
                "2026-03-01T00:00:00.12x4Z"
            })
    void refusesWhatTheLibraryRefuses(String text) {
        assertThat(catchThrowable(() -> Instant.parse(text))).isInstanceOf(DateTimeException.class);
        assertThat(catchThrowable(() -> InstantText.read(text))).isInstanceOf(DateTimeException.class);
    }
}
