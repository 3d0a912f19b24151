package dev.elasticjob.admin;

import dev.elasticjob.coordination.session.Batch;
import dev.elasticjob.coordination.state.StoredDefinition;
import dev.elasticjob.registry.JobTree;
import dev.elasticjob.registry.JobTree.ItemChildren;
import dev.elasticjob.registry.Registry;
import dev.elasticjob.registry.RegistryAnswer;
import dev.elasticjob.registry.RegistryCommit;
import dev.elasticjob.registry.RegistryNode;
import dev.elasticjob.registry.RegistryRead;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.NavigableMap;
import java.util.Optional;
import java.util.TreeMap;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionStage;

/**
 * Removes a job: the step "remove" of {@code docs/internals/protocol.md}. First its configuration, by which its
 * instances know; then every item that doesn't run, which is asserted; the rest as executions end and instances leave,
 * the root last. Each transaction asserts that nobody has registered the job anew: who does keeps what he finds.
 */
final class JobRemoval {
    private static final int ITEMS_AT_ONCE = 500;

    private final Registry registry;
    private final GuardedWrites writes;
    private final JobTree tree;

    JobRemoval(Registry registry, GuardedWrites writes, JobTree tree) {
        this.registry = registry;
        this.writes = writes;
        this.tree = tree;
    }

    CompletionStage<Void> begin() {
        return writes.repeat(tree.jobName(), this::deleteConfiguration).thenCompose(found -> goOn());
    }

    private CompletionStage<Optional<Boolean>> deleteConfiguration() {
        List<String> paths = List.of(tree.root(), tree.config(), tree.extension());
        return registry.read(paths.stream().map(RegistryRead::data).toList()).thenCompose(answer -> {
            if (answer.node(tree.root()).isEmpty()) {
                throw new IllegalArgumentException("There is no job \"%s\" in the registry".formatted(tree.jobName()));
            }
            RegistryCommit.Builder commit = RegistryCommit.builder();
            for (String path : List.of(tree.config(), tree.extension())) {
                answer.node(path).ifPresent(node -> commit.delete(path, node.version()));
            }
            return writes.attempt(commit.build());
        });
    }

    /** One look and one step, until nothing is left. */
    private CompletionStage<Void> goOn() {
        return writes.repeat(tree.jobName(), this::step).thenCompose(next -> switch (next) {
            case DONE -> CompletableFuture.completedFuture(null);
            case AGAIN -> goOn();
        });
    }

    private enum Next {
        AGAIN,
        DONE
    }

    private CompletionStage<Optional<Next>> step() {
        return registry.read(List.of(
                        RegistryRead.data(tree.root()),
                        RegistryRead.data(tree.config()),
                        RegistryRead.data(tree.extension()),
                        RegistryRead.children(tree.sharding())))
                .thenCompose(answer -> {
                    boolean over = answer.node(tree.root()).isEmpty()
                            || StoredDefinition.of(tree, answer).isPresent();
                    if (over) {
                        return CompletableFuture.completedFuture(Optional.of(Next.DONE));
                    }
                    Optional<RegistryNode> leftOver = answer.node(tree.extension());
                    if (leftOver.isPresent()) {
                        int version = leftOver.get().version();
                        return attempt(RegistryCommit.builder()
                                .delete(tree.extension(), version)
                                .build());
                    }
                    List<Integer> items = new ArrayList<>();
                    answer.children(tree.sharding())
                            .forEach(name -> JobTree.itemNumber(name).ifPresent(items::add));
                    return items.isEmpty() ? removeRest() : removeItems(items);
                });
    }

    // ------------------------------------------------------------------ items

    private CompletionStage<Optional<Next>> removeItems(List<Integer> items) {
        return childrenOf(items, new TreeMap<>()).thenCompose(found -> {
            List<Integer> idle = found.entrySet().stream()
                    .filter(item -> !item.getValue().running())
                    .map(Map.Entry::getKey)
                    .limit(ITEMS_AT_ONCE)
                    .toList();
            if (idle.isEmpty()) {
                return awaitAbsence(tree.running(found.firstKey()));
            }
            return attempt(Batch.cut(
                            notRegisteredAnew(),
                            idle,
                            item -> removal(item, found.getOrDefault(item, JobTree.itemChildren(List.of()))))
                    .get(0)
                    .commit());
        });
    }

    private RegistryCommit removal(int item, ItemChildren children) {
        RegistryCommit.Builder commit = RegistryCommit.builder().assertAbsent(tree.running(item));
        tree.below(item, children).forEach(path -> commit.delete(path, RegistryCommit.ANY_VERSION));
        return commit.delete(tree.item(item), RegistryCommit.ANY_VERSION).build();
    }

    private CompletionStage<NavigableMap<Integer, ItemChildren>> childrenOf(
            List<Integer> items, NavigableMap<Integer, ItemChildren> soFar) {
        if (items.isEmpty()) {
            return CompletableFuture.completedFuture(soFar);
        }
        List<Integer> chunk = items.subList(0, Math.min(ITEMS_AT_ONCE, items.size()));
        return registry.read(chunk.stream()
                        .map(item -> RegistryRead.children(tree.item(item)))
                        .toList())
                .thenCompose(answer -> {
                    chunk.forEach(item -> soFar.put(item, JobTree.itemChildren(answer.children(tree.item(item)))));
                    return childrenOf(items.subList(chunk.size(), items.size()), soFar);
                });
    }

    private RegistryCommit notRegisteredAnew() {
        return RegistryCommit.builder()
                .assertAbsent(tree.config())
                .assertAbsent(tree.extension())
                .build();
    }

    // ------------------------------------------------------------------ the rest

    private CompletionStage<Optional<Next>> removeRest() {
        return below(List.of(tree.root()), List.of()).thenCompose(paths -> {
            Optional<String> instance = paths.stream()
                    .filter(path -> path.startsWith(tree.instances() + "/"))
                    .findFirst();
            if (instance.isPresent()) {
                return awaitAbsence(instance.get());
            }
            List<RegistryCommit> deletes = new ArrayList<>();
            for (int i = paths.size() - 1; i >= 0; i--) {
                deletes.add(RegistryCommit.builder()
                        .delete(paths.get(i), RegistryCommit.ANY_VERSION)
                        .build());
            }
            return attempt(Batch.chunks(notRegisteredAnew(), deletes).get(0));
        });
    }

    /** Everything below the paths and themselves, parents first; level by level. */
    private CompletionStage<List<String>> below(List<String> level, List<String> above) {
        List<String> all = new ArrayList<>(above);
        all.addAll(level);
        if (level.isEmpty()) {
            return CompletableFuture.completedFuture(all);
        }
        return registry.read(level.stream().map(RegistryRead::children).toList())
                .thenCompose(answer -> below(children(level, answer), all));
    }

    private static List<String> children(List<String> parents, RegistryAnswer answer) {
        List<String> children = new ArrayList<>();
        parents.forEach(parent -> answer.children(parent).forEach(name -> children.add(parent + "/" + name)));
        return children;
    }

    private CompletionStage<Optional<Next>> attempt(RegistryCommit commit) {
        return writes.attempt(commit).thenApply(done -> done.map(any -> Next.AGAIN));
    }

    private CompletionStage<Optional<Next>> awaitAbsence(String path) {
        return registry.awaitAbsence(path).thenApply(gone -> Optional.of(Next.AGAIN));
    }
}
