package dev.elasticjob.coordination.run;

import dev.elasticjob.coordination.session.JobScope;
import dev.elasticjob.coordination.session.Stages;
import dev.elasticjob.coordination.state.Assignment;
import dev.elasticjob.coordination.state.ItemRecord;
import dev.elasticjob.coordination.state.ManualRun;
import dev.elasticjob.coordination.state.NodeCodec;
import dev.elasticjob.coordination.state.OpenFiring;
import dev.elasticjob.coordination.state.RequestedBy;
import dev.elasticjob.coordination.view.FiringsView;
import dev.elasticjob.coordination.view.ItemView;
import dev.elasticjob.coordination.view.JobViewReader;
import dev.elasticjob.coordination.view.JobViewReader.ItemsView;
import dev.elasticjob.coordination.view.PlanView;
import dev.elasticjob.registry.CommitOutcome;
import dev.elasticjob.registry.JobTree;
import dev.elasticjob.registry.Registry;
import dev.elasticjob.registry.RegistryAnswer;
import dev.elasticjob.registry.RegistryCommit;
import dev.elasticjob.registry.RegistryNode;
import dev.elasticjob.registry.RegistryRead;
import dev.elasticjob.registry.RegistrySession;
import java.util.Collection;
import java.util.List;
import java.util.NavigableSet;
import java.util.Objects;
import java.util.Optional;
import java.util.SortedSet;
import java.util.TreeSet;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionStage;
import java.util.function.BiConsumer;
import java.util.function.Function;
import java.util.function.Predicate;

/**
 * Requests manual runs: a node for each item, and the signal that wakes the owners. The step "ask" of {@code
 * docs/internals/protocol.md}. If the same run is requested twice, it runs once. If another one with the same parameter
 * is requested before the first starts, one execution answers both.
 *
 * <p>Thread-safe.
 */
public final class ManualRuns {
    private static final RegistryCommit NOTHING = RegistryCommit.builder().build();

    private final JobTree tree;
    private final Registry registry;
    private final Function<RegistryCommit, CompletionStage<CommitOutcome>> committing;
    private final JobViewReader reader;
    private final ManualRunTransactions transactions;
    private final ManualRunRefusals refusals;
    private final Function<List<RegistryRead>, CompletionStage<RegistryAnswer>> planReads;

    /** Requests runs in a session of this instance. */
    public ManualRuns(JobScope scope, RegistrySession session) {
        this(scope.tree(), scope.registry(), commit -> scope.connection().commit(session, commit));
    }

    /** @param committing commits in the caller's session, or fails */
    public ManualRuns(
            JobTree tree, Registry registry, Function<RegistryCommit, CompletionStage<CommitOutcome>> committing) {
        this(tree, registry, committing, registry::read);
    }

    /** @param planReads reads at least these nodes for each attempt; fails if the run may not be requested */
    public ManualRuns(
            JobTree tree,
            Registry registry,
            Function<RegistryCommit, CompletionStage<CommitOutcome>> committing,
            Function<List<RegistryRead>, CompletionStage<RegistryAnswer>> planReads) {
        this.tree = tree;
        this.registry = registry;
        this.committing = committing;
        this.reader = new JobViewReader(tree, registry);
        this.transactions = new ManualRunTransactions(tree);
        this.refusals = new ManualRunRefusals(tree.jobName());
        this.planReads = planReads;
    }

    /**
     * @param asked the items that will run
     * @param disabled the items that were left out
     */
    public record Answer(SortedSet<Integer> asked, SortedSet<Integer> disabled) {
        static Answer of(ItemsView view) {
            Answer answer = new Answer(new TreeSet<>(), new TreeSet<>());
            view.items()
                    .forEach((number, item) ->
                            (item.children().disabled() ? answer.disabled() : answer.asked()).add(number));
            return answer;
        }
    }

    /**
     * Makes one attempt to request all items of the job.
     *
     * @return empty if other writers came in between: try again. Fails with {@link IllegalStateException} if no
     *     instance owns an item, or a waiting run can't be merged with this one
     */
    public CompletionStage<Optional<Answer>> ask(ManualRun run) {
        return attempt(run, new RequestOptions(refusals::allItems, refusals::mustFold, last -> false, NOTHING));
    }

    /**
     * Makes one attempt to request some items of the job.
     *
     * @param items at least one
     * @return as {@link #ask(ManualRun)}; fails with {@link IllegalArgumentException} if the job has no such item
     */
    public CompletionStage<Optional<Answer>> ask(ManualRun run, SortedSet<Integer> items) {
        return attempt(
                run,
                new RequestOptions(
                        assignment -> refusals.someItems(assignment, items),
                        refusals::mustFold,
                        last -> false,
                        NOTHING));
    }

    /** Requests a run that may be merged with any waiting run, because its caller needs no parameter. */
    CompletionStage<Optional<Answer>> askWithAnyParameter(ManualRun run) {
        return attempt(run, new RequestOptions(refusals::allItems, (any, items) -> {}, last -> false, NOTHING));
    }

    /**
     * Requests a run for an operator's tool, and deletes the tool's request in the same transaction. If there are too
     * many items for one transaction, the last one deletes it. If no instance owns items, no run is requested.
     *
     * @param answered whether one of the last runs already answers this request, which is then only deleted
     */
    CompletionStage<Optional<Answer>> askForTool(
            ManualRun run, Predicate<List<String>> answered, RegistryCommit alongside) {
        return attempt(
                run,
                new RequestOptions(
                        assignment -> assignment.owners().navigableKeySet(), (any, items) -> {}, answered, alongside));
    }

    /**
     * The outcome of a request for a run that may not share an execution with another run.
     *
     * @param asked empty if the run wasn't requested, or not for all items
     * @param behind an item that another run waits for
     * @param nobody whether no instance owns an item
     */
    record ExclusiveAnswer(Optional<Answer> asked, Optional<Integer> behind, boolean nobody) {}

    /**
     * One attempt for all items of the job, unless another run waits for one of them. Items that have had this run, or have
     * it waiting, are left alone: a request that broke off goes on.
     *
     * @param before runs that may wait too; this one waits behind them
     * @param withFirst goes with the first of the transactions
     * @param withLast goes with the last
     */
    CompletionStage<ExclusiveAnswer> askExclusively(
            ManualRun run, Predicate<ManualRun> before, RegistryCommit withFirst, RegistryCommit withLast) {
        return readPlan().thenCompose(answer -> {
            PlanView plan = PlanView.of(tree, answer)
                    .filter(known -> !known.assignment().owners().isEmpty())
                    .orElse(null);
            if (plan == null) {
                return CompletableFuture.completedFuture(new ExclusiveAnswer(Optional.empty(), Optional.empty(), true));
            }
            RequestedFiring firing = RequestedFiring.of(tree, run, plan.assignment(), FiringsView.of(tree, answer));
            NavigableSet<Integer> items = plan.assignment().owners().navigableKeySet();
            return read(plan.epoch(), run, items, all -> RequestPlan.of(run, firing, all))
                    .thenCompose(split -> {
                        Optional<Integer> behind = split.asking().behind(before);
                        return behind.isPresent()
                                ? CompletableFuture.completedFuture(
                                        new ExclusiveAnswer(Optional.empty(), behind, false))
                                : commit(steps(split, answer, withFirst, withLast))
                                        .thenApply(done -> new ExclusiveAnswer(
                                                Optional.of(split.asking().answer())
                                                        .filter(any -> done),
                                                Optional.empty(),
                                                false));
                    });
        });
    }

    /**
     * Makes one attempt to complete a request that has broken off between two of its transactions: it asks those of its items
     * that nothing shows the run of, unless operators have dropped it, and lets it begin. Where items have different
     * requests, it begins with those that were asked.
     *
     * @param asking as it is open
     * @return the items that have the run; empty if other writers came in between, or there is nothing to complete any more
     */
    public CompletionStage<Optional<SortedSet<Integer>>> complete(OpenFiring asking) {
        OpenFiring.Request request = asking.request();
        String runId = Objects.requireNonNull(asking.runId());
        ManualRun run = new ManualRun(List.of(runId), request == null ? "" : request.parameter())
                .repeating(request == null ? null : request.repeats())
                .by(request == null ? RequestedBy.NOBODY : request.by());
        return readPlan().thenCompose(answer -> {
            PlanView plan = PlanView.of(tree, answer)
                    .filter(known -> known.assignment().opensFirings())
                    .orElse(null);
            if (plan == null) {
                return CompletableFuture.completedFuture(Optional.empty());
            }
            RequestedFiring firing = RequestedFiring.of(tree, run, plan.assignment(), FiringsView.of(tree, answer));
            if (!firing.present().equals(Optional.of(asking))) {
                return CompletableFuture.completedFuture(Optional.empty());
            }
            return reader.items(asking.items()).thenCompose(view -> {
                boolean goesOn = request != null
                        && view.items().values().stream().noneMatch(item -> RequestedBefore.isDropped(item, runId));
                List<ItemView> open = RequestPlan.unasked(run, view).stream()
                        .filter(item -> goesOn && plan.assignment().owners().containsKey(item.item()))
                        .toList();
                RequestPlan completing = new RequestPlan(run, firing, view, open, any -> run, request);
                return commit(steps(split(plan.epoch(), completing), answer, NOTHING, NOTHING))
                        .thenApply(done -> done ? Optional.of(completing.asked()) : Optional.empty());
            });
        });
    }

    private CompletionStage<Boolean> commit(List<RegistryCommit> steps) {
        return Stages.whileCommitted(steps, committing);
    }

    private CompletionStage<RegistryAnswer> readPlan() {
        return planReads.apply(RegistryRead.allData(tree.sharding(), tree.triggers(), tree.firings()));
    }

    /** A request, and the transactions that ask its items. */
    private record SplitRequest(RequestPlan asking, List<RegistryCommit> parts) {
        /** Whether some items may have been asked before, and begun since. */
        boolean mayHaveBegun() {
            return !asking.firing().opens()
                    && (parts.size() > 1
                            || asking.asked().size() > asking.open().size());
        }
    }

    private SplitRequest split(int epoch, RequestPlan asking) {
        return new SplitRequest(asking, transactions.parts(epoch, asking, registry.bytesPerCommit()));
    }

    /** Reads the items of a request, and once more those of which one read doesn't tell whether they have been asked. */
    private CompletionStage<SplitRequest> read(
            int epoch, ManualRun run, Collection<Integer> items, Function<ItemsView, RequestPlan> request) {
        Function<ItemsView, SplitRequest> splitting = view -> split(epoch, request.apply(view));
        return reader.items(items).thenCompose(view -> {
            SplitRequest split = splitting.apply(view);
            return split.mayHaveBegun()
                    ? new SettledItems(reader, run).of(view).thenApply(splitting)
                    : CompletableFuture.completedFuture(split);
        });
    }

    private List<RegistryCommit> steps(
            SplitRequest split, RegistryAnswer nodes, RegistryCommit withFirst, RegistryCommit withLast) {
        List<RegistryCommit> steps = transactions.request(split.asking(), split.parts(), nodes.node(tree.triggers()));
        steps.set(0, ManualRunTransactions.with(withFirst, steps.get(0)));
        int last = steps.size() - 1;
        steps.set(last, ManualRunTransactions.with(steps.get(last), withLast));
        return steps;
    }

    /**
     * The way in which a run is requested.
     *
     * @param items the requested items
     * @param check throws if the run can't be requested
     * @param answered whether no run is needed, given the last run ids
     * @param alongside sent with the last transaction
     */
    private record RequestOptions(
            Function<Assignment, NavigableSet<Integer>> items,
            BiConsumer<ManualRun, List<ItemView>> check,
            Predicate<List<String>> answered,
            RegistryCommit alongside) {}

    private CompletionStage<Optional<Answer>> attempt(ManualRun run, RequestOptions options) {
        return readPlan().thenCompose(answer -> {
            RegistryNode sharding = PlanView.node(tree, answer).orElseThrow(refusals::unplanned);
            Optional<RegistryNode> signal = answer.node(tree.triggers());
            List<String> lastRuns =
                    signal.map(node -> NodeCodec.readRunIds(node.data())).orElse(List.of());
            if (signal.isPresent() && options.answered().test(lastRuns)) {
                return commitOnly(signal.get(), options.alongside());
            }
            Assignment assignment = NodeCodec.readAssignment(tree.sharding(), sharding.data());
            RequestedBefore before = new RequestedBefore(tree, registry, run);
            if (assignment.owners().isEmpty() && before.isAmongLast(answer)) {
                return before.answer(reader);
            }
            RequestedFiring firing = RequestedFiring.of(tree, run, assignment, FiringsView.of(tree, answer));
            NavigableSet<Integer> items = options.items().apply(assignment);
            if (lastRuns.containsAll(run.runIds()) && !firing.isAsking()) {
                return reader.items(items).thenApply(view -> Optional.of(Answer.of(view)));
            }
            Optional<OpenFiring> brokenOff = firing.present().filter(there -> firing.isAsking());
            if (brokenOff.filter(there -> !items.containsAll(there.items())).isPresent()) {
                // Items that were asked have lost their owner, and still have the run waiting.
                return complete(brokenOff.get()).thenApply(completed -> Optional.empty());
            }
            return read(sharding.version(), run, items, view -> RequestPlan.of(run, firing, view))
                    .thenCompose(split -> ask(split, answer, options));
        });
    }

    /**
     * Makes one attempt to request a run that repeats failed executions: only the items that show one, each with its own
     * parameter.
     *
     * @param failed whether the record shows one that is to be repeated
     * @return the items that will run; the same again if the run was requested before. Empty if other writers came in
     *     between. Fails with {@link IllegalStateException} as {@link #ask} does
     */
    public CompletionStage<Optional<Answer>> repeat(ManualRun run, Predicate<ItemRecord> failed) {
        return readPlan().thenCompose(answer -> {
            PlanView plan = PlanView.of(tree, answer).orElseThrow(refusals::unplanned);
            RequestedBefore before = new RequestedBefore(tree, registry, run);
            if (plan.assignment().owners().isEmpty() && before.isAmongLast(answer)) {
                return before.answer(reader);
            }
            RequestedFiring firing = RequestedFiring.of(tree, run, plan.assignment(), FiringsView.of(tree, answer));
            Function<ItemsView, RequestPlan> repeating = all -> RequestPlan.repeating(
                    run,
                    firing,
                    all.only(item ->
                            RequestedBefore.has(item, run) || (item.isReadable() && failed.test(item.current()))));
            return read(plan.epoch(), run, refusals.allItems(plan.assignment()), repeating)
                    .thenCompose(split -> repeat(split, answer));
        });
    }

    private CompletionStage<Optional<Answer>> repeat(SplitRequest split, RegistryAnswer nodes) {
        RequestPlan asking = split.asking();
        if (asking.open().isEmpty() && !asking.isBegun()) {
            return CompletableFuture.completedFuture(Optional.of(asking.answer()));
        }
        if (!asking.isBegun()) {
            asking.open().forEach(item -> refusals.mustFold(asking.of().apply(item), List.of(item)));
        }
        return commit(steps(split, nodes, NOTHING, NOTHING))
                .thenApply(done -> done ? Optional.of(asking.answer()) : Optional.empty());
    }

    private CompletionStage<Optional<Answer>> ask(SplitRequest split, RegistryAnswer nodes, RequestOptions options) {
        RequestPlan asking = split.asking();
        RegistryCommit alongside = options.alongside();
        Answer answer = asking.answer();
        if (!asking.isBegun()) {
            options.check().accept(asking.run(), asking.open());
            if (answer.asked().isEmpty() && alongside.isEmpty()) {
                return CompletableFuture.completedFuture(Optional.of(answer));
            }
        }
        // The deleted node may be created again: only the signal's version keeps a repetition from deleting that one.
        return commit(steps(split, nodes, NOTHING, alongside))
                .thenApply(done -> done ? Optional.of(answer) : Optional.empty());
    }

    /** The deleted node may be created again: the signal is set unchanged, so that a repetition is refused. */
    private CompletionStage<Optional<Answer>> commitOnly(RegistryNode signal, RegistryCommit alongside) {
        RegistryCommit commit = RegistryCommit.builder()
                .addAll(transactions.raiseSignal(signal))
                .addAll(alongside)
                .build();
        return Stages.whileCommitted(List.of(commit), committing)
                .thenApply(done -> done ? Optional.of(new Answer(new TreeSet<>(), new TreeSet<>())) : Optional.empty());
    }
}
