package dev.elasticjob.coordination.group;

import dev.elasticjob.coordination.group.GroupAssignment.Member;
import dev.elasticjob.coordination.group.GroupPlanner.Decision;
import dev.elasticjob.coordination.group.GroupPlanner.Decision.Assign;
import dev.elasticjob.coordination.group.GroupPlanner.Decision.Await;
import dev.elasticjob.coordination.group.GroupPlanner.Decision.AwaitJoins;
import dev.elasticjob.coordination.group.GroupPlanner.Decision.Stop;
import dev.elasticjob.coordination.group.GroupPlanner.Patience;
import dev.elasticjob.coordination.group.GroupPlanner.Situation;
import dev.elasticjob.coordination.group.GroupTransactions.Indexes;
import dev.elasticjob.coordination.session.Next;
import dev.elasticjob.group.GroupEvent;
import dev.elasticjob.group.OnStopTimeout;
import dev.elasticjob.registry.CommitOutcome;
import dev.elasticjob.registry.JobTree;
import dev.elasticjob.registry.RegistryAnswer;
import dev.elasticjob.registry.RegistryCommit;
import dev.elasticjob.registry.RegistryNode;
import dev.elasticjob.registry.RegistryRead;
import dev.elasticjob.registry.RegistrySession;
import dev.elasticjob.time.DurationText;
import dev.elasticjob.time.TaskTimer;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.NavigableSet;
import java.util.TreeMap;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionStage;
import java.util.function.IntFunction;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * What the leader of a group does: it tells all to stop when other instances are there than those that the assignment was
 * made for, waits until they have, and assigns anew. Confined to the coordination executor.
 */
final class GroupLeader {
    private static final Logger log = LoggerFactory.getLogger(GroupLeader.class);

    private final GroupScope scope;
    private final GroupTree tree;
    private final GroupTransactions transactions;
    private final Runnable lookAgain;
    private Map<String, CompletableFuture<Void>> awaited = Map.of();
    /** The version of the node that decides which it has seen last; -1 before the first. */
    private int seen = -1;

    private Patience patience;
    private TaskTimer.Cancellable timer = () -> {};
    private boolean joinsAwaited;
    private boolean overdue;
    private boolean reported;

    GroupLeader(GroupScope scope, Runnable lookAgain) {
        this.scope = scope;
        this.tree = scope.tree();
        this.transactions = new GroupTransactions(tree);
        this.lookAgain = lookAgain;
        this.patience = all();
    }

    private Patience all() {
        return new Patience(!scope.times().joinDelay().isZero(), true);
    }

    /** One round. The view was read before: so what is read here is at least as new as the phase in it. */
    CompletionStage<Next> round(RegistrySession session, GroupView view) {
        return scope.registry()
                .read(List.of(RegistryRead.children(tree.instances()), RegistryRead.children(tree.sharding())))
                .thenCompose(names -> {
                    List<String> ids = names.children(tree.instances());
                    NavigableSet<Integer> indexes = JobTree.itemNumbers(names.children(tree.sharding()));
                    return scope.registry().read(reads(ids, indexes)).thenCompose(answer -> {
                        var read = new Indexes(
                                indexes, nodes(indexes, tree::running, answer), nodes(indexes, tree::owner, answer));
                        return act(session, view, registered(ids, answer), read);
                    });
                });
    }

    private List<RegistryRead> reads(List<String> ids, NavigableSet<Integer> indexes) {
        List<RegistryRead> reads = new ArrayList<>();
        ids.forEach(id -> reads.add(RegistryRead.data(tree.instance(id))));
        indexes.forEach(index -> {
            reads.add(RegistryRead.data(tree.running(index)));
            reads.add(RegistryRead.data(tree.owner(index)));
        });
        return reads;
    }

    private static Map<Integer, RegistryNode> nodes(
            NavigableSet<Integer> indexes, IntFunction<String> path, RegistryAnswer answer) {
        Map<Integer, RegistryNode> nodes = new TreeMap<>();
        indexes.forEach(index -> answer.node(path.apply(index)).ifPresent(node -> nodes.put(index, node)));
        return nodes;
    }

    private List<Member> registered(List<String> ids, RegistryAnswer answer) {
        return ids.stream()
                .flatMap(id -> answer
                        .node(tree.instance(id))
                        .filter(RegistryNode::isEphemeral)
                        .map(node -> new Member(id, node.czxid()))
                        .stream())
                .sorted()
                .toList();
    }

    private CompletionStage<Next> act(RegistrySession session, GroupView view, List<Member> registered, Indexes read) {
        follow(view);
        TreeMap<Integer, String> held = new TreeMap<>();
        read.held().forEach((index, node) -> held.put(index, node.text()));
        Decision decision = GroupPlanner.decide(
                new Situation(view.assignment(), registered, view.request().isPresent(), held), patience);
        if (decision instanceof Await await) {
            return await(await);
        }
        if (decision instanceof AwaitJoins) {
            return awaitJoins();
        }
        rest();
        if (decision instanceof Stop) {
            log.info(
                    "Group \"{}\": all instances are told to stop, because the group has changed. Registered: {}",
                    scope.name(),
                    registered.stream().map(Member::id).toList());
            return commit(session, transactions.stop(view, view.instance()));
        }
        if (decision instanceof Assign assign) {
            return commit(session, transactions.assign(view, assign, read), () -> tell(assign));
        }
        return Next.WAIT.stage();
    }

    private void tell(Assign assign) {
        log.info(
                "Group \"{}\": new assignment for {} instances, by index: {}",
                scope.name(),
                assign.next().members().size(),
                assign.next().ids());
        if (!assign.next().leftOut().isEmpty()) {
            log.warn(
                    "Group \"{}\": {} are left out of the assignment until they have stopped. What they still do is"
                            + " protected by the epoch only",
                    scope.name(),
                    assign.next().leftOut().stream().map(Member::id).toList());
        }
    }

    private CompletionStage<Next> commit(RegistrySession session, RegistryCommit commit) {
        return commit(session, commit, () -> {});
    }

    private CompletionStage<Next> commit(RegistrySession session, RegistryCommit commit, Runnable committed) {
        return scope.connection().commit(session, commit).thenApply(outcome -> {
            if (outcome.isCommitted()) {
                committed.run();
            } else if (outcome instanceof CommitOutcome.Refused refused) {
                log.debug("Group \"{}\": refused because of \"{}\"; reading again", scope.name(), refused.path());
            }
            return Next.AGAIN;
        });
    }

    // ------------------------------------------------------------------ waiting for holders

    /** Each phase has its own patience, which counts from when this leader first sees the phase. */
    private void follow(GroupView view) {
        int version = view.sharding().version();
        if (version == seen) {
            return;
        }
        seen = version;
        reportUnreadable(view);
        patience = all();
        overdue = false;
        reported = false;
        joinsAwaited = false;
        timer.cancel();
        if (view.assignment().isStopping()) {
            within(scope.times().stopTimeout(), () -> overdue = true);
        }
    }

    private void reportUnreadable(GroupView view) {
        view.problem()
                .ifPresent(problem -> log.warn(
                        "Group \"{}\": expected an assignment in the node \"{}\", but it can't be read. All instances"
                                + " stop, and this leader assigns anew. {}",
                        scope.name(),
                        tree.sharding(),
                        problem));
    }

    /** Looks again after a time, unless the phase is another one by then. */
    private void within(Duration time, Runnable change) {
        int version = seen;
        timer = scope.connection().later(time, () -> {
            if (version == seen) {
                change.run();
                lookAgain.run();
            }
        });
    }

    private CompletionStage<Next> awaitJoins() {
        if (!joinsAwaited) {
            joinsAwaited = true;
            within(scope.times().joinDelay(), () -> patience = new Patience(false, true));
        }
        return Next.WAIT.stage();
    }

    private CompletionStage<Next> await(Await await) {
        if (overdue && !reported) {
            reported = true;
            report(List.copyOf(await.held().values()));
            if (scope.times().onStopTimeout() == OnStopTimeout.PROCEED) {
                patience = new Patience(true, false);
                return Next.AGAIN.stage();
            }
        }
        awaitFirst(tree.running(await.held().keySet().iterator().next()));
        return Next.WAIT.stage();
    }

    private void report(List<String> holders) {
        GroupScope.Times times = scope.times();
        log.warn(
                "Group \"{}\": expected all instances to stop within {}, but {} have not returned from"
                        + " \"startSharding\". {}",
                scope.name(),
                DurationText.of(times.stopTimeout()),
                holders,
                times.onStopTimeout() == OnStopTimeout.WAIT
                        ? "No instance gets an index until they return, or are stopped"
                        : "The others get their indexes without them");
        scope.events()
                .accept(new GroupEvent.StopOverdue(tree.group(), holders, times.stopTimeout(), times.onStopTimeout()));
    }

    private void awaitFirst(String path) {
        if (awaited.containsKey(path)) {
            return;
        }
        rest();
        CompletableFuture<Void> absence = scope.registry().awaitAbsence(path).toCompletableFuture();
        awaited = Map.of(path, absence);
        absence.whenComplete((absent, unavailable) -> {
            if (awaited.get(path) == absence) {
                awaited = Map.of();
                lookAgain.run();
            }
        });
    }

    /** Waits for nobody. */
    private void rest() {
        Map<String, CompletableFuture<Void>> before = awaited;
        awaited = Map.of();
        before.values().forEach(absence -> absence.cancel(false));
    }

    /** This instance doesn't lead, or not any more. */
    void resign() {
        rest();
        timer.cancel();
        seen = -1;
    }
}
