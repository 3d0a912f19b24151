package dev.elasticjob.faults;

import static org.assertj.core.api.Assertions.assertThat;

import dev.elasticjob.faults.Disturbance.Kind;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import org.junit.jupiter.api.Test;

/** The judge of the fault table, judged by hand-made logs. */
class FaultOracleTest {
    private static final WorkloadSettings TWO_ITEMS =
            WorkloadSettings.every(Duration.ofSeconds(10), 2, Duration.ofSeconds(1));
    private static final Instant T0 = Instant.parse("2026-01-01T00:00:00Z");

    private final List<Happening> told = new ArrayList<>();
    private final List<Disturbance> disturbances = new ArrayList<>();

    @Test
    void aHistoryWithoutFaultsHasNothingToExplain() {
        ran("a", 0, 0, 1, 7, 0, 1);
        ran("b", 1, 0, 1, 8, 0, 2);
        ran("a", 0, 10, 1, 9, 11, 12);
        ran("b", 1, 10, 1, 9, 10, 12);

        Verdict verdict = judge(0, 10);

        assertThat(verdict.brokenPromises()).isEmpty();
        assertThat(verdict.due()).isEqualTo(4);
        assertThat(verdict.run()).isEqualTo(4);
        assertThat(verdict.worstDelay()).isEqualTo(Duration.ofSeconds(1));
    }

    @Test
    void aHeartThatMissesABeatIsNotSteady() {
        for (int second = 0; second < 10; second++) {
            if (second != 7) {
                told.add(new Happening(
                        "a-1",
                        Happening.Kind.BEAT,
                        Map.of("at", T0.plusSeconds(second).toString())));
            }
        }
        History history = new History(told, disturbances);

        assertThat(history.hasSteadyHeart("a", T0.plusSeconds(1), T0.plusSeconds(6)))
                .isTrue();
        assertThat(history.hasSteadyHeart("a", T0.plusSeconds(5), T0.plusSeconds(9)))
                .isFalse();
        assertThat(history.hasSteadyHeart("b", T0.plusSeconds(1), T0.plusSeconds(6)))
                .isFalse();
    }

    @Test
    void aFiringThatNobodyRanAndNobodySpokeOfIsSilent() {
        ran("a", 0, 0, 1, 1, 0, 1);
        ran("a", 0, 10, 1, 2, 10, 11);
        ran("b", 1, 10, 1, 2, 10, 11);

        Verdict verdict = judge(0, 10);

        assertThat(verdict.run()).isEqualTo(3);
        assertThat(verdict.silent()).singleElement().asString().contains("item 1", T0.toString());
    }

    @Test
    void aFiringAfterTheLastRunOfItsItemIsSilentToo() {
        ran("a", 0, 0, 1, 1, 0, 1);
        ran("b", 1, 0, 1, 1, 0, 1);
        ran("a", 0, 10, 1, 2, 10, 11);

        assertThat(judge(0, 10).silent()).hasSize(1);
    }

    @Test
    void aFoldedFiringIsCountedOnce() {
        bothRanAtFirst();
        ran("a", 0, 30, 1, 2, 30, 31);
        ran("b", 1, 30, 1, 2, 30, 31);
        ran("a", 0, 10, 1, 3, 10, 11);
        ran("a", 0, 20, 1, 4, 20, 21);
        gap(Happening.Kind.FOLDED, 1, 30, 2);

        Verdict verdict = judge(0, 30);

        assertThat(verdict.folded()).isEqualTo(2);
        assertThat(verdict.silent()).isEmpty();
    }

    @Test
    void aLostFiringIsCountedAndWhatNobodyCountedIsSilent() {
        bothRanAtFirst();
        ran("a", 0, 10, 1, 2, 10, 11);
        ran("a", 0, 20, 1, 3, 20, 21);
        ran("a", 0, 30, 1, 4, 30, 31);
        ran("b", 1, 30, 1, 4, 30, 31);
        gap(Happening.Kind.LOST, 1, 30, 1);

        Verdict verdict = judge(0, 30);

        assertThat(verdict.lost()).isEqualTo(1);
        assertThat(verdict.silent()).hasSize(1);
    }

    @Test
    void aSecondRunWithoutAnInterruptionIsDoubled() {
        bothRanAtFirst();
        ran("b", 0, 0, 2, 2, 3, 4);

        assertThat(judge(0, 0).doubled()).hasSize(1);
    }

    @Test
    void aSecondRunAfterAKillIsExplained() {
        started("a", 0, 0, 1, 1, 0);
        ran("b", 1, 0, 1, 1, 0, 1);
        disturbances.add(new Disturbance("a", Kind.KILLED, at(1), Instant.MAX));
        ran("b", 0, 0, 2, 2, 6, 7);

        assertThat(judge(0, 0).brokenPromises()).isEmpty();
    }

    @Test
    void aSecondRunAfterAnInterruptionThatWasToldIsExplained() {
        started("a", 0, 0, 1, 1, 0);
        print("a", "END", 3, execution(0, 0, 1, 1) + " whole=false");
        ran("b", 1, 0, 1, 1, 0, 1);
        ran("b", 0, 0, 2, 2, 4, 5);

        assertThat(judge(0, 0).brokenPromises()).isEmpty();
    }

    @Test
    void aSecondRunWithoutANewAttemptIsDoubledThoughThereWasAKill() {
        started("a", 0, 0, 1, 1, 0);
        ran("b", 1, 0, 1, 1, 0, 1);
        disturbances.add(new Disturbance("a", Kind.KILLED, at(1), Instant.MAX));
        ran("b", 0, 0, 1, 2, 6, 7);

        assertThat(judge(0, 0).doubled()).hasSize(1);
    }

    @Test
    void twoRunsOfAnItemAtATimeOverlap() {
        ran("a", 0, 0, 1, 1, 0, 12);
        ran("b", 1, 0, 1, 1, 0, 1);
        ran("b", 0, 10, 1, 2, 11, 13);
        ran("b", 1, 10, 1, 2, 10, 11);

        assertThat(judge(0, 10).overlaps()).hasSize(1);
    }

    @Test
    void whatStoodStillOverlapsNothingUntilItWakesAndGoesOn() {
        ran("a", 0, 0, 1, 1, 0, 20.5);
        ran("b", 1, 0, 1, 1, 0, 1);
        disturbances.add(new Disturbance("a", Kind.PAUSED, at(0.5), at(20)));
        ran("b", 0, 0, 2, 2, 8, 9);

        assertThat(judge(0, 0).brokenPromises()).isEmpty();

        ran("b", 0, 10, 1, 3, 19, 25);
        ran("b", 1, 10, 1, 3, 10, 11);
        assertThat(judge(0, 10).overlaps()).as("interrupted within its second").isEmpty();

        disturbances.set(0, new Disturbance("a", Kind.PAUSED, at(0.5), at(19.2)));
        assertThat(judge(0, 10).overlaps()).as("it went on").hasSize(1);
    }

    @Test
    void aTokenThatDoesNotRiseIsUnfenced() {
        bothRanAtFirst();
        ran("b", 0, 10, 1, 1, 10, 11);
        ran("b", 1, 10, 1, 2, 10, 11);

        assertThat(judge(0, 10).unfenced()).hasSize(1);
    }

    @Test
    void whatIsPrintedIsRead() {
        gap(Happening.Kind.FOLDED, 3, 20, 2);

        Happening folded = told.get(0);

        assertThat(folded.process()).isEqualTo("x");
        assertThat(folded.item()).isEqualTo(3);
        assertThat(folded.firing()).isEqualTo(at(20));
        assertThat(folded.count()).isEqualTo(2);
        assertThat(Happening.parse("x", "12:00 INFO something else")).isEmpty();
    }

    // ------------------------------------------------------------------ the log

    private Verdict judge(double first, double last) {
        return new FaultOracle(new History(told, disturbances)).judge(TWO_ITEMS, at(first), at(last));
    }

    private void bothRanAtFirst() {
        ran("a", 0, 0, 1, 1, 0, 1);
        ran("b", 1, 0, 1, 1, 0, 1);
    }

    private void ran(String process, int item, double firing, int attempt, long token, double start, double end) {
        started(process, item, firing, attempt, token, start);
        print(process, "END", end, execution(item, firing, attempt, token) + " whole=true");
    }

    private void started(String process, int item, double firing, int attempt, long token, double start) {
        print(process, "START", start, execution(item, firing, attempt, token));
    }

    private void gap(Happening.Kind kind, int item, double into, int count) {
        Optional.of(Happening.gap(kind, "work", item, at(into), count).line(at(into)))
                .flatMap(line -> Happening.parse("x", line))
                .ifPresent(told::add);
    }

    private static String execution(int item, double firing, int attempt, long token) {
        return "item=%d firing=%s attempt=%d token=%d".formatted(item, at(firing), attempt, token);
    }

    private void print(String process, String kind, double second, String rest) {
        told.add(Happening.parse(process, "* %s at=%s %s".formatted(kind, at(second), rest))
                .orElseThrow());
    }

    private static Instant at(double second) {
        return T0.plusMillis(Math.round(second * 1_000));
    }
}
