package dev.elasticjob.console.api;

import dev.elasticjob.admin.command.DefinitionChangedException;
import dev.elasticjob.admin.command.PauseAnswer;
import dev.elasticjob.admin.table.DryRun;
import dev.elasticjob.console.live.Queries;
import dev.elasticjob.console.web.ConsoleResponse;
import dev.elasticjob.console.web.Json;
import dev.elasticjob.console.web.OutdatedException;
import dev.elasticjob.console.web.RefusedException;
import java.util.Map;
import java.util.Optional;
import java.util.concurrent.CompletionException;
import java.util.concurrent.CompletionStage;
import java.util.function.Supplier;

/** What came of commands and of dry runs, as responses. */
final class CommandResponses {
    private CommandResponses() {}

    /** Carries out a command, which may wait for the instances. */
    static CompletionStage<ConsoleResponse> carriedOut(
            ConsoleRegistry registry, Supplier<? extends CompletionStage<?>> command) {
        return ofCommands(registry)
                .ask(
                        () -> command.get().thenApply(Optional::ofNullable),
                        done -> Json.response(Json.bytes(done.isPresent() ? done.get() : Map.of())))
                .whenComplete((done, failure) -> registry.snapshots().changed())
                .exceptionally(CommandResponses::refused);
    }

    /** For commands, which may wait for the instances after the registry has answered. */
    static Queries ofCommands(ConsoleRegistry registry) {
        return registry.queries().within(registry.queries().limit().plus(PauseAnswer.LONGEST_WAIT));
    }

    /** Reads what a command would change, and says what would follow. */
    static CompletionStage<ConsoleResponse> previewed(
            ConsoleRegistry registry, Supplier<? extends CompletionStage<? extends DryRun>> read) {
        return registry.queries()
                .ask(() -> read.get().<DryRun>thenApply(would -> would), would -> Json.response(Json.bytes(would)))
                .exceptionally(CommandResponses::refused);
    }

    static ConsoleResponse refused(Throwable failure) {
        RuntimeException cause = cause(failure);
        throw cause instanceof CompletionException known ? known : new CompletionException(cause);
    }

    /** What a failure of a command means to the caller: the state of the job doesn't allow it, or something else. */
    static RuntimeException cause(Throwable failure) {
        Throwable cause =
                failure instanceof CompletionException && failure.getCause() != null ? failure.getCause() : failure;
        if (cause instanceof DefinitionChangedException changed) {
            return new OutdatedException(
                    String.valueOf(cause.getMessage()), Bodies.Definition.of(changed.newer()), cause);
        }
        if (cause instanceof IllegalStateException) {
            return new RefusedException(String.valueOf(cause.getMessage()), cause);
        }
        return cause instanceof RuntimeException known ? known : new CompletionException(cause);
    }
}
