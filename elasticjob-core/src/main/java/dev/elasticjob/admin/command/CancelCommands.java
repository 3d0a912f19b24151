package dev.elasticjob.admin.command;

import dev.elasticjob.admin.command.CancelAnswer.Result;
import dev.elasticjob.admin.command.CancelSteps.Step;
import dev.elasticjob.coordination.run.ManualRunTransactions;
import dev.elasticjob.coordination.session.Batch;
import dev.elasticjob.coordination.session.Stages;
import dev.elasticjob.coordination.state.Assignment;
import dev.elasticjob.coordination.state.Cancellation;
import dev.elasticjob.coordination.state.ItemRanges;
import dev.elasticjob.coordination.state.OpenFirings;
import dev.elasticjob.coordination.view.FiringsView;
import dev.elasticjob.coordination.view.ItemView;
import dev.elasticjob.coordination.view.JobViewReader;
import dev.elasticjob.coordination.view.JobViewReader.ItemsView;
import dev.elasticjob.coordination.view.PlanView;
import dev.elasticjob.coordination.view.ReshardingRequest;
import dev.elasticjob.registry.CommitOutcome;
import dev.elasticjob.registry.JobTree;
import dev.elasticjob.registry.Registry;
import dev.elasticjob.registry.RegistryAnswer;
import dev.elasticjob.registry.RegistryCommit;
import dev.elasticjob.registry.RegistryRead;
import java.util.ArrayList;
import java.util.Collection;
import java.util.List;
import java.util.NavigableMap;
import java.util.NavigableSet;
import java.util.Optional;
import java.util.Set;
import java.util.SortedMap;
import java.util.SortedSet;
import java.util.TreeMap;
import java.util.TreeSet;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionStage;
import java.util.function.BiFunction;
import java.util.stream.Collectors;
import java.util.stream.Stream;

/**
 * Cancels what runs: the step "cancel" of {@code docs/internals/protocol.md}. A cancellation is written to the record of
 * each execution, at the version read, so that it can't reach another one. Items are changed in parts, each in one
 * transaction. What is refused is read again.
 *
 * <p>Thread-safe.
 */
final class CancelCommands {
    private static final int ATTEMPTS = 20;

    private final Registry registry;
    private final JobTree tree;
    private final JobViewReader reader;

    public CancelCommands(Registry registry, JobTree tree) {
        this.registry = registry;
        this.tree = tree;
        this.reader = new JobViewReader(tree, registry);
    }

    /**
     * Cancels what is requested, for a job that has a definition.
     *
     * @return fails with {@link UnknownTargetException} for unknown items, and with {@link IllegalStateException} if
     *     nothing is executing or waiting that can be cancelled; then nothing was written
     */
    public CompletionStage<CancelAnswer> cancel(CancelRequest request, Cancellation cancellation) {
        return job().thenCompose(job -> items(request, job.plan()).thenCompose(found -> {
            NavigableMap<Integer, CancelSteps> planners = new TreeMap<>();
            runs(request, found).forEach((runId, items) -> {
                CancelSteps planner = new CancelSteps(tree, CancelTarget.of(tree.jobName(), runId), cancellation);
                mustBeKnown(planner, job, found);
                items.forEach(item -> planners.put(item, planner));
            });
            NavigableMap<Integer, Result> results = new TreeMap<>();
            Set<Integer> unreadable = found.values().stream()
                    .filter(item -> !item.isReadable())
                    .map(ItemView::item)
                    .collect(Collectors.toSet());
            request.items()
                    .forEach(item -> results.put(item, unreadable.contains(item) ? Result.UNREADABLE : Result.NOTHING));
            return settleInParts(planners).thenApply(settled -> {
                settled.forEach(results::putAll);
                return answer(planners, results);
            });
        }));
    }

    /** Drops a run where it waits. What executes it goes on; a run that is over is no error. */
    CompletionStage<?> dropWaiting(String runId, Cancellation cancellation) {
        CancelSteps planner = new CancelSteps(tree, CancelTarget.of(tree.jobName(), runId), cancellation).onlyWaiting();
        return registry.read(List.of(RegistryRead.children(tree.sharding()))).thenCompose(answer -> {
            NavigableMap<Integer, CancelSteps> planners = new TreeMap<>();
            JobTree.itemNumbers(answer.children(tree.sharding())).forEach(item -> planners.put(item, planner));
            return settleInParts(planners);
        });
    }

    private CancelAnswer answer(NavigableMap<Integer, CancelSteps> planners, NavigableMap<Integer, Result> results) {
        SortedMap<String, SortedSet<Integer>> runs = new TreeMap<>();
        planners.forEach((item, planner) -> {
            SortedSet<Integer> of = runs.computeIfAbsent(planner.target().runId(), any -> new TreeSet<>());
            if (results.getOrDefault(item, Result.NOTHING) != Result.NOTHING) {
                of.add(item);
            }
        });
        if (results.values().stream().noneMatch(Result::isEffective)) {
            throw new IllegalStateException("Run \"%s\" of job \"%s\" can't be cancelled: %s"
                    .formatted(String.join("\", \"", runs.keySet()), tree.jobName(), whyNot(results.values())));
        }
        return new CancelAnswer(runs, results);
    }

    private static String whyNot(Collection<Result> results) {
        if (results.contains(Result.BUSY)) {
            return "its items still have earlier executions. Cancel those first, then this run again";
        }
        return results.contains(Result.NOTHING) && !results.contains(Result.ENDED)
                ? "the items have nothing to do with it. To see where it is, inspect the job"
                : "it has ended. To see how, inspect the job";
    }

    // ------------------------------------------------------------------ what is meant

    private record Job(Assignment plan, OpenFirings open) {}

    private CompletionStage<Job> job() {
        return registry.read(RegistryRead.allData(tree.sharding(), tree.firings()))
                .thenApply(answer -> PlanView.of(tree, answer)
                        .map(plan -> new Job(
                                plan.assignment(), FiringsView.of(tree, answer).value()))
                        .orElseThrow(() -> new IllegalStateException(
                                "Job \"%s\" has never run: no instance has joined it yet".formatted(tree.jobName()))));
    }

    /** All items where a run is meant: whether there is one, any of them shows. Also items without an owner may execute. */
    private CompletionStage<NavigableMap<Integer, ItemView>> items(CancelRequest request, Assignment plan) {
        CompletionStage<Collection<Integer>> numbers = request.runId().isEmpty()
                ? CompletableFuture.completedFuture(request.items())
                : registry.read(List.of(RegistryRead.children(tree.sharding())))
                        .thenApply(answer -> JobTree.itemNumbers(answer.children(tree.sharding())));
        return numbers.thenCompose(reader::items).thenApply(view -> {
            SortedSet<Integer> unknown = new TreeSet<>(request.items());
            unknown.removeAll(view.items().keySet());
            if (!unknown.isEmpty()) {
                throw UnknownTargetException.ofItems(
                        tree.jobName(), unknown, "it has %d items".formatted(plan.total()));
            }
            return view.items();
        });
    }

    /** The items that may have to do with each run that is meant. */
    private SortedMap<String, SortedSet<Integer>> runs(CancelRequest request, NavigableMap<Integer, ItemView> found) {
        SortedMap<String, SortedSet<Integer>> runs = new TreeMap<>();
        if (request.runId().isPresent()) {
            SortedSet<Integer> all = found.navigableKeySet();
            runs.put(request.runId().get(), request.items().isEmpty() ? all : request.items());
            return runs;
        }
        found.values()
                .forEach(item -> CancelSteps.executing(tree, item.current())
                        .ifPresent(runId -> runs.computeIfAbsent(runId, any -> new TreeSet<>())
                                .add(item.item())));
        if (runs.isEmpty()) {
            throw nothingExecutes(found);
        }
        return runs;
    }

    private IllegalStateException nothingExecutes(NavigableMap<Integer, ItemView> found) {
        ItemView first = found.firstEntry().getValue();
        String what = found.size() == 1
                ? "Item %d of job \"%s\" isn't executing anything that can be cancelled: its record says %s"
                        .formatted(first.item(), tree.jobName(), first.current().state())
                : "Of items [%s] of job \"%s\", none is executing anything that can be cancelled"
                        .formatted(ItemRanges.shown(found.keySet()), tree.jobName());
        return new IllegalStateException(what + ". What an unmonitored job executes by its schedule isn't recorded");
    }

    /** A firing whose listeners are being called is open, before any item shows it. */
    private void mustBeKnown(CancelSteps planner, Job job, NavigableMap<Integer, ItemView> items) {
        if (planner.target().firing().isPresent() && !job.plan().monitored()) {
            throw new IllegalStateException(
                    "Job \"%s\" has monitorExecution=false, so its firings are not recorded and can't be cancelled: disable its items or servers"
                            .formatted(tree.jobName()));
        }
        boolean isOpen = job.plan().opensFirings()
                && planner.target().firing().flatMap(job.open()::at).isPresent();
        if (!isOpen && items.values().stream().noneMatch(planner.target()::isKnownBy)) {
            throw new IllegalStateException(
                    "No item of job \"%s\" shows a run \"%s\": it has not begun, or later runs have replaced it. Check the run id"
                            .formatted(tree.jobName(), planner.target().runId()));
        }
    }

    // ------------------------------------------------------------------ in parts

    /** @param planners for each item */
    private CompletionStage<List<NavigableMap<Integer, Result>>> settleInParts(
            NavigableMap<Integer, CancelSteps> planners) {
        return Stages.inOrder(
                Batch.groups(GuardedWrites.ITEMS_AT_ONCE, List.copyOf(planners.keySet())),
                part -> settle(planners.subMap(part.get(0), true, part.get(part.size() - 1), true)));
    }

    /** @param planners for each item of the part */
    private CompletionStage<NavigableMap<Integer, Result>> settle(NavigableMap<Integer, CancelSteps> planners) {
        return Stages.attempts(ATTEMPTS, () -> attempt(planners))
                .thenApply(settled -> settled.orElseThrow(() -> new IllegalStateException(
                        ("Could not cancel what was meant on items [%s] of job \"%s\": other writers changed them during each"
                                        + " of %d attempts. Repeat the command")
                                .formatted(ItemRanges.shown(planners.keySet()), tree.jobName(), ATTEMPTS))));
    }

    /** The nodes around the items, from which one part is planned. */
    private record Basis(Assignment assignment, RegistryAnswer nodes, ItemsView view) {}

    private CompletionStage<Optional<NavigableMap<Integer, Result>>> attempt(
            NavigableMap<Integer, CancelSteps> planners) {
        return registry.read(RegistryRead.allData(tree.sharding(), tree.necessary()))
                .thenCompose(nodes -> {
                    PlanView plan = PlanView.of(tree, nodes)
                            .orElseThrow(() ->
                                    new IllegalStateException("Job \"%s\" is being removed".formatted(tree.jobName())));
                    return reader.itemsWithLocks(planners.keySet(), plan.assignment())
                            .thenCompose(view -> view.epoch() == plan.epoch()
                                    ? confirmed(planners, view)
                                            .thenCompose(sure -> sure
                                                    ? attempt(planners, new Basis(plan.assignment(), nodes, view))
                                                    : CompletableFuture.completedFuture(Optional.empty()))
                                    : CompletableFuture.completedFuture(Optional.empty()));
                });
    }

    /**
     * Record and children of an item may be read at two moments, between which a manual run is claimed. So items that show
     * nothing of the run are read again: with the same record, they have had nothing to do with it.
     */
    private CompletionStage<Boolean> confirmed(NavigableMap<Integer, CancelSteps> planners, ItemsView view) {
        List<ItemView> silent = of(
                planners,
                view,
                (planner, item) -> Optional.of(item)
                        .filter(one -> planner.target().firing().isEmpty()
                                && one.isReadable()
                                && !planner.target().isKnownBy(one)));
        return silent.isEmpty()
                ? CompletableFuture.completedFuture(true)
                : reader.items(silent.stream().map(ItemView::item).toList())
                        .thenApply(again -> silent.stream().allMatch(item -> {
                            ItemView now = again.items().get(item.item());
                            return now != null && now.version() == item.version();
                        }));
    }

    /** What there is of each item that was read. */
    private static <T> List<T> of(
            NavigableMap<Integer, CancelSteps> planners,
            ItemsView view,
            BiFunction<CancelSteps, ItemView, Optional<T>> what) {
        List<T> all = new ArrayList<>();
        planners.forEach((item, planner) -> Optional.ofNullable(view.items().get(item))
                .flatMap(read -> what.apply(planner, read))
                .ifPresent(all::add));
        return all;
    }

    private CompletionStage<Optional<NavigableMap<Integer, Result>>> attempt(
            NavigableMap<Integer, CancelSteps> planners, Basis basis) {
        OpenFirings firings = basis.view().firings().value();
        List<Step> steps =
                of(planners, basis.view(), (planner, item) -> planner.plan(item, basis.assignment(), firings));
        NavigableMap<Integer, Result> results = new TreeMap<>();
        steps.forEach(step -> results.put(step.item(), step.result()));
        List<Step> writing =
                steps.stream().filter(step -> !step.writes().isEmpty()).toList();
        if (writing.isEmpty()) {
            return CompletableFuture.completedFuture(Optional.of(results));
        }
        Set<String> executing = Stream.concat(
                        writing.stream().flatMap(step -> step.executedBy().stream()),
                        planners.values().stream().distinct().flatMap(planner -> planner.callingFor(firings).stream()))
                .map(tree::instance)
                .collect(Collectors.toCollection(TreeSet::new));
        return registry.read(RegistryRead.allData(List.copyOf(executing)))
                .thenCompose(instances -> registry.commit(commit(basis, writing, executing, instances)))
                .thenApply(CommitOutcome::isCommitted)
                .thenApply(done -> done ? Optional.of(results) : Optional.empty());
    }

    /** The epoch is checked, because an item that was removed and created again has the same versions. */
    private RegistryCommit commit(Basis basis, List<Step> steps, Set<String> executing, RegistryAnswer instances) {
        RegistryCommit.Builder commit =
                RegistryCommit.builder().check(tree.sharding(), basis.view().epoch());
        NavigableSet<Result> written = steps.stream().map(Step::result).collect(Collectors.toCollection(TreeSet::new));
        boolean opens = basis.assignment().knowsFirings();
        if (opens && written.contains(Result.SKIPPED)) {
            commit.addAll(basis.view().firings().check(tree));
        }
        steps.forEach(step -> commit.addAll(step.writes()));
        // Wakes who executes it. An instance that is gone executes nothing, or is not reached any more.
        executing.forEach(
                path -> instances.node(path).ifPresent(node -> commit.set(path, node.data(), node.version())));
        if (written.contains(Result.CANCELLED) || written.contains(Result.DROPPED)) {
            // Wakes the owners.
            basis.view().runs().ifPresent(node -> commit.addAll(new ManualRunTransactions(tree).raiseSignal(node)));
        }
        if (opens && (written.contains(Result.SKIPPED) || written.contains(Result.CANCELLED))) {
            // Wakes the leader, who looks whether the firing has ended.
            commit.addAll(ReshardingRequest.of(tree, basis.nodes()).raised());
        }
        return commit.build();
    }
}
