package dev.elasticjob.console.api;

import dev.elasticjob.admin.JobAdmin;
import dev.elasticjob.admin.command.Actor;
import dev.elasticjob.console.effect.Effect;
import dev.elasticjob.console.effect.Preview;
import dev.elasticjob.console.web.AccessLevel;
import dev.elasticjob.console.web.Route;
import java.util.List;
import java.util.Map;
import java.util.concurrent.CompletionStage;
import java.util.function.BiFunction;

/** What operators change in all jobs of a namespace at once. */
final class NamespaceRoutes {
    private static final String REGISTRY = "/api/v1/registries/{registry}";

    private final Map<String, ConsoleRegistry> registries;

    /** @param registries by their names */
    NamespaceRoutes(Map<String, ConsoleRegistry> registries) {
        this.registries = Map.copyOf(registries);
    }

    List<Route> routes() {
        return List.of(
                operator("PUT", "/paused", (admin, order) -> admin.pauseAll(), Effect.Code.NOTHING_STARTS),
                operator("DELETE", "/paused", (admin, order) -> admin.resumeAll(), Effect.Code.STARTS_AGAIN),
                operator(
                        "DELETE",
                        "/data-loss",
                        (admin, order) -> admin.confirmDataLoss().thenApply(changed -> Map.of("changed", changed)),
                        Effect.Code.LOSS_CONFIRMED),
                operator(
                        "PUT",
                        "/instances/{instance}/drained",
                        (admin, order) -> admin.drainAll(order.instance()),
                        Effect.Code.UNTIL_RESTART),
                operator(
                        "DELETE",
                        "/instances/{instance}/drained",
                        (admin, order) -> admin.undrainAll(order.instance()),
                        Effect.Code.REBALANCED));
    }

    private Route operator(
            String method, String path, BiFunction<JobAdmin, Order, CompletionStage<?>> command, Effect.Code follows) {
        return Route.write(method, REGISTRY + path, AccessLevel.OPERATOR, call -> {
            ConsoleRegistry registry = ConsoleRegistry.of(call, registries);
            Order order = Order.of(call);
            Actor actor = order.actor();
            return order.isDryRun()
                    ? CommandResponses.previewed(
                            registry, registry.inspector()::names, names -> preview(order, names.size(), follows))
                    : CommandResponses.carriedOut(
                            registry, () -> command.apply(registry.admin().by(actor), order));
        });
    }

    private static Preview preview(Order order, int jobs, Effect.Code follows) {
        return order.call().variables().containsKey("instance")
                ? Preview.inItsJobs(follows)
                : Preview.inAllJobs(jobs, follows);
    }
}
