package dev.elasticjob.definition.text;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatIllegalArgumentException;

import java.util.Map;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

class LabelSelectorTest {
    private static final InstanceLabels LABELS =
            InstanceLabels.of(Map.of("zone", "a", "version", "1.4", "gpu", "", "example.com/Disk", "ssd"));

    @ParameterizedTest
    @CsvSource(
            delimiter = '|',
            value = {
                "'' | true",
                "'  ' | true",
                "zone=a | true",
                "zone == a | true",
                "zone=b | false",
                "rack=1 | false",
                "zone!=a | false",
                "zone != b | true",
                "rack!=1 | true",
                "zone in (b, a) | true",
                "zone in(b) | false",
                "rack in (1) | false",
                "zone notin (b,c) | true",
                "zone notin (a) | false",
                "rack notin (1) | true",
                "gpu | true",
                "gpu= | true",
                "rack | false",
                "!rack | true",
                "! gpu | false",
                "example.com/Disk=ssd | true",
                "zone in (a,b), version!=1.3,gpu,!rack | true",
                "zone in (a,b), version!=1.4 | false",
                "in in (x) | false",
            })
    void matchesAsKubernetesDoes(String selector, boolean matches) {
        assertThat(LabelSelector.parse(selector).matches(LABELS)).isEqualTo(matches);
    }

    @ParameterizedTest
    @CsvSource(
            delimiter = '|',
            value = {
                "zone>1 | expected a label's name | position 1",
                "zone in a | expected ( and values, such as (a,b); found \"a\" | position 9",
                "zone in (a | expected a comma, or ); found the end | position 11",
                "zone in () | expected a label's value in the parentheses | position 10",
                "zone notin ( ) | (an empty one is written as \"label=\") | position 14",
                "zone a | expected =, !=, in (…), notin (…), a comma, or the end; found \"a\" | position 6",
                "zone=a, | expected a label's name | found the end at position 8",
                "zone=a b | expected a comma, or the end; found \"b\" | position 8",
                "=a | expected a label's name | position 1",
                "zone=北京 | expected a label's value | position 6",
                "-zone | expected a label's name | position 1",
            })
    void saysWhereSomethingElseWasExpected(String selector, String expected, String position) {
        assertThatIllegalArgumentException()
                .isThrownBy(() -> LabelSelector.parse(selector))
                .withMessageContainingAll(expected, position, "of \"" + selector + "\"");
    }

    @Test
    void isWrittenSoThatItCanBeReadAgain() {
        String text = "zone in (a,b),version!=1.3,gpu,!rack,host notin (x,y),disk=ssd";

        assertThat(LabelSelector.parse(text)).hasToString(text);
        assertThat(LabelSelector.parse("zone  in ( b , a ) ,version != 1.3"))
                .isEqualTo(LabelSelector.parse("zone in (a,b),version!=1.3"));
    }

    @Test
    void namesWhatTheLabelsDoNotFulfil() {
        assertThat(LabelSelector.parse("zone in (b,c),version=1.4,rack").unfulfilledBy(LABELS))
                .containsExactly("zone in (b,c)", "rack");
    }

    // ------------------------------------------------------------------ labels

    @Test
    void labelsAreReadAsTheyWereWritten() {
        assertThat(LABELS.text()).isEqualTo("example.com/Disk=ssd,gpu=,version=1.4,zone=a");
        assertThat(InstanceLabels.parse(LABELS.text())).isEqualTo(LABELS);
        assertThat(InstanceLabels.parse("zone=a,,x,=b,-c=d,disk=-")).isEqualTo(InstanceLabels.of(Map.of("zone", "a")));
    }

    @Test
    void everythingThatIsWrongWithLabelsIsSaidAtOnce() {
        assertThatIllegalArgumentException()
                .isThrownBy(() ->
                        InstanceLabels.of(Map.of("zone", "a b", "区域", "a", "x".repeat(64), "", "big", "v".repeat(64))))
                .withMessageContainingAll(
                        "\"a b\", the value of \"zone\"", "the name \"区域\"", "the name \"xxx", "\"big\"");
        Map<String, String> many = new java.util.HashMap<>();
        for (int label = 0; label < 20; label++) {
            many.put("label" + label, "v".repeat(60));
        }
        assertThatIllegalArgumentException()
                .isThrownBy(() -> InstanceLabels.of(many))
                .withMessageContaining("all together may have 1,024 characters, and have 1,3");
    }
}
