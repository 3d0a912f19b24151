package dev.elasticjob.console.api;

import dev.elasticjob.admin.GroupAttention.GroupFinding;
import dev.elasticjob.admin.GroupWatch.Watched;
import dev.elasticjob.admin.command.UnknownTargetException;
import dev.elasticjob.console.web.ConsoleResponse;
import dev.elasticjob.console.web.Route;
import dev.elasticjob.console.web.Route.Call;
import dev.elasticjob.group.GroupReport;
import dev.elasticjob.group.GroupReport.Share;
import java.time.Duration;
import java.time.Instant;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.concurrent.CompletionStage;
import java.util.function.Function;

/** Questions about groups of dynamic sharding: each reads all of them, once for all who ask at the same time. */
final class GroupRoutes {
    private static final String GROUPS = "/api/v1/registries/{registry}/groups";
    private static final Duration SECOND = Duration.ofSeconds(1);

    private final Map<String, ConsoleRegistry> registries;

    /** @param registries by their names */
    GroupRoutes(Map<String, ConsoleRegistry> registries) {
        this.registries = Map.copyOf(registries);
    }

    List<Route> routes() {
        return List.of(Route.get(GROUPS, this::groups), Route.get(GROUPS + "/{group}", this::group));
    }

    private CompletionStage<ConsoleResponse> groups(Call call) {
        return answer(
                call,
                registry -> registry.groups()
                        .groups()
                        .thenApply(all -> new Groups(all.stream().map(Group::of).toList())));
    }

    private CompletionStage<ConsoleResponse> group(Call call) {
        String node = call.name("group");
        return answer(
                call,
                registry -> registry.groups()
                        .groups()
                        .thenApply(all -> all.stream()
                                .filter(watched -> watched.group().node().equals(node))
                                .findFirst()
                                .map(WholeGroup::of)
                                .orElseThrow(() ->
                                        new UnknownTargetException("There is no group at \"%s\"".formatted(node)))));
    }

    private CompletionStage<ConsoleResponse> answer(
            Call call, Function<ConsoleRegistry, ? extends CompletionStage<?>> question) {
        ConsoleRegistry registry = ConsoleRegistry.of(call, registries);
        return SharedAnswers.of(
                call, Set.of(), Parameters.SHOWN, registry.snapshots(), SECOND, () -> question.apply(registry));
    }

    // ------------------------------------------------------------------ the forms of the answers

    record Groups(List<Group> groups) {}

    /**
     * One group in numbers.
     *
     * @param node distinguishes it from those of other namespaces
     * @param since when the assignment was made, or all were told to stop
     * @param indexes how many there are
     * @param held how many of them are worked on; while stopping, how many still are
     */
    record Group(
            String group,
            String node,
            Optional<String> leader,
            long epoch,
            boolean stopping,
            Optional<Instant> since,
            int instances,
            int indexes,
            int held,
            int leftOut,
            List<GroupFinding> findings) {
        static Group of(Watched watched) {
            GroupReport report = watched.group();
            return new Group(
                    report.group(),
                    report.node(),
                    report.leader(),
                    report.epoch(),
                    report.stopping(),
                    report.since(),
                    report.instances().size(),
                    report.shares().size(),
                    report.held().size(),
                    report.leftOut().size(),
                    watched.findings());
        }
    }

    /**
     * One group with its indexes.
     *
     * @param instances the ids of all registered instances, sorted
     * @param leftOut the ids of those that have no index, because they have not stopped in time
     */
    record WholeGroup(Group group, List<Share> shares, List<String> instances, List<String> leftOut) {
        static WholeGroup of(Watched watched) {
            GroupReport report = watched.group();
            return new WholeGroup(Group.of(watched), report.shares(), report.instances(), report.leftOut());
        }
    }
}
