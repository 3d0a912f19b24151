package dev.elasticjob.definition.text;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

class NamePatternsTest {
    @ParameterizedTest
    @CsvSource(
            delimiter = '|',
            value = {
                "'' | orders | true",
                "* | orders | true",
                "orders | orders | true",
                "orders | orders2 | false",
                "order? | orders | true",
                "order? | order | false",
                "a.b | axb | false",
                "'report*, bill-??' | bill-01 | true",
                "'report*, bill-??' | bill-1 | false",
                "Orders | orders | false",
                "*a*b | xaxbxab | true",
                "*a*b* | xbxa | false",
                "** | '' | true",
                "订* | 订单 | true",
                "? | 😀 | true"
            })
    void aStarStandsForAnythingAndAQuestionMarkForOneCharacter(String patterns, String name, boolean matches) {
        assertThat(NamePatterns.of(patterns).matches(name)).isEqualTo(matches);
    }

    @Test
    void patternsThatMatchNoJobAreToldAtOnce() {
        assertThatThrownBy(() -> NamePatterns.ofJobs(List.of("report*", " ", "a/b", "zookeeper")))
                .isInstanceOf(IllegalArgumentException.class)
                .hasMessageContaining("\"\": expected the name of a job")
                .hasMessageContaining("\"a/b\": the name becomes a node")
                .hasMessageContaining("\"zookeeper\": ZooKeeper reserves this name")
                .hasMessageNotContaining("report");
    }

    @ParameterizedTest
    @CsvSource(
            delimiter = '|',
            value = {
                "'' | '' | orders | true",
                "report* | '' | orders | false",
                "report* | '' | report-2 | true",
                "'' | report* | report-2 | false",
                "'' | report* | orders | true",
                "report* | *-old | report-old | false",
                "'bills,orders' | '' | orders | true"
            })
    void aSelectionHasWhatIsChosenAndNotExcepted(String chosen, String except, String name, boolean included) {
        NameSelection selection = NameSelection.of(listed(chosen), listed(except));

        assertThat(selection.includes(name)).isEqualTo(included);
    }

    private static List<String> listed(String text) {
        return text.isEmpty() ? List.of() : List.of(text.split(","));
    }

    /** A regular expression would try each place of each star, and not end. */
    @Test
    void manyStarsAreNoMoreWorkThanTheirNumber() {
        assertThat(NamePatterns.of("*a".repeat(500) + "b").matches("a".repeat(2_000)))
                .isFalse();
        assertThat(NamePatterns.of("*a".repeat(500) + "*").matches("a".repeat(2_000)))
                .isTrue();
    }
}
