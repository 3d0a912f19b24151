package dev.elasticjob.console;

import dev.elasticjob.admin.AppWatch;
import dev.elasticjob.admin.GroupWatch;
import dev.elasticjob.admin.RegistryGroupInspector;
import dev.elasticjob.admin.RegistryJobAdmin;
import dev.elasticjob.admin.RegistryJobInspector;
import dev.elasticjob.admin.command.Actor;
import dev.elasticjob.admin.command.CommandLog;
import dev.elasticjob.console.api.ApiRoutes;
import dev.elasticjob.console.api.ConsoleRegistry;
import dev.elasticjob.console.api.Histories;
import dev.elasticjob.console.history.ConsoleHistory;
import dev.elasticjob.console.live.Queries;
import dev.elasticjob.console.live.Snapshots;
import dev.elasticjob.console.page.PageRoutes;
import dev.elasticjob.console.web.Access;
import dev.elasticjob.console.web.Caller;
import dev.elasticjob.console.web.ConsoleHandler;
import dev.elasticjob.console.web.ConsoleRequest;
import dev.elasticjob.console.web.ConsoleResponse;
import dev.elasticjob.console.web.Json;
import dev.elasticjob.console.web.Route;
import dev.elasticjob.definition.JobDefinition;
import dev.elasticjob.definition.codec.JobDefinitionCodec;
import dev.elasticjob.registry.JobTree;
import dev.elasticjob.registry.RegistryCommit;
import dev.elasticjob.registry.memory.InMemoryEnsemble;
import dev.elasticjob.registry.memory.InMemoryRegistry;
import dev.elasticjob.time.manual.ManualTime;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.TreeMap;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.Executor;
import java.util.stream.IntStream;

/**
 * A console over a registry in memory, in virtual time: everything happens on the test's thread. It shows the registry a second
 * time, as "archive", which is read-only.
 */
public final class ManyJobs {
    public static final Optional<Caller> VIEWER = Optional.of(new Caller("mei", Set.of()));
    public static final String JOBS = "/api/v1/registries/default/jobs";

    private static final int TOGETHER = 200;

    public final ManualTime time = new ManualTime(Instant.parse("2026-11-23T03:00:00Z"));
    public final InMemoryEnsemble ensemble = new InMemoryEnsemble(time);
    /** Gives the registry's answers. */
    public Executor answers = Runnable::run;

    public final InMemoryRegistry registry = new InMemoryRegistry(ensemble, task -> answers.execute(task));
    public ConsoleHandler handler;

    private final Access access;
    private final List<ConsoleRegistry> shown;

    public ManyJobs(Access access) {
        var inspector = new RegistryJobInspector(registry, time, time, time::instant, TreeMap::new);
        var admin = new RegistryJobAdmin(registry, new CommandLog(event -> {}, Actor.UNKNOWN));
        var groups = new GroupWatch(new RegistryGroupInspector(registry, "dynamic-sharding")::all, time);
        var apps = new AppWatch(inspector::apps, time);
        var queries = new Queries(time, Runnable::run, Duration.ofSeconds(10), Queries.REGISTRY);
        var snapshots = new Snapshots(queries, time, Json::bytes, 200);
        this.access = access;
        shown = List.of(
                new ConsoleRegistry(
                        "default",
                        "shop",
                        ConsoleRegistry.Mode.OPERATED,
                        inspector,
                        admin,
                        groups,
                        apps,
                        queries,
                        snapshots,
                        Optional.empty()),
                new ConsoleRegistry(
                        "archive",
                        "old-shop",
                        ConsoleRegistry.Mode.READ_ONLY,
                        inspector,
                        admin,
                        groups,
                        apps,
                        queries,
                        snapshots,
                        Optional.empty()));
        handler = handler(Histories.none("Set \"elasticjob.tracing.enabled=true\""));
    }

    /** From now on, there is a history. */
    public void remember(ConsoleHistory history) {
        remember(history, Runnable::run);
    }

    /** @param blocking asks it */
    public void remember(ConsoleHistory history, Executor blocking) {
        handler = handler(
                new Histories(Map.of("default", Histories.Asked.of(history, time, time, blocking, 200)), any -> ""));
    }

    private ConsoleHandler handler(Histories histories) {
        List<Route> routes =
                new ArrayList<>(PageRoutes.fromClassPath("/elasticjob").routes());
        routes.addAll(ApiRoutes.of(access, shown, histories, Optional.of("../logout"), "1"));
        return new ConsoleHandler(routes, access);
    }

    /** With roles "viewer", "operator" and "admin". */
    public static Access withRoles() {
        return new Access(
                Access.Unsecured.NOTHING, Optional.of("viewer"), Optional.of("operator"), Optional.of("admin"));
    }

    public static ManyJobs forEveryUser() {
        return new ManyJobs(new Access(Access.Unsecured.NOTHING, Optional.empty(), Optional.empty(), Optional.empty()));
    }

    public ManyJobs write(int jobs) {
        for (int from = 0; from < jobs; from += TOGETHER) {
            write(IntStream.range(from, Math.min(jobs, from + TOGETHER))
                    .mapToObj("job-%05d"::formatted)
                    .toArray(String[]::new));
        }
        return this;
    }

    /** In one transaction. */
    public void write(String... names) {
        RegistryCommit.Builder jobs = RegistryCommit.builder();
        for (String name : names) {
            add(jobs, name);
        }
        registry.commit(jobs.build()).toCompletableFuture().join();
    }

    private static void add(RegistryCommit.Builder jobs, String name) {
        JobDefinition definition = JobDefinition.builder(name)
                .cron("0 0 4 * * ?")
                .shardingTotalCount(2)
                .build();
        JobTree tree = new JobTree(name);
        var codec = new JobDefinitionCodec();
        jobs.create(tree.root());
        tree.parents().forEach(jobs::create);
        jobs.create(tree.config(), codec.config(definition, Optional.empty()))
                .create(tree.extension(), codec.extension(definition, Optional.empty()))
                .create(tree.sharding())
                .create(tree.item(0));
    }

    public CompletableFuture<ConsoleResponse> ask(String address) {
        return ask("GET", address, Map.of(), VIEWER);
    }

    public CompletableFuture<ConsoleResponse> ask(
            String method, String address, Map<String, String> headers, Optional<Caller> caller) {
        return ask(method, address, headers, caller, "");
    }

    public CompletableFuture<ConsoleResponse> ask(
            String method, String address, Map<String, String> headers, Optional<Caller> caller, String body) {
        String[] parts = address.split("\\?", 2);
        return handler.handle(new ConsoleRequest(
                        method,
                        parts[0],
                        parts.length == 1 ? "" : parts[1],
                        headers,
                        caller,
                        body.getBytes(StandardCharsets.UTF_8),
                        Optional::empty))
                .toCompletableFuture();
    }

    /** The requests that the registry has seen since. */
    public long requestsOf(Runnable action) {
        long before = ensemble.requests();
        action.run();
        return ensemble.requests() - before;
    }
}
