package dev.elasticjob.console.api;

import dev.elasticjob.admin.command.UnknownTargetException;
import dev.elasticjob.console.effect.CommandEffects;
import java.util.List;
import java.util.concurrent.CompletionStage;

/** Reads what a command would change. */
final class Previews {
    private Previews() {}

    /** Fails with {@link UnknownTargetException} if there is no such job. */
    static CompletionStage<CommandEffects> seen(ConsoleRegistry registry, String job) {
        return registry.inspector()
                .job(job)
                .thenCompose(report -> registry.inspector()
                        .instances(job)
                        .thenApply(instances -> new CommandEffects(
                                report.orElseThrow(() -> new UnknownTargetException(
                                        "There is no job \"%s\" in the registry".formatted(job))),
                                instances.orElse(List.of()))));
    }
}
