package dev.elasticjob.coordination.leader;

import dev.elasticjob.coordination.item.AbandonedExecutions;
import dev.elasticjob.coordination.item.ItemChange.Abandon;
import dev.elasticjob.coordination.item.ItemTransactions;
import dev.elasticjob.coordination.leader.ReconcilePlanner.Repair;
import dev.elasticjob.coordination.session.JobScope;
import dev.elasticjob.coordination.session.Next;
import dev.elasticjob.coordination.session.Stages;
import dev.elasticjob.coordination.state.Assignment;
import dev.elasticjob.coordination.state.ItemRanges;
import dev.elasticjob.coordination.view.JobViewReader.LeaderView;
import dev.elasticjob.coordination.view.MemberNames;
import dev.elasticjob.definition.JobDefinition;
import dev.elasticjob.job.event.JobEvent;
import dev.elasticjob.registry.CommitOutcome;
import dev.elasticjob.registry.RegistryCommit;
import dev.elasticjob.registry.RegistryMoment;
import dev.elasticjob.registry.RegistryNode;
import dev.elasticjob.registry.RegistryRead;
import dev.elasticjob.registry.RegistrySession;
import dev.elasticjob.time.TaskTimer;
import java.time.Duration;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.TreeMap;
import java.util.TreeSet;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionStage;
import java.util.function.Supplier;
import java.util.stream.Stream;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * The leader's repairs: effects of changed settings whenever the items are read, and a periodic comparison of
 * everything. Confined to the coordination executor.
 */
final class Reconciliation {
    private static final Logger log = LoggerFactory.getLogger(Reconciliation.class);

    private final JobScope scope;
    private final ItemTransactions items;
    private final JobTransactions transactions;
    private final AbandonedExecutions abandoned;
    private final Runnable lookAgain;
    private Set<String> idle = Set.of();
    private TaskTimer.Cancellable timer = () -> {};
    private int intervalMinutes;
    private boolean due;
    /** The number of items created again since the last comparison. */
    private int createdAgain;

    Reconciliation(JobScope scope, AbandonedExecutions abandoned, Runnable lookAgain) {
        this.scope = scope;
        this.items = new ItemTransactions(scope.tree());
        this.transactions = new JobTransactions(scope.tree());
        this.abandoned = abandoned;
        this.lookAgain = lookAgain;
    }

    boolean isDue() {
        return due;
    }

    /** Without waiting for the next time. */
    void compareNow() {
        due = true;
    }

    void follow(JobDefinition definition) {
        if (definition.reconcileIntervalMinutes() != intervalMinutes) {
            stop();
            intervalMinutes = definition.reconcileIntervalMinutes();
            arm();
        }
    }

    private void arm() {
        if (intervalMinutes >= 1) {
            timer = scope.connection().later(Duration.ofMinutes(intervalMinutes), () -> {
                due = true;
                arm();
                lookAgain.run();
            });
        }
    }

    void stop() {
        timer.cancel();
        intervalMinutes = 0;
        due = false;
        idle = Set.of();
    }

    /** Whether items with an owner have lost their nodes. A plan, even with the same owners, creates them again. */
    boolean misses(LeaderView view) {
        Set<Integer> missing = new TreeSet<>(view.job()
                .assignment()
                .map(Assignment::owners)
                .orElse(new TreeMap<>())
                .keySet());
        missing.removeAll(view.items().keySet());
        if (!missing.isEmpty()) {
            createdAgain += missing.size();
            log.warn(
                    "Job \"{}\": the nodes of items [{}] were deleted from the registry; they are created again",
                    scope.jobName(),
                    ItemRanges.text(List.copyOf(missing)));
        }
        return !missing.isEmpty();
    }

    /**
     * Adapts interrupted executions and failover signals to the settings. If there is nothing to do, and the comparison
     * is due, compares everything.
     */
    CompletionStage<Next> repair(RegistrySession session, LeaderView view, JobDefinition definition) {
        ReconcilePlanner planner = new ReconcilePlanner(view);
        List<Abandon> lost = planner.abandoned(definition);
        List<RegistryCommit> signals =
                items.signals(view.job().epoch(), planner.staleSignals(), planner.unsignalled(definition));
        if (!lost.isEmpty() || !signals.isEmpty()) {
            return abandoned
                    .commit(session, view.job(), lost)
                    .thenCombine(commitAll(session, signals), (abandoned, written) -> Next.AGAIN);
        }
        return due ? compareAll(session, planner) : Next.WAIT.stage();
    }

    private CompletionStage<Next> compareAll(RegistrySession session, ReconcilePlanner planner) {
        due = false;
        List<RegistryRead> reads =
                new ArrayList<>(MemberNames.of(planner.view().job()).reads(scope.tree()));
        planner.owners()
                .keySet()
                .forEach(item -> reads.add(RegistryRead.data(scope.tree().owner(item))));
        return scope.registry()
                .read(reads)
                .thenCompose(answer -> {
                    Map<String, RegistryNode> nodes = new HashMap<>();
                    reads.forEach(read -> answer.node(read.path()).ifPresent(node -> nodes.put(read.path(), node)));
                    RegistryMoment present =
                            new RegistryMoment(scope.registryTime().now());
                    List<Repair> repairs = planner.repairs(nodes, present, idle);
                    idle = planner.idle();
                    return recordsFromTheFuture(session, planner)
                            .thenCompose(records -> commitAll(
                                    session,
                                    Stream.concat(records.stream(), repairs.stream())
                                            .map(repair -> transactions.repair(
                                                    planner.view().job().epoch(), repair))
                                            .toList()));
                })
                .thenApply(this::report);
    }

    /** Records are set back only by a time that was just read. */
    private CompletionStage<List<Repair>> recordsFromTheFuture(RegistrySession session, ReconcilePlanner planner) {
        Supplier<List<Repair>> now = () -> planner.recordsFromTheFuture(
                new RegistryMoment(scope.registryTime().now()), scope.clock().instant());
        List<Repair> estimated = now.get();
        return estimated.isEmpty()
                ? CompletableFuture.completedFuture(estimated)
                : scope.askTime(session).thenApply(asked -> now.get());
    }

    private Next report(int carriedOut) {
        int repairs = carriedOut + createdAgain;
        createdAgain = 0;
        if (repairs > 0) {
            log.warn(
                    "Job \"{}\": the leader repaired {} inconsistencies in the registry. If this happens again, find out"
                            + " what else writes to the job's nodes",
                    scope.jobName(),
                    repairs);
        }
        scope.events().accept(new JobEvent.Reconciled(scope.jobName(), repairs));
        return Next.WAIT;
    }

    /** Sends the transactions together. @return the number of committed ones */
    private CompletionStage<Integer> commitAll(RegistrySession session, List<RegistryCommit> commits) {
        List<CompletableFuture<CommitOutcome>> outcomes = commits.stream()
                .map(commit -> scope.connection().commit(session, commit).toCompletableFuture())
                .toList();
        return Stages.all(outcomes).thenApply(done -> (int) outcomes.stream()
                .filter(outcome -> outcome.join().isCommitted())
                .count());
    }
}
