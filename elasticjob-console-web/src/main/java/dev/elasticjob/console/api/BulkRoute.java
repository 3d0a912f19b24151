package dev.elasticjob.console.api;

import dev.elasticjob.admin.JobAdmin;
import dev.elasticjob.admin.JobReport.InstanceReport;
import dev.elasticjob.admin.command.UnknownTargetException;
import dev.elasticjob.admin.table.Argument;
import dev.elasticjob.admin.table.CommandTable;
import dev.elasticjob.admin.table.GivenArguments;
import dev.elasticjob.admin.table.OperatorCommand;
import dev.elasticjob.console.web.Access;
import dev.elasticjob.console.web.AccessLevel;
import dev.elasticjob.console.web.CommandBody;
import dev.elasticjob.console.web.ConsoleResponse;
import dev.elasticjob.console.web.Json;
import dev.elasticjob.console.web.RefusedException;
import dev.elasticjob.console.web.Route;
import dev.elasticjob.console.web.Route.Call;
import java.time.Duration;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.SortedSet;
import java.util.TreeSet;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionStage;
import java.util.function.Function;
import java.util.stream.Collectors;
import java.util.stream.Stream;

/**
 * One command for several jobs: ten at a time, with a result for each. A command that was refused for one job doesn't
 * hinder the others.
 */
final class BulkRoute {
    static final int MOST_JOBS = 500;

    /** What hasn't begun by then is not begun, and its result says so. */
    private static final Duration LONGEST = Duration.ofSeconds(25);

    /** By the names that they have here. Jobs have different items, so nothing here takes any. */
    static final Map<String, OperatorCommand> COMMANDS = commands();

    private static final Map<String, String> NO_ITEMS = Map.of("item", GivenJson.NOWHERE, "items", GivenJson.NOWHERE);

    private final Map<String, ConsoleRegistry> registries;
    private final Access access;

    /** @param registries by their names */
    BulkRoute(Map<String, ConsoleRegistry> registries, Access access) {
        this.registries = Map.copyOf(registries);
        this.access = access;
    }

    private static Map<String, OperatorCommand> commands() {
        Map<String, OperatorCommand> commands = new LinkedHashMap<>();
        commands.put("run", CommandTable.TRIGGER);
        Stream.of(
                        CommandTable.PAUSE,
                        CommandTable.RESUME,
                        CommandTable.RESHARD,
                        CommandTable.DISABLE,
                        CommandTable.ENABLE,
                        CommandTable.DISABLE_SERVER,
                        CommandTable.ENABLE_SERVER)
                .forEach(command -> commands.put(command.name(), command));
        return commands;
    }

    Route route() {
        return Route.write("POST", "/api/v1/registries/{registry}/bulk", AccessLevel.OPERATOR, this::bulk)
                .ofSomeJobs(true);
    }

    private CompletionStage<ConsoleResponse> bulk(Call call) {
        ConsoleRegistry registry = ConsoleRegistry.of(call, registries);
        CommandBody body = call.body();
        GivenArguments given = new GivenArguments(new GivenJson(call, body, NO_ITEMS));
        Optional<OperatorCommand> command = given.find(
                Argument.needed("command", source -> source.text("command").map(BulkRoute::command)));
        Optional<Set<String>> jobs = given.find(Argument.needed("jobs", source -> Optional.of(jobs(body))));
        // Of a command that isn't there, the least is known that any takes.
        Order order = Order.checked(call, command.orElse(CommandTable.RESHARD), given, "a command for several jobs");
        var each = order.isDryRun()
                ? new BulkRunner(registry.queries(), allowed(call, job -> order.dryRun(registry, job)))
                : new BulkRunner(
                        CommandResponses.ofCommands(registry), allowed(call, job -> carriedOut(registry, order, job)));
        return each.run(List.copyOf(jobs.orElseThrow()), LONGEST)
                .whenComplete((results, failure) -> registry.snapshots().changed())
                .thenApply(results -> Json.response(Json.bytes(new Bodies.Bulk(results))));
    }

    /** Of jobs that belong to others, the caller is told so. */
    private Function<String, CompletionStage<?>> allowed(
            Call call, Function<String, ? extends CompletionStage<?>> command) {
        return job -> access.may(call.request().caller(), AccessLevel.OPERATOR, Optional.of(job))
                ? command.apply(job)
                : CompletableFuture.failedFuture(new RefusedException(
                        "Expected a user with the role of an operator for job \"%s\"".formatted(job)));
    }

    private static OperatorCommand command(String name) {
        return Optional.ofNullable(COMMANDS.get(name))
                .orElseThrow(
                        () -> new IllegalArgumentException("expected one of " + String.join(", ", COMMANDS.keySet())));
    }

    private static Set<String> jobs(CommandBody body) {
        Set<String> jobs = body.texts("jobs");
        if (jobs.isEmpty() || jobs.size() > MOST_JOBS) {
            throw new IllegalArgumentException(
                    "expected 1 to %d names of jobs, but there were %d".formatted(MOST_JOBS, jobs.size()));
        }
        return jobs;
    }

    private static CompletionStage<?> carriedOut(ConsoleRegistry registry, Order order, String job) {
        JobAdmin admin = registry.admin().by(order.actor());
        if (order.command() == CommandTable.DISABLE) {
            return onItsServers(registry, job, server -> admin.disableServer(job, server));
        }
        if (order.command() == CommandTable.ENABLE) {
            return onItsServers(registry, job, server -> admin.enableServer(job, server));
        }
        return order.carriedOut(registry, job);
    }

    /**
     * Servers without an instance are left as they are, as the dry run says. One server after the other; ends with the first
     * that fails. Repeating it is harmless.
     */
    private static CompletionStage<?> onItsServers(
            ConsoleRegistry registry, String job, Function<String, CompletionStage<Void>> command) {
        return registry.inspector().instances(job).thenCompose(instances -> {
            SortedSet<String> servers = instances
                    .orElseThrow(
                            () -> new UnknownTargetException("There is no job \"%s\" in the registry".formatted(job)))
                    .stream()
                    .map(InstanceReport::server)
                    .collect(Collectors.toCollection(TreeSet::new));
            if (servers.isEmpty()) {
                throw new IllegalStateException(
                        "Job \"%s\" has no instance, so there is no server to disable or enable".formatted(job));
            }
            CompletionStage<?> done = CompletableFuture.completedFuture(true);
            for (String server : servers) {
                done = done.thenCompose(before -> command.apply(server).thenApply(any -> true));
            }
            return done;
        });
    }
}
