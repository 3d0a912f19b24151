package dev.elasticjob.console.api;

import dev.elasticjob.admin.AppWatch;
import dev.elasticjob.admin.GroupWatch;
import dev.elasticjob.admin.JobAdmin;
import dev.elasticjob.admin.JobInspector;
import dev.elasticjob.admin.command.UnknownTargetException;
import dev.elasticjob.console.live.Queries;
import dev.elasticjob.console.live.Snapshots;
import dev.elasticjob.console.web.ReadOnlyException;
import dev.elasticjob.console.web.Route.Call;
import java.util.Map;
import java.util.Optional;

/**
 * A registry that the console shows.
 *
 * @param name part of the paths
 * @param namespace shown to people
 * @param mode whether anything may be changed in it
 * @param groups of dynamic sharding beside its jobs
 * @param apps applications of Kubernetes that run its jobs
 * @param queries asks and commands, with an end
 * @param snapshots shares answers among all viewers of this registry
 * @param logLink where a log system has the lines of its executions; empty if nobody has said so
 */
public record ConsoleRegistry(
        String name,
        String namespace,
        Mode mode,
        JobInspector inspector,
        JobAdmin admin,
        GroupWatch groups,
        AppWatch apps,
        Queries queries,
        Snapshots snapshots,
        Optional<LogLink> logLink) {
    /** Whether anything may be changed in a registry, whatever the user's role is. */
    public enum Mode {
        OPERATED,
        READ_ONLY
    }

    /**
     * The one that a request names, of those by name.
     *
     * @throws ReadOnlyException if the request would change something in a registry that is only to be looked at
     */
    static ConsoleRegistry of(Call call, Map<String, ConsoleRegistry> registries) {
        String name = call.name("registry");
        ConsoleRegistry registry = Optional.ofNullable(registries.get(name))
                .orElseThrow(() ->
                        new UnknownTargetException("There is no registry \"%s\" in this console".formatted(name)));
        if (registry.mode == Mode.READ_ONLY && call.writes()) {
            throw new ReadOnlyException(
                    "The registry \"%s\" is read-only in this console, for all users".formatted(name));
        }
        return registry;
    }
}
