package dev.elasticjob.console.autoconfigure;

import dev.elasticjob.admin.JobAdmin;
import dev.elasticjob.admin.JobInspector;
import dev.elasticjob.console.api.ConsoleRegistry;
import dev.elasticjob.console.api.LogLink;
import dev.elasticjob.console.history.ConsoleHistory;
import dev.elasticjob.group.GroupInspector;
import java.util.HashSet;
import java.util.List;
import java.util.Optional;
import java.util.Set;
import java.util.function.UnaryOperator;

/**
 * The registries that the console shows, if the application declares this bean. Otherwise, it shows the one that the
 * application's own jobs are in.
 *
 * @param registries in the order in which they are offered; at least one, with different names
 * @param remedyWithoutHistory says what to do so that a registry without a history has one, by its name
 */
public record ShownRegistries(List<Shown> registries, UnaryOperator<String> remedyWithoutHistory) {
    public ShownRegistries(List<Shown> registries) {
        this(registries, name -> "Give \"%s\" a history where the application declares it".formatted(name));
    }

    /**
     * One of them. Its first request may connect it, and may block: each registry has threads of its own.
     *
     * @param name part of addresses: letters, digits, dots, dashes and underscores
     * @param namespace shown to people
     * @param groups of dynamic sharding beside its jobs. Its methods may block, too. None are shown without it
     * @param history what was recorded of its jobs. Its methods may block, too
     * @param logLink where a log system has the lines of its executions; by default, where
     *     "elasticjob.console.log-link" says
     */
    public record Shown(
            String name,
            String namespace,
            ConsoleRegistry.Mode mode,
            JobInspector inspector,
            JobAdmin admin,
            Optional<GroupInspector> groups,
            Optional<ConsoleHistory> history,
            Optional<LogLink> logLink) {
        /** Without groups, a history and a link to a log system. */
        public Shown(String name, String namespace, ConsoleRegistry.Mode mode, JobInspector inspector, JobAdmin admin) {
            this(name, namespace, mode, inspector, admin, Optional.empty(), Optional.empty(), Optional.empty());
        }

        /** @throws IllegalArgumentException if the name can't be part of an address */
        public Shown {
            if (!name.matches("[A-Za-z0-9_-][A-Za-z0-9._-]*")) {
                throw new IllegalArgumentException(
                        ("Expected the name of a registry of letters, digits, dots, dashes and underscores, which doesn't"
                                        + " begin with a dot, but it was \"%s\"")
                                .formatted(name));
            }
        }
    }

    /** @throws IllegalArgumentException if there is none, or two have the same name */
    public ShownRegistries {
        registries = List.copyOf(registries);
        if (registries.isEmpty()) {
            throw new IllegalArgumentException("Expected at least one registry to show, but there was none");
        }
        Set<String> names = new HashSet<>();
        for (Shown one : registries) {
            if (!names.add(one.name())) {
                throw new IllegalArgumentException(
                        "Expected registries of different names, but two are called \"%s\"".formatted(one.name()));
            }
        }
    }
}
