package dev.elasticjob.coordination.view;

import static org.assertj.core.api.Assertions.assertThat;

import dev.elasticjob.registry.RegistryMoment;
import dev.elasticjob.registry.RegistryNode;
import java.nio.charset.StandardCharsets;
import java.time.Instant;
import java.util.Optional;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

class PauseSwitchTest {
    private static final Instant NOON = Instant.parse("2026-11-22T12:00:00Z");

    @Test
    void aPauseLastsFromTheMomentOfItsNode() {
        PauseSwitch paused = node(PauseSwitch.begun(Optional.empty(), "alice", "broken data"), 10);

        assertThat(paused.paused()).isTrue();
        assertThat(paused.actor()).isEqualTo("alice");
        assertThat(paused.reason()).isEqualTo("broken data");
        assertThat(paused.pauses()).containsExactly(new Pause(at(10), null));
    }

    @Test
    void aPauseThatIsOverEndsWithTheMomentOfItsNode() {
        PauseSwitch paused = node(PauseSwitch.begun(Optional.empty(), "alice", ""), 10);
        PauseSwitch over = node(paused.ended("bob", "mended"), 20);

        assertThat(over.paused()).isFalse();
        assertThat(over.actor()).isEqualTo("bob");
        assertThat(over.pauses()).containsExactly(new Pause(at(10), at(20)));
    }

    @Test
    void earlierPausesAreRememberedButNotForEver() {
        Optional<PauseSwitch> last = Optional.empty();
        for (int i = 0; i < 12; i++) {
            PauseSwitch paused = node(PauseSwitch.begun(last, "alice", ""), 10 * i);
            last = Optional.of(node(paused.ended("alice", ""), 10 * i + 5));
        }

        assertThat(last.orElseThrow().pauses())
                .hasSize(PauseSwitch.REMEMBERED + 1)
                .startsWith(new Pause(at(30), at(35)))
                .endsWith(new Pause(at(110), at(115)));
    }

    @Test
    void aPauseThatBeganAfterItsEndBeginsWithIt() {
        PauseSwitch paused = node(PauseSwitch.begun(Optional.empty(), "alice", ""), 3_600);

        assertThat(node(paused.ended("bob", ""), 20).pauses()).containsExactly(new Pause(at(20), at(20)));
    }

    @Test
    void timesThatAreAheadAreCorrectedInTheNode() {
        PauseSwitch paused = node(PauseSwitch.begun(Optional.empty(), "alice", ""), 3_600);
        PauseSwitch over = node(paused.ended("alice", ""), 3_700);
        RegistryNode again = raw(PauseSwitch.begun(Optional.of(over), "bob", "again"), 3_800);

        PauseSwitch corrected = node(
                new String(
                        PauseSwitch.corrected(again, new RegistryMoment(at(60))).orElseThrow(), StandardCharsets.UTF_8),
                60);

        assertThat(corrected.paused()).isTrue();
        assertThat(corrected.actor()).isEqualTo("bob");
        assertThat(corrected.reason()).isEqualTo("again");
        assertThat(corrected.pauses()).containsExactly(new Pause(at(60), at(60)), new Pause(at(60), null));
    }

    @Test
    void whatAPersonWroteWhileTheClockWasAheadIsWrittenAgainAsItIs() {
        RegistryNode byHand = raw("ask carol", 3_600);

        assertThat(PauseSwitch.corrected(byHand, new RegistryMoment(at(60))))
                .hasValueSatisfying(data ->
                        assertThat(new String(data, StandardCharsets.UTF_8)).isEqualTo("ask carol"));
        assertThat(PauseSwitch.corrected(byHand, new RegistryMoment(at(3_540)))).isEmpty();
    }

    @ParameterizedTest
    @ValueSource(strings = {"", "ask carol", "5", "\"x\"", "[]", "{\"paused\":true}", "{\"actor\":7}", "{"})
    void whateverAPersonWritesPauses(String text) {
        assertThat(node(text, 10).pauses()).containsExactly(new Pause(at(10), null));
    }

    @Test
    void aPersonsTextIsTheReason() {
        assertThat(node("ask carol", 10).reason()).isEqualTo("ask carol");
    }

    @Test
    void aPersonCanResumeByHandToo() {
        assertThat(node("{\"paused\":false}", 10).pauses()).isEmpty();
        assertThat(node("{\"paused\":false,\"earlier\":[{},null]}", 10).pauses())
                .isEmpty();
    }

    @Test
    void aFailureThatAPersonHasWrittenWithoutItsTextHasNone() {
        assertThat(node("{\"failures\":{\"item\":3,\"times\":5}}", 10).failures())
                .hasValueSatisfying(failed -> assertThat(failed.failure()).isEmpty());
    }

    @ParameterizedTest
    @ValueSource(strings = {"7", "123 ", "", "x", "\"7\""})
    void whatAnInstanceWritesIsNoOperatorsDrain(String text) {
        assertThat(OperatorDrain.of(raw(text, 10))).isEmpty();
    }

    @Test
    void anOperatorsDrainSaysWhoAndWhy() {
        assertThat(OperatorDrain.of(raw(OperatorDrain.text("alice", "slow disk"), 10)))
                .contains(new OperatorDrain(at(10), "alice", "slow disk"));
    }

    private static PauseSwitch node(String text, int second) {
        return PauseSwitch.of(raw(text, second));
    }

    private static RegistryNode raw(String text, int second) {
        return new RegistryNode(text.getBytes(StandardCharsets.UTF_8), 0, 1, 1, at(second), at(second), 0);
    }

    private static Instant at(int second) {
        return NOON.plusSeconds(second);
    }
}
