package dev.elasticjob.console.api;

import static org.assertj.core.api.Assertions.assertThat;

import dev.elasticjob.console.history.Firings;
import dev.elasticjob.console.web.Json;
import dev.elasticjob.spring.history.HistoryOutcome;
import java.time.Instant;
import java.util.Arrays;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.TreeMap;
import java.util.stream.IntStream;
import org.junit.jupiter.api.Test;

/** What the grid of firings sends to the browser. */
class FiringGridTest {
    private static final Instant AT = Instant.parse("2026-11-23T03:00:00Z");

    @Test
    void itemsAreLettersFromTheFirstToTheLastOneThatHasAnEntry() {
        FiringGrid.Column column =
                column(Map.of(2, cell("FAILED", 1), 3, cell("COMPLETED", 3), 5, cell("LATER_ONE", 1)));

        assertThat(column.first()).isEqualTo(2);
        assertThat(column.outcomes()).isEqualTo("FC-?");
        assertThat(column.again()).containsExactly(Map.entry(3, 3));
    }

    @Test
    void aFiringThatNobodyHasBegunHasNoLetters() {
        assertThat(column(Map.of()).outcomes()).isEmpty();
    }

    @Test
    void eachOutcomeOfTheTraceHasALetterOfItsOwn() {
        Map<Character, String> letters =
                FiringGrid.of(new Firings(List.of(), Optional.empty())).letters();

        assertThat(letters.values())
                .containsExactlyInAnyOrderElementsOf(Arrays.stream(HistoryOutcome.values())
                        .map(HistoryOutcome::name)
                        .toList());
    }

    @Test
    void aThousandItemsOfFiftyFiringsAreAtMostTwoBytesAnOutcome() {
        Map<Integer, Firings.Cell> items = new TreeMap<>();
        IntStream.range(0, 1_000).forEach(item -> items.put(item, cell("COMPLETED", 1)));
        List<Firings.Firing> firings = IntStream.range(0, 50)
                .mapToObj(place -> new Firings.Firing("image-thumbnails@" + AT.plusSeconds(place), AT, items))
                .toList();

        assertThat(Json.bytes(FiringGrid.of(new Firings(firings, Optional.empty()))))
                .hasSizeLessThan(2 * 50 * 1_000);
    }

    private static FiringGrid.Column column(Map<Integer, Firings.Cell> items) {
        return FiringGrid.Column.of(new Firings.Firing("orders@" + AT, AT, items));
    }

    private static Firings.Cell cell(String outcome, int executions) {
        return new Firings.Cell("id", outcome, executions, Optional.of("a"), Optional.of(AT), Optional.of(AT));
    }
}
