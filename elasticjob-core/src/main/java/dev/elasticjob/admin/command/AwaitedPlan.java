package dev.elasticjob.admin.command;

import dev.elasticjob.coordination.state.Assignment;
import dev.elasticjob.coordination.state.CorruptNodeException;
import dev.elasticjob.coordination.state.StoredDefinition;
import dev.elasticjob.coordination.view.PlanView;
import dev.elasticjob.registry.JobTree;
import dev.elasticjob.registry.Registry;
import dev.elasticjob.registry.Registry.WatchScope;
import dev.elasticjob.registry.RegistryAnswer;
import dev.elasticjob.registry.RegistryRead;
import dev.elasticjob.registry.Subscription;
import dev.elasticjob.time.TaskTimer;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.CompletableFuture;
import java.util.function.Predicate;

/**
 * Waits until a job's instances follow a command that has also requested a plan: until the assignment in force is as
 * wanted, and the leader has answered the request, so that no plan can follow that it made before it knew of the command.
 * Or until no instance is there: one that joins later reads the command before it starts anything. An event or a new
 * connection only means that something may have changed, and one read is under way at a time.
 *
 * <p>Thread-safe. Its monitor guards the mutable state, and is never held while foreign code is called.
 */
final class AwaitedPlan {
    private final Registry registry;
    private final JobTree tree;
    private final Predicate<Assignment> wanted;
    private final CompletableFuture<Boolean> reached = new CompletableFuture<>();
    private final List<Subscription> subscriptions = new ArrayList<>();
    private boolean looking;
    private boolean lookAgain;

    /** @param wanted whether an assignment follows the command */
    AwaitedPlan(Registry registry, JobTree tree, Predicate<Assignment> wanted) {
        this.registry = registry;
        this.tree = tree;
        this.wanted = wanted;
    }

    /**
     * Waits at most for a time. The stage completes on a thread of the registry or of the timer.
     *
     * @return whether it was reached; fails with {@link IllegalStateException} if the job is removed
     */
    CompletableFuture<Boolean> within(Duration patience, TaskTimer timer) {
        TaskTimer.Cancellable end = timer.after(patience, () -> reached.complete(false));
        reached.whenComplete((done, error) -> {
            end.cancel();
            release();
        });
        try {
            keep(registry.onConnectionState(state -> {
                if (state.isConnected()) {
                    look();
                }
            }));
            keep(registry.watch(tree.sharding(), WatchScope.DATA, this::look));
            keep(registry.watch(tree.instances(), WatchScope.NODE, this::look));
            keep(registry.watch(tree.necessary(), WatchScope.DATA, this::look));
            keep(registry.watch(tree.extension(), WatchScope.DATA, this::look));
        } catch (RuntimeException e) {
            reached.completeExceptionally(e);
        }
        look();
        return reached;
    }

    /** If it is over by now, nothing else closes what is opened late. */
    private void keep(Subscription subscription) {
        synchronized (this) {
            subscriptions.add(subscription);
        }
        if (reached.isDone()) {
            release();
        }
    }

    private void release() {
        List<Subscription> open;
        synchronized (this) {
            open = List.copyOf(subscriptions);
            subscriptions.clear();
        }
        open.forEach(Subscription::close);
    }

    private void look() {
        synchronized (this) {
            lookAgain = true;
            if (looking || reached.isDone()) {
                return;
            }
            looking = true;
            lookAgain = false;
        }
        List<RegistryRead> reads = new ArrayList<>(StoredDefinition.reads(tree));
        reads.addAll(RegistryRead.allData(tree.necessary(), tree.sharding()));
        reads.add(RegistryRead.children(tree.instances()));
        registry.read(reads).whenComplete((answer, error) -> {
            // Without an answer, the next connection looks again, or the time is up.
            if (error == null) {
                judge(answer);
            }
            boolean again;
            synchronized (this) {
                looking = false;
                again = lookAgain;
            }
            if (again) {
                look();
            }
        });
    }

    private void judge(RegistryAnswer answer) {
        if (!StoredDefinition.of(tree, answer).isPresent()) {
            reached.completeExceptionally(new IllegalStateException(
                    "Job \"%s\" was removed in the meantime; the command has no effect".formatted(tree.jobName())));
            return;
        }
        boolean nobody = answer.children(tree.instances()).isEmpty();
        boolean answered = answer.node(tree.necessary()).isEmpty();
        if (nobody || (answered && plan(answer).filter(wanted).isPresent())) {
            reached.complete(true);
        }
    }

    /** An assignment that can't be read lets nothing start, but isn't the one that was waited for. */
    private Optional<Assignment> plan(RegistryAnswer answer) {
        try {
            return PlanView.of(tree, answer).map(PlanView::assignment);
        } catch (CorruptNodeException unreadable) {
            return Optional.empty();
        }
    }
}
