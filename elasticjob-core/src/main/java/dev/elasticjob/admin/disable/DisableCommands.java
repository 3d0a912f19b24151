package dev.elasticjob.admin.disable;

import dev.elasticjob.admin.command.CommandLog;
import dev.elasticjob.admin.command.CommandLog.Command;
import dev.elasticjob.admin.command.ExistingJobs;
import dev.elasticjob.admin.command.GuardedWrites;
import dev.elasticjob.admin.command.UnknownTargetException;
import dev.elasticjob.coordination.state.ServerState;
import dev.elasticjob.registry.JobTree;
import dev.elasticjob.registry.RegistryAnswer;
import dev.elasticjob.registry.RegistryCommit;
import dev.elasticjob.registry.RegistryNode;
import dev.elasticjob.registry.RegistryRead;
import java.util.List;
import java.util.Optional;
import java.util.SortedMap;
import java.util.TreeMap;
import java.util.concurrent.CompletionStage;
import java.util.function.BiFunction;
import java.util.function.Function;

/** Disables and enables items, servers, and jobs on all their servers. Thread-safe. */
public record DisableCommands(ExistingJobs jobs, GuardedWrites writes, CommandLog commands) {
    private static final String IS_ENABLED = "is enabled";
    private static final String IS_DISABLED = "is disabled";
    private static final RegistryCommit NOTHING = RegistryCommit.builder().build();

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
                    ? NOTHING
                    : RegistryCommit.builder()
                            .set(path, state, server.version())
                            .build();
        });
    }

    private static String shown(String state) {
        return state.equals(ServerState.DISABLED) ? IS_DISABLED : IS_ENABLED;
    }

    // ------------------------------------------------------------------ an item

    public CompletionStage<Void> disableItem(String jobName, int item) {
        return item(
                commands.begin(jobName, "disable item " + item),
                jobName,
                item,
                IS_DISABLED,
                (path, disabled) -> disabled.isPresent()
                        ? NOTHING
                        : RegistryCommit.builder().create(path).build());
    }

    public CompletionStage<Void> enableItem(String jobName, int item) {
        return item(
                commands.begin(jobName, "enable item " + item),
                jobName,
                item,
                IS_ENABLED,
                (path, disabled) -> disabled.map(node -> RegistryCommit.builder()
                                .delete(path, node.version())
                                .build())
                        .orElse(NOTHING));
    }

    private CompletionStage<Void> item(
            Command command,
            String jobName,
            int item,
            String after,
            BiFunction<String, Optional<RegistryNode>, RegistryCommit> change) {
        JobTree tree = new JobTree(jobName);
        String disabled = tree.disabled(item);
        return write(command, jobName, List.of(tree.item(item), disabled), after, job -> {
            if (job.node(tree.item(item)).isEmpty()) {
                throw new UnknownTargetException(
                        "Job \"%s\" has no item %d: check its shardingTotalCount".formatted(jobName, item));
            }
            command.found(job.node(disabled).isPresent() ? IS_DISABLED : IS_ENABLED);
            return change.apply(disabled, job.node(disabled));
        });
    }

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
