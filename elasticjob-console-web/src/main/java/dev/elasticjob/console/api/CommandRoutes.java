package dev.elasticjob.console.api;

import dev.elasticjob.admin.table.CommandTable;
import dev.elasticjob.admin.table.OperatorCommand;
import dev.elasticjob.console.web.ConsoleResponse;
import dev.elasticjob.console.web.Route;
import dev.elasticjob.console.web.Route.Call;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionStage;

/**
 * What operators and administrators change: each address is a line with a row of {@link CommandTable}, which is carried out
 * in the name of the caller, or in a dry run answers what would follow. Repeating a request is harmless; a run has an id that
 * the browser chooses.
 */
final class CommandRoutes {
    static final List<CommandLine> LINES = List.of(
            line("POST", "/runs", CommandTable.TRIGGER)
                    .insteadBy("again", CommandTable.RUN_AGAIN, Map.of("runId", "again", "newRunId", "runId")),
            line("POST", "/cancellations", CommandTable.CANCEL),
            line("POST", "/backfill", CommandTable.BACKFILL),
            line("DELETE", "/backfill", CommandTable.STOP_BACKFILL),
            line("PUT", "/disabled", CommandTable.DISABLE),
            line("DELETE", "/disabled", CommandTable.ENABLE),
            line("PUT", "/items/{item}/disabled", CommandTable.DISABLE_ITEMS),
            line("DELETE", "/items/{item}/disabled", CommandTable.ENABLE_ITEMS),
            line("PUT", "/items/disabled", CommandTable.DISABLE_ITEMS),
            line("DELETE", "/items/disabled", CommandTable.ENABLE_ITEMS),
            line("PUT", "/servers/{server}/disabled", CommandTable.DISABLE_SERVER),
            line("DELETE", "/servers/{server}/disabled", CommandTable.ENABLE_SERVER),
            line("PUT", "/instances/{instance}/drained", CommandTable.DRAIN),
            line("DELETE", "/instances/{instance}/drained", CommandTable.UNDRAIN),
            line("PUT", "/paused", CommandTable.PAUSE),
            line("DELETE", "/paused", CommandTable.RESUME),
            line("POST", "/reshard", CommandTable.RESHARD),
            line("PUT", "", CommandTable.CREATE).ofAdministrators(),
            line("PATCH", "/definition", CommandTable.REDEFINE)
                    .naming(Map.of("version", GivenJson.IF_MATCH))
                    .ofAdministrators(),
            line("PUT", "/definition", CommandTable.REPAIR)
                    .naming(Map.of("version", GivenJson.IF_MATCH))
                    .ofAdministrators(),
            line("DELETE", "", CommandTable.REMOVE).ofAdministrators(),
            line("PUT", "/paused", CommandTable.PAUSE_ALL),
            line("DELETE", "/paused", CommandTable.RESUME_ALL),
            line("PUT", "/apps/{app}/suspended", CommandTable.SUSPEND_APP),
            line("DELETE", "/apps/{app}/suspended", CommandTable.RESUME_APP),
            line("DELETE", "/apps/{app}", CommandTable.FORGET_APP),
            line("DELETE", "/data-loss", CommandTable.CONFIRM_DATA_LOSS),
            line("PUT", "/fencing-tokens", CommandTable.RAISE_FENCING_TOKENS).ofAdministrators(),
            line("PUT", "/instances/{instance}/drained", CommandTable.DRAIN_ALL),
            line("DELETE", "/instances/{instance}/drained", CommandTable.UNDRAIN_ALL));

    /** A removal takes as long as the longest execution; nobody waits for that. */
    private static final Duration REMOVAL = Duration.ofSeconds(5);

    private final Map<String, ConsoleRegistry> registries;

    /** @param registries by their names */
    CommandRoutes(Map<String, ConsoleRegistry> registries) {
        this.registries = Map.copyOf(registries);
    }

    private static CommandLine line(String method, String path, OperatorCommand command) {
        return CommandLine.of(method, path, command);
    }

    List<Route> routes() {
        return LINES.stream()
                .map(line -> Route.write(line.method(), line.address(), line.level(), call -> answer(line, call)))
                .toList();
    }

    private CompletionStage<ConsoleResponse> answer(CommandLine line, Call call) {
        ConsoleRegistry registry = ConsoleRegistry.of(call, registries);
        Order order = Order.of(call, line);
        String job = order.job();
        return order.isDryRun()
                ? CommandResponses.previewed(registry, () -> order.dryRun(registry, job))
                : CommandResponses.carriedOut(registry, () -> switch (order.command()
                        .ends()) {
                    case LATER -> removed(registry, order.carriedOut(registry, job));
                    case WHEN_STORED, WHEN_FOLLOWED ->
                        order.carriedOut(registry, job)
                                .thenApply(done -> line.isOfOneItem() ? Map.of() : Bodies.answer(done));
                });
    }

    /** Ends with the removal, or earlier while executions continue; then the removal goes on. */
    private static CompletionStage<Bodies.Removal> removed(ConsoleRegistry registry, CompletionStage<?> removal) {
        CompletableFuture<Bodies.Removal> answer = new CompletableFuture<>();
        var later = registry.queries().timer().after(REMOVAL, () -> answer.complete(new Bodies.Removal(false)));
        removal.whenComplete((done, failure) -> {
            later.cancel();
            if (failure == null) {
                answer.complete(new Bodies.Removal(true));
            } else {
                answer.completeExceptionally(failure);
            }
        });
        return answer;
    }
}
