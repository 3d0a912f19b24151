package dev.elasticjob.admin.run;

import dev.elasticjob.admin.command.UnknownTargetException;
import dev.elasticjob.admin.run.CancelAnswer.Result;
import dev.elasticjob.admin.run.CancelSteps.Step;
import dev.elasticjob.coordination.firing.OpenFirings;
import dev.elasticjob.coordination.manual.ManualRunTransactions;
import dev.elasticjob.coordination.request.Cancellation;
import dev.elasticjob.coordination.session.Batch;
import dev.elasticjob.coordination.session.Stages;
import dev.elasticjob.coordination.state.Assignment;
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
import java.util.Collection;
import java.util.List;
import java.util.NavigableMap;
import java.util.NavigableSet;
import java.util.Optional;
import java.util.Set;
import java.util.TreeMap;
import java.util.TreeSet;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionStage;
import java.util.stream.Collectors;
import java.util.stream.Stream;

/**
 * Cancels what runs: the step "cancel" of {@code docs/internals/protocol.md}. A wish to end is written to the record of
 * each execution, at the version read, so that it can't reach another one. Items are changed in parts, each in one
 * transaction. What is refused is read again.
 *
 * <p>Thread-safe.
 */
public final class CancelCommands {
    private static final int ATTEMPTS = 20;
    /** Even if each has the largest record, the records of so many fit into one transaction. */
    private static final int ITEMS_AT_ONCE = 200;

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
     * @return fails with {@link UnknownTargetException} for an unknown item, and with {@link IllegalStateException} if
     *     nothing is executing or waiting that can be cancelled; then nothing was written
     */
    public CompletionStage<CancelAnswer> cancel(CancelRequest request, Cancellation wish) {
        return job().thenCompose(job -> items(request, job.plan()).thenCompose(found -> {
            String runId = request.runId().orElseGet(() -> executing(found));
            CancelSteps planner = new CancelSteps(tree, Target.of(tree.jobName(), runId), wish);
            mustBeKnown(planner, job, found);
            List<Integer> items = request.item().map(List::of).orElseGet(() -> List.copyOf(found.keySet()));
            NavigableMap<Integer, Result> results = new TreeMap<>();
            return Stages.inOrder(
                            Batch.groups(ITEMS_AT_ONCE, items),
                            part -> settle(planner, part).thenAccept(results::putAll))
                    .thenApply(done -> answer(new CancelAnswer(runId, results)));
        }));
    }

    /** Drops a run where it waits. What executes it goes on; a run that is over is no error. */
    CompletionStage<?> dropWaiting(String runId, Cancellation wish) {
        CancelSteps planner = new CancelSteps(tree, Target.of(tree.jobName(), runId), wish).onlyWaiting();
        return registry.read(List.of(RegistryRead.children(tree.sharding())))
                .thenCompose(answer -> Stages.inOrder(
                        Batch.groups(ITEMS_AT_ONCE, List.copyOf(JobTree.itemNumbers(answer.children(tree.sharding())))),
                        part -> settle(planner, part)));
    }

    private CancelAnswer answer(CancelAnswer answer) {
        if (answer.items().values().stream().noneMatch(Result::isEffective)) {
            throw new IllegalStateException("Run \"%s\" of job \"%s\" can't be cancelled: %s"
                    .formatted(answer.runId(), tree.jobName(), describe(answer)));
        }
        return answer;
    }

    private static String describe(CancelAnswer answer) {
        boolean busy = answer.items().containsValue(Result.BUSY);
        return busy
                ? "its items still have earlier executions. Cancel those first, then this run again"
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
                ? CompletableFuture.completedFuture(request.item().stream().toList())
                : registry.read(List.of(RegistryRead.children(tree.sharding())))
                        .thenApply(answer -> JobTree.itemNumbers(answer.children(tree.sharding())));
        return numbers.thenCompose(reader::items).thenApply(view -> {
            request.item().filter(item -> !view.items().containsKey(item)).ifPresent(item -> {
                throw new UnknownTargetException(
                        "Job \"%s\" has no item %d: it has %d items".formatted(tree.jobName(), item, plan.total()));
            });
            return view.items();
        });
    }

    private String executing(NavigableMap<Integer, ItemView> one) {
        ItemView item = one.values().iterator().next();
        return CancelSteps.executing(tree, item.current())
                .orElseThrow(() -> new IllegalStateException(
                        ("Item %d of job \"%s\" isn't executing anything that can be cancelled: its record says %s. What an"
                                        + " unmonitored job executes by its schedule isn't recorded")
                                .formatted(
                                        item.item(),
                                        tree.jobName(),
                                        item.current().state())));
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

    // ------------------------------------------------------------------ one part

    private CompletionStage<NavigableMap<Integer, Result>> settle(CancelSteps planner, List<Integer> items) {
        return Stages.attempts(ATTEMPTS, () -> attempt(planner, items))
                .thenApply(settled -> settled.orElseThrow(() -> new IllegalStateException(
                        ("Could not cancel run \"%s\" of job \"%s\" for all items: other writers changed them during each of"
                                        + " %d attempts. Repeat the command")
                                .formatted(planner.target().runId(), tree.jobName(), ATTEMPTS))));
    }

    /** The nodes around the items, from which one part is planned. */
    private record Basis(Assignment assignment, RegistryAnswer nodes, ItemsView view) {}

    private CompletionStage<Optional<NavigableMap<Integer, Result>>> attempt(CancelSteps planner, List<Integer> items) {
        return registry.read(RegistryRead.allData(tree.sharding(), tree.necessary()))
                .thenCompose(nodes -> {
                    PlanView plan = PlanView.of(tree, nodes)
                            .orElseThrow(() ->
                                    new IllegalStateException("Job \"%s\" is being removed".formatted(tree.jobName())));
                    return reader.itemsWithLocks(items, plan.assignment())
                            .thenCompose(view -> view.epoch() == plan.epoch()
                                    ? confirmed(planner, view)
                                            .thenCompose(sure -> sure
                                                    ? attempt(planner, new Basis(plan.assignment(), nodes, view))
                                                    : CompletableFuture.completedFuture(Optional.empty()))
                                    : CompletableFuture.completedFuture(Optional.empty()));
                });
    }

    /**
     * Record and children of an item may be read at two moments, between which a manual run is claimed. So items that show
     * nothing of the run are read again: with the same record, they have had nothing to do with it.
     */
    private CompletionStage<Boolean> confirmed(CancelSteps planner, ItemsView view) {
        List<ItemView> silent = view.items().values().stream()
                .filter(item -> planner.target().firing().isEmpty()
                        && item.isReadable()
                        && !planner.target().isKnownBy(item))
                .toList();
        return silent.isEmpty()
                ? CompletableFuture.completedFuture(true)
                : reader.items(silent.stream().map(ItemView::item).toList())
                        .thenApply(again -> silent.stream().allMatch(item -> {
                            ItemView now = again.items().get(item.item());
                            return now != null && now.version() == item.version();
                        }));
    }

    private CompletionStage<Optional<NavigableMap<Integer, Result>>> attempt(CancelSteps planner, Basis basis) {
        List<Step> steps = basis.view().items().values().stream()
                .flatMap(item -> planner
                        .plan(item, basis.assignment(), basis.view().firings().value())
                        .stream())
                .toList();
        NavigableMap<Integer, Result> results = new TreeMap<>();
        steps.forEach(step -> results.put(step.item(), step.result()));
        List<Step> writing =
                steps.stream().filter(step -> !step.writes().isEmpty()).toList();
        if (writing.isEmpty()) {
            return CompletableFuture.completedFuture(Optional.of(results));
        }
        Set<String> executing = Stream.concat(
                        writing.stream().flatMap(step -> step.executedBy().stream()),
                        planner.callingFor(basis.view().firings().value()).stream())
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
