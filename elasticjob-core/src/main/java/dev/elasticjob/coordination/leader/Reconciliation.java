package dev.elasticjob.coordination.leader;

import dev.elasticjob.coordination.failover.AbandonedExecutions;
import dev.elasticjob.coordination.failover.ItemChange;
import dev.elasticjob.coordination.failover.ItemTransactions;
import dev.elasticjob.coordination.session.JobScope;
import dev.elasticjob.coordination.state.Assignment;
import dev.elasticjob.coordination.state.ItemRanges;
import dev.elasticjob.coordination.view.JobViewReader.LeaderView;
import dev.elasticjob.coordination.view.MemberNames;
import dev.elasticjob.definition.JobDefinition;
import dev.elasticjob.job.event.JobEvent;
import dev.elasticjob.registry.CommitOutcome;
import dev.elasticjob.registry.RegistryCommit;
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
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * The leader's repairs: what the settings want otherwise at each thorough look, and every so often a comparison of
 * everything. Confined to the coordination executor.
 */
final class Reconciliation {
    private static final Logger log = LoggerFactory.getLogger(Reconciliation.class);

    private final JobScope scope;
    private final JobTransactions transactions;
    private final AbandonedExecutions drops;
    private final Runnable lookAgain;
    private Set<String> idleServers = Set.of();
    private TaskTimer.Cancellable armed = () -> {};
    private int armedMinutes;
    private boolean due;
    /** Since the last round. */
    private int repaired;

    Reconciliation(JobScope scope, AbandonedExecutions drops, Runnable lookAgain) {
        this.scope = scope;
        this.transactions = new JobTransactions(scope.tree());
        this.drops = drops;
        this.lookAgain = lookAgain;
    }

    /** Whether everything is to be compared at the next look. */
    boolean isDue() {
        return due;
    }

    /** Comes back as often as the definition says. */
    void follow(JobDefinition definition) {
        int minutes = definition.reconcileIntervalMinutes();
        if (minutes != armedMinutes) {
            stop();
            armedMinutes = minutes;
            arm();
        }
    }

    private void arm() {
        if (armedMinutes >= 1) {
            armed = scope.connection().later(Duration.ofMinutes(armedMinutes), () -> {
                due = true;
                arm();
                lookAgain.run();
            });
        }
    }

    void stop() {
        armed.cancel();
        armedMinutes = 0;
        due = false;
        idleServers = Set.of();
    }

    /**
     * Brings failover items and interrupted executions in line with the settings.
     *
     * @return whether there was something to bring in line: carried out or refused, it is to be looked at again
     */
    CompletionStage<Boolean> settings(RegistrySession session, LeaderView view, JobDefinition definition) {
        List<ItemChange.Drop> lost = ReconcilePlanner.drops(view, definition);
        CompletionStage<Integer> dropped = drops.commit(session, view.job(), lost);
        List<CompletionStage<Boolean>> commits = new ArrayList<>();
        new ItemTransactions(scope.tree())
                .bells(view.job().epoch(), ReconcilePlanner.silences(view), ReconcilePlanner.unheard(view, definition))
                .forEach(commit -> commits.add(commit(session, commit)));
        boolean any = !lost.isEmpty() || !commits.isEmpty();
        return dropped.thenCombine(count(commits), (given, done) -> any);
    }

    /** Whether items that are owned have lost their nodes: a plan, even of the same owners, makes them anew. */
    boolean misses(LeaderView view) {
        Set<Integer> missing = new TreeSet<>(view.job()
                .assignment()
                .map(Assignment::owners)
                .orElse(new TreeMap<>())
                .keySet());
        missing.removeAll(view.items().keySet());
        if (!missing.isEmpty()) {
            repaired += missing.size();
            log.warn(
                    "Job \"{}\": the nodes of items [{}] were deleted from the registry; they are created again",
                    scope.jobName(),
                    ItemRanges.text(List.copyOf(missing)));
        }
        return !missing.isEmpty();
    }

    /** Compares everything, and says how much there was to repair. */
    CompletionStage<Integer> everything(RegistrySession session, LeaderView view) {
        due = false;
        List<RegistryRead> reads = new ArrayList<>(MemberNames.of(view.job()).reads(scope.tree()));
        view.items().values().stream()
                .filter(item -> item.children().owner())
                .forEach(item -> reads.add(RegistryRead.data(scope.tree().owner(item.item()))));
        return scope.registry()
                .read(reads)
                .thenComposeAsync(
                        answer -> {
                            Map<String, RegistryNode> nodes = new HashMap<>();
                            reads.forEach(
                                    read -> answer.node(read.path()).ifPresent(node -> nodes.put(read.path(), node)));
                            return repairs(session, view, nodes)
                                    .thenComposeAsync(repairs -> repair(session, view, repairs), scope.executor());
                        },
                        scope.executor());
    }

    /** No record is set back for a time that is only guessed. */
    private CompletionStage<List<Repair>> repairs(
            RegistrySession session, LeaderView view, Map<String, RegistryNode> nodes) {
        List<Repair> repairs = repairs(view, nodes);
        return repairs.stream().noneMatch(Repair.FutureRecord.class::isInstance)
                ? CompletableFuture.completedFuture(repairs)
                : scope.askTime(session).thenApplyAsync(asked -> repairs(view, nodes), scope.executor());
    }

    private List<Repair> repairs(LeaderView view, Map<String, RegistryNode> nodes) {
        return ReconcilePlanner.repairs(
                view, nodes, idleServers, scope.registryTime().now());
    }

    private CompletionStage<Integer> repair(RegistrySession session, LeaderView view, List<Repair> repairs) {
        List<CompletionStage<Boolean>> commits = repairs.stream()
                .map(repair -> commit(session, transactions.repair(view.job().epoch(), repair)))
                .toList();
        idleServers = ReconcilePlanner.idleServers(view);
        return count(commits).thenApplyAsync(this::tell, scope.executor());
    }

    private int tell(int found) {
        int repairs = found + repaired;
        repaired = 0;
        if (repairs > 0) {
            log.warn("Job \"{}\": repaired {} inconsistencies in the registry", scope.jobName(), repairs);
        }
        scope.events().accept(new JobEvent.Reconciled(scope.jobName(), repairs));
        return repairs;
    }

    private CompletionStage<Boolean> commit(RegistrySession session, RegistryCommit commit) {
        return scope.connection()
                .commit(session, commit)
                .thenApplyAsync(outcome -> outcome instanceof CommitOutcome.Committed, scope.executor());
    }

    private static CompletionStage<Integer> count(List<CompletionStage<Boolean>> commits) {
        CompletionStage<Integer> all = CompletableFuture.completedFuture(0);
        for (CompletionStage<Boolean> commit : commits) {
            all = all.thenCombine(commit, (sum, done) -> sum + (done ? 1 : 0));
        }
        return all;
    }
}
