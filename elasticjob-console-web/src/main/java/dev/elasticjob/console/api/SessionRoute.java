package dev.elasticjob.console.api;

import dev.elasticjob.console.web.Access;
import dev.elasticjob.console.web.Caller;
import dev.elasticjob.console.web.ConsoleResponse;
import dev.elasticjob.console.web.Json;
import dev.elasticjob.console.web.Route;
import java.util.Collection;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionStage;

/** Says who the caller is, what the caller may do, and which registries there are. Reads no registry. */
public record SessionRoute(Access access, List<Bodies.RegistryName> registries, String version) {

    public static SessionRoute of(Access access, Collection<ConsoleRegistry> registries, String version) {
        return new SessionRoute(
                access,
                registries.stream()
                        .map(registry -> new Bodies.RegistryName(registry.name(), registry.namespace()))
                        .toList(),
                version);
    }

    public Route route() {
        return Route.get("/api/v1/session", this::session);
    }

    private CompletionStage<ConsoleResponse> session(Route.Call call) {
        var session = new Bodies.Session(
                call.request().caller().map(Caller::name),
                access.levels(call.request().caller()),
                call.request().csrf().get(),
                registries,
                version);
        return CompletableFuture.completedFuture(Json.response(Json.bytes(session)));
    }
}
