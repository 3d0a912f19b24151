package dev.elasticjob.coordination.run;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatExceptionOfType;

import dev.elasticjob.coordination.state.CorruptNodeException;
import dev.elasticjob.registry.RegistryAnswer;
import dev.elasticjob.registry.RegistryNode;
import dev.elasticjob.testing.EarlierValues;
import java.nio.charset.StandardCharsets;
import java.time.Instant;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.TreeMap;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

class FollowerStateTest {
    private static final String PATH = "/report/after";
    private static final RegistryAnswer NO_PARENT_IS_THERE = new RegistryAnswer(
            Map.of("/import/leader/sharding", Optional.empty(), "/prices/leader/sharding", Optional.empty()), Map.of());

    @Test
    void itIsReadAsItWasWritten() {
        FollowerState written = new FollowerState(
                List.of("import"), 3, Optional.of("after-1"), new TreeMap<>(Map.of("prices", "no such job")));

        assertThat(FollowerState.read(PATH, node(new String(written.write(), StandardCharsets.UTF_8))))
                .isEqualTo(written);
    }

    @ParameterizedTest
    @CsvSource(delimiter = '|', quoteCharacter = '`', textBlock = """
            parents            | {"parents":"import"}
            parents[0]         | {"parents":[null]}
            parents            | {"parents":["a/b"]}
            parents            | {"parents":[""]}
            definition         | {"parents":[],"definition":"3"}
            last               | {"parents":[],"last":5}
            notFollowed.prices | {"parents":[],"notFollowed":{"prices":null}}
            """)
    void aWrongValueIsNamedWithItsKeyAndCountsAsNotRegistered(String key, String text) {
        assertThatExceptionOfType(CorruptNodeException.class)
                .isThrownBy(() -> FollowerState.read(PATH, node(text)))
                .withMessageContaining("\"" + PATH + "\" can't be read: expected \"" + key + "\" to be ");
        assertThat(FollowerState.read(node(text))).isEqualTo(FollowerState.NOBODY);
    }

    @Test
    void itIsCurrentOnlyIfItNamesTheJobsOfTheDefinition() {
        FollowerState registered =
                new FollowerState(List.of("import"), 3, Optional.empty(), new TreeMap<>(Map.of("prices", "a cycle")));

        assertThat(isCurrent(registered, "import", "prices")).isTrue();
        assertThat(isCurrent(registered, "import", "rates")).isFalse();
        assertThat(isCurrent(registered, "prices")).isFalse();
    }

    private static boolean isCurrent(FollowerState following, String... wanted) {
        return FollowerRegistration.isCurrent("report", following, 3, List.of(wanted), NO_PARENT_IS_THERE);
    }

    @ParameterizedTest
    @EarlierValues("follower")
    void whatAnEarlierVersionHasStoredIsWrittenAgainAsItWas(String text) {
        assertThat(FollowerState.read(node(text)).write()).asString().isEqualTo(text);
    }

    private static RegistryNode node(String text) {
        return new RegistryNode(text.getBytes(StandardCharsets.UTF_8), 0, 1, 1, Instant.EPOCH, Instant.EPOCH, 0);
    }
}
