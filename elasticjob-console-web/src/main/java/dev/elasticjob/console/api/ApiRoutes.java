package dev.elasticjob.console.api;

import dev.elasticjob.console.web.Access;
import dev.elasticjob.console.web.Route;
import java.util.ArrayList;
import java.util.Collection;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.function.Function;
import java.util.stream.Collectors;

/** Everything that the API answers, for any number of registries. */
public final class ApiRoutes {
    private ApiRoutes() {}

    /**
     * @param shown with names that differ, in the order in which people see them
     * @param signOut where the user can sign out, relative to the page; empty if the console doesn't know
     * @param version of the console
     */
    public static List<Route> of(
            Access access,
            Collection<ConsoleRegistry> shown,
            Histories histories,
            Optional<String> signOut,
            String version) {
        Map<String, ConsoleRegistry> registries =
                shown.stream().collect(Collectors.toMap(ConsoleRegistry::name, Function.identity()));
        List<Route> routes = new ArrayList<>();
        routes.add(SessionRoute.of(access, shown, signOut, version).route());
        routes.addAll(new JobRoutes(registries, access).routes());
        routes.addAll(new GroupRoutes(registries).routes());
        routes.addAll(new AppRoutes(registries, access).routes());
        routes.addAll(new CommandRoutes(registries).routes());
        routes.addAll(new HistoryRoutes(registries, histories, access).routes());
        routes.add(new BulkRoute(registries, access).route());
        return List.copyOf(routes);
    }
}
