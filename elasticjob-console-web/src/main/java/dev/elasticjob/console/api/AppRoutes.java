package dev.elasticjob.console.api;

import dev.elasticjob.admin.command.UnknownTargetException;
import dev.elasticjob.console.web.Access;
import dev.elasticjob.console.web.ConsoleResponse;
import dev.elasticjob.console.web.Route;
import dev.elasticjob.console.web.Route.Call;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.concurrent.CompletionStage;
import java.util.function.BiFunction;

/** Questions about applications of Kubernetes: as their controllers show them, read once for all who ask at the same time. */
final class AppRoutes {
    private static final String APPS = "/api/v1/registries/{registry}/apps";
    private static final Duration SECOND = Duration.ofSeconds(1);

    private final Map<String, ConsoleRegistry> registries;
    private final Access access;

    /** @param registries by their names */
    AppRoutes(Map<String, ConsoleRegistry> registries, Access access) {
        this.registries = Map.copyOf(registries);
        this.access = access;
    }

    List<Route> routes() {
        return List.of(Route.get(APPS, this::apps), Route.get(APPS + "/{app}", this::app));
    }

    private CompletionStage<ConsoleResponse> apps(Call call) {
        return answer(call, (registry, seen) -> registry.inspector().apps().thenApply(AppBodies.Apps::of));
    }

    private CompletionStage<ConsoleResponse> app(Call call) {
        String id = call.name("app");
        return answer(
                call,
                (registry, seen) -> registry.inspector()
                        .app(id)
                        .thenApply(found -> found.map(app -> AppBodies.WholeApp.of(app, seen))
                                .orElseThrow(() ->
                                        new UnknownTargetException("There is no application \"%s\"".formatted(id)))));
    }

    private CompletionStage<ConsoleResponse> answer(
            Call call, BiFunction<ConsoleRegistry, Parameters, ? extends CompletionStage<?>> question) {
        ConsoleRegistry registry = ConsoleRegistry.of(call, registries);
        // The end of a worker's log may have what parameters have.
        Parameters seen = Parameters.of(access, call);
        return SharedAnswers.of(
                call, Set.of(), seen, registry.snapshots(), SECOND, () -> question.apply(registry, seen));
    }
}
