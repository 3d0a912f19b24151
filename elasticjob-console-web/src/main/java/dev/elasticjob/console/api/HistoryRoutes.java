package dev.elasticjob.console.api;

import dev.elasticjob.admin.command.UnknownTargetException;
import dev.elasticjob.console.history.ConsoleHistory;
import dev.elasticjob.console.history.Entry;
import dev.elasticjob.console.history.Executions;
import dev.elasticjob.console.history.Firings;
import dev.elasticjob.console.history.Operations;
import dev.elasticjob.console.web.Access;
import dev.elasticjob.console.web.ConsoleResponse;
import dev.elasticjob.console.web.InvalidRequestException;
import dev.elasticjob.console.web.Route;
import dev.elasticjob.console.web.Route.Call;
import java.time.DateTimeException;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.SortedMap;
import java.util.SortedSet;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionStage;
import java.util.function.Function;

/**
 * What the trace has recorded. Its database may be slow, so the questions have threads of their own, and the rest of the
 * console doesn't wait for them. It is asked once for all who look at the same, and not at all when nobody does.
 */
final class HistoryRoutes {
    private static final String REGISTRY = "/api/v1/registries/{registry}";

    /** The shortest time between two queries of the same question. */
    private static final Duration PACE = Duration.ofSeconds(3);

    /** Of what reads many executions. */
    private static final Duration LOAD_PACE = Duration.ofSeconds(30);

    /** Those that an answer depends on. */
    private static final Set<String> PARAMETERS =
            Set.of("job", "item", "run", "outcome", "from", "until", "before", "actor", "refused", "jobs", "firings");

    private static final int LATEST_FIRINGS = 20;
    private static final Duration USUAL_SPAN = Duration.ofHours(1);
    private static final Duration LONGEST_SPAN = Duration.ofDays(366);

    private final Map<String, ConsoleRegistry> registries;
    private final Histories histories;
    private final Access access;

    /** @param registries by their names */
    HistoryRoutes(Map<String, ConsoleRegistry> registries, Histories histories, Access access) {
        this.registries = Map.copyOf(registries);
        this.histories = histories;
        this.access = access;
    }

    List<Route> routes() {
        return List.of(
                Route.get(REGISTRY + "/jobs/{job}/firings", this::firings),
                Route.get(REGISTRY + "/jobs/{job}/firings/{run}", this::firing),
                Route.get(REGISTRY + "/latest", this::latest),
                Route.get(REGISTRY + "/executions", this::executions),
                Route.get(REGISTRY + "/load", this::load),
                Route.get(REGISTRY + "/executions/{execution}", this::execution),
                Route.get(REGISTRY + "/executions/{execution}/steps", this::steps),
                Route.get(REGISTRY + "/operations", this::operations));
    }

    private CompletionStage<ConsoleResponse> firings(Call call) {
        String job = call.name("job");
        Optional<String> before = Optional.of(call.parameter("before")).filter(text -> !text.isEmpty());
        return shared(call, history -> FiringGrid.of(history.firings(job, before)));
    }

    /** What each item did in one firing or manual run, and when. */
    private CompletionStage<ConsoleResponse> firing(Call call) {
        String job = call.name("job");
        String run = call.name("run");
        var filter = new Executions.Filter(
                Optional.of(job),
                Optional.empty(),
                Optional.of(run),
                Optional.empty(),
                Optional.empty(),
                Optional.empty(),
                Optional.empty(),
                OneFiring.MOST_EXECUTIONS);
        return shared(
                call,
                history -> OneFiring.of(history.executions(filter))
                        .orElseThrow(() -> new UnknownTargetException(
                                "The trace has no firing \"%s\" of job \"%s\" (any more)".formatted(run, job))));
    }

    /** How the latest firings of the jobs of one page ended. */
    private CompletionStage<ConsoleResponse> latest(Call call) {
        SortedSet<String> jobs = JobRoutes.jobsOfAPage(call);
        int most = call.number("firings", LATEST_FIRINGS, 1, ConsoleHistory.MOST_FIRINGS);
        return shared(call, history -> new Latest(history.latest(jobs, most)));
    }

    /** @param jobs by name, the latest firing first */
    record Latest(SortedMap<String, List<Firings.End>> jobs) {}

    /** Of one job, or of all, how much was executed and how late it began: within the last hour, if nothing else is asked for. */
    private CompletionStage<ConsoleResponse> load(Call call) {
        Instant now = asked(call).snapshots().now();
        Instant until = time(call, "until").orElse(now);
        Instant from = time(call, "from").orElse(until.minus(USUAL_SPAN));
        if (!from.isBefore(until)) {
            throw InvalidRequestException.of(
                    "from", from.toString(), "expected a time before that of \"until\", which is " + until);
        }
        if (Duration.between(from, until).compareTo(LONGEST_SPAN) > 0) {
            throw InvalidRequestException.of("from", from.toString(), "expected a span of at most 366 days");
        }
        return shared(call, Parameters.SHOWN, LOAD_PACE, history -> load(history, text(call, "job"), from, until, now));
    }

    /**
     * In pages, the latest first. If there is too much, the earliest of it are left out. The trace finds executions by their
     * scheduled times: those that were due earlier, and are late or long, are found up to the length of the span before it.
     */
    private static Load load(ConsoleHistory history, Optional<String> job, Instant from, Instant until, Instant now) {
        Instant earliest = from.minus(Duration.between(from, until));
        List<Entry> found = new ArrayList<>();
        Optional<String> next = Optional.empty();
        do {
            Executions page = history.executions(new Executions.Filter(
                    job,
                    Optional.empty(),
                    Optional.empty(),
                    Optional.empty(),
                    Optional.of(earliest),
                    Optional.of(until),
                    next,
                    OneFiring.MOST_EXECUTIONS));
            found.addAll(page.executions());
            next = page.next();
        } while (next.isPresent() && found.size() < Load.MOST_EXECUTIONS);
        Instant reached = next.isEmpty() ? from : found.get(found.size() - 1).scheduledAt();
        Instant shown = reached.isAfter(from) ? reached : from;
        return Load.of(found, shown, until, shown.equals(from), now);
    }

    private CompletionStage<ConsoleResponse> execution(Call call) {
        String id = call.name("execution");
        return shared(
                call,
                history -> history.entry(id)
                        .orElseThrow(() -> new UnknownTargetException(
                                "The trace has no execution \"%s\" (any more)".formatted(id))));
    }

    private CompletionStage<ConsoleResponse> steps(Call call) {
        String id = call.name("execution");
        return shared(call, history -> new Steps(history.steps(id)));
    }

    /** What happened to an execution, in order. */
    record Steps(List<Executions.Step> steps) {}

    private CompletionStage<ConsoleResponse> executions(Call call) {
        Format format = Format.of(call);
        var filter = new Executions.Filter(
                text(call, "job"),
                Optional.of(call.number("item", -1, 0, Integer.MAX_VALUE)).filter(item -> item >= 0),
                text(call, "run"),
                text(call, "outcome"),
                time(call, "from"),
                time(call, "until"),
                text(call, "before"),
                format.limit);
        return format == Format.CSV
                ? file(call, history -> csv(history.executions(filter)))
                : shared(call, history -> history.executions(filter));
    }

    private static ConsoleResponse csv(Executions found) {
        Csv csv = new Csv(
                "job",
                "item",
                "scheduled",
                "outcome",
                "started",
                "ended",
                "attempt",
                "instance",
                "run",
                "actor",
                "failure");
        found.executions()
                .forEach(one -> csv.line(
                        one.job(),
                        one.item(),
                        one.scheduledAt(),
                        one.outcome(),
                        one.startedAt(),
                        one.endedAt(),
                        one.attempt(),
                        one.instance(),
                        one.runId(),
                        one.actor(),
                        one.failure()));
        return csv.response("executions.csv");
    }

    private CompletionStage<ConsoleResponse> operations(Call call) {
        Format format = Format.of(call);
        String refused = call.parameter("refused");
        if (!refused.isEmpty() && !refused.equals("true") && !refused.equals("false")) {
            throw InvalidRequestException.of("refused", refused, "expected true or false");
        }
        var filter = new Operations.Filter(
                text(call, "job"), text(call, "actor"), refused.equals("true"), text(call, "before"), format.limit);
        Parameters parameters = Parameters.of(access, call);
        Function<ConsoleHistory, Operations> found = history -> {
            Operations all = history.operations(filter);
            return new Operations(parameters.operations(all.operations()), all.next());
        };
        return format == Format.CSV
                ? file(call, history -> csv(found.apply(history)))
                : shared(call, parameters, found::apply);
    }

    private static ConsoleResponse csv(Operations found) {
        Csv csv = new Csv("at", "actor", "job", "command", "reason", "before", "succeeded", "outcome");
        found.operations()
                .forEach(one -> csv.line(
                        one.at(),
                        one.actor(),
                        one.job(),
                        one.command(),
                        one.reason(),
                        one.before(),
                        one.succeeded(),
                        one.outcome()));
        return csv.response("operations.csv");
    }

    /** As what a list is answered. A file has more of it than a page. */
    private enum Format {
        JSON(50),
        CSV(1_000);

        private final int limit;

        Format(int limit) {
            this.limit = limit;
        }

        static Format of(Call call) {
            return switch (call.parameter("format")) {
                case "", "json" -> JSON;
                case "csv" -> CSV;
                default -> throw InvalidRequestException.of("format", call.parameter("format"), "expected json or csv");
            };
        }
    }

    private static Optional<String> text(Call call, String name) {
        return Optional.of(call.parameter(name)).filter(text -> !text.isEmpty());
    }

    private static Optional<Instant> time(Call call, String name) {
        try {
            return text(call, name).map(Instant::parse);
        } catch (DateTimeException e) {
            throw InvalidRequestException.of(
                    name, call.parameter(name), "expected a time such as 2026-11-23T03:00:00Z");
        }
    }

    /** An answer that has no parameters. */
    private CompletionStage<ConsoleResponse> shared(Call call, Function<ConsoleHistory, Object> question) {
        return shared(call, Parameters.SHOWN, question);
    }

    private CompletionStage<ConsoleResponse> shared(
            Call call, Parameters parameters, Function<ConsoleHistory, Object> question) {
        return shared(call, parameters, PACE, question);
    }

    private CompletionStage<ConsoleResponse> shared(
            Call call, Parameters parameters, Duration pace, Function<ConsoleHistory, Object> question) {
        Histories.Asked asked = asked(call);
        return SharedAnswers.of(
                call,
                PARAMETERS,
                parameters,
                asked.snapshots(),
                pace,
                () -> CompletableFuture.completedFuture(question.apply(asked.history())));
    }

    /** A file is one person's, and is asked for once. */
    private CompletionStage<ConsoleResponse> file(Call call, Function<ConsoleHistory, ConsoleResponse> question) {
        Histories.Asked asked = asked(call);
        return asked.queries()
                .ask(
                        () -> CompletableFuture.completedFuture(question.apply(asked.history())),
                        Function.<ConsoleResponse>identity());
    }

    private Histories.Asked asked(Call call) {
        ConsoleRegistry registry = ConsoleRegistry.of(call, registries);
        return Optional.ofNullable(histories.byRegistry().get(registry.name()))
                .orElseThrow(() -> new UnknownTargetException(
                        "This registry has no history. " + histories.remedy().apply(registry.name())));
    }
}
