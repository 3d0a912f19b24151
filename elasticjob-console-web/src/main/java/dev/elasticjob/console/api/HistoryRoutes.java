package dev.elasticjob.console.api;

import dev.elasticjob.admin.command.UnknownTargetException;
import dev.elasticjob.console.history.ConsoleHistory;
import dev.elasticjob.console.history.Executions;
import dev.elasticjob.console.history.Firings;
import dev.elasticjob.console.history.HistoryAwayException;
import dev.elasticjob.console.history.Operations;
import dev.elasticjob.console.web.ConsoleResponse;
import dev.elasticjob.console.web.InvalidRequestException;
import dev.elasticjob.console.web.Json;
import dev.elasticjob.console.web.Route;
import dev.elasticjob.console.web.Route.Call;
import dev.elasticjob.time.DurationText;
import dev.elasticjob.time.TaskTimer;
import java.time.DateTimeException;
import java.time.Duration;
import java.time.Instant;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.SortedMap;
import java.util.SortedSet;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionStage;
import java.util.concurrent.Executor;
import java.util.concurrent.RejectedExecutionException;
import java.util.function.Function;
import java.util.function.Supplier;

/**
 * What the trace has recorded. Its database may be slow, so the questions have threads of their own, and the rest of the
 * console doesn't wait for them.
 */
final class HistoryRoutes {
    private static final String REGISTRY = "/api/v1/registries/{registry}";

    /** How long anyone waits for the database, whatever its own limits are, and however many others wait. */
    private static final Duration LONGEST = Duration.ofSeconds(5);

    private static final int LATEST_FIRINGS = 20;

    private final Map<String, ConsoleRegistry> registries;
    private final Histories histories;

    /** @param registries by their names */
    HistoryRoutes(Map<String, ConsoleRegistry> registries, Histories histories) {
        this.registries = Map.copyOf(registries);
        this.histories = histories;
    }

    List<Route> routes() {
        return List.of(
                Route.get(REGISTRY + "/jobs/{job}/firings", this::firings),
                Route.get(REGISTRY + "/latest", this::latest),
                Route.get(REGISTRY + "/executions", this::executions),
                Route.get(REGISTRY + "/executions/{execution}", this::execution),
                Route.get(REGISTRY + "/executions/{execution}/steps", this::steps),
                Route.get(REGISTRY + "/operations", this::operations));
    }

    private CompletionStage<ConsoleResponse> firings(Call call) {
        String job = call.name("job");
        Optional<String> before = Optional.of(call.parameter("before")).filter(text -> !text.isEmpty());
        return ask(call, history -> Json.response(Json.bytes(FiringGrid.of(history.firings(job, before)))));
    }

    /** How the latest firings of the jobs of one page ended. */
    private CompletionStage<ConsoleResponse> latest(Call call) {
        SortedSet<String> jobs = JobRoutes.jobsOfAPage(call);
        int most = call.number("firings", LATEST_FIRINGS, 1, ConsoleHistory.MOST_FIRINGS);
        return ask(call, history -> Json.response(Json.bytes(new Latest(history.latest(jobs, most)))));
    }

    /** @param jobs by name, the latest firing first */
    record Latest(SortedMap<String, List<Firings.End>> jobs) {}

    private CompletionStage<ConsoleResponse> execution(Call call) {
        String id = call.name("execution");
        return ask(
                call,
                history -> Json.response(Json.bytes(history.entry(id)
                        .orElseThrow(() -> new UnknownTargetException(
                                "The trace has no execution \"%s\" (any more)".formatted(id))))));
    }

    private CompletionStage<ConsoleResponse> steps(Call call) {
        String id = call.name("execution");
        return ask(call, history -> Json.response(Json.bytes(new Steps(history.steps(id)))));
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
        return ask(
                call,
                history -> format == Format.CSV
                        ? csv(history.executions(filter))
                        : Json.response(Json.bytes(history.executions(filter))));
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
        return ask(
                call,
                history -> format == Format.CSV
                        ? csv(history.operations(filter))
                        : Json.response(Json.bytes(history.operations(filter))));
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

    private CompletionStage<ConsoleResponse> ask(Call call, Function<ConsoleHistory, ConsoleResponse> question) {
        ConsoleRegistry registry = ConsoleRegistry.of(call, registries);
        Histories.Asked asked = histories.byRegistry().get(registry.name());
        if (asked == null) {
            throw new UnknownTargetException("There is no event trace, so there is no history. " + histories.remedy());
        }
        return within(LONGEST, registry.queries().timer(), asked.blocking(), () -> question.apply(asked.history()));
    }

    /** The limit covers the wait for a thread: a question that others have made wait for too long isn't asked any more. */
    private static CompletionStage<ConsoleResponse> within(
            Duration limit, TaskTimer timer, Executor blocking, Supplier<ConsoleResponse> question) {
        CompletableFuture<ConsoleResponse> answer = new CompletableFuture<>();
        TaskTimer.Cancellable end = timer.after(
                limit,
                () -> answer.completeExceptionally(new HistoryAwayException(
                        "The database of the trace gave no answer within " + DurationText.of(limit))));
        answer.whenComplete((done, failure) -> end.cancel());
        try {
            blocking.execute(() -> {
                if (!answer.isDone()) {
                    answer(question, answer);
                }
            });
        } catch (RejectedExecutionException e) {
            answer.completeExceptionally(new HistoryAwayException(
                    "Too many questions wait for the database of the trace; try again later", e));
        }
        return answer;
    }

    private static void answer(Supplier<ConsoleResponse> question, CompletableFuture<ConsoleResponse> answer) {
        try {
            answer.complete(question.get());
        } catch (RuntimeException | Error e) {
            answer.completeExceptionally(e);
        }
    }
}
