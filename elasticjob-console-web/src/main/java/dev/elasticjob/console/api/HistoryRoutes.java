package dev.elasticjob.console.api;

import dev.elasticjob.admin.command.UnknownTargetException;
import dev.elasticjob.console.history.ConsoleHistory;
import dev.elasticjob.console.history.HistoryAwayException;
import dev.elasticjob.console.web.ConsoleResponse;
import dev.elasticjob.console.web.Json;
import dev.elasticjob.console.web.Route;
import dev.elasticjob.console.web.Route.Call;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionStage;
import java.util.concurrent.RejectedExecutionException;
import java.util.function.Function;

/**
 * What the trace has recorded. Its database may be slow, so the questions have threads of their own, and the rest of the
 * console doesn't wait for them.
 */
final class HistoryRoutes {
    private static final String REGISTRY = "/api/v1/registries/{registry}";

    private final Map<String, ConsoleRegistry> registries;
    private final Histories histories;

    /** @param registries by their names */
    HistoryRoutes(Map<String, ConsoleRegistry> registries, Histories histories) {
        this.registries = Map.copyOf(registries);
        this.histories = histories;
    }

    List<Route> routes() {
        return List.of(
                Route.get(REGISTRY + "/jobs/{job}/firings", this::firings),
                Route.get(REGISTRY + "/executions/{execution}", this::execution));
    }

    private CompletionStage<ConsoleResponse> firings(Call call) {
        String job = call.name("job");
        Optional<String> before = Optional.of(call.parameter("before")).filter(text -> !text.isEmpty());
        return ask(call, history -> Json.response(Json.bytes(history.firings(job, before))));
    }

    private CompletionStage<ConsoleResponse> execution(Call call) {
        String id = call.name("execution");
        return ask(
                call,
                history -> Json.response(Json.bytes(history.entry(id)
                        .orElseThrow(() -> new UnknownTargetException(
                                "The trace has no execution \"%s\" (any more)".formatted(id))))));
    }

    private CompletionStage<ConsoleResponse> ask(Call call, Function<ConsoleHistory, ConsoleResponse> question) {
        String registry = ConsoleRegistry.of(call, registries).name();
        ConsoleHistory history = histories.byRegistry().get(registry);
        if (history == null) {
            throw new UnknownTargetException(
                    "There is no event trace, so there is no history. Set \"elasticjob.tracing.enabled=true\" in the"
                            + " applications that run the jobs");
        }
        try {
            return CompletableFuture.supplyAsync(() -> question.apply(history), histories.blocking());
        } catch (RejectedExecutionException e) {
            throw new HistoryAwayException("Too many questions wait for the database of the trace; try again later", e);
        }
    }
}
