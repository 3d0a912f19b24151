package dev.elasticjob.engine;

import dev.elasticjob.coordination.group.GroupCoordination;
import dev.elasticjob.coordination.group.GroupReports;
import dev.elasticjob.coordination.group.GroupScope;
import dev.elasticjob.coordination.group.GroupTree;
import dev.elasticjob.coordination.session.Stages;
import dev.elasticjob.definition.text.NodeName;
import dev.elasticjob.engine.JobShutdown.Departure;
import dev.elasticjob.engine.JobShutdown.Participant;
import dev.elasticjob.group.GroupInspector;
import dev.elasticjob.group.GroupReport;
import dev.elasticjob.group.ShardingNotice;
import java.util.List;
import java.util.Optional;
import java.util.Set;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionStage;
import java.util.concurrent.ConcurrentSkipListMap;
import java.util.stream.Stream;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * The groups in which an engine shares out work that is no job, among the instances that have joined the same group. Each
 * gets an index; all are told when the shares change. See {@code docs/guide/dynamic-sharding.md}.
 *
 * <p>Groups are joined before the engine starts, or later, and left with it. They need no job. Thread-safe; no method blocks.
 */
public final class ShardingGroups implements GroupInspector {
    private static final Logger log = LoggerFactory.getLogger(ShardingGroups.class);

    /** Nodes of the group without a name, which are next to the groups. */
    private static final Set<String> RESERVED = Set.copyOf(GroupTree.childrenOfRoot());

    private final EngineParts parts;
    private final ConcurrentSkipListMap<String, Joined> joined = new ConcurrentSkipListMap<>();
    // Guarded by this object's monitor.
    private Optional<EngineRun> run = Optional.empty();

    ShardingGroups(EngineParts parts) {
        this.parts = parts;
    }

    /** A group, and whom to tell. */
    record Joined(GroupTree tree, ShardingNotice notice) {}

    /** One group on this instance, as its engine sees it. On the coordination executor. */
    record GroupRuntime(GroupCoordination coordination) implements Participant {
        @Override
        public String name() {
            return coordination.tree().root();
        }

        @Override
        public CompletionStage<Void> drain(Departure departure) {
            return coordination.drain();
        }

        @Override
        public CompletionStage<Void> returned() {
            return coordination.returned();
        }

        @Override
        public void interruptAll(String reason) {
            if (coordination.holdsIndex()) {
                log.warn(
                        "Group \"{}\": interrupting its thread, because {}",
                        coordination.tree().name(),
                        reason);
            }
            coordination.interrupt();
        }

        @Override
        public CompletionStage<Void> leave(Departure departure) {
            return switch (departure) {
                case WITH_THE_PROCESS -> coordination.leave();
                case FOR_GOOD -> coordination.leaveForGood();
            };
        }
    }

    /**
     * How groups are set up.
     *
     * @param namespace of their nodes, beside the registry's
     */
    record Settings(String namespace, GroupScope.Times times) {
        Settings {
            namespaceProblem(namespace).ifPresent(problem -> {
                throw new IllegalArgumentException(problem);
            });
        }
    }

    /** What is wrong with the node below which groups are; empty if it can be used. */
    public static Optional<String> namespaceProblem(String namespace) {
        return Stream.of(namespace.split("/", -1))
                .flatMap(name -> name.isEmpty()
                        ? Stream.of("expected a node path without a slash at its ends, and without empty parts")
                        : NodeName.problem(name).stream())
                .findFirst()
                .map(expected ->
                        "\"elasticjob.dynamic-sharding.namespace\" can't be \"%s\": %s".formatted(namespace, expected));
    }

    /**
     * Takes part in a group: at once, or when the engine starts.
     *
     * @param group its name; empty for the group without one
     * @return a stage that completes when this instance is registered, or at once if the engine isn't started. The notice
     *     is told later, when the leader has assigned the indexes. It fails with {@link
     *     dev.elasticjob.registry.RegistryAccessDeniedException} if access to the group's nodes is denied, and with {@link
     *     dev.elasticjob.registry.RegistryUnavailableException} if the group is left before. While the registry is
     *     unavailable, it keeps waiting
     * @throws IllegalArgumentException if the name can't be used, or this engine takes part in the group already
     * @throws IllegalStateException if the engine is running, and another engine on the same registry takes part
     */
    public synchronized CompletionStage<Void> join(String group, ShardingNotice notice) {
        check(group);
        Joined next = new Joined(new GroupTree(parts.groups().namespace(), group), notice);
        if (joined.putIfAbsent(group, next) != null) {
            throw new IllegalArgumentException(
                    "This engine already takes part in the group \"%s\": leave it first, or give one of the two another name"
                            .formatted(group));
        }
        try {
            return Stages.forCallers(
                    run.map(current -> current.join(next)).orElseGet(() -> CompletableFuture.completedFuture(null)));
        } catch (RuntimeException e) {
            joined.remove(group);
            throw e;
        }
    }

    private static void check(String group) {
        problem(group).ifPresent(expected -> {
            throw new IllegalArgumentException("A group can't be named \"%s\": %s".formatted(group, expected));
        });
    }

    /** Checks a group's name, before there is an engine: what was expected, and what to do; empty if it can be used. */
    public static Optional<String> problem(String group) {
        return RESERVED.contains(group)
                ? Optional.of("the group without a name has a node of this name; choose another one")
                : NodeName.problem(group);
    }

    /**
     * Leaves a group: the notice is told to stop, and when it has returned, the others share out this instance's part. If it
     * doesn't return within the shutdown timeout, its thread is interrupted.
     *
     * @return a stage that completes when this instance has left, or the registry hasn't answered in time; in that case, it
     *     leaves as soon as it can. It never fails
     * @throws IllegalArgumentException if this engine doesn't take part in the group
     */
    public synchronized CompletionStage<Void> leave(String group) {
        Joined former = joined.remove(group);
        if (former == null) {
            throw new IllegalArgumentException(
                    "This engine takes no part in a group \"%s\"; its groups are %s".formatted(group, names()));
        }
        return Stages.forCallers(
                run.map(current -> current.leaveGroup(former.tree().root()))
                        .orElseGet(() -> CompletableFuture.completedFuture(null)));
    }

    /** The names of the groups. */
    public Set<String> names() {
        return Set.copyOf(joined.keySet());
    }

    @Override
    public CompletionStage<List<GroupReport>> groups() {
        Optional<EngineRun> current;
        synchronized (this) {
            current = run;
        }
        List<CompletableFuture<GroupReport>> reports = joined.values().stream()
                .map(group -> GroupReports.read(
                                parts.registry(),
                                group.tree(),
                                current.flatMap(now -> now.group(group.tree().root()))
                                        .flatMap(GroupCoordination::instance))
                        .toCompletableFuture())
                .toList();
        return Stages.forCallers(Stages.all(reports)
                .thenApply(done -> reports.stream().map(CompletableFuture::join).toList()));
    }

    @Override
    public CompletionStage<List<GroupReport>> all() {
        return Stages.forCallers(
                GroupReports.readAll(parts.registry(), parts.groups().namespace()));
    }

    /** From now on, this run takes part in them. */
    synchronized void begin(EngineRun next) {
        next.prepare(joined.values());
        run = Optional.of(next);
    }

    synchronized void end() {
        run = Optional.empty();
    }
}
