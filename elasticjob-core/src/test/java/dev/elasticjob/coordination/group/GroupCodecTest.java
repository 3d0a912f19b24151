package dev.elasticjob.coordination.group;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatExceptionOfType;

import dev.elasticjob.coordination.group.GroupAssignment.Member;
import dev.elasticjob.coordination.group.GroupAssignment.Phase;
import dev.elasticjob.coordination.state.CorruptNodeException;
import dev.elasticjob.testing.EarlierValues;
import java.nio.charset.StandardCharsets;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

class GroupCodecTest {
    private static final String PATH = "/dynamic-sharding/sharding";

    @Test
    void anAssignmentIsReadAsItWasWritten() {
        for (Phase phase : Phase.values()) {
            GroupAssignment written = new GroupAssignment(
                    phase, List.of(new Member("b@-@1", 7), new Member("a@-@1", 5)), List.of(new Member("c@-@1", 9)));

            assertThat(GroupCodec.read(PATH, GroupCodec.write(written))).isEqualTo(written);
        }
        assertThat(GroupCodec.read(PATH, new byte[0])).isEqualTo(GroupAssignment.NONE);
    }

    @ParameterizedTest
    @CsvSource(delimiter = '|', quoteCharacter = '`', textBlock = """
            members          | {"members":5}
            members          | {"stopping":true}
            members[1]       | {"members":[{"id":"a","czxid":1},null]}
            members.id       | {"members":[{"czxid":1}]}
            members[0].id    | {"members":[{"id":5,"czxid":1}]}
            members[0].czxid | {"members":[{"id":"a","czxid":"1"}]}
            members          | {"members":[{"id":"a","czxid":1},{"id":"a","czxid":1}]}
            leftOut          | {"members":[{"id":"a","czxid":1}],"leftOut":[{"id":"a","czxid":1}]}
            leftOut[0]       | {"members":[],"leftOut":["a"]}
            stopping         | {"stopping":"no","members":[]}
            """)
    void aWrongValueIsNamedWithItsKey(String key, String text) {
        assertThatExceptionOfType(CorruptNodeException.class)
                .isThrownBy(() -> GroupCodec.read(PATH, text.getBytes(StandardCharsets.UTF_8)))
                .withMessageContaining("\"" + PATH + "\" can't be read: expected \"" + key + "\" to be ");
    }

    @ParameterizedTest
    @EarlierValues("group")
    void whatAnEarlierVersionHasStoredIsWrittenAgainAsItWas(String text) {
        assertThat(GroupCodec.write(GroupCodec.read("/group", text.getBytes(StandardCharsets.UTF_8))))
                .asString()
                .isEqualTo(text);
    }
}
