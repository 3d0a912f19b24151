package dev.elasticjob.coordination.run;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatExceptionOfType;

import dev.elasticjob.coordination.state.CorruptNodeException;
import dev.elasticjob.registry.RegistryNode;
import dev.elasticjob.testing.EarlierValues;
import java.nio.charset.StandardCharsets;
import java.time.Instant;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

class BackfillCodecTest {
    private static final String PATH = "/orders/backfill";
    private static final String WRITTEN =
            "{\"id\":\"b1\",\"by\":{\"actor\":\"alice\",\"reason\":\"\"},\"cron\":\"0 0 3 * * ?\","
                    + "\"timeZone\":\"Europe/Berlin\",\"next\":\"2026-03-01T02:00:00Z\",\"until\":\"2026-03-05T02:00:00Z\","
                    + "\"atOnce\":1,\"asking\":\"2026-02-28T02:00:00Z\",\"open\":[\"2026-02-28T02:00:00Z\"],\"failed\":1,"
                    + "\"failedTimes\":[\"2026-02-27T02:00:00Z\"]}";

    @Test
    void itIsReadAsItWasWritten() {
        Backfill read = Backfill.read(PATH, node(WRITTEN)).orElseThrow();

        assertThat(Backfill.read(PATH, node(new String(read.write(), StandardCharsets.UTF_8))))
                .contains(read);
        assertThat(Backfill.read(PATH, node(""))).isEmpty();
    }

    @ParameterizedTest
    @CsvSource(delimiter = '|', quoteCharacter = '`', textBlock = """
            id       | "b1"                       | null
            id       | "b1"                       | "a/b"
            cron     | "0 0 3 * * ?"              | "at noon"
            timeZone | "Europe/Berlin"            | "Mars"
            until    | "2026-03-05T02:00:00Z"     | 5
            open[0]  | ["2026-02-28T02:00:00Z"]   | [null]
            asking   | ["2026-02-28T02:00:00Z"]   | []
            failed   | "failed":1                 | "failed":-1
            by.actor | "alice"                    | {}
            """)
    void aWrongValueIsNamedWithItsKey(String key, String before, String wrong) {
        assertThatExceptionOfType(CorruptNodeException.class)
                .isThrownBy(() -> Backfill.read(PATH, node(WRITTEN.replace(before, wrong))))
                .withMessageContaining("\"" + PATH + "\" can't be read: expected \"" + key + "\" to be ");
    }

    @ParameterizedTest
    @EarlierValues("backfill")
    void whatAnEarlierVersionHasStoredIsWrittenAgainAsItWas(String text) {
        assertThat(Backfill.read(node(text)).orElseThrow().write()).asString().isEqualTo(text);
    }

    private static RegistryNode node(String text) {
        return new RegistryNode(text.getBytes(StandardCharsets.UTF_8), 0, 1, 1, Instant.EPOCH, Instant.EPOCH, 0);
    }
}
