package dev.elasticjob.admin.command;

import static dev.elasticjob.coordination.Samples.NOON;
import static dev.elasticjob.coordination.Samples.TREE;
import static dev.elasticjob.coordination.Samples.US;
import static dev.elasticjob.coordination.Samples.assignment;
import static dev.elasticjob.coordination.Samples.completed;
import static dev.elasticjob.coordination.Samples.definition;
import static dev.elasticjob.coordination.Samples.item;
import static dev.elasticjob.coordination.Samples.orphaned;
import static dev.elasticjob.coordination.Samples.running;
import static dev.elasticjob.coordination.Samples.unreadable;
import static dev.elasticjob.coordination.Samples.waiting;
import static org.assertj.core.api.Assertions.assertThat;

import dev.elasticjob.admin.command.CancelAnswer.Result;
import dev.elasticjob.admin.command.CancelSteps.Step;
import dev.elasticjob.coordination.state.Assignment;
import dev.elasticjob.coordination.state.Cancellation;
import dev.elasticjob.coordination.state.ItemRecord;
import dev.elasticjob.coordination.state.ItemRecordCodec;
import dev.elasticjob.coordination.state.ItemState;
import dev.elasticjob.coordination.state.ManualRun;
import dev.elasticjob.coordination.state.OpenFirings;
import dev.elasticjob.coordination.view.ItemView;
import dev.elasticjob.registry.RegistryCommit;
import dev.elasticjob.registry.RegistryCommit.Operation;
import java.time.Duration;
import java.time.Instant;
import java.util.List;
import java.util.Optional;
import org.junit.jupiter.api.Test;

/** What a cancellation of the firing at noon, or of the run "r1", does to one item. */
class CancelStepsTest {
    private static final Cancellation CANCELLATION = new Cancellation("alice", "wrong data");
    private static final CancelSteps NOONS = planner("orders@" + NOON);
    private static final CancelSteps RUN = planner("r1");
    private static final Instant BEFORE = NOON.minusSeconds(60);
    private static final Assignment PLAN = assignment(definition().build(), BEFORE);

    @Test
    void anExecutionGetsTheWishAtItsVersionAndItsInstanceIsWoken() {
        ItemView view = item(3, running(NOON), "running");

        Step step = step(NOONS, view);

        assertThat(step.result()).isEqualTo(Result.ASKED);
        assertThat(step.executedBy()).contains(running(NOON).instance());
        assertThat(written(step)).isEqualTo(view.current().cancelling(CANCELLATION));
        assertThat(step.writes().operations())
                .singleElement()
                .extracting("path", "version")
                .containsExactly(TREE.item(3), view.version());
    }

    @Test
    void theFirstWishStays() {
        ItemView cancelled = item(0, running(NOON).cancelling(new Cancellation("bob", "")), "running");

        assertThat(step(NOONS, cancelled)).isEqualTo(new Step(0, Result.ASKED, empty(), Optional.empty()));
    }

    @Test
    void anInterruptedExecutionFailsAndItsFailoverItemGoes() {
        Step step = step(NOONS, waiting(0, orphaned(NOON)));

        assertThat(step.result()).isEqualTo(Result.CANCELLED);
        assertThat(written(step).state()).isEqualTo(ItemState.FAILED);
        assertThat(step.writes().operations()).extracting(Operation::path).contains(TREE.failoverItem(0));
    }

    @Test
    void whatHasEndedIsLeftAloneAndARepeatedCommandFindsItsWish() {
        ItemRecord cancelled = running(NOON).cancelling(CANCELLATION).ended(ItemState.FAILED, NOON, NOON, null);

        assertThat(step(NOONS, item(0, completed(NOON, Duration.ofSeconds(1)))))
                .isEqualTo(new Step(0, Result.ENDED, empty(), Optional.empty()));
        assertThat(step(NOONS, item(0, cancelled))).isEqualTo(new Step(0, Result.CANCELLED, empty(), Optional.empty()));
    }

    @Test
    void anItemThatHasNotBegunTheFiringSkipsIt() {
        ItemView idle = item(0, completed(BEFORE, Duration.ofSeconds(1)));

        Step step = step(NOONS, idle);

        assertThat(step.result()).isEqualTo(Result.SKIPPED);
        assertThat(written(step).scheduledAt()).isEqualTo(NOON);
        assertThat(written(step).state()).isEqualTo(ItemState.COMPLETED);
    }

    @Test
    void anEarlierExecutionIsNotReached() {
        assertThat(step(NOONS, item(0, running(BEFORE), "running")))
                .isEqualTo(new Step(0, Result.BUSY, empty(), Optional.empty()));
        assertThat(step(NOONS, item(0, orphaned(BEFORE))))
                .extracting(Step::result)
                .isEqualTo(Result.BUSY);
    }

    @Test
    void aLaterExecutionIsNotReached() {
        ItemView later = item(0, running(NOON.plusSeconds(60)), "running");

        assertThat(step(NOONS, later)).isEqualTo(new Step(0, Result.ENDED, empty(), Optional.empty()));
        assertThat(RUN.plan(later, PLAN, OpenFirings.NONE)).isEmpty();
    }

    @Test
    void aManualRunThatSharesItsExecutionIsCancelledWithIt() {
        ItemRecord shared =
                completed(BEFORE, Duration.ZERO).claimedFor(new ManualRun(List.of("r0", "r1"), ""), US, NOON);

        assertThat(step(RUN, item(0, shared, "running")).result()).isEqualTo(Result.ASKED);
        assertThat(NOONS.target().isShownBy(shared)).isFalse();
    }

    @Test
    void anUnreadableRecordIsNamed() {
        assertThat(step(NOONS, unreadable(0)).result()).isEqualTo(Result.UNREADABLE);
    }

    private static CancelSteps planner(String runId) {
        return new CancelSteps(TREE, CancelTarget.of("orders", runId), CANCELLATION);
    }

    private static Step step(CancelSteps planner, ItemView item) {
        return planner.plan(item, PLAN, OpenFirings.NONE).orElseThrow();
    }

    private static RegistryCommit empty() {
        return RegistryCommit.builder().build();
    }

    private static ItemRecord written(Step step) {
        Operation.Set set = (Operation.Set) step.writes().operations().get(0);
        return ItemRecordCodec.read(set.path(), set.data());
    }
}
