package dev.elasticjob.console.api;

import dev.elasticjob.admin.JobAdmin;
import dev.elasticjob.admin.RunRequest;
import dev.elasticjob.admin.command.Actor;
import dev.elasticjob.console.web.Caller;
import dev.elasticjob.console.web.CommandBody;
import dev.elasticjob.console.web.ConsoleResponse;
import dev.elasticjob.console.web.Json;
import dev.elasticjob.console.web.Level;
import dev.elasticjob.console.web.RefusedException;
import dev.elasticjob.console.web.Route;
import dev.elasticjob.console.web.Route.Call;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.TreeSet;
import java.util.concurrent.CompletionException;
import java.util.concurrent.CompletionStage;

/**
 * What operators change: each command is one line of the table, and one call of {@link JobAdmin} in the name of the caller.
 * Repeating a request is harmless; a run has an id that the browser chooses.
 */
public final class CommandRoutes {
    private static final String JOB = "/api/v1/registries/{registry}/jobs/{job}";
    private static final int MOST_ITEMS = Integer.MAX_VALUE - 1;

    private final Map<String, ConsoleRegistry> registries;

    /** @param registries by their names */
    public CommandRoutes(Map<String, ConsoleRegistry> registries) {
        this.registries = Map.copyOf(registries);
    }

    public List<Route> routes() {
        return List.of(
                operator("POST", "/runs", (admin, order) -> admin.trigger(order.job(), order.run())),
                operator(
                        "PUT",
                        "/items/{item}/disabled",
                        (admin, order) -> admin.disableItem(order.job(), order.item())),
                operator(
                        "DELETE",
                        "/items/{item}/disabled",
                        (admin, order) -> admin.enableItem(order.job(), order.item())),
                operator(
                        "PUT",
                        "/servers/{server}/disabled",
                        (admin, order) -> admin.disableServer(order.job(), order.server())),
                operator(
                        "DELETE",
                        "/servers/{server}/disabled",
                        (admin, order) -> admin.enableServer(order.job(), order.server())),
                operator("POST", "/reshard", (admin, order) -> admin.reshard(order.job())));
    }

    @FunctionalInterface
    private interface Command {
        CompletionStage<?> carryOut(JobAdmin admin, Order order);
    }

    /** A command as the caller gives it. */
    private record Order(Call call, String job, CommandBody body) {
        int item() {
            return call.number("item", 0, 0, MOST_ITEMS);
        }

        String server() {
            return call.name("server");
        }

        RunRequest run() {
            RunRequest run = new RunRequest(
                    body.required("runId"), body.text("parameter").orElse(""));
            List<Integer> items = body.numbers("items");
            return items.isEmpty() ? run : run.ofItems(new TreeSet<>(items));
        }

        Actor actor() {
            return Actor.named(call.request().caller().map(Caller::name).orElse("anonymous"))
                    .because(body.text("reason").orElse(""));
        }
    }

    private Route operator(String method, String path, Command command) {
        return Route.write(method, JOB + path, Level.OPERATOR, call -> carryOut(call, command));
    }

    private CompletionStage<ConsoleResponse> carryOut(Call call, Command command) {
        ConsoleRegistry registry = ConsoleRegistry.of(call, registries);
        Order order = new Order(call, call.name("job"), call.body());
        return registry.asking()
                .ask(
                        () -> command.carryOut(registry.admin().by(order.actor()), order)
                                .thenApply(Optional::ofNullable),
                        done -> Json.response(Json.bytes(done.isPresent() ? done.get() : Map.of())))
                .exceptionally(CommandRoutes::refused);
    }

    /** The state of the job doesn't allow the command. */
    private static ConsoleResponse refused(Throwable failure) {
        Throwable cause =
                failure instanceof CompletionException && failure.getCause() != null ? failure.getCause() : failure;
        if (cause instanceof IllegalStateException) {
            throw new RefusedException(String.valueOf(cause.getMessage()), cause);
        }
        throw failure instanceof CompletionException known ? known : new CompletionException(failure);
    }
}
