package dev.elasticjob.console.api;

import dev.elasticjob.admin.JobAdmin;
import dev.elasticjob.admin.JobInspector;
import dev.elasticjob.admin.command.UnknownTargetException;
import dev.elasticjob.console.live.Asking;
import dev.elasticjob.console.live.Pictures;
import dev.elasticjob.console.web.Route.Call;
import java.util.Map;
import java.util.Optional;

/**
 * A registry that the console shows.
 *
 * @param name part of the paths
 * @param namespace shown to people
 * @param asking asks and commands, with an end
 * @param pictures shares answers among all viewers of this registry
 */
public record ConsoleRegistry(
        String name, String namespace, JobInspector inspector, JobAdmin admin, Asking asking, Pictures pictures) {
    /** The one that a request names, of those by name. */
    static ConsoleRegistry of(Call call, Map<String, ConsoleRegistry> registries) {
        String name = call.name("registry");
        return Optional.ofNullable(registries.get(name))
                .orElseThrow(() ->
                        new UnknownTargetException("There is no registry \"%s\" in this console".formatted(name)));
    }
}
