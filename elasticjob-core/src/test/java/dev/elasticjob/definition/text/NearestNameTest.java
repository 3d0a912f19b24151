package dev.elasticjob.definition.text;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

class NearestNameTest {
    private static final List<String> KNOWN = List.of("orders", "daily-report", "session-timeout", "订单同步", "a");

    @ParameterizedTest
    @CsvSource({
        "ordres, orders",
        "order, orders",
        "Orders, orders",
        "dailyReport, daily-report",
        "session-timeuot, session-timeout",
        "sesion-timout, session-timeout",
        "订单同布, 订单同步",
        "A, a"
    })
    void oneThatDiffersInFewLettersIsMeant(String written, String meant) {
        assertThat(NearestName.to(written, KNOWN)).contains(meant);
        assertThat(NearestName.question(written, KNOWN)).isEqualTo(" Did you mean \"%s\"?".formatted(meant));
    }

    @Test
    void oneThatDiffersInManyLettersIsNot() {
        assertThat(NearestName.to("invoices", KNOWN)).isEmpty();
        assertThat(NearestName.question("invoices", KNOWN)).isEmpty();
        assertThat(NearestName.to("b", KNOWN)).isEmpty();
    }

    @Test
    void aNameIsNotNearToItself() {
        assertThat(NearestName.to("orders", List.of("orders"))).isEmpty();
    }
}
