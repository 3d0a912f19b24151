package dev.elasticjob.simulation;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.EnumSet;
import java.util.List;
import java.util.stream.LongStream;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.ExtendWith;

/** What a failure is worth: a seed that fails, here on purpose, fails again in the same way, and says why. */
@ExtendWith(Quiet.class)
class FailingSimulationTest {
    private static final Delusion MUTATION = Delusion.TAKE_WITHOUT_THE_RECORDS_STATE;
    private static final String REASON = "it is taken without having been interrupted";
    private static final String MOMENT = "2026-03-01T00:0\\d:\\d\\d(\\.\\d+)?Z +";

    private static Scenario scenario;

    @BeforeAll
    static void findASeed() {
        scenario = LongStream.range(0, 600)
                .mapToObj(seed -> Scenario.of(seed, EnumSet.of(Fault.FAILOVER_ITEM, Fault.CRASH)))
                .filter(each -> Run.of(each, MUTATION)
                        .violation()
                        .filter(what -> what.contains(REASON))
                        .isPresent())
                .findFirst()
                .orElseThrow();
    }

    @Test
    void itReplaysExactly() {
        Run untraced = Run.of(scenario, MUTATION);
        Run once = Run.traced(scenario, MUTATION);
        Run again = Run.traced(scenario, MUTATION);

        assertThat(once.violation()).isEqualTo(untraced.violation());
        assertThat(once.tree()).isEqualTo(untraced.tree());
        assertThat(again.describe()).isEqualTo(once.describe());
    }

    @Test
    void itBeginsWithTheSeedThePromiseAndTheFaults() {
        List<String> lines = Run.traced(scenario, MUTATION).describe().lines().toList();

        assertThat(lines.get(0))
                .startsWith("seed " + scenario.seed() + ": P2, once per firing")
                .contains(REASON);
        assertThat(lines.get(1)).contains("cron=", "eagerness=").containsAnyOf("FAILOVER_ITEM", "CRASH");
    }

    @Test
    void itsTraceTellsWhoDidWhatWhenUpToTheBrokenPromise() {
        Run run = Run.traced(scenario, MUTATION);

        assertThat(run.trace())
                .allSatisfy(line -> assertThat(line).matches(MOMENT + "(p\\d+|operator|server|ORACLE) +.+"));
        assertThat(run.trace())
                .anySatisfy(line ->
                        assertThat(line).matches(MOMENT + "p1 +starts as 10\\.0\\.0\\.1@-@1 with its clock at .+"));
        assertThat(run.trace())
                .anySatisfy(line -> assertThat(line)
                        .matches(MOMENT + "operator +create /orders/leader/failover/items/\\d .*Committed.*"));
        assertThat(run.trace())
                .anySatisfy(line -> assertThat(line)
                        .matches(MOMENT
                                + "p\\d +in session \\d+: check /orders/sharding at \\d+; .*RUNNING.*Committed.*"));
        assertThat(run.trace())
                .anySatisfy(line -> assertThat(line)
                        .matches(MOMENT + "p\\d +BEGINS item \\d for .+, attempt 1, token \\d+, on p\\d"));
        assertThat(run.trace())
                .filteredOn(line -> line.contains(" ORACLE "))
                .first()
                .asString()
                .matches(MOMENT + "ORACLE +P2, once per firing: " + REASON + ": item \\d goes from .+ to .+");
    }

    @Test
    void itEndsWithTheTree() {
        String told = Run.traced(scenario, MUTATION).describe();

        assertThat(told).contains("/orders/extension v", "/orders/sharding v", "\"owners\"");
        assertThat(told.lines().reduce((before, last) -> last).orElseThrow()).startsWith("/orders/");
    }
}
