package dev.elasticjob.coordination.claim;

import static dev.elasticjob.coordination.Samples.NOON;
import static dev.elasticjob.coordination.Samples.US;
import static dev.elasticjob.coordination.Samples.definition;
import static dev.elasticjob.coordination.Samples.item;
import static dev.elasticjob.coordination.Samples.ownership;
import static dev.elasticjob.coordination.Samples.running;
import static org.assertj.core.api.Assertions.assertThat;

import dev.elasticjob.coordination.claim.ItemDecision.Commit;
import dev.elasticjob.coordination.item.ItemChange.ManualClaim;
import dev.elasticjob.coordination.item.ItemChange.Skip;
import dev.elasticjob.coordination.state.Cancellation;
import dev.elasticjob.coordination.state.ItemRecord;
import dev.elasticjob.coordination.state.ItemState;
import dev.elasticjob.coordination.state.ManualRun;
import dev.elasticjob.coordination.state.WaitingRuns;
import dev.elasticjob.coordination.view.ItemView;
import dev.elasticjob.job.RunEnd;
import dev.elasticjob.job.event.JobEvent;
import java.util.List;
import java.util.Optional;
import org.junit.jupiter.api.Test;

/** Waiting runs that never begin, because they were cancelled or what they repeat is over. */
class RunsInVainTest {
    private static final ItemRecord FAILED = running(NOON).ended(ItemState.FAILED, NOON, NOON, "broken");
    private static final ManualRun AGAIN = ManualRun.of("again").repeating(FAILED.repeated());

    @Test
    void aCancelledRunIsDropped() {
        ManualRun run = ManualRun.of("r1").dropped(new Cancellation("alice", "wrong data"));

        Commit decided = decide(FAILED, run);

        assertThat(decided.change()).isInstanceOf(Skip.class);
        assertThat(decided.change().next().past()).containsEntry("r1", RunEnd.DROPPED);
        assertThat(decided.change().next().state()).isEqualTo(ItemState.FAILED);
        assertThat(decided.losses())
                .containsExactly(
                        new JobEvent.ManualRunDropped("orders", 0, List.of("r1"), "cancelled by alice: wrong data"));
    }

    @Test
    void aRepetitionBeginsWithTheNextAttemptWhereItsFailureIsTheLast() {
        Commit decided = decide(FAILED, AGAIN);

        assertThat(decided.change()).isInstanceOf(ManualClaim.class);
        assertThat(decided.change().next().attempt()).isEqualTo(2);
        assertThat(decided.change().next().scheduledAt()).isEqualTo(NOON);
    }

    @Test
    void aRepetitionOfWhatIsOverIsDropped() {
        ItemRecord later = FAILED.claimedFor(ManualRun.of("other"), US, NOON).ended(ItemState.FAILED, NOON, NOON, "");
        ItemRecord completed = running(NOON).ended(ItemState.COMPLETED, NOON, NOON, null);

        assertThat(decide(later, AGAIN).change()).isInstanceOf(Skip.class);
        assertThat(decide(completed, AGAIN).change()).isInstanceOf(Skip.class);
    }

    private static Commit decide(ItemRecord record, ManualRun run) {
        ItemView idle = item(0, record, "trigger");
        ItemView view = new ItemView(
                0,
                idle.version(),
                idle.recorded(),
                record,
                idle.children(),
                false,
                Optional.of(new ManualRun.Waiting(WaitingRuns.of(run), 0)),
                Optional.empty(),
                Optional.empty());
        var moment = new ItemPlanner.Moment(NOON.plusMillis(20), NOON.plusMillis(20), 1);
        return (Commit) ItemPlanner.plan(ownership(definition().build()), List.of(view), moment)
                .get(0);
    }
}
