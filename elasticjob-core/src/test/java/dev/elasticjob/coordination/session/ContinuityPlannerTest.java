package dev.elasticjob.coordination.session;

import static org.assertj.core.api.Assertions.assertThat;

import dev.elasticjob.coordination.session.ContinuityPlanner.Verdict;
import dev.elasticjob.job.event.RegistryLoss;
import dev.elasticjob.registry.RegistryNode;
import java.nio.charset.StandardCharsets;
import java.time.Instant;
import java.util.Optional;
import org.junit.jupiter.api.Test;

/** This process knows data "old" with base 5, transactions up to 1,000, and tokens up to 1,005. */
class ContinuityPlannerTest {
    private static final Instant NOON = Instant.parse("2026-03-01T12:00:00Z");
    private static final Incarnation OLD = new Incarnation("old", 5, Optional.empty());
    private static final Incarnation FRESH = new Incarnation("fresh", 0, Optional.empty());
    private static final KnownData KNOWN = KnownData.NOTHING.follow(OLD, 1_000);

    @Test
    void theFirstLookFollowsWhatIsThere() {
        assertThat(decide(KnownData.NOTHING, seen(OLD, 7))).isEqualTo(new Verdict(OLD, false, Optional.empty()));
    }

    @Test
    void theFirstLookAtNothingBeginsIt() {
        assertThat(decide(KnownData.NOTHING, absent())).isEqualTo(new Verdict(FRESH, true, Optional.empty()));
    }

    @Test
    void theSameDataIsNoNews() {
        assertThat(decide(KNOWN, seen(OLD, 1_001))).isEqualTo(new Verdict(OLD, false, Optional.empty()));
    }

    @Test
    void aRaisedBaseIsFollowed() {
        assertThat(decide(KNOWN, seen(OLD.withBase(99), 1_001)).next().base()).isEqualTo(99);
    }

    @Test
    void noNodeIsAnEmptiedRegistry() {
        Verdict verdict = decide(KNOWN, absent());

        assertThat(verdict.loss()).contains(RegistryLoss.EMPTIED);
        assertThat(verdict.writes()).isTrue();
        assertThat(verdict.next().id()).isEqualTo("fresh");
        assertThat(verdict.next().loss()).contains(noted(RegistryLoss.EMPTIED));
        assertThat(verdict.next().base()).isEqualTo(1_005 + ContinuityPlanner.MARGIN);
    }

    @Test
    void anotherIdIsAnotherRegistry() {
        Verdict verdict = decide(KNOWN, seen(new Incarnation("new", 0, Optional.empty()), 51));

        assertThat(verdict.loss()).contains(RegistryLoss.REPLACED);
        assertThat(verdict.writes()).isTrue();
        assertThat(verdict.next().id()).isEqualTo("new");
        assertThat(verdict.next().loss()).contains(noted(RegistryLoss.REPLACED));
        assertThat(verdict.next().base() + 51).isGreaterThan(1_005);
    }

    @Test
    void whatOthersHaveNotedIsToldAndNotWrittenAgain() {
        Incarnation theirs = new Incarnation("new", 2_000, Optional.of(noted(RegistryLoss.WENT_BACK)));

        assertThat(decide(KNOWN, seen(theirs, 51)))
                .isEqualTo(new Verdict(theirs, false, Optional.of(RegistryLoss.WENT_BACK)));
    }

    @Test
    void aBaseThatIsTooLowForThisProcessIsRaisedAgain() {
        Incarnation theirs = new Incarnation("new", 900, Optional.of(noted(RegistryLoss.EMPTIED)));

        Verdict verdict = decide(KNOWN, seen(theirs, 51));

        assertThat(verdict.writes()).isTrue();
        assertThat(verdict.next()).isEqualTo(theirs.withBase(1_005 - 51 + ContinuityPlanner.MARGIN));
    }

    @Test
    void aLossThatNobodyHasConfirmedIsNotReplaced() {
        DataLoss other = new DataLoss(RegistryLoss.EMPTIED, "third", NOON, "b", Optional.empty());
        Incarnation theirs = new Incarnation("new", 2_000, Optional.of(other));

        assertThat(decide(KNOWN, seen(theirs, 51)))
                .isEqualTo(new Verdict(theirs, false, Optional.of(RegistryLoss.REPLACED)));
    }

    @Test
    void lowerNumbersALowerBaseOrAnOlderNodeShowThatItHasGoneBack() {
        for (DataObservation older : new DataObservation[] {
            seen(OLD, 999), seen(OLD.withBase(4), 1_001), new DataObservation(node(Optional.of(OLD)), 1L << 40, true)
        }) {
            Verdict verdict = decide(KNOWN, older);

            assertThat(verdict.loss()).as("%s", older).contains(RegistryLoss.WENT_BACK);
            assertThat(verdict.writes()).isTrue();
            assertThat(verdict.next().id()).isEqualTo("fresh");
            assertThat(verdict.next().base() + older.now()).isGreaterThan(1_005);
        }
    }

    @Test
    void highNumbersNeedNoBase() {
        assertThat(decide(KNOWN, new DataObservation(node(Optional.of(OLD)), 1L << 40, true))
                        .next()
                        .base())
                .isEqualTo(5);
    }

    @Test
    void whoNotesALossLeavesRoomForTokensThatOthersKnow() {
        Verdict replaced = decide(KNOWN, seen(new Incarnation("new", 0, Optional.empty()), 1_006));
        Verdict older = decide(KNOWN, new DataObservation(node(Optional.of(OLD)), 1_006, true));

        assertThat(replaced.next().base()).isEqualTo(ContinuityPlanner.MARGIN - 1);
        assertThat(older.next().base()).isEqualTo(ContinuityPlanner.MARGIN - 1);
    }

    @Test
    void dataThatItHasFollowedOnceHasGoneBack() {
        KnownData later = KNOWN.follow(new Incarnation("later", 5, Optional.of(noted(RegistryLoss.WENT_BACK))), 900);

        Verdict verdict = decide(later, seen(OLD, 2_000));

        assertThat(verdict.loss()).contains(RegistryLoss.WENT_BACK);
        assertThat(verdict.next().id()).isEqualTo("fresh");
    }

    @Test
    void aLookForgetsNoNumberThatWasAnsweredMeanwhile() {
        assertThat(KNOWN.and(1_020).follow(OLD, 1_001).zxid()).isEqualTo(1_020);
    }

    @Test
    void aNodeThatCannotBeReadIsWrittenAnew() {
        Verdict verdict = decide(KNOWN, new DataObservation(node(Optional.empty()), 1_001, false));

        assertThat(verdict).isEqualTo(new Verdict(OLD, true, Optional.empty()));
    }

    @Test
    void theNodeIsReadAsItWasWritten() {
        for (Incarnation written : new Incarnation[] {
            OLD,
            OLD.with(noted(RegistryLoss.EMPTIED)),
            OLD.with(noted(RegistryLoss.WENT_BACK)).confirmed("alice", "disk replaced")
        }) {
            assertThat(Incarnation.read(stored(written.text()))).contains(written);
        }
        assertThat(OLD.with(noted(RegistryLoss.EMPTIED)).confirmed("alice", "").unconfirmed())
                .isEmpty();
    }

    @Test
    void whatIsNoIncarnationCannotBeRead() {
        for (String text : new String[] {"", "garbage", "[]", "{}", "{\"id\":\"a\",\"base\":-1}", "{\"base\":7}"}) {
            assertThat(Incarnation.read(stored(text))).as(text).isEmpty();
        }
        assertThat(Incarnation.read(stored("{\"id\":\"a\",\"loss\":{\"kind\":\"LATER_KIND\"}}")))
                .contains(new Incarnation("a", 0, Optional.empty()));
    }

    private static Verdict decide(KnownData known, DataObservation seen) {
        return ContinuityPlanner.decide(known, seen, ContinuityPlannerTest::noted, FRESH);
    }

    private static DataLoss noted(RegistryLoss kind) {
        return new DataLoss(kind, "old", NOON, "a", Optional.empty());
    }

    private static DataObservation absent() {
        return new DataObservation(Optional.empty(), 0, false);
    }

    private static DataObservation seen(Incarnation incarnation, long now) {
        return new DataObservation(node(Optional.of(incarnation)), now, false);
    }

    private static Optional<DataObservation.Node> node(Optional<Incarnation> incarnation) {
        return Optional.of(new DataObservation.Node(3, 2, incarnation));
    }

    private static RegistryNode stored(String text) {
        return new RegistryNode(text.getBytes(StandardCharsets.UTF_8), 0, 1, 1, NOON, NOON, 0);
    }
}
