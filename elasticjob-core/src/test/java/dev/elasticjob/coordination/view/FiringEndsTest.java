package dev.elasticjob.coordination.view;

import static dev.elasticjob.coordination.Samples.NOON;
import static dev.elasticjob.coordination.Samples.THEM;
import static dev.elasticjob.coordination.Samples.US;
import static dev.elasticjob.coordination.Samples.definition;
import static dev.elasticjob.coordination.Samples.item;
import static dev.elasticjob.coordination.Samples.ownership;
import static org.assertj.core.api.Assertions.assertThat;

import dev.elasticjob.coordination.state.Assignment;
import dev.elasticjob.coordination.state.ItemRecord;
import dev.elasticjob.coordination.state.ItemState;
import dev.elasticjob.coordination.state.OpenFiring;
import dev.elasticjob.coordination.state.OpenFiring.Hook;
import dev.elasticjob.coordination.state.OpenFiring.Phase;
import dev.elasticjob.job.cluster.FiringOutcomes.End;
import dev.elasticjob.job.cluster.FiringOutcomes.Outcome;
import java.time.Instant;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.TreeMap;
import java.util.TreeSet;
import org.junit.jupiter.api.Test;

/** How the items of a firing have ended it, as their records show. */
class FiringEndsTest {
    private static final Instant BEFORE = NOON.minusSeconds(60);
    private static final OpenFiring FIRING =
            OpenFiring.scheduled(NOON, new TreeSet<>(List.of(0, 1)), Phase.ITEMS, Hook.NONE, NOON);
    private static final OpenFiring RUN = OpenFiring.manual("r1", new TreeSet<>(List.of(0, 1)), Phase.ITEMS, NOON);

    private final Assignment assignment =
            ownership(definition().build()).assignment().withOwners(new TreeMap<>(Map.of(0, US, 1, THEM)), "");

    @Test
    void firingEndsWithItsLastItem() {
        FiringEnds one = ends(Map.of(0, item(0, done(NOON)), 1, item(1, running(NOON))));
        FiringEnds both = ends(Map.of(0, item(0, done(NOON)), 1, item(1, done(NOON))));

        assertThat(one.of(FIRING)).isEmpty();
        assertThat(both.of(FIRING).orElseThrow().isSuccess()).isTrue();
    }

    @Test
    void interruptedItemHasEndedTheFiringOnlyIfFailoverIsOff() {
        Map<Integer, ItemView> items = Map.of(0, item(0, running(NOON).orphaned(NOON)), 1, item(1, done(NOON)));

        assertThat(new FiringEnds(assignment, true, items).of(FIRING)).isEmpty();
        assertThat(new FiringEnds(assignment, false, items).of(FIRING, 0))
                .contains(new Outcome(End.INTERRUPTED, 1, US));
    }

    @Test
    void itemThatWasRemovedAndCreatedAgainIsUnknown() {
        FiringEnds ends = ends(Map.of(0, item(0, ItemRecord.startingAt(NOON)), 1, item(1, done(NOON))));

        assertThat(ends.of(FIRING, 0)).contains(Outcome.notBegun(End.UNKNOWN));
        assertThat(ends.of(FIRING).orElseThrow().isSuccess()).isFalse();
    }

    @Test
    void itemWithoutAnOwnerIsAwaitedUntilItIsRemoved() {
        Assignment lowered = assignment.withOwners(new TreeMap<>(Map.of(0, US)), "");

        assertThat(new FiringEnds(lowered, true, Map.of(1, item(1, done(BEFORE)))).of(FIRING, 1))
                .isEmpty();
        assertThat(new FiringEnds(lowered, true, Map.of()).of(FIRING, 1)).contains(Outcome.notBegun(End.UNKNOWN));
    }

    @Test
    void whatIsNotOwedAnyMoreIsSkipped() {
        Assignment passedOver = assignment.passedOver(NOON);

        assertThat(new FiringEnds(passedOver, true, Map.of(0, item(0, done(BEFORE)))).of(FIRING, 0))
                .contains(Outcome.notBegun(End.SKIPPED));
        assertThat(new FiringEnds(passedOver, true, Map.of(0, item(0, running(NOON)))).of(FIRING, 0))
                .isEmpty();
    }

    /** Its schedule counts from when the settings were changed, and the firing was opened after that by the plan before. */
    @Test
    void withoutMonitoringNothingIsOwed() {
        Assignment unmonitored =
                assignment.withSchedule(assignment.schedule(), false, NOON.minusSeconds(1), Optional.empty());

        assertThat(new FiringEnds(unmonitored, false, Map.of(0, item(0, done(BEFORE)))).of(FIRING, 0))
                .contains(Outcome.notBegun(End.SKIPPED));
    }

    @Test
    void runIsForgottenIfNothingShowsItTwice() {
        Map<Integer, ItemView> silent = Map.of(0, item(0, done(NOON)), 1, item(1, done(NOON)));
        FiringEnds once = ends(silent);

        assertThat(once.of(RUN)).isEmpty();
        assertThat(once.showsNothing(RUN, 0)).isTrue();
        FiringEnds twice = once.forgetting(silent);
        assertThat(twice.of(RUN, 0)).contains(Outcome.notBegun(End.UNKNOWN));
        assertThat(ends(Map.of()).and(twice).of(RUN)).isPresent();
    }

    private FiringEnds ends(Map<Integer, ItemView> items) {
        return new FiringEnds(assignment, true, items);
    }

    private static ItemRecord running(Instant firing) {
        return ItemRecord.NEW.claimed(firing, US, firing);
    }

    private static ItemRecord done(Instant firing) {
        return running(firing).ended(ItemState.COMPLETED, firing, firing, null);
    }
}
