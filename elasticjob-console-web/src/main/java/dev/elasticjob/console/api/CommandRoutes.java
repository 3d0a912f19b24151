package dev.elasticjob.console.api;

import static dev.elasticjob.console.api.OrderValue.AGAIN;
import static dev.elasticjob.console.api.OrderValue.AT_ONCE;
import static dev.elasticjob.console.api.OrderValue.FROM;
import static dev.elasticjob.console.api.OrderValue.ITEM;
import static dev.elasticjob.console.api.OrderValue.ITEMS;
import static dev.elasticjob.console.api.OrderValue.NEW_RUN;
import static dev.elasticjob.console.api.OrderValue.PARAMETER;
import static dev.elasticjob.console.api.OrderValue.REQUIRED_ITEM;
import static dev.elasticjob.console.api.OrderValue.RUN;
import static dev.elasticjob.console.api.OrderValue.UNTIL;

import dev.elasticjob.admin.JobAdmin;
import dev.elasticjob.admin.command.Actor;
import dev.elasticjob.console.effect.CommandEffects;
import dev.elasticjob.console.effect.Preview;
import dev.elasticjob.console.web.AccessLevel;
import dev.elasticjob.console.web.Route;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.concurrent.CompletionStage;
import java.util.function.BiFunction;
import java.util.stream.Stream;

/**
 * What operators change in one job: each command is one line of the table, with what it does, one call of {@link JobAdmin}
 * in the name of the caller, and what would follow, which a dry run answers. Repeating a request is harmless; a run has an
 * id that the browser chooses.
 */
final class CommandRoutes {
    private static final String JOB = "/api/v1/registries/{registry}/jobs/{job}";
    private static final String ITEM_DISABLED = "/items/{item}/disabled";
    private static final String ITEMS_DISABLED = "/items/disabled";
    private static final String SERVER = "/servers/{server}/disabled";
    private static final String INSTANCE = "/instances/{instance}/drained";

    private final Map<String, ConsoleRegistry> registries;

    /** @param registries by their names */
    CommandRoutes(Map<String, ConsoleRegistry> registries) {
        this.registries = Map.copyOf(registries);
    }

    List<Route> routes() {
        return Stream.of(ofRuns(), ofItems(), ofMembers(), ofTheJob())
                .flatMap(List::stream)
                .toList();
    }

    private List<Route> ofRuns() {
        return List.of(
                operator(
                        "POST",
                        "/runs",
                        List.of(NEW_RUN, PARAMETER, ITEM, ITEMS, AGAIN),
                        CommandRoutes::run,
                        CommandRoutes::wouldRun),
                operator(
                        "POST",
                        "/cancellations",
                        List.of(RUN, ITEM, ITEMS),
                        (admin, order) ->
                                admin.cancel(order.job(), order.cancellation()).thenApply(Bodies.Cancelled::of),
                        (seen, order) -> seen.cancel(
                                order.cancellation().runId(),
                                order.cancellation().items())),
                operator(
                        "POST",
                        "/backfill",
                        List.of(FROM, UNTIL, AT_ONCE),
                        (admin, order) -> admin.backfill(order.job(), order.backfill()),
                        (seen, order) -> seen.backfill(order.backfill())),
                operator(
                        "DELETE",
                        "/backfill",
                        (admin, order) -> admin.stopBackfill(order.job()),
                        (seen, order) -> seen.stopBackfill()));
    }

    private List<Route> ofItems() {
        return List.of(
                operator(
                        "PUT",
                        ITEM_DISABLED,
                        (admin, order) -> admin.disableItem(order.job(), order.item()),
                        (seen, order) -> seen.disableItems(Set.of(order.item()))),
                operator(
                        "DELETE",
                        ITEM_DISABLED,
                        (admin, order) -> admin.enableItem(order.job(), order.item()),
                        (seen, order) -> seen.enableItems(Set.of(order.item()))),
                operator(
                        "PUT",
                        ITEMS_DISABLED,
                        List.of(REQUIRED_ITEM, ITEMS),
                        (admin, order) -> admin.disableItems(order.job(), order.items()),
                        (seen, order) -> seen.disableItems(order.items())),
                operator(
                        "DELETE",
                        ITEMS_DISABLED,
                        List.of(REQUIRED_ITEM, ITEMS),
                        (admin, order) -> admin.enableItems(order.job(), order.items()),
                        (seen, order) -> seen.enableItems(order.items())));
    }

    private List<Route> ofMembers() {
        return List.of(
                operator(
                        "PUT",
                        SERVER,
                        (admin, order) -> admin.disableServer(order.job(), order.server()),
                        (seen, order) -> seen.disableServer(order.server())),
                operator(
                        "DELETE",
                        SERVER,
                        (admin, order) -> admin.enableServer(order.job(), order.server()),
                        (seen, order) -> seen.enableServer(order.server())),
                operator(
                        "PUT",
                        INSTANCE,
                        (admin, order) -> admin.drain(order.job(), order.instance()),
                        (seen, order) -> seen.drain(order.instance())),
                operator(
                        "DELETE",
                        INSTANCE,
                        (admin, order) -> admin.undrain(order.job(), order.instance()),
                        (seen, order) -> seen.undrain(order.instance())));
    }

    private List<Route> ofTheJob() {
        return List.of(
                operator("PUT", "/paused", (admin, order) -> admin.pause(order.job()), (seen, order) -> seen.pause()),
                operator(
                        "DELETE",
                        "/paused",
                        (admin, order) -> admin.resume(order.job()),
                        (seen, order) -> seen.resume()),
                operator(
                        "POST",
                        "/reshard",
                        (admin, order) -> admin.reshard(order.job()),
                        (seen, order) -> seen.reshard()));
    }

    private static CompletionStage<?> run(JobAdmin admin, Order order) {
        Optional<String> again = order.again();
        return again.isPresent()
                ? admin.triggerAgain(order.job(), again.get(), order.run().runId())
                : admin.trigger(order.job(), order.run());
    }

    private static Preview wouldRun(CommandEffects seen, Order order) {
        Optional<String> again = order.again();
        return again.isPresent()
                ? seen.runAgain(again.get())
                : seen.run(order.run().items());
    }

    private Route operator(
            String method,
            String path,
            BiFunction<JobAdmin, Order, CompletionStage<?>> command,
            BiFunction<CommandEffects, Order, Preview> preview) {
        return operator(method, path, List.of(), command, preview);
    }

    /** @param values that the command takes, besides a reason */
    private Route operator(
            String method,
            String path,
            List<OrderValue> values,
            BiFunction<JobAdmin, Order, CompletionStage<?>> command,
            BiFunction<CommandEffects, Order, Preview> preview) {
        return Route.write(method, JOB + path, AccessLevel.OPERATOR, call -> {
            ConsoleRegistry registry = ConsoleRegistry.of(call, registries);
            Order order = Order.of(call, values);
            Actor actor = order.actor();
            return order.isDryRun()
                    ? CommandResponses.previewed(
                            registry, () -> Previews.seen(registry, order.job()), seen -> preview.apply(seen, order))
                    : CommandResponses.carriedOut(
                            registry, () -> command.apply(registry.admin().by(actor), order));
        });
    }
}
