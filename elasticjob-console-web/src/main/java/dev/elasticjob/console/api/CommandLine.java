package dev.elasticjob.console.api;

import dev.elasticjob.admin.table.OperatorCommand;
import dev.elasticjob.admin.table.OperatorCommand.Scope;
import dev.elasticjob.console.web.AccessLevel;
import java.util.Map;
import java.util.Optional;

/**
 * The address of a command. Variables of the path have the names of the arguments that stand there.
 *
 * @param path below the job, or below the registry
 * @param names of arguments that have another name here than in the command
 * @param instead what is meant if the body has another name, too
 */
record CommandLine(
        String method,
        String path,
        AccessLevel level,
        OperatorCommand command,
        Map<String, String> names,
        Optional<Instead> instead) {
    private static final String REGISTRY = "/api/v1/registries/{registry}";

    /**
     * Another command at the same address.
     *
     * @param by the name that the body has then
     */
    record Instead(String by, CommandLine line) {}

    static CommandLine of(String method, String path, OperatorCommand command) {
        return new CommandLine(method, path, AccessLevel.OPERATOR, command, Map.of(), Optional.empty());
    }

    CommandLine ofAdministrators() {
        return new CommandLine(method, path, AccessLevel.ADMIN, command, names, instead);
    }

    CommandLine naming(Map<String, String> others) {
        return new CommandLine(method, path, level, command, others, instead);
    }

    /** @param others names of its arguments */
    CommandLine insteadBy(String by, OperatorCommand other, Map<String, String> others) {
        CommandLine line = of(method, path, other).naming(others);
        return new CommandLine(method, path, level, command, names, Optional.of(new Instead(by, line)));
    }

    String address() {
        return (command.scope() == Scope.JOB ? REGISTRY + "/jobs/{job}" : REGISTRY) + path;
    }

    /** Whether the path names one item. What comes of it is not a matter of items then. */
    boolean isOfOneItem() {
        return path.contains("{item}");
    }
}
