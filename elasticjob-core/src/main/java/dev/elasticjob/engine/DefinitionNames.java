package dev.elasticjob.engine;

import dev.elasticjob.definition.BuiltInStrategy;
import dev.elasticjob.definition.HandlerProperties;
import dev.elasticjob.definition.InvalidJobDefinitionException.Violation;
import dev.elasticjob.definition.JobDefinition;
import dev.elasticjob.definition.text.NearestName;
import dev.elasticjob.execution.JobErrors;
import java.util.Collection;
import java.util.List;
import java.util.Optional;
import java.util.stream.Stream;

/**
 * Checks what a job's settings refer to by name: strategies, error handlers and executors, each built in or the
 * application's own. Pure.
 */
public final class DefinitionNames {
    private DefinitionNames() {}

    /**
     * Checks the name of a sharding strategy, so that a job's settings can be validated before there is an engine.
     *
     * @param name the value of {@code jobShardingStrategyClass}
     * @param custom the names of the application's own strategies
     * @return the violation; empty if there is such a strategy
     */
    public static Optional<Violation> unknownStrategy(String name, Collection<String> custom) {
        return unknown(
                        "jobShardingStrategyClass",
                        name,
                        Stream.concat(BuiltInStrategy.names().stream(), custom.stream()),
                        "there is no such strategy%2$s; expected one of %1$s, Elastic-Job 2.1.5's class names for the first"
                                + " three of them, or the name of a ShardingStrategy bean")
                .filter(violation -> !name.isBlank() && BuiltInStrategy.of(name).isEmpty());
    }

    /** Checks the name of an error handler, the value of {@code jobExceptionHandler}, in the same way. */
    public static Optional<Violation> unknownErrorHandler(String name, Collection<String> custom) {
        return unknown(
                        "jobExceptionHandler",
                        name,
                        Stream.concat(JobErrors.builtIn().names().stream(), custom.stream()),
                        "there is no such error handler%2$s; expected one of %1$s, Elastic-Job 2.1.5's default class name for"
                                + " the first of them, or the name of a JobErrorHandler bean")
                .filter(violation -> !HandlerProperties.isDefault(name));
    }

    /** Checks the name of an executor, the value of {@code executorServiceHandler}, in the same way. */
    public static Optional<Violation> unknownExecutor(String name, Collection<String> custom) {
        return unknown(
                        "executorServiceHandler",
                        name,
                        custom.stream(),
                        "there is no such executor%2$s; expected one of these beans: %1$s. Leave it empty to use the shared"
                                + " threads")
                .filter(violation -> !HandlerProperties.isDefault(name));
    }

    /** The violations of a definition, for an engine with these parts. */
    static List<Violation> unknownIn(JobDefinition definition, EngineParts parts) {
        return Stream.of(
                        unknownStrategy(
                                definition.jobShardingStrategyClass(),
                                parts.strategies().names()),
                        unknownErrorHandler(
                                definition.jobExceptionHandler(),
                                parts.errorHandlers().names()),
                        unknownExecutor(
                                definition.executorServiceHandler(),
                                parts.executors().names()))
                .flatMap(Optional::stream)
                .toList();
    }

    private static Optional<Violation> unknown(String setting, String name, Stream<String> names, String text) {
        List<String> known = names.distinct().toList();
        if (known.contains(name.strip())) {
            return Optional.empty();
        }
        String meant = NearestName.aside(name, known);
        return Optional.of(new Violation(setting, name, text.formatted(String.join(", ", known), meant)));
    }
}
