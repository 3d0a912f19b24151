package dev.elasticjob.console.api;

import dev.elasticjob.admin.JobAdmin;
import dev.elasticjob.admin.JobInspector;
import dev.elasticjob.admin.JobPage;
import dev.elasticjob.admin.JobReport.ItemReport;
import dev.elasticjob.admin.ServerReport;
import dev.elasticjob.admin.ServerReport.JobOnServer;
import dev.elasticjob.admin.command.UnknownTargetException;
import dev.elasticjob.admin.explain.WhatIf;
import dev.elasticjob.admin.table.Argument;
import dev.elasticjob.admin.table.GivenArguments;
import dev.elasticjob.console.web.Access;
import dev.elasticjob.console.web.AccessLevel;
import dev.elasticjob.console.web.ConsoleResponse;
import dev.elasticjob.console.web.InvalidRequestException;
import dev.elasticjob.console.web.Json;
import dev.elasticjob.console.web.RefusedException;
import dev.elasticjob.console.web.Route;
import dev.elasticjob.console.web.Route.Call;
import dev.elasticjob.definition.UnreadableDefinitionException;
import dev.elasticjob.definition.text.NamePatterns;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.SortedSet;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionStage;
import java.util.concurrent.ConcurrentHashMap;
import java.util.function.BiFunction;
import java.util.function.Function;

/** Questions about jobs: each reads the registry, once for all who ask at the same time. */
final class JobRoutes {
    private static final String REGISTRY = "/api/v1/registries/{registry}";
    private static final String JOB = REGISTRY + "/jobs/{job}";
    private static final Duration SECOND = Duration.ofSeconds(1);
    /** Answers from a sweep, which reads at its own pace. */
    private static final Duration SWEEP = Duration.ofSeconds(2);

    /** Reads the items of all jobs of a page. */
    private static final Duration LAST = Duration.ofSeconds(10);

    /** Servers are read from all jobs, so the pace depends on how many there are: five requests a second on average. */
    private static final int JOBS_PER_SECOND = 80;

    private static final Duration SOONEST_SERVERS = Duration.ofSeconds(2);
    private static final Duration LATEST_SERVERS = Duration.ofSeconds(30);

    /** Those that an answer depends on. */
    private static final Set<String> PARAMETERS = Set.of(
            "search",
            "state",
            "sort",
            "after",
            "from",
            "count",
            "jobs",
            "without",
            "more",
            "total",
            "strategy",
            "runOn",
            "most");

    private static final int ITEMS_OF_A_PAGE = 100;
    private static final int MOST_ITEMS = Integer.MAX_VALUE - ITEMS_OF_A_PAGE;
    private static final int MOST_DECLARED = 500;
    private static final int USUAL_FIRINGS = 10;
    private static final int MOST_FIRINGS = 100;

    private final Map<String, ConsoleRegistry> registries;
    private final Access access;

    /** How many jobs with servers each registry had when they were read last. */
    private final Map<String, Integer> serving = new ConcurrentHashMap<>();

    /** @param registries by their names */
    JobRoutes(Map<String, ConsoleRegistry> registries, Access access) {
        this.registries = Map.copyOf(registries);
        this.access = access;
    }

    private static final String YAML = "yaml";

    List<Route> routes() {
        return List.of(
                Route.get(REGISTRY + "/jobs", this::jobs),
                Route.get(REGISTRY + "/names", this::names),
                Route.get(REGISTRY + "/last", this::last),
                Route.get(REGISTRY + "/attention", this::attention),
                Route.get(REGISTRY + "/demand", this::demand),
                Route.get(REGISTRY + "/definitions.yaml", this::yamlOfJobs),
                Route.get(REGISTRY + "/servers", this::servers),
                Route.get(REGISTRY + "/servers/{server}", this::server),
                Route.get(JOB, this::job),
                Route.get(JOB + "/items", this::items),
                Route.get(JOB + "/items/{item}/explanation", this::explanation),
                Route.get(JOB + "/next", this::next),
                Route.get(JOB + "/commands", this::commands),
                Route.get(JOB + "/preview", this::preview),
                Route.get(JOB + "/definition", this::definition),
                Route.get(JOB + "/definition.yaml", this::yaml),
                Route.write("POST", JOB + "/definition.yaml", AccessLevel.ADMIN, this::declared),
                Route.get(JOB + "/tree", this::tree));
    }

    private CompletionStage<ConsoleResponse> jobs(Call call) {
        return listed(call, (inspector, query) -> inspector.page(query).thenApply(Bodies.Jobs::of));
    }

    /** The names of all pages together, for those who choose jobs. */
    private CompletionStage<ConsoleResponse> names(Call call) {
        return listed(call, (inspector, query) -> inspector.matching(query).thenApply(Bodies.Names::of));
    }

    private CompletionStage<ConsoleResponse> listed(
            Call call, BiFunction<JobInspector, JobPage.Query, ? extends CompletionStage<?>> list) {
        JobPage.Query query = JobQuery.of(call);
        return answer(call, query.isSwept() ? SWEEP : SECOND, registry -> list.apply(registry.inspector(), query));
    }

    /** How jobs of one page ended last. */
    private CompletionStage<ConsoleResponse> last(Call call) {
        SortedSet<String> jobs = jobsOfAPage(call);
        return answer(call, LAST, registry -> registry.inspector().details(jobs).thenApply(Bodies.Lasts::of));
    }

    static SortedSet<String> jobsOfAPage(Call call) {
        SortedSet<String> jobs = call.names("jobs");
        if (jobs.size() > JobPage.SIZE) {
            throw InvalidRequestException.of(
                    "jobs", jobs.size() + " names", "expected at most %d names of jobs".formatted(JobPage.SIZE));
        }
        return jobs;
    }

    private CompletionStage<ConsoleResponse> attention(Call call) {
        int most = call.number("most", Bodies.Attention.MOST_FINDINGS, 1, Bodies.Attention.MOST_FINDINGS);
        return answer(
                call,
                SWEEP,
                registry -> registry.inspector()
                        .swept()
                        .thenCompose(swept -> registry.inspector()
                                .dataLoss()
                                .thenCompose(dataLoss -> registry.groups()
                                        .look()
                                        .thenCombine(
                                                registry.apps().look(),
                                                (groups, apps) ->
                                                        Bodies.Attention.of(swept, dataLoss, groups, apps, most)))));
    }

    /** What is to be done in the jobs whose names match, for autoscalers. */
    private CompletionStage<ConsoleResponse> demand(Call call) {
        NamePatterns jobs = NamePatterns.of(call.parameter("jobs"));
        return answer(call, SECOND, registry -> registry.inspector().demandOf(jobs));
    }

    private CompletionStage<ConsoleResponse> servers(Call call) {
        Duration pace = paceOfServers(call);
        return answer(
                call, pace, registry -> read(registry).thenApply(servers -> ServerBodies.Servers.of(servers, pace)));
    }

    private CompletionStage<ConsoleResponse> server(Call call) {
        String server = call.name("server");
        Duration pace = paceOfServers(call);
        return answer(
                call,
                pace,
                registry -> read(registry)
                        .thenApply(servers -> ServerBodies.WholeServer.of(
                                servers.stream()
                                        .filter(one -> one.server().equals(server))
                                        .findFirst()
                                        .orElseThrow(() -> new UnknownTargetException(
                                                "No job of the registry names the server \"%s\"".formatted(server))),
                                pace)));
    }

    private CompletionStage<List<ServerReport>> read(ConsoleRegistry registry) {
        return registry.inspector().servers().thenApply(servers -> {
            serving.put(registry.name(), (int) servers.stream()
                    .flatMap(server -> server.jobs().stream())
                    .map(JobOnServer::job)
                    .distinct()
                    .count());
            return servers;
        });
    }

    private Duration paceOfServers(Call call) {
        long some = serving.getOrDefault(call.name("registry"), 0) / JOBS_PER_SECOND;
        return Duration.ofSeconds(Math.max(SOONEST_SERVERS.toSeconds(), Math.min(LATEST_SERVERS.toSeconds(), some)));
    }

    private CompletionStage<ConsoleResponse> job(Call call) {
        String job = call.name("job");
        return ofJob(
                call,
                job,
                inspector -> inspector
                        .job(job)
                        .thenCompose(report -> inspector
                                .instances(job)
                                .thenApply(instances ->
                                        report.map(found -> Bodies.WholeJob.of(found, instances.orElse(List.of()))))));
    }

    private CompletionStage<ConsoleResponse> items(Call call) {
        String job = call.name("job");
        int from = call.number("from", 0, 0, MOST_ITEMS);
        Parameters parameters = Parameters.of(access, call);
        return ofJob(
                call,
                parameters,
                job,
                inspector -> inspector
                        .job(job)
                        .thenApply(report -> report.map(found -> {
                            List<ItemReport> rest = found.items().stream()
                                    .filter(item -> item.item() >= from)
                                    .toList();
                            Optional<Integer> next = rest.stream()
                                    .skip(ITEMS_OF_A_PAGE)
                                    .findFirst()
                                    .map(ItemReport::item);
                            return new Bodies.Items(
                                    parameters.items(
                                            rest.stream().limit(ITEMS_OF_A_PAGE).toList()),
                                    next);
                        })));
    }

    private CompletionStage<ConsoleResponse> explanation(Call call) {
        String job = call.name("job");
        int item = call.number("item", 0, 0, MOST_ITEMS);
        return ofJob(call, "item %d of job \"%s\"".formatted(item, job), inspector -> inspector.explain(job, item));
    }

    private CompletionStage<ConsoleResponse> next(Call call) {
        String job = call.name("job");
        int count = call.number("count", USUAL_FIRINGS, 1, MOST_FIRINGS);
        return ofJob(
                call,
                job,
                inspector -> inspector.dueTimes(job, count).thenApply(times -> times.map(Bodies.Firings::of)));
    }

    private CompletionStage<ConsoleResponse> preview(Call call) {
        String job = call.name("job");
        WhatIf question = new WhatIf(
                call.names("without"),
                call.number("more", 0, 0, WhatIf.MOST_INSTANCES),
                Optional.of(call.number("total", 0, 1, WhatIf.MOST_ITEMS)).filter(items -> items > 0),
                Optional.of(call.parameter("strategy")),
                Optional.of(call.parameter("runOn")));
        return ofJob(call, job, inspector -> inspector.preview(job, question)).exceptionally(CommandResponses::refused);
    }

    private CompletionStage<ConsoleResponse> definition(Call call) {
        String job = call.name("job");
        Parameters parameters = Parameters.of(access, call);
        return answer(call, parameters, SECOND, registry -> definition(registry.admin(), job, parameters));
    }

    /** For {@code application.yml}, by whoever wants to keep the settings there. */
    private CompletionStage<ConsoleResponse> yaml(Call call) {
        String job = call.name("job");
        Parameters parameters = Parameters.of(access, call);
        return ConsoleRegistry.of(call, registries)
                .admin()
                .versionedDefinition(job)
                .thenApply(found -> ConsoleResponse.text(200, parameters.yaml(found)));
    }

    /** The same of all jobs whose names match. */
    private CompletionStage<ConsoleResponse> yamlOfJobs(Call call) {
        NamePatterns jobs = NamePatterns.of(call.parameter("jobs"));
        ConsoleRegistry registry = ConsoleRegistry.of(call, registries);
        return registry.inspector().names().thenCompose(names -> {
            List<String> chosen = names.stream().filter(jobs::matches).toList();
            if (chosen.size() > MOST_DECLARED) {
                throw InvalidRequestException.of(
                        "jobs",
                        chosen.size() + " jobs",
                        "expected at most %d jobs: choose some of them by jobs=, such as jobs=report*"
                                .formatted(MOST_DECLARED));
            }
            return DeclaredJobs.read(registry.admin(), chosen, job -> Parameters.of(access, call, Optional.of(job)))
                    .thenApply(text -> ConsoleResponse.text(200, text));
        });
    }

    /** What a text would change. Nothing is changed by it: whoever has asked may send it as a change. */
    private CompletionStage<ConsoleResponse> declared(Call call) {
        ConsoleRegistry.of(call, registries);
        GivenArguments given = new GivenArguments(new GivenJson(call, call.body(), Map.of()));
        Optional<String> yaml = given.find(Argument.needed(YAML, source -> source.text(YAML)));
        Order.end(given, "this question");
        return CompletableFuture.completedFuture(
                Json.response(Json.bytes(YamlSettings.read(call.name("job"), yaml.orElseThrow()))));
    }

    /** One that can't be used is read again, for what of it can be. */
    private static CompletionStage<Bodies.Definition> definition(JobAdmin admin, String job, Parameters parameters) {
        return admin.versionedDefinition(job)
                .thenApply(parameters::definition)
                .exceptionallyCompose(
                        failure -> CommandResponses.cause(failure) instanceof UnreadableDefinitionException
                                ? admin.unreadableSettings(job).thenApply(parameters::unreadable)
                                : CompletableFuture.failedStage(failure))
                .exceptionallyCompose(failure -> CommandResponses.cause(failure) instanceof RefusedException
                        // Somebody has repaired it in between.
                        ? admin.versionedDefinition(job).thenApply(parameters::definition)
                        : CompletableFuture.failedStage(failure));
    }

    private CompletionStage<ConsoleResponse> commands(Call call) {
        String job = call.name("job");
        Parameters parameters = Parameters.of(access, call);
        return ofJob(
                call,
                parameters,
                job,
                inspector -> inspector
                        .commands(job)
                        .thenApply(found -> found.map(all -> new Bodies.Commands(parameters.commands(all)))));
    }

    private CompletionStage<ConsoleResponse> tree(Call call) {
        String job = call.name("job");
        Parameters parameters = Parameters.of(access, call);
        return ofJob(
                call,
                parameters,
                job,
                inspector -> parameters
                        .dump(inspector, job)
                        .thenApply(text ->
                                text.map(nodes -> new Bodies.Tree(nodes.lines().toList()))));
    }

    // ------------------------------------------------------------------ asking

    private CompletionStage<ConsoleResponse> ofJob(
            Call call,
            String target,
            Function<JobInspector, ? extends CompletionStage<? extends Optional<?>>> question) {
        return ofJob(call, Parameters.SHOWN, target, question);
    }

    private CompletionStage<ConsoleResponse> ofJob(
            Call call,
            Parameters parameters,
            String target,
            Function<JobInspector, ? extends CompletionStage<? extends Optional<?>>> question) {
        return answer(
                call,
                parameters,
                SECOND,
                registry -> question.apply(registry.inspector())
                        .thenApply(found ->
                                found.orElseThrow(() -> new UnknownTargetException("There is no %s in the registry"
                                        .formatted(target.startsWith("item ") ? target : "job \"" + target + "\"")))));
    }

    /** An answer that has no parameters. */
    private CompletionStage<ConsoleResponse> answer(
            Call call, Duration pace, Function<ConsoleRegistry, ? extends CompletionStage<?>> question) {
        return answer(call, Parameters.SHOWN, pace, question);
    }

    private CompletionStage<ConsoleResponse> answer(
            Call call,
            Parameters parameters,
            Duration pace,
            Function<ConsoleRegistry, ? extends CompletionStage<?>> question) {
        ConsoleRegistry registry = ConsoleRegistry.of(call, registries);
        return SharedAnswers.of(
                call, PARAMETERS, parameters, registry.snapshots(), pace, () -> question.apply(registry));
    }
}
