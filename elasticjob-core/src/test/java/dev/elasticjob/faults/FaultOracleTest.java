package dev.elasticjob.faults;

import static org.assertj.core.api.Assertions.assertThat;

import dev.elasticjob.faults.Disturbance.Kind;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
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
    void oneThatOwnsAnItemAndBeatsSteadilyIsWell() {
        print("a", "OWNS", 0, "items=0,1");
        beats("a", 0, 20);
        print("a", "OWNS", 10, "items=0");

        assertThat(history().isOwnedByOneThatIsWell(0, at(5))).isTrue();
        assertThat(history().isOwnedByOneThatIsWell(1, at(5))).isTrue();
        assertThat(history().isOwnedByOneThatIsWell(0, at(15))).isTrue();
        assertThat(history().isOwnedByOneThatIsWell(1, at(15))).as("given away").isFalse();
        assertThat(history().isOwnedByOneThatIsWell(1, at(10)))
                .as("given away at that moment")
                .isFalse();
        assertThat(history().isOwnedByOneThatIsWell(2, at(5))).as("nobody's").isFalse();
        assertThat(history().isOwnedByOneThatIsWell(0, at(8))).as("it stays").isTrue();
        assertThat(history().isOwnedByOneThatIsWell(1, at(8)))
                .as("due while the plan is made that gives it away")
                .isFalse();
    }

    @Test
    void oneThatMissesABeatOrIsKilledIsNotWell() {
        print("a", "OWNS", 0, "items=0");
        beats("a", 0, 7);
        beats("a", 8, 20);
        print("b", "OWNS", 0, "items=1");
        beats("b", 0, 20);
        disturbances.add(new Disturbance("b", Kind.KILLED, at(12), Instant.MAX));

        assertThat(history().isOwnedByOneThatIsWell(0, at(3))).isTrue();
        assertThat(history().isOwnedByOneThatIsWell(0, at(7))).isFalse();
        assertThat(history().isOwnedByOneThatIsWell(1, at(9))).isTrue();
        assertThat(history().isOwnedByOneThatIsWell(1, at(12))).isFalse();
        assertThat(history().isOwnedByOneThatIsWell(1, at(15))).isFalse();
    }

    @Test
    void anItemThatRanOnAKilledOneWaitsUntilItHasBegunAgain() {
        print("a", "OWNS", 0, "items=0");
        started("a", 0, 3, 1, 7, 3);
        disturbances.add(new Disturbance("a", Kind.KILLED, at(4), Instant.MAX));
        print("b", "OWNS", 5, "items=0");
        beats("b", 0, 20);
        ran("b", 0, 3, 2, 8, 11, 12);

        assertThat(history().isOwnedByOneThatIsWell(0, at(10))).isFalse();
        assertThat(history().isOwnedByOneThatIsWell(0, at(14))).isTrue();
    }

    @Test
    void anItemOfAKilledOneMayBeLockedUntilItHasBegunAgain() {
        print("a", "OWNS", 0, "items=0,1,2");
        ran("a", 0, 3, 1, 7, 3, 4);
        ran("a", 1, 1, 1, 6, 1, 2);
        disturbances.add(new Disturbance("a", Kind.KILLED, at(4), Instant.MAX));
        print("b", "OWNS", 5, "items=0,1");
        beats("b", 0, 20);
        ran("b", 1, 5, 1, 9, 8, 9);

        assertThat(history().isOwnedByOneThatIsWell(0, at(10)))
                .as("its end may not be recorded")
                .isFalse();
        assertThat(history().isOwnedByOneThatIsWell(1, at(7)))
                .as("it may have been claimed")
                .isFalse();
        assertThat(history().isOwnedByOneThatIsWell(1, at(10)))
                .as("it has begun")
                .isTrue();
    }

    @Test
    void aTakeoverLastsUntilAllItemsOfTheKilledOneAreOwnedByOthers() {
        print("a", "OWNS", 0, "items=0,1");
        print("b", "OWNS", 0, "items=2");
        disturbances.add(new Disturbance("a", Kind.KILLED, at(5), Instant.MAX));
        print("b", "OWNS", 11, "items=0,2");
        print("c", "OWNS", 13, "items=1");
        disturbances.add(new Disturbance("c", Kind.KILLED, at(20), Instant.MAX));

        assertThat(history().takeovers())
                .as("the second has nobody who owns its item")
                .containsExactly(Duration.ofSeconds(8));
    }

    private void beats(String process, int from, int until) {
        for (int second = from; second < until; second++) {
            print(process, "BEAT", second, "");
        }
    }

    private History history() {
        return new History(told, disturbances);
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
        return new FaultOracle(history()).judge(TWO_ITEMS, at(first), at(last));
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
