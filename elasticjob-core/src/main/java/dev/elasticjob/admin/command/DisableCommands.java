package dev.elasticjob.admin.command;

import dev.elasticjob.admin.command.CommandLog.Command;
import dev.elasticjob.admin.command.DisableAnswer.Result;
import dev.elasticjob.coordination.session.Batch;
import dev.elasticjob.coordination.session.Stages;
import dev.elasticjob.coordination.state.ItemRanges;
import dev.elasticjob.coordination.state.ServerState;
import dev.elasticjob.registry.JobTree;
import dev.elasticjob.registry.RegistryAnswer;
import dev.elasticjob.registry.RegistryCommit;
import dev.elasticjob.registry.RegistryNode;
import dev.elasticjob.registry.RegistryRead;
import java.util.Collection;
import java.util.List;
import java.util.Optional;
import java.util.Set;
import java.util.SortedMap;
import java.util.SortedSet;
import java.util.TreeMap;
import java.util.TreeSet;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionStage;
import java.util.function.BiFunction;
import java.util.function.Function;
import java.util.stream.Collectors;
import java.util.stream.Stream;

/** Disables and enables items, servers, and jobs on all their servers. Thread-safe. */
public record DisableCommands(ExistingJobs jobs, GuardedWrites writes, CommandLog commands) {
    private static final String IS_ENABLED = "is enabled";
    private static final String IS_DISABLED = "is disabled";

    // ------------------------------------------------------------------ the job

    public CompletionStage<Void> disable(String jobName) {
        return everywhere(commands.begin(jobName, "disable"), jobName, ServerState.DISABLED);
    }

    public CompletionStage<Void> enable(String jobName) {
        return everywhere(commands.begin(jobName, "enable"), jobName, ServerState.ENABLED);
    }

    private CompletionStage<Void> everywhere(Command command, String jobName, String state) {
        JobTree tree = new JobTree(jobName);
        return command.reporting(
                        writes.repeat(
                                jobName,
                                () -> servers(tree).thenCompose(servers -> {
                                    long disabled = servers.values().stream()
                                            .filter(ServerState::isDisabled)
                                            .count();
                                    command.found(
                                            "is disabled on %d of %d servers".formatted(disabled, servers.size()));
                                    return writes.attempt(changed(servers, state), servers.size());
                                })),
                        count -> "%s on all %d servers".formatted(shown(state), count))
                .thenAccept(done -> {});
    }

    private static RegistryCommit changed(SortedMap<String, RegistryNode> servers, String state) {
        RegistryCommit.Builder commit = RegistryCommit.builder();
        servers.forEach((path, server) -> {
            if (!server.text().equals(state)) {
                commit.set(path, state, server.version());
            }
        });
        return commit.build();
    }

    /** By path. */
    private CompletionStage<SortedMap<String, RegistryNode>> servers(JobTree tree) {
        return jobs.read(tree.jobName(), List.of(RegistryRead.children(tree.servers())))
                .thenCompose(job -> {
                    List<String> paths = job.children(tree.servers()).stream()
                            .map(tree::server)
                            .toList();
                    if (paths.isEmpty()) {
                        throw new IllegalStateException(
                                "Job \"%s\" has never had an instance, so it has no server to enable or disable"
                                        .formatted(tree.jobName()));
                    }
                    return jobs.registry().read(RegistryRead.allData(paths)).thenApply(answer -> {
                        SortedMap<String, RegistryNode> servers = new TreeMap<>();
                        paths.forEach(path -> answer.node(path).ifPresent(node -> servers.put(path, node)));
                        return servers;
                    });
                });
    }

    // ------------------------------------------------------------------ a server

    public CompletionStage<Void> disableServer(String jobName, String ip) {
        return server(jobName, ip, ServerState.DISABLED);
    }

    public CompletionStage<Void> enableServer(String jobName, String ip) {
        return server(jobName, ip, ServerState.ENABLED);
    }

    private CompletionStage<Void> server(String jobName, String ip, String state) {
        String path = new JobTree(jobName).server(ip);
        boolean disables = state.equals(ServerState.DISABLED);
        Command command = commands.begin(jobName, (disables ? "disable server " : "enable server ") + ip);
        return write(command, jobName, List.of(path), shown(state), job -> {
            RegistryNode server = job.node(path)
                    .orElseThrow(() -> new UnknownTargetException(
                            "Job \"%s\" has never had an instance on server \"%s\": check the address"
                                    .formatted(jobName, ip)));
            command.found(ServerState.isDisabled(server) ? IS_DISABLED : IS_ENABLED);
            return server.text().equals(state)
                    ? GuardedWrites.NOTHING
                    : RegistryCommit.builder()
                            .set(path, state, server.version())
                            .build();
        });
    }

    private static String shown(String state) {
        return state.equals(ServerState.DISABLED) ? IS_DISABLED : IS_ENABLED;
    }

    // ------------------------------------------------------------------ items

    /** @param items in several transactions, if there are more than fit into one */
    public CompletionStage<DisableAnswer> disableItems(String jobName, Set<Integer> items) {
        return items(
                jobName,
                items,
                ServerState.DISABLED,
                (path, disabled) -> disabled.isPresent()
                        ? GuardedWrites.NOTHING
                        : RegistryCommit.builder().create(path).build());
    }

    /** @param items in several transactions, if there are more than fit into one */
    public CompletionStage<DisableAnswer> enableItems(String jobName, Set<Integer> items) {
        return items(
                jobName,
                items,
                ServerState.ENABLED,
                (path, disabled) -> disabled.map(node -> RegistryCommit.builder()
                                .delete(path, node.version())
                                .build())
                        .orElse(GuardedWrites.NOTHING));
    }

    private CompletionStage<DisableAnswer> items(
            String jobName,
            Set<Integer> named,
            String state,
            BiFunction<String, Optional<RegistryNode>, RegistryCommit> change) {
        SortedSet<Integer> items = new TreeSet<>(named);
        boolean disables = state.equals(ServerState.DISABLED);
        Command command = commands.begin(jobName, (disables ? "disable " : "enable ") + ItemRanges.named(items));
        JobTree tree = new JobTree(jobName);
        List<List<Integer>> parts = Batch.groups(GuardedWrites.ITEMS_AT_ONCE, List.copyOf(items));
        SortedMap<Integer, Result> results = new TreeMap<>();
        CompletionStage<DisableAnswer> carriedOut = mustBeThere(tree, items, parts)
                .thenCompose(there -> Stages.inOrder(
                        parts,
                        part -> writes.repeat(
                                jobName,
                                () -> read(tree, part).thenCompose(job -> {
                                    RegistryCommit.Builder commit = RegistryCommit.builder();
                                    for (int item : part) {
                                        Optional<RegistryNode> disabled = job.node(tree.disabled(item));
                                        commit.addAll(change.apply(tree.disabled(item), disabled));
                                        results.put(
                                                item,
                                                disabled.isPresent() == disables ? Result.ALREADY : Result.CHANGED);
                                    }
                                    command.found(before(new DisableAnswer(results), disables));
                                    return writes.attempt(commit.build(), true);
                                }))))
                .thenApply(done -> new DisableAnswer(results));
        return command.reporting(carriedOut, answer -> after(answer, state));
    }

    /** Before anything is written. If there is one part only, its read shows it. */
    private CompletionStage<?> mustBeThere(JobTree tree, SortedSet<Integer> items, List<List<Integer>> parts) {
        if (items.isEmpty()) {
            return CompletableFuture.failedFuture(new IllegalArgumentException(
                    "Expected at least one item of job \"%s\", but there was none: name it".formatted(tree.jobName())));
        }
        return parts.size() == 1
                ? CompletableFuture.completedFuture(true)
                : jobs.read(tree.jobName(), List.of(RegistryRead.children(tree.sharding())))
                        .thenAccept(job -> mustBeOf(tree, items, JobTree.itemNumbers(job.children(tree.sharding()))));
    }

    private CompletionStage<RegistryAnswer> read(JobTree tree, List<Integer> part) {
        List<String> paths = part.stream()
                .flatMap(item -> Stream.of(tree.item(item), tree.disabled(item)))
                .toList();
        return jobs.read(tree.jobName(), RegistryRead.allData(paths)).thenApply(job -> {
            mustBeOf(
                    tree,
                    part,
                    part.stream()
                            .filter(item -> job.node(tree.item(item)).isPresent())
                            .collect(Collectors.toSet()));
            return job;
        });
    }

    private static void mustBeOf(JobTree tree, Collection<Integer> items, Set<Integer> there) {
        SortedSet<Integer> unknown = new TreeSet<>(items);
        unknown.removeAll(there);
        if (!unknown.isEmpty()) {
            throw UnknownTargetException.ofItems(tree.jobName(), unknown, "check its shardingTotalCount");
        }
    }

    private static String before(DisableAnswer answer, boolean disables) {
        SortedSet<Integer> disabled = answer.with(disables ? Result.ALREADY : Result.CHANGED);
        if (answer.items().size() == 1) {
            return disabled.isEmpty() ? IS_ENABLED : IS_DISABLED;
        }
        return disabled.isEmpty() ? "all are enabled" : "[" + ItemRanges.shown(disabled) + "] disabled";
    }

    private static String after(DisableAnswer answer, String state) {
        if (answer.items().size() == 1) {
            return shown(state);
        }
        SortedSet<Integer> already = answer.with(Result.ALREADY);
        return "%d items changed".formatted(answer.with(Result.CHANGED).size())
                + (already.isEmpty() ? "" : "; [" + ItemRanges.shown(already) + "] were so already");
    }

    // ------------------------------------------------------------------ writing

    private CompletionStage<Void> write(
            Command command,
            String jobName,
            List<String> paths,
            String after,
            Function<RegistryAnswer, RegistryCommit> change) {
        return command.reporting(
                        writes.repeat(
                                jobName,
                                () -> jobs.read(jobName, RegistryRead.allData(paths))
                                        .thenCompose(job -> writes.attempt(change.apply(job), true))),
                        done -> after)
                .thenAccept(done -> {});
    }
}
