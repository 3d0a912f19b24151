package dev.elasticjob.console.api;

import dev.elasticjob.admin.command.DefinitionChangedException;
import dev.elasticjob.admin.command.DefinitionCommands;
import dev.elasticjob.admin.command.VersionedDefinition;
import dev.elasticjob.console.effect.ChangePreview;
import dev.elasticjob.console.effect.CommandEffects;
import dev.elasticjob.console.web.AccessLevel;
import dev.elasticjob.console.web.ConsoleResponse;
import dev.elasticjob.console.web.Route;
import dev.elasticjob.console.web.Route.Call;
import dev.elasticjob.definition.JobDefinition;
import dev.elasticjob.definition.codec.JobDefinitionCodec;
import java.time.Duration;
import java.time.Instant;
import java.util.List;
import java.util.Map;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionStage;

/** What administrators do with a job as a whole: create one that is kept in the registry, change its settings, remove it. */
final class SettingsRoutes {
    private static final String JOB = "/api/v1/registries/{registry}/jobs/{job}";

    /** A removal takes as long as the longest execution; nobody waits for that. */
    private static final Duration REMOVAL = Duration.ofSeconds(5);

    private static final JobDefinitionCodec CODEC = new JobDefinitionCodec();

    private final Map<String, ConsoleRegistry> registries;

    /** @param registries by their names */
    SettingsRoutes(Map<String, ConsoleRegistry> registries) {
        this.registries = Map.copyOf(registries);
    }

    List<Route> routes() {
        return List.of(
                Route.write("PUT", JOB, AccessLevel.ADMIN, this::create),
                Route.write("PATCH", JOB + "/definition", AccessLevel.ADMIN, this::change),
                Route.write("DELETE", JOB, AccessLevel.ADMIN, this::remove));
    }

    private CompletionStage<ConsoleResponse> create(Call call) {
        ConsoleRegistry registry = ConsoleRegistry.of(call, registries);
        Order order = Order.of(call, List.of(OrderValue.SETTINGS));
        String job = order.job();
        Map<String, Object> settings = order.settings();
        if (order.isDryRun()) {
            order.actor();
            return CommandResponses.previewed(
                    registry, () -> registry.inspector().job(job), present -> {
                        if (present.isPresent()) {
                            throw new IllegalStateException(
                                    "There is already a job \"%s\" in the registry: choose another name"
                                            .formatted(job));
                        }
                        return ChangePreview.ofNew(
                                DefinitionCommands.registryJob(job, settings),
                                registry.snapshots().now());
                    });
        }
        return CommandResponses.carriedOut(
                registry,
                () -> registry.admin().by(order.actor()).create(job, settings).thenApply(Bodies.Definition::of));
    }

    private CompletionStage<ConsoleResponse> change(Call call) {
        ConsoleRegistry registry = ConsoleRegistry.of(call, registries);
        Order order = Order.of(call, List.of(OrderValue.SETTINGS));
        String job = order.job();
        String version = order.version();
        Map<String, Object> settings = order.settings();
        if (order.isDryRun()) {
            order.actor();
            return CommandResponses.previewed(
                    registry,
                    () -> registry.admin().versionedDefinition(job),
                    present -> preview(
                            present, version, settings, registry.snapshots().now()));
        }
        return CommandResponses.carriedOut(
                registry,
                () -> registry.admin()
                        .by(order.actor())
                        .redefine(job, version, settings)
                        .thenApply(Bodies.Definition::of));
    }

    private static ChangePreview preview(
            VersionedDefinition present, String version, Map<String, Object> settings, Instant now) {
        if (!present.version().equals(version)) {
            throw new DefinitionChangedException(version, present);
        }
        JobDefinition after = present.changed(before -> CODEC.changed(before, settings));
        return ChangePreview.of(present.definition(), after, now);
    }

    private CompletionStage<ConsoleResponse> remove(Call call) {
        ConsoleRegistry registry = ConsoleRegistry.of(call, registries);
        Order order = Order.of(call);
        String job = order.job();
        if (order.isDryRun()) {
            order.actor();
            return CommandResponses.previewed(registry, () -> Previews.seen(registry, job), CommandEffects::remove);
        }
        return CommandResponses.carriedOut(registry, () -> removed(registry, order, job));
    }

    /** Ends with the removal, or earlier while executions continue; then the removal goes on. */
    private static CompletionStage<Bodies.Removal> removed(ConsoleRegistry registry, Order order, String job) {
        CompletableFuture<Bodies.Removal> answer = new CompletableFuture<>();
        var later = registry.queries().timer().after(REMOVAL, () -> answer.complete(new Bodies.Removal(false)));
        registry.admin().by(order.actor()).remove(job).whenComplete((done, failure) -> {
            later.cancel();
            if (failure == null) {
                answer.complete(new Bodies.Removal(true));
            } else {
                answer.completeExceptionally(failure);
            }
        });
        return answer;
    }
}
