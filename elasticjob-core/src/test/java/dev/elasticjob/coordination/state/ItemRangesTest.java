package dev.elasticjob.coordination.state;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatIllegalArgumentException;

import java.util.List;
import java.util.Random;
import java.util.TreeSet;
import java.util.stream.IntStream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

class ItemRangesTest {
    @Test
    void runsAreWrittenShort() {
        assertThat(ItemRanges.text(List.of())).isEmpty();
        assertThat(ItemRanges.text(List.of(4))).isEqualTo("4");
        assertThat(ItemRanges.text(List.of(0, 1, 2, 3, 9))).isEqualTo("0-3,9");
        assertThat(ItemRanges.text(List.of(1, 3, 4, 6))).isEqualTo("1,3-4,6");
    }

    @Test
    void tenThousandItemsInARowTakeAFewBytes() {
        assertThat(ItemRanges.text(IntStream.range(0, 10_000).boxed().toList())).isEqualTo("0-9999");
    }

    @Test
    void whatWasWrittenIsRead() {
        var random = new Random(3);
        for (int round = 0; round < 200; round++) {
            var items = new TreeSet<Integer>();
            IntStream.range(0, random.nextInt(40)).forEach(i -> items.add(random.nextInt(60)));

            List<Integer> read = ItemRanges.items(ItemRanges.text(List.copyOf(items)));

            assertThat(read).containsExactlyElementsOf(items);
        }
    }

    @ParameterizedTest
    @ValueSource(
            strings = {
                "x",
                "1-",
                "-1",
                "2-1",
                "0-99999999",
                "1,,2",
                "0-50000",
                "0-30000,0-30000",
                "-2147483648-2147483647"
            })
    void whatIsNoRangeIsRefused(String text) {
        assertThatIllegalArgumentException().isThrownBy(() -> ItemRanges.items(text));
    }
}
