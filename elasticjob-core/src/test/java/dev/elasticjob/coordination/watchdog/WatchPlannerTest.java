package dev.elasticjob.coordination.watchdog;

import static dev.elasticjob.coordination.Samples.NOON;
import static org.assertj.core.api.Assertions.assertThat;

import dev.elasticjob.coordination.Samples;
import dev.elasticjob.coordination.state.Assignment;
import dev.elasticjob.coordination.view.FiringsView;
import dev.elasticjob.coordination.view.ItemView;
import dev.elasticjob.coordination.view.JobViewReader.ItemsView;
import dev.elasticjob.coordination.watchdog.WatchPlanner.Plan;
import dev.elasticjob.coordination.watchdog.WatchdogState.Overdue;
import dev.elasticjob.definition.JobDefinition;
import java.time.Duration;
import java.time.Instant;
import java.util.NavigableMap;
import java.util.Optional;
import java.util.TreeMap;
import java.util.stream.Collectors;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;

/** The job fires each minute, and the first of its three items has to begin within 30 s. All have run at noon. */
class WatchPlannerTest {
    private static final Instant FIRST = NOON.plusSeconds(60);
    private static final Instant SECOND = NOON.plusSeconds(120);
    private static final JobDefinition ORDERS = Samples.definition()
            .expectWithin(Duration.ofSeconds(30))
            .stuckAfter(Duration.ofSeconds(20))
            .build();
    private static final Assignment PLAN = Samples.assignment(ORDERS, NOON.minusSeconds(1));

    @Test
    void aFiringIsOverdueAfterItsLimitAndTheLeaderLooksThen() {
        Plan before = plan(FIRST.plusSeconds(29), WatchdogState.NOTHING, ran(0, NOON), ran(1, NOON), ran(2, NOON));
        Plan after = plan(FIRST.plusSeconds(30), WatchdogState.NOTHING, ran(0, NOON), ran(1, NOON), ran(2, NOON));

        assertThat(before.reportsNothing()).isTrue();
        assertThat(before.next()).contains(FIRST.plusSeconds(30));
        assertThat(after.overdue()).contains(FIRST);
    }

    @Test
    void oneItemThatHasBegunIsEnough() {
        Plan plan = plan(FIRST.plusSeconds(50), WatchdogState.NOTHING, ran(0, NOON), ran(1, FIRST), ran(2, NOON));

        assertThat(plan.reportsNothing()).isTrue();
    }

    @Test
    void whatFollowsAReportedFiringIsNoNewsUntilAnItemHasBegun() {
        Plan gap = plan(SECOND.plusSeconds(40), reported(FIRST), ran(0, NOON), ran(1, NOON), ran(2, NOON));
        Plan next = plan(SECOND.plusSeconds(40), reported(FIRST), ran(0, FIRST), ran(1, NOON), ran(2, NOON));

        assertThat(gap.reportsNothing()).isTrue();
        assertThat(next.overdue()).contains(SECOND);
    }

    @Test
    void aFiringIsNotReportedAgainWhenTheItemThatHasBegunItIsDisabled() {
        Plan over = plan(FIRST.plusSeconds(50), reported(FIRST), ran(0, FIRST), ran(1, NOON), ran(2, NOON));

        ItemView disabled = Samples.item(0, ran(0, FIRST).current(), "disabled");
        Plan again = plan(FIRST.plusSeconds(55), over.kept(), disabled, ran(1, NOON), ran(2, NOON));

        assertThat(again.reportsNothing()).isTrue();
    }

    @Test
    void disabledItemsAreNotExpected() {
        ItemView[] disabled = Stream.of(0, 1, 2)
                .map(item -> Samples.item(item, ran(item, NOON).current(), "disabled"))
                .toArray(ItemView[]::new);

        assertThat(plan(SECOND, WatchdogState.NOTHING, disabled).reportsNothing())
                .isTrue();
    }

    private static Plan plan(Instant now, WatchdogState reported, ItemView... items) {
        NavigableMap<Integer, ItemView> all = Stream.of(items)
                .collect(Collectors.toMap(ItemView::item, item -> item, (one, other) -> one, TreeMap::new));
        ItemsView view = new ItemsView(1, all, new TreeMap<>(), Optional.empty(), FiringsView.NONE);
        return WatchPlanner.plan(ORDERS, ORDERS.watchdog(), PLAN, view, reported, Optional.empty(), now);
    }

    private static ItemView ran(int item, Instant firing) {
        return Samples.item(item, Samples.completed(firing, Duration.ofSeconds(1)));
    }

    private static WatchdogState reported(Instant firing) {
        return WatchdogState.NOTHING.with(Optional.of(new Overdue(firing, "a@-@1")));
    }
}
