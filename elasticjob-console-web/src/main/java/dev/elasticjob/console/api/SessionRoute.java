package dev.elasticjob.console.api;

import dev.elasticjob.console.web.Access;
import dev.elasticjob.console.web.Caller;
import dev.elasticjob.console.web.ConsoleRequest;
import dev.elasticjob.console.web.ConsoleResponse;
import dev.elasticjob.console.web.Json;
import dev.elasticjob.console.web.Route;
import java.util.Collection;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionStage;

/** Says who the caller is, what the caller may do, and which registries there are. Reads no registry. */
record SessionRoute(Access access, List<Bodies.RegistryName> registries, Optional<String> signOut, String version) {

    /** @param signOut where the user can sign out, relative to the page; empty if the console doesn't know */
    static SessionRoute of(
            Access access, Collection<ConsoleRegistry> registries, Optional<String> signOut, String version) {
        return new SessionRoute(
                access,
                registries.stream()
                        .map(registry -> new Bodies.RegistryName(
                                registry.name(),
                                registry.namespace(),
                                registry.mode(),
                                registry.logLink().map(LogLink::template)))
                        .toList(),
                signOut,
                version);
    }

    Route route() {
        return Route.get(ConsoleRequest.SESSION, this::session);
    }

    private CompletionStage<ConsoleResponse> session(Route.Call call) {
        var session = new Bodies.Session(
                call.request().caller().map(Caller::name),
                access.levels(call.request().caller()),
                access.rights(call.request().caller()),
                call.request().csrf().get(),
                registries,
                signOut,
                version);
        return CompletableFuture.completedFuture(Json.response(Json.bytes(session)));
    }
}
