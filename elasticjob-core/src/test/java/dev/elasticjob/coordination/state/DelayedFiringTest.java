package dev.elasticjob.coordination.state;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatExceptionOfType;

import dev.elasticjob.registry.RegistryMoment;
import dev.elasticjob.registry.RegistryNode;
import java.nio.charset.StandardCharsets;
import java.time.Instant;
import java.util.Optional;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

class DelayedFiringTest {
    private static final String PATH = "/orders/delay";
    private static final String ENDED =
            "{\"number\":17,\"at\":\"2026-03-01T12:00:00.125Z\",\"ended\":\"2026-03-01T12:00:07.500Z\"}";

    @ParameterizedTest
    @ValueSource(strings = {ENDED, "{\"number\":1,\"at\":\"2026-03-01T12:00:00Z\",\"asking\":true}"})
    void itIsWrittenAsItWasRead(String text) {
        assertThat(DelayedFiring.read(PATH, node(text)).orElseThrow().write())
                .asString()
                .isEqualTo(text);
    }

    @Test
    void anEmptyNodeIsNoFiring() {
        assertThat(DelayedFiring.read(PATH, node(""))).isEmpty();
    }

    @ParameterizedTest
    @CsvSource(delimiter = '|', quoteCharacter = '`', textBlock = """
            number | 17                         | -1
            number | 17                         | "one"
            at     | "2026-03-01T12:00:00.125Z" | "at noon"
            at     | "2026-03-01T12:00:00.125Z" | null
            ended  | "2026-03-01T12:00:07.500Z" | 5
            """)
    void aWrongValueIsNamedWithItsKey(String key, String before, String wrong) {
        RegistryNode node = node(ENDED.replace(before, wrong));

        assertThatExceptionOfType(CorruptNodeException.class)
                .isThrownBy(() -> DelayedFiring.read(PATH, node))
                .withMessageContaining("\"" + PATH + "\" can't be read: expected \"" + key + "\" to be ");
        assertThat(DelayedFiring.read(node)).isEmpty();
    }

    @Test
    void anEndThatIsAheadBecomesThePresentTime() {
        DelayedFiring firing = DelayedFiring.read(PATH, node(ENDED)).orElseThrow();
        Instant before = Instant.parse("2026-03-01T11:00:00Z");

        assertThat(firing.corrected(new RegistryMoment(before)).ended()).hasValue(before);
        assertThat(firing.corrected(new RegistryMoment(before.plusSeconds(3_600))))
                .isEqualTo(firing);
    }

    @Test
    void onlyAFiringOfADelayIsOne() {
        DelayedFiring firing = DelayedFiring.after(Optional.empty(), Instant.EPOCH);

        assertThat(DelayedFiring.isOne(firing.run())).isTrue();
        assertThat(DelayedFiring.isOne(ManualRun.of(firing.runId()))).isFalse();
        assertThat(DelayedFiring.isOne(ManualRun.of("again").repeating(new RepeatedRun(Instant.EPOCH, null, 2))))
                .isFalse();
    }

    private static RegistryNode node(String text) {
        return new RegistryNode(text.getBytes(StandardCharsets.UTF_8), 0, 1, 1, Instant.EPOCH, Instant.EPOCH, 0);
    }
}
