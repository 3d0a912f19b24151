package dev.elasticjob.spring.actuate;

import dev.elasticjob.admin.JobAdmin;
import dev.elasticjob.admin.JobInspector;
import dev.elasticjob.admin.command.Actor;
import dev.elasticjob.admin.command.PauseAnswer;
import dev.elasticjob.admin.command.UnknownTargetException;
import dev.elasticjob.admin.command.UnreadableSettings;
import dev.elasticjob.admin.command.VersionedDefinition;
import dev.elasticjob.admin.table.Argument;
import dev.elasticjob.admin.table.CommandTable;
import dev.elasticjob.admin.table.DryRunReads;
import dev.elasticjob.admin.table.GivenArguments;
import dev.elasticjob.admin.table.OperatorCommand;
import dev.elasticjob.admin.table.OperatorCommand.Scope;
import dev.elasticjob.definition.InvalidJobDefinitionException.Violation;
import dev.elasticjob.definition.UnreadableDefinitionException;
import java.time.Clock;
import java.util.Iterator;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.concurrent.CompletionStage;
import java.util.function.Function;
import java.util.function.Supplier;
import org.springframework.boot.actuate.endpoint.OperationResponseBody;

/**
 * What the endpoint changes: each command is a row of {@link CommandTable}. Thread-safe; waits for the registry's answer.
 *
 * @param admins one for each context of the application that has jobs
 * @param questions waits for answers; has an inspector for each of the same contexts
 */
record JobCommands(Supplier<List<JobAdmin>> admins, JobQuestions questions, Clock clock) {
    /** A definition, and the version that redefine takes. */
    public record DefinitionBody(String version, Map<String, Object> settings) implements OperationResponseBody {
        static DefinitionBody of(VersionedDefinition definition) {
            return new DefinitionBody(definition.version(), definition.settings());
        }
    }

    /**
     * Settings that can't be used.
     *
     * @param settings what can still be read
     * @param node the node that can't be used
     * @param faults the settings that a repair has to give values to
     */
    public record UnreadableBody(
            String version, Map<String, Object> settings, String node, String reason, List<Violation> faults)
            implements OperationResponseBody {
        static UnreadableBody of(UnreadableSettings found) {
            return new UnreadableBody(
                    found.version(), found.salvaged().shown(), found.node(), found.reason(), found.faults());
        }
    }

    /** @throws UnknownTargetException if there is no such job */
    OperationResponseBody definition(String job) {
        try {
            return DefinitionBody.of(first(in -> in.admin().versionedDefinition(job), questions::answer));
        } catch (UnreadableDefinitionException e) {
            return UnreadableBody.of(first(in -> in.admin().unreadableSettings(job), questions::answer));
        }
    }

    /**
     * Carries out a command, and waits until the registry has stored it, or the instances follow it. A removal may continue
     * after that. In a dry run, only says what would follow.
     *
     * @throws IllegalArgumentException if the command or a value can't be understood, or a value isn't one of the command's
     * @throws IllegalStateException if the job's state doesn't allow the command
     */
    OperationResponseBody carryOut(String actor, String job, String command, GivenArguments given) {
        OperatorCommand row = CommandTable.named(command, Scope.JOB);
        return carryOut(row, job, actor, given);
    }

    /**
     * Carries out a command for all jobs of the namespace.
     *
     * @throws IllegalArgumentException if the command or a value can't be understood, or a value isn't one of the command's
     */
    OperationResponseBody carryOutForAll(String actor, String command, GivenArguments given) {
        OperatorCommand row = CommandTable.named(command, Scope.NAMESPACE);
        return carryOut(row, "", actor, given);
    }

    private OperationResponseBody carryOut(OperatorCommand row, String job, String name, GivenArguments given) {
        row.read(given);
        given.find(CommandTable.DRY_RUN);
        given.end(row.taker());
        Map<String, Object> parts = parts(row, job, name, given);
        if (given.get(CommandTable.DRY_RUN)) {
            return first(
                    in -> row.dryRun(in, job, given).thenApply(would -> CarriedOutBody.answer(parts, would)),
                    questions::answer);
        }
        Actor by = row.actor(name, given);
        Function<DryRunReads, CompletionStage<CarriedOutBody>> command = in ->
                row.carryOut(in.admin().by(by), job, given).thenApply(answer -> CarriedOutBody.answer(parts, answer));
        return switch (row.ends()) {
            case WHEN_STORED -> first(command, questions::answer);
            case WHEN_FOLLOWED -> first(command, stage -> questions.answerAfter(PauseAnswer.LONGEST_WAIT, stage));
            case LATER ->
                first(
                        command.andThen(stage -> stage.thenApply(done -> done.hasEnded(true))),
                        stage -> questions.answerOr(
                                CarriedOutBody.answer(parts, null).hasEnded(false), stage));
        };
    }

    /** Those that each answer begins with. */
    private static Map<String, Object> parts(OperatorCommand row, String job, String actor, GivenArguments given) {
        Map<String, Object> parts = new LinkedHashMap<>();
        if (row.scope() == Scope.JOB) {
            parts.put("job", job);
        }
        parts.put("command", row.name());
        parts.put("actor", actor);
        for (Argument<String> named : List.of(CommandTable.INSTANCE, CommandTable.APP)) {
            if (row.arguments().contains(named)) {
                parts.put(named.name(), given.get(named));
            }
        }
        return parts;
    }

    /** The answer of the first context whose registry has the job. */
    private <T> T first(Function<DryRunReads, CompletionStage<T>> command, Function<CompletionStage<T>, T> answer) {
        UnknownTargetException unknown =
                new UnknownTargetException("This application has no jobs, so it has no connection to a registry");
        Iterator<JobInspector> inspectors = questions.inspectors().get().iterator();
        for (JobAdmin admin : admins.get()) {
            try {
                return answer.apply(command.apply(new DryRunReads(inspectors.next(), admin, clock.instant())));
            } catch (UnknownTargetException e) {
                unknown = e;
            }
        }
        throw unknown;
    }
}
