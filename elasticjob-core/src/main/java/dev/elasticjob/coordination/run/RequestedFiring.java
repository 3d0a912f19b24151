package dev.elasticjob.coordination.run;

import dev.elasticjob.coordination.state.Assignment;
import dev.elasticjob.coordination.state.FiringPlan;
import dev.elasticjob.coordination.state.ManualRun;
import dev.elasticjob.coordination.state.NodeCodec;
import dev.elasticjob.coordination.state.OpenFiring;
import dev.elasticjob.coordination.state.OpenFiring.Phase;
import dev.elasticjob.coordination.state.OpenFirings;
import dev.elasticjob.coordination.view.FiringsView;
import dev.elasticjob.coordination.view.ItemView;
import dev.elasticjob.coordination.view.JobViewReader.ItemsView;
import dev.elasticjob.registry.JobTree;
import dev.elasticjob.registry.RegistryCommit;
import java.util.ArrayList;
import java.util.Collection;
import java.util.List;
import java.util.NavigableSet;
import java.util.Optional;
import java.util.TreeSet;
import org.jspecify.annotations.Nullable;

/**
 * A manual run as a firing of the whole cluster, where the job opens firings. A request of one transaction opens it with
 * that. If there are several, the first one opens it in phase {@link Phase#ASKING}, in which no item of it begins, and the
 * last one ends that phase. Pure.
 *
 * @param plan null if the job opens no firings
 * @param present the run as it is open
 */
record RequestedFiring(
        JobTree tree, String runId, @Nullable FiringPlan plan, FiringsView firings, Optional<OpenFiring> present) {
    static RequestedFiring of(JobTree tree, ManualRun run, Assignment assignment, FiringsView firings) {
        String runId = run.runIds().get(0);
        return new RequestedFiring(
                tree,
                runId,
                assignment.opensFirings() ? assignment.firings() : null,
                firings,
                firings.value().find(OpenFiring.idOf(runId)));
    }

    /** Whether nothing of the run begins before all its items are asked. */
    boolean opens() {
        return plan != null;
    }

    /** Whether a request of several transactions has broken off, or is under way elsewhere. */
    boolean isAsking() {
        return plan != null && present.filter(OpenFiring::isAsking).isPresent();
    }

    /** The items of the request: those with which it began. */
    ItemsView itemsOf(ItemsView view) {
        return isAsking() ? view.only(item -> present.orElseThrow().items().contains(item.item())) : view;
    }

    /**
     * Whether the run has all of its items. As nothing of it begins before that, an item that shows more than that it waits
     * says so too.
     */
    boolean isComplete(ManualRun run, ItemsView view) {
        return plan != null
                && !isAsking()
                && (present.isPresent()
                        || view.items().values().stream()
                                .anyMatch(item -> item.current().shows(run)));
    }

    /**
     * The transactions of the request, with what they write about the firing.
     *
     * @param asked the items that have been asked by the last of them
     * @param request completes the request if it breaks off; null if that takes more than these values
     */
    List<RegistryCommit> within(
            List<RegistryCommit> steps, NavigableSet<Integer> asked, OpenFiring.@Nullable Request request) {
        if (plan == null || (present.isPresent() && !isAsking()) || (present.isEmpty() && asked.isEmpty())) {
            return steps;
        }
        Phase next = plan.listener() ? Phase.BEFORE : Phase.ITEMS;
        OpenFirings known = firings.value();
        List<RegistryCommit> all = new ArrayList<>(steps);
        if (present.isPresent()) {
            String id = present.get().id();
            OpenFirings turned =
                    asked.isEmpty() ? known.without(id) : known.changed(id, asking -> asking.asked(asked, next));
            add(all, all.size() - 1, change(turned, firings.version()));
        } else if (all.size() == 1) {
            OpenFiring opened = OpenFiring.manual(runId, asked, next, plan.from());
            add(all, 0, change(known.with(opened), firings.version()));
        } else {
            OpenFirings asking = known.with(OpenFiring.asking(runId, asked, request, plan.from()));
            Optional<Integer> left =
                    Optional.of(firings.version().map(version -> version + 1).orElse(0));
            add(all, 0, change(asking, firings.version()));
            add(
                    all,
                    all.size() - 1,
                    change(asking.changed(OpenFiring.idOf(runId), begun -> begun.asked(asked, next)), left));
        }
        return all;
    }

    private RegistryCommit change(OpenFirings next, Optional<Integer> version) {
        return RegistryCommit.builder()
                .setOrCreate(tree.firings(), NodeCodec.write(next), version)
                .build();
    }

    private static void add(List<RegistryCommit> steps, int at, RegistryCommit more) {
        steps.set(
                at, RegistryCommit.builder().addAll(more).addAll(steps.get(at)).build());
    }

    /** The items that have been asked before, or are asked now. */
    static NavigableSet<Integer> asked(ManualRun run, ItemsView view, Collection<ItemView> now) {
        NavigableSet<Integer> asked = new TreeSet<>();
        now.forEach(item -> asked.add(item.item()));
        view.items().values().stream()
                .filter(item -> RequestedBefore.has(item, run))
                .forEach(item -> asked.add(item.item()));
        return asked;
    }
}
