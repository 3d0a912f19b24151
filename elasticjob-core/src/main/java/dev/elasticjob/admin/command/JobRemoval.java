package dev.elasticjob.admin.command;

import dev.elasticjob.coordination.session.Batch;
import dev.elasticjob.coordination.state.StoredDefinition;
import dev.elasticjob.coordination.view.NamespaceReader;
import dev.elasticjob.registry.JobTree;
import dev.elasticjob.registry.JobTree.ItemChildren;
import dev.elasticjob.registry.Registry;
import dev.elasticjob.registry.Registry.WatchScope;
import dev.elasticjob.registry.RegistryAnswer;
import dev.elasticjob.registry.RegistryCommit;
import dev.elasticjob.registry.RegistryNode;
import dev.elasticjob.registry.RegistryRead;
import dev.elasticjob.registry.Subscription;
import java.util.ArrayList;
import java.util.Collections;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionStage;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;

/**
 * Removes a job: the step "remove" of {@code docs/internals/protocol.md}. The definition is removed first, and its
 * absence ends the job's instances. Then come the items that don't run, which is asserted. The rest follows as
 * executions and calls of cluster listeners end and instances leave, the root last. Each transaction asserts that no process has registered the job
 * again, which would keep what it finds.
 */
final class JobRemoval {
    private final Registry registry;
    private final GuardedWrites writes;
    private final JobTree tree;

    JobRemoval(Registry registry, GuardedWrites writes, JobTree tree) {
        this.registry = registry;
        this.writes = writes;
        this.tree = tree;
    }

    private enum Progress {
        AGAIN,
        DONE
    }

    CompletionStage<Void> begin() {
        return writes.repeat(tree.jobName(), this::deleteDefinition).thenCompose(next -> goOn());
    }

    private CompletionStage<Optional<Progress>> deleteDefinition() {
        return registry.read(RegistryRead.allData(tree.root(), tree.config(), tree.extension(), tree.origin()))
                .thenCompose(answer -> {
                    if (answer.node(tree.root()).isEmpty()) {
                        throw new UnknownTargetException(
                                "There is no job \"%s\" in the registry: check its name and the namespace"
                                        .formatted(tree.jobName()));
                    }
                    RegistryCommit.Builder commit = RegistryCommit.builder();
                    for (String path : List.of(tree.config(), tree.extension(), tree.origin())) {
                        answer.node(path).ifPresent(node -> commit.delete(path, node.version()));
                    }
                    return writes.attempt(commit.build(), Progress.AGAIN);
                });
    }

    private CompletionStage<Void> goOn() {
        return writes.repeat(tree.jobName(), this::step)
                .thenCompose(progress -> progress == Progress.AGAIN ? goOn() : CompletableFuture.completedFuture(null));
    }

    private CompletionStage<Optional<Progress>> step() {
        List<RegistryRead> reads = new ArrayList<>(RegistryRead.allData(tree.root(), tree.config(), tree.extension()));
        reads.add(RegistryRead.children(tree.sharding()));
        return registry.read(reads).thenCompose(answer -> {
            boolean over = answer.node(tree.root()).isEmpty()
                    || StoredDefinition.of(tree, answer).isPresent();
            if (over) {
                return CompletableFuture.completedFuture(Optional.of(Progress.DONE));
            }
            Optional<RegistryNode> leftOver = answer.node(tree.extension());
            if (leftOver.isPresent()) {
                int version = leftOver.get().version();
                RegistryCommit deletion = RegistryCommit.builder()
                        .delete(tree.extension(), version)
                        .build();
                return writes.attempt(deletion, Progress.AGAIN);
            }
            List<Integer> items = answer.children(tree.sharding()).stream()
                    .flatMapToInt(name -> JobTree.itemNumber(name).stream())
                    .sorted()
                    .boxed()
                    .toList();
            return items.isEmpty() ? removeRest() : removeItems(items);
        });
    }

    // ------------------------------------------------------------------ items

    private CompletionStage<Optional<Progress>> removeItems(List<Integer> items) {
        List<RegistryRead> reads = items.stream()
                .map(item -> RegistryRead.children(tree.item(item)))
                .toList();
        return registry.read(reads).thenCompose(answer -> {
            List<Integer> idle = items.stream()
                    .filter(item -> !childrenOf(item, answer).running())
                    .toList();
            return idle.isEmpty()
                    ? awaitAbsence(tree.running(items.get(0)))
                    : attempt(Batch.cut(notRegisteredAnew(), idle, item -> removal(item, answer)));
        });
    }

    private ItemChildren childrenOf(int item, RegistryAnswer answer) {
        return JobTree.itemChildren(answer.children(tree.item(item)));
    }

    private RegistryCommit removal(int item, RegistryAnswer answer) {
        RegistryCommit.Builder commit = RegistryCommit.builder().assertAbsent(tree.running(item));
        tree.below(item, childrenOf(item, answer)).forEach(path -> commit.delete(path, RegistryCommit.ANY_VERSION));
        return commit.delete(tree.item(item), RegistryCommit.ANY_VERSION).build();
    }

    private RegistryCommit notRegisteredAnew() {
        return RegistryCommit.builder()
                .assertAbsent(tree.config())
                .assertAbsent(tree.extension())
                .build();
    }

    // ------------------------------------------------------------------ the rest

    private CompletionStage<Optional<Progress>> removeRest() {
        return new NamespaceReader(registry)
                .withDescendants(List.of(tree.root()))
                .thenCompose(paths -> {
                    // An instance that gives up waiting leaves before its call of cluster listeners has returned.
                    Optional<String> alive = paths.stream()
                            .filter(path ->
                                    path.startsWith(tree.instances() + "/") || path.startsWith(tree.firings() + "/"))
                            .findFirst();
                    if (alive.isPresent()) {
                        return awaitAbsence(alive.get());
                    }
                    Collections.reverse(paths);
                    return attempt(Batch.cut(
                            notRegisteredAnew(),
                            paths,
                            path -> RegistryCommit.builder()
                                    .delete(path, RegistryCommit.ANY_VERSION)
                                    .build()));
                });
    }

    // ------------------------------------------------------------------ one step

    /** Commits the first transaction only, because each step reads again. */
    private CompletionStage<Optional<Progress>> attempt(List<? extends Batch<?>> batches) {
        return writes.attempt(batches.get(0).commit(), Progress.AGAIN);
    }

    /**
     * An instance that had no time to notice the removal before the job was registered again takes part in the new one,
     * and doesn't leave. So this waits for a new definition, too.
     */
    private CompletionStage<Optional<Progress>> awaitAbsence(String path) {
        CompletableFuture<Void> changed = new CompletableFuture<>();
        List<Subscription> definition = Stream.of(tree.config(), tree.extension())
                .map(node -> registry.watch(node, WatchScope.DATA, () -> changed.complete(null)))
                .toList();
        CompletableFuture<Void> gone = registry.awaitAbsence(path).toCompletableFuture();
        gone.whenComplete((absent, unavailable) -> complete(changed, unavailable));
        // One that was registered before the watches were in place.
        registry.read(StoredDefinition.reads(tree)).whenComplete((answer, unavailable) -> {
            if (unavailable != null || StoredDefinition.of(tree, answer).isPresent()) {
                complete(changed, unavailable);
            }
        });
        return changed.whenComplete((done, unavailable) -> {
                    definition.forEach(Subscription::close);
                    gone.cancel(false);
                })
                .thenApply(done -> Optional.of(Progress.AGAIN));
    }

    private static void complete(CompletableFuture<Void> stage, @Nullable Throwable failure) {
        if (failure == null) {
            stage.complete(null);
        } else {
            stage.completeExceptionally(failure);
        }
    }
}
