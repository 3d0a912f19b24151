package dev.elasticjob.console.api;

import dev.elasticjob.admin.JobAdmin;
import dev.elasticjob.console.effect.CommandEffects;
import dev.elasticjob.console.effect.Preview;
import dev.elasticjob.console.web.AccessLevel;
import dev.elasticjob.console.web.ConsoleResponse;
import dev.elasticjob.console.web.InvalidRequestException;
import dev.elasticjob.console.web.Json;
import dev.elasticjob.console.web.Route;
import dev.elasticjob.console.web.Route.Call;
import java.time.Duration;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionStage;
import java.util.function.BiFunction;
import java.util.function.Function;
import java.util.stream.Stream;

/**
 * One command for several jobs: ten at a time, with a result for each. A command that was refused for one job doesn't
 * hinder the others.
 */
final class BulkRoute {
    private static final int MOST_JOBS = 500;

    /** What hasn't begun by then is not begun, and its result says so. */
    private static final Duration LONGEST = Duration.ofSeconds(25);

    private static final Map<String, Line> COMMANDS = commands();

    private final Map<String, ConsoleRegistry> registries;

    /** @param registries by their names */
    BulkRoute(Map<String, ConsoleRegistry> registries) {
        this.registries = Map.copyOf(registries);
    }

    /** What a command does with one job, and what would follow. */
    private record Line(
            List<OrderValue> values,
            BiFunction<JobAdmin, ForJob, CompletionStage<?>> command,
            BiFunction<CommandEffects, Order, Preview> preview) {
        Line(
                BiFunction<JobAdmin, ForJob, CompletionStage<?>> command,
                BiFunction<CommandEffects, Order, Preview> preview) {
            this(List.of(), command, preview);
        }
    }

    private record ForJob(ConsoleRegistry registry, String job, Order order) {}

    private static Map<String, Line> commands() {
        Map<String, Line> commands = new LinkedHashMap<>();
        commands.put(
                "run",
                new Line(
                        List.of(OrderValue.NEW_RUN, OrderValue.PARAMETER),
                        (admin, one) -> admin.trigger(one.job(), one.order().run()),
                        (seen, order) -> seen.run(order.run().items())));
        commands.put("pause", new Line((admin, one) -> admin.pause(one.job()), (seen, order) -> seen.pause()));
        commands.put("resume", new Line((admin, one) -> admin.resume(one.job()), (seen, order) -> seen.resume()));
        commands.put("reshard", new Line((admin, one) -> admin.reshard(one.job()), (seen, order) -> seen.reshard()));
        commands.put(
                "disable",
                new Line(
                        (admin, one) -> onItsServers(one, server -> admin.disableServer(one.job(), server)),
                        (seen, order) -> seen.disable()));
        commands.put(
                "enable",
                new Line(
                        (admin, one) -> onItsServers(one, server -> admin.enableServer(one.job(), server)),
                        (seen, order) -> seen.enable()));
        return commands;
    }

    /** One server after the other; ends with the first that fails. Repeating it is harmless. */
    private static CompletionStage<?> onItsServers(ForJob one, Function<String, ? extends CompletionStage<?>> command) {
        return Previews.seen(one.registry(), one.job()).thenCompose(seen -> {
            if (seen.servers().isEmpty()) {
                throw new IllegalStateException(
                        "Job \"%s\" has no instance, so there is no server to disable or enable".formatted(one.job()));
            }
            CompletionStage<Boolean> done = CompletableFuture.completedFuture(true);
            for (String server : seen.servers()) {
                done = done.thenCompose(before -> command.apply(server).thenApply(any -> true));
            }
            return done;
        });
    }

    Route route() {
        return Route.write("POST", "/api/v1/registries/{registry}/bulk", AccessLevel.OPERATOR, this::bulk);
    }

    /** What the body has for one of the commands; of a command that isn't there, nothing more. */
    private static List<OrderValue> values(Optional<Line> line) {
        return Stream.concat(
                        Stream.of(new OrderValue("command", BulkRoute::line), new OrderValue("jobs", BulkRoute::jobs)),
                        line.map(Line::values).stream().flatMap(List::stream))
                .toList();
    }

    private static Line line(Order order) {
        String name = order.body().required("command");
        return Optional.ofNullable(COMMANDS.get(name))
                .orElseThrow(() -> InvalidRequestException.of(
                        "command", name, "expected one of " + String.join(", ", COMMANDS.keySet())));
    }

    private static Set<String> jobs(Order order) {
        Set<String> jobs = order.body().texts("jobs");
        if (jobs.isEmpty() || jobs.size() > MOST_JOBS) {
            throw InvalidRequestException.of(
                    "jobs", jobs.size() + " names", "expected 1 to %d names of jobs".formatted(MOST_JOBS));
        }
        return jobs;
    }

    private CompletionStage<ConsoleResponse> bulk(Call call) {
        ConsoleRegistry registry = ConsoleRegistry.of(call, registries);
        String name = call.body().text("command").orElse("");
        Order order = Order.of(call, values(Optional.ofNullable(COMMANDS.get(name))));
        Line line = line(order);
        Set<String> jobs = jobs(order);
        var admin = registry.admin().by(order.actor());
        var each = order.isDryRun()
                ? new BulkRunner(
                        registry.queries(),
                        job -> Previews.seen(registry, job)
                                .thenApply(seen -> line.preview().apply(seen, order)))
                : new BulkRunner(
                        CommandResponses.ofCommands(registry),
                        job -> line.command().apply(admin, new ForJob(registry, job, order)));
        return each.run(List.copyOf(jobs), LONGEST)
                .thenApply(results -> Json.response(Json.bytes(new Bodies.Bulk(results))));
    }
}
