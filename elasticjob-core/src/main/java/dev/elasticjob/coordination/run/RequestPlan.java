package dev.elasticjob.coordination.run;

import dev.elasticjob.coordination.run.ManualRuns.Answer;
import dev.elasticjob.coordination.state.ItemRecord;
import dev.elasticjob.coordination.state.ManualRun;
import dev.elasticjob.coordination.state.OpenFiring;
import dev.elasticjob.coordination.view.ItemView;
import dev.elasticjob.coordination.view.JobViewReader.ItemsView;
import java.util.List;
import java.util.NavigableSet;
import java.util.Optional;
import java.util.function.Function;
import java.util.function.Predicate;
import org.jspecify.annotations.Nullable;

/**
 * A request as it is carried out. Pure.
 *
 * @param view the items that were requested
 * @param open those that are asked now
 * @param of the run of one of them
 * @param request completes it if it breaks off; null if that takes more than these values
 */
record RequestPlan(
        ManualRun run,
        RequestedFiring firing,
        ItemsView view,
        List<ItemView> open,
        Function<ItemView, ManualRun> of,
        OpenFiring.@Nullable Request request) {
    /** A request of the same run for all these items. */
    static RequestPlan of(ManualRun run, RequestedFiring firing, ItemsView all) {
        ItemsView view = firing.itemsOf(all);
        boolean complete = firing.isComplete(run, view);
        return new RequestPlan(
                run,
                firing,
                complete ? view.only(item -> RequestedBefore.has(item, run)) : view,
                complete ? List.of() : unasked(run, view),
                any -> run,
                new OpenFiring.Request(run.parameter(), run.repeats(), run.by()));
    }

    /** One that repeats what each item has done last, with the item's own parameter. */
    static RequestPlan repeating(ManualRun run, RequestedFiring firing, ItemsView failed) {
        RequestPlan found = of(run, firing, failed);
        return new RequestPlan(run, firing, found.view, found.open, item -> repetition(run, item.current()), null);
    }

    private static ManualRun repetition(ManualRun run, ItemRecord failed) {
        String parameter = failed.run() == null ? "" : failed.run().parameter();
        return new ManualRun(run.runIds(), parameter)
                .repeating(failed.repeated())
                .by(run.by());
    }

    /** The items in which nothing shows the run. */
    static List<ItemView> unasked(ManualRun run, ItemsView view) {
        return view.items().values().stream()
                .filter(item -> !item.children().disabled())
                .filter(item -> !RequestedBefore.has(item, run))
                .toList();
    }

    /** Whether some items have been asked before, and it can't be refused any more. */
    boolean isBegun() {
        return firing.isAsking();
    }

    /** An item that another run waits for, unless this one may wait behind it; empty if there is none. */
    Optional<Integer> behind(Predicate<ManualRun> allowed) {
        return open.stream()
                .filter(item -> !isBegun()
                        && item.waiting()
                                .filter(there -> !there.runs().runs().stream().allMatch(allowed))
                                .isPresent())
                .map(ItemView::item)
                .findFirst();
    }

    NavigableSet<Integer> asked() {
        return RequestedFiring.asked(run, view, open);
    }

    Answer answer() {
        return Answer.of(view);
    }
}
