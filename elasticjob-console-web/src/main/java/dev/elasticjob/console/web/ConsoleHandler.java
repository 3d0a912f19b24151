package dev.elasticjob.console.web;

import dev.elasticjob.console.web.Access.Decision;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Optional;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionStage;
import java.util.stream.Collectors;
import org.springframework.http.server.PathContainer;

/**
 * Answers requests: finds the route, checks the caller, and turns failures into problems. Thread-safe; never blocks, and
 * its stages never fail.
 */
public final class ConsoleHandler {
    private static final String POLICY =
            "default-src 'none'; script-src 'self'; style-src 'self'; img-src 'self' data:;"
                    + " connect-src 'self'; base-uri 'none'; form-action 'none'; frame-ancestors 'none';"
                    + " require-trusted-types-for 'script'; trusted-types lit-html";

    private final List<Route> routes;
    private final Access access;

    /** @param routes all that the console answers */
    public ConsoleHandler(List<Route> routes, Access access) {
        this.routes = List.copyOf(routes);
        this.access = access;
    }

    public List<Route> routes() {
        return routes;
    }

    public CompletionStage<ConsoleResponse> handle(ConsoleRequest request) {
        CompletionStage<ConsoleResponse> answer;
        try {
            answer = answer(request);
        } catch (RuntimeException e) {
            answer = CompletableFuture.completedFuture(Json.problem(Problem.of(e)));
        }
        return answer.exceptionally(failure -> Json.problem(Problem.of(failure)))
                .thenApply(response -> guarded(request, response));
    }

    /** What a door answers that can't wait any longer. */
    public static ConsoleResponse unanswered(ConsoleRequest request, String why) {
        return guarded(request, Json.problem(Problem.of(503, "UNANSWERED", why)));
    }

    private CompletionStage<ConsoleResponse> answer(ConsoleRequest request) {
        PathContainer path = PathContainer.parsePath(request.path());
        String method = request.method().equals("HEAD") ? "GET" : request.method();
        List<String> allowed = new ArrayList<>();
        for (Route route : routes) {
            var match = route.pattern().matchAndExtract(path);
            if (match != null && route.method().equals(method)) {
                return checked(route, request, match.getUriVariables());
            }
            if (match != null) {
                allowed.add(route.method());
            }
        }
        if (allowed.isEmpty()) {
            return now(Json.problem(Problem.of(404, "UNKNOWN", "There is nothing at this address of the console")));
        }
        String methods = allowed.stream().distinct().collect(Collectors.joining(", "));
        Problem problem =
                Problem.of(405, "METHOD", "Expected %s, but the request was %s".formatted(methods, request.method()));
        return now(Json.problem(problem).with("Allow", methods));
    }

    private CompletionStage<ConsoleResponse> checked(
            Route route, ConsoleRequest request, Map<String, String> variables) {
        Route.Call call = new Route.Call(request, variables, request.parameters());
        Decision decision = route.ofSomeJobs()
                ? access.decideForSomeJobs(request.caller(), route.level())
                : access.decide(request.caller(), route.level(), job(call));
        return switch (decision) {
            case ALLOWED -> allowed(route, call);
            case NOT_AUTHENTICATED ->
                now(Json.problem(Problem.of(
                        401,
                        "NOT_AUTHENTICATED",
                        "Expected an authenticated user. Sign in to the application, and load the page again")));
            case FORBIDDEN -> now(Json.problem(Problem.of(403, "FORBIDDEN", whoMay(route, request))));
        };
    }

    private String whoMay(Route route, ConsoleRequest request) {
        String role = route.level().name().toLowerCase(Locale.ROOT);
        String caller = request.caller().map(Caller::name).orElse("anonymous");
        String teams = access.teams().isEmpty() ? "" : ", and \"elasticjob.console.roles.teams\" those for some jobs";
        return "Expected a user with the role of a %s, which \"%s\" is not. The property \"elasticjob.console.roles.%s\" names the role%s"
                .formatted(role, caller, role, teams);
    }

    /** A name that can't be read is refused after the caller is known. */
    private static Optional<String> job(Route.Call call) {
        try {
            return call.job();
        } catch (InvalidRequestException e) {
            return Optional.empty();
        }
    }

    private static CompletionStage<ConsoleResponse> allowed(Route route, Route.Call call) {
        Optional<Problem> refusal = route.writes() ? WriteCheck.refusal(call.request()) : Optional.empty();
        return refusal.map(problem -> now(Json.problem(problem)))
                .orElseGet(() -> route.answer().to(call));
    }

    private static ConsoleResponse guarded(ConsoleRequest request, ConsoleResponse response) {
        ConsoleResponse guarded = response.with("Content-Security-Policy", POLICY)
                .with("X-Content-Type-Options", "nosniff")
                .with("Referrer-Policy", "no-referrer");
        ConsoleResponse cached = Optional.ofNullable(response.headers().get("Cache-Control"))
                .map(given -> guarded)
                .orElseGet(() -> guarded.with("Cache-Control", "no-store"));
        return request.method().equals("HEAD") ? cached.withoutBody() : cached;
    }

    private static CompletionStage<ConsoleResponse> now(ConsoleResponse response) {
        return CompletableFuture.completedFuture(response);
    }
}
