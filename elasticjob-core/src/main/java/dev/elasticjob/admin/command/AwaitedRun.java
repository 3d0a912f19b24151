package dev.elasticjob.admin.command;

import dev.elasticjob.admin.command.RunOutcome.ItemEnd;
import dev.elasticjob.coordination.run.RunEnds;
import dev.elasticjob.coordination.session.Stages;
import dev.elasticjob.registry.ConnectionState;
import dev.elasticjob.registry.JobTree;
import dev.elasticjob.registry.Registry;
import dev.elasticjob.registry.Registry.WatchScope;
import dev.elasticjob.registry.RegistryUnavailableException;
import dev.elasticjob.registry.Subscription;
import java.util.ArrayList;
import java.util.Collection;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.SortedMap;
import java.util.TreeMap;
import java.util.TreeSet;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionStage;
import org.jspecify.annotations.Nullable;

/**
 * Waits for the end of a run. Watches each item's record and the job's definition. An event or a new connection only
 * means that something may have changed, and one read is under way at a time.
 *
 * <p>Thread-safe. Its monitor guards the mutable state, and is never held while foreign code is called.
 */
public final class AwaitedRun {
    private final Registry registry;
    private final JobTree tree;
    private final RunEnds ends;
    private final TriggerAnswer asked;
    private final CompletableFuture<RunOutcome> outcome = new CompletableFuture<>();

    private final SortedMap<Integer, ItemEnd> known = new TreeMap<>();
    private final Set<Integer> open;
    private final Set<Integer> due;
    private final Map<Integer, Subscription> records = new HashMap<>();
    private final List<Subscription> others = new ArrayList<>();
    private boolean looking;
    private long connections;

    AwaitedRun(Registry registry, JobTree tree, RunEnds ends, TriggerAnswer asked) {
        this.registry = registry;
        this.tree = tree;
        this.ends = ends;
        this.asked = asked;
        this.open = new TreeSet<>(asked.items());
        this.due = new TreeSet<>(asked.items());
    }

    /** Starts to wait. The outcome completes on a thread of the registry. */
    CompletableFuture<RunOutcome> begin() {
        try {
            keep(registry.onConnectionState(this::connectionChanged));
            keep(registry.watch(tree.config(), WatchScope.DATA, () -> lookAt(asked.items())));
            keep(registry.watch(tree.extension(), WatchScope.DATA, () -> lookAt(asked.items())));
            asked.items().forEach(this::watch);
        } catch (RuntimeException e) {
            outcome.completeExceptionally(e);
        }
        outcome.whenComplete((done, error) -> release());
        next();
        return outcome;
    }

    /** Stops waiting. The run continues. */
    void abandon(String reason) {
        outcome.completeExceptionally(
                new IllegalStateException("Stopped waiting for run \"%s\" of job \"%s\" to end: %s"
                        .formatted(asked.runId(), tree.jobName(), reason)));
    }

    // ------------------------------------------------------------------ what wakes it

    private synchronized void keep(Subscription subscription) {
        others.add(subscription);
    }

    private void watch(int item) {
        Subscription record = registry.watch(tree.item(item), WatchScope.DATA, () -> lookAt(List.of(item)));
        synchronized (this) {
            records.put(item, record);
        }
    }

    /** Events are lost while there is no connection. */
    private void connectionChanged(ConnectionState state) {
        if (state.isConnected()) {
            synchronized (this) {
                connections++;
            }
            lookAt(asked.items());
        }
    }

    private void lookAt(Collection<Integer> items) {
        synchronized (this) {
            due.addAll(items);
        }
        next();
    }

    // ------------------------------------------------------------------ looking

    private void next() {
        List<Integer> items;
        long connection;
        synchronized (this) {
            due.retainAll(open);
            items = due.stream().limit(RunEnds.ITEMS_PER_LOOK).toList();
            if (looking || outcome.isDone() || (items.isEmpty() && !open.isEmpty())) {
                return;
            }
            due.removeAll(items);
            looking = true;
            connection = connections;
        }
        ends.look(items).thenCompose(this::confirmed).whenComplete((look, error) -> {
            seen(items, connection, look, error);
            next();
        });
    }

    private CompletionStage<RunEnds.Look> confirmed(RunEnds.Look first) {
        if (first.removed() || first.unclear().isEmpty()) {
            return CompletableFuture.completedFuture(first);
        }
        return ends.confirm(first.unclear()).thenApply(second -> {
            Map<Integer, RunEnds.End> ended = new TreeMap<>(first.ended());
            ended.putAll(second.ended());
            return new RunEnds.Look(second.removed(), ended, second.unclear(), second.written());
        });
    }

    private void seen(List<Integer> items, long connection, RunEnds.@Nullable Look look, @Nullable Throwable error) {
        if (look == null) {
            failed(items, connection, error);
        } else if (look.removed()) {
            abandon("the job was removed");
        } else {
            ended(look);
        }
    }

    /** A read without a connection is repeated with the next one, which may already be there. */
    private void failed(List<Integer> items, long connection, @Nullable Throwable error) {
        Throwable cause = error == null ? new IllegalStateException("no answer") : Stages.unwrap(error);
        if (!(cause instanceof RegistryUnavailableException)) {
            outcome.completeExceptionally(cause);
        }
        synchronized (this) {
            looking = false;
            if (connections != connection) {
                due.addAll(items);
            }
        }
    }

    private void ended(RunEnds.Look look) {
        List<Subscription> over = new ArrayList<>();
        boolean complete;
        synchronized (this) {
            looking = false;
            due.addAll(look.unclear());
            look.ended().forEach((item, end) -> {
                open.remove(item);
                known.put(item, new ItemEnd(end.end(), end.failure()));
                Subscription record = records.remove(item);
                if (record != null) {
                    over.add(record);
                }
            });
            complete = open.isEmpty();
        }
        over.forEach(Subscription::close);
        if (complete) {
            outcome.complete(new RunOutcome(asked.runId(), known, asked.disabled()));
        }
    }

    private void release() {
        List<Subscription> all;
        synchronized (this) {
            all = new ArrayList<>(others);
            all.addAll(records.values());
            others.clear();
            records.clear();
        }
        all.forEach(Subscription::close);
    }
}
