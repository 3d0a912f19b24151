package dev.elasticjob.coordination.run;

import dev.elasticjob.coordination.state.Assignment;
import dev.elasticjob.coordination.state.DelayedFiring;
import dev.elasticjob.coordination.state.ManualRun;
import dev.elasticjob.coordination.view.ItemView;
import dev.elasticjob.coordination.view.JobView;
import dev.elasticjob.definition.JobDefinition;
import dev.elasticjob.registry.JobTree;
import dev.elasticjob.registry.RegistryAnswer;
import dev.elasticjob.registry.RegistryMoment;
import dev.elasticjob.registry.RegistryNode;
import java.time.Instant;
import java.util.ArrayList;
import java.util.Collection;
import java.util.Comparator;
import java.util.List;
import java.util.Optional;
import java.util.Set;
import java.util.stream.Collectors;

/**
 * The run that a leader would ask for at once, of those that no person asks for: after other jobs, of a backfill, after a
 * fixed delay. Pure: the planners of these tasks decide.
 *
 * @param now the run; empty if there is none
 * @param since when it could be asked for first; empty if there is none, or nobody knows
 * @param next when a leader asks for the next one by itself, if there is none now; empty if it doesn't know
 * @param unrecorded the items whose execution has ended, but isn't recorded so: a fixed delay begins when an instance does that,
 *     and with none, never
 */
public record ForeseenRun(
        Optional<ManualRun> now, Optional<Instant> since, Optional<Instant> next, Set<Integer> unrecorded) {
    private static final ForeseenRun NONE =
            new ForeseenRun(Optional.empty(), Optional.empty(), Optional.empty(), Set.of());

    public ForeseenRun {
        unrecorded = Set.copyOf(unrecorded);
    }

    /**
     * @param view covers {@code delay}, {@code backfill}, {@code after}, and what is below {@code after}
     * @param plan in which all items have an owner
     * @param items those that have a node, with their waiting runs
     * @param ending those of them whose execution ends as soon as an instance comes, because it will not be repeated
     */
    public static ForeseenRun of(
            JobView view,
            JobDefinition definition,
            Assignment plan,
            Collection<ItemView> items,
            Set<Integer> ending,
            Instant registryNow) {
        return new Looking(view, definition, plan, items, ending, registryNow).run();
    }

    private record Looking(
            JobView view,
            JobDefinition definition,
            Assignment plan,
            Collection<ItemView> items,
            Set<Integer> ending,
            Instant registryNow) {
        ForeseenRun run() {
            ForeseenRun delayed = plan.schedule().delay().isPresent() ? delayed() : NONE;
            if (delayed.now().isPresent()) {
                return delayed;
            }
            Optional<FollowUp> following = following();
            Optional<ManualRun> run = following.map(FollowUp::run).or(this::backfilled);
            return new ForeseenRun(run, following.flatMap(this::since), delayed.next(), delayed.unrecorded());
        }

        private ForeseenRun delayed() {
            Optional<DelayedFiring> last = DelayedFiring.of(view.delay());
            DelayPlanner.Step step = DelayPlanner.next(last, plan, registryNow);
            Set<Integer> unrecorded = Set.of();
            if (step instanceof DelayPlanner.Step.LookForEnds look) {
                if (isBusyWith(look.last().runId())) {
                    return NONE;
                }
                unrecorded = unrecorded(look.last().runId());
                Instant ended = unrecorded.isEmpty() ? written() : registryNow;
                step = DelayPlanner.next(Optional.of(look.last().endedAt(ended)), plan, registryNow);
            }
            if (step instanceof DelayPlanner.Step.Ask ask) {
                return new ForeseenRun(
                        Optional.of(ask.firing().run()),
                        Optional.of(ask.firing().at()),
                        Optional.empty(),
                        unrecorded);
            }
            return step instanceof DelayPlanner.Step.Await await
                    ? new ForeseenRun(Optional.empty(), Optional.empty(), await.next(), unrecorded)
                    : NONE;
        }

        /** Those for which the leader would wait. */
        private Set<Integer> unrecorded(String runId) {
            return items.stream()
                    .filter(item -> ending.contains(item.item()) && item.isBusyWith(runId, definition.failover()))
                    .map(ItemView::item)
                    .collect(Collectors.toSet());
        }

        /** When all had ended, as the leader would note it. */
        private Instant written() {
            Instant asked = view.delay().map(RegistryNode::modified).orElse(Instant.EPOCH);
            Instant written = items.stream()
                    .map(ItemView::recorded)
                    .max(Comparator.naturalOrder())
                    .orElse(asked);
            return new RegistryMoment(registryNow).bounded(written.isAfter(asked) ? written : asked);
        }

        private Optional<ManualRun> backfilled() {
            return view.backfill().flatMap(Backfill::read).flatMap(present -> {
                List<Instant> ended = present.open().stream()
                        .filter(time -> !isBusyWith(present.runIdOf(time)))
                        .toList();
                return BackfillPlanner.next(present, ended, List.of(), registryNow)
                                instanceof BackfillPlanner.Step.Ask ask
                        ? Optional.of(present.runOf(ask.time()))
                        : Optional.empty();
            });
        }

        /** When the last of its parents had ended the firing. */
        private Optional<Instant> since(FollowUp following) {
            return view.answer().node(view.tree().after(following.id())).map(RegistryNode::modified);
        }

        private Optional<FollowUp> following() {
            RegistryAnswer answer = view.answer();
            JobTree tree = view.tree();
            if (!definition.mayFollow()) {
                return Optional.empty();
            }
            Optional<String> last =
                    answer.node(tree.after()).map(FollowerState::read).flatMap(FollowerState::last);
            List<FollowUp> waiting = new ArrayList<>();
            for (String name : answer.children(tree.after())) {
                String path = tree.after(name);
                Optional<RegistryNode> node = answer.covers(path) ? answer.node(path) : Optional.empty();
                node.ifPresent(found -> waiting.add(FollowUp.of(name, found)));
            }
            while (FollowUpPlanner.next(waiting, definition.after(), last, registryNow)
                    instanceof FollowUpPlanner.Step.Drop drop) {
                waiting.remove(drop.followUp());
            }
            return FollowUpPlanner.next(waiting, definition.after(), last, registryNow)
                                    instanceof FollowUpPlanner.Step.Run run
                            && last.filter(before ->
                                            !before.equals(run.followUp().runId()))
                                    .filter(this::isBusyWith)
                                    .isEmpty()
                    ? Optional.of(run.followUp())
                    : Optional.empty();
        }

        private boolean isBusyWith(String runId) {
            return items.stream()
                    .filter(item -> item.waiting().isPresent() || !ending.contains(item.item()))
                    .anyMatch(item -> item.isBusyWith(runId, definition.failover()));
        }
    }
}
