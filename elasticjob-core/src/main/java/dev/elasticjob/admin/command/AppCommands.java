package dev.elasticjob.admin.command;

import dev.elasticjob.admin.app.AppNodes;
import dev.elasticjob.admin.app.AppReport;
import dev.elasticjob.admin.app.Suspension;
import dev.elasticjob.admin.command.CommandLog.Command;
import dev.elasticjob.registry.JobTree;
import dev.elasticjob.registry.RegistryCommit;
import java.util.Optional;
import java.util.concurrent.CompletionStage;
import java.util.function.Function;

/**
 * What operators ask of the controllers of applications of Kubernetes: {@code docs/internals/protocol-apps.md}. Each is
 * written whether or not a controller is there to follow it. Thread-safe.
 */
public record AppCommands(GuardedWrites writes, CommandLog commands) {
    static final String NOT_SUSPENDED = "not suspended by an operator";

    /** No worker of the application is started until it is resumed. */
    public CompletionStage<Boolean> suspend(String app) {
        Command command = commands.beginForAll("suspend application \"%s\"".formatted(app));
        Actor actor = commands.actor();
        String wish = Suspension.text(actor.name(), actor.reason().orElse(""));
        return changed(
                command,
                app,
                found -> found.suspension().isPresent()
                        ? GuardedWrites.NOTHING
                        : RegistryCommit.builder()
                                .check(JobTree.app(app), RegistryCommit.ANY_VERSION)
                                .create(JobTree.appSuspended(app), wish)
                                .build(),
                changed -> changed ? "it gets no workers" : "it was suspended already");
    }

    /** Ends {@link #suspend}. Whether its resource suspends it is another matter. */
    public CompletionStage<Boolean> resume(String app) {
        Command command = commands.beginForAll("resume application \"%s\"".formatted(app));
        return changed(
                command,
                app,
                found -> {
                    RegistryCommit.Builder commit = RegistryCommit.builder();
                    found.suspension()
                            .ifPresent(any -> commit.delete(JobTree.appSuspended(app), RegistryCommit.ANY_VERSION));
                    return commit.build();
                },
                changed -> changed ? "resumed" : NOT_SUSPENDED);
    }

    /** Removes what is left of an application that no controller looks after. */
    public CompletionStage<Boolean> forget(String app) {
        Command command = commands.beginForAll("forget application \"%s\"".formatted(app));
        AppNodes nodes = new AppNodes(writes.registry());
        return command.reporting(
                found(app).thenCompose(report -> {
                    command.found(text(report.suspension()));
                    if (report.attended()) {
                        throw new IllegalStateException(
                                ("Application \"%s\" can't be forgotten, because a controller looks after it. Delete its"
                                                + " resource, kubectl delete elasticapp, then it goes by itself")
                                        .formatted(app));
                    }
                    return nodes.remove(app).thenApply(whyNot -> forgotten(app, whyNot));
                }),
                done -> "forgotten");
    }

    private static boolean forgotten(String app, Optional<String> whyNot) {
        whyNot.ifPresent(why -> {
            throw new IllegalStateException("Application \"%s\" can't be forgotten: %s".formatted(app, why));
        });
        return true;
    }

    /** @param change what to write; empty if it is so already */
    private CompletionStage<Boolean> changed(
            Command command,
            String app,
            Function<AppReport, RegistryCommit> change,
            Function<Boolean, String> outcome) {
        return command.reporting(
                writes.repeatForAll(() -> found(app).thenCompose(report -> {
                    command.found(text(report.suspension()));
                    RegistryCommit commit = change.apply(report);
                    return writes.attempt(commit, !commit.isEmpty());
                })),
                outcome);
    }

    private CompletionStage<AppReport> found(String app) {
        return new AppNodes(writes.registry()).find(app).thenApply(found -> found.orElseThrow(() -> nowhere(app)));
    }

    public static UnknownTargetException nowhere(String app) {
        return new UnknownTargetException(
                ("There is no application \"%s\" in the registry: expected the cluster's namespace and the name of the"
                                + " ElasticApp with a dot between them, as the list of applications has it")
                        .formatted(app));
    }

    private static String text(Optional<Suspension> suspension) {
        return suspension.map(Suspension::toString).orElse(NOT_SUSPENDED);
    }
}
