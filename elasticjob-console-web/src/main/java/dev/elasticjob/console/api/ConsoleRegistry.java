package dev.elasticjob.console.api;

import dev.elasticjob.admin.JobAdmin;
import dev.elasticjob.admin.JobInspector;
import dev.elasticjob.console.live.Asking;
import dev.elasticjob.console.live.Pictures;

/**
 * A registry that the console shows.
 *
 * @param name part of the paths
 * @param namespace shown to people
 * @param asking asks and commands, with an end
 * @param pictures shares answers among all viewers of this registry
 */
public record ConsoleRegistry(
        String name, String namespace, JobInspector inspector, JobAdmin admin, Asking asking, Pictures pictures) {}
