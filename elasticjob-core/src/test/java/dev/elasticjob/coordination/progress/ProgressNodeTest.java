package dev.elasticjob.coordination.progress;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.elasticjob.coordination.progress.ProgressNode.Entry;
import dev.elasticjob.coordination.state.CorruptNodeException;
import java.nio.charset.StandardCharsets;
import java.util.SortedMap;
import java.util.TreeMap;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/** The stored form of the progress of an instance's executions. */
class ProgressNodeTest {

    @Test
    void itIsReadAsItWasWritten() {
        SortedMap<Integer, Entry> items = new TreeMap<>();
        items.put(0, new Entry(4711, new ItemProgress(3, 10, "invoices")));
        items.put(7, new Entry(4712, new ItemProgress(Long.MAX_VALUE, 0, "")));
        ProgressNode node = new ProgressNode(items);

        String stored = node.write();

        assertThat(stored)
                .isEqualTo("{\"executions\":{\"0\":{\"token\":4711,\"done\":3,\"total\":10,\"text\":\"invoices\"},"
                        + "\"7\":{\"token\":4712,\"done\":9223372036854775807}}}");
        assertThat(read(stored)).isEqualTo(node);
    }

    @Test
    void ofManyItemsTheTextsAreLeftOut() {
        ProgressNode node = read(items(1_000).write());

        assertThat(node.items()).hasSize(1_000);
        assertThat(node.items().values())
                .allSatisfy(entry -> assertThat(entry.progress()).isEqualTo(new ItemProgress(500, 100_000, "")));
    }

    @Test
    void ofMoreThanFitTheFirstAreShown() {
        String stored = items(100_000).write();

        assertThat(stored.length()).isBetween(ProgressNode.MAX_BYTES * 9 / 10, ProgressNode.MAX_BYTES);
        SortedMap<Integer, Entry> shown = read(stored).items();
        assertThat(shown.lastKey()).isEqualTo(shown.size() - 1);
    }

    private static ProgressNode items(int count) {
        SortedMap<Integer, Entry> items = new TreeMap<>();
        for (int item = 0; item < count; item++) {
            items.put(item, new Entry(987_654_321, new ItemProgress(500, 100_000, "行".repeat(40))));
        }
        return new ProgressNode(items);
    }

    @ParameterizedTest
    @CsvSource(
            delimiter = '|',
            quoteCharacter = '\'',
            value = {
                "[]                                         | expected progress such as",
                "{}                                         | expected \"executions\" to be a JSON object, but it is missing",
                "{\"executions\":{\"a\":{}}}                     | can't be read",
                "{\"executions\":{\"0\":{\"done\":\"many\"}}}    | to be a whole number, but was \"many\"",
                "{\"executions\":{\"0\":{\"total\":-1}}}         | expected \"executions.0.total\" to be a whole number from 0 on, but was -1",
                "{\"executions\":{\"0\":null}}                   | can't be read"
            })
    void anythingElseNamesTheNode(String stored, String problem) {
        assertThatThrownBy(() -> read(stored))
                .isInstanceOf(CorruptNodeException.class)
                .hasMessageStartingWith("The node \"/orders/progress/a@-@1\" can't be read: ")
                .hasMessageContaining(problem);
    }

    private static ProgressNode read(String stored) {
        return ProgressNode.read("/orders/progress/a@-@1", stored.getBytes(StandardCharsets.UTF_8));
    }
}
