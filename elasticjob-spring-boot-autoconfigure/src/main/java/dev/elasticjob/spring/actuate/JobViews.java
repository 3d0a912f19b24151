package dev.elasticjob.spring.actuate;

import dev.elasticjob.admin.JobPage;
import dev.elasticjob.admin.JobStatus;
import dev.elasticjob.admin.command.UnknownTargetException;
import dev.elasticjob.admin.explain.WhatIf;
import dev.elasticjob.admin.table.Argument;
import dev.elasticjob.admin.table.GivenArguments;
import dev.elasticjob.definition.text.NamePatterns;
import java.util.List;
import java.util.Locale;
import java.util.Optional;
import java.util.SortedSet;
import java.util.TreeSet;
import java.util.stream.Collectors;
import java.util.stream.Stream;
import org.springframework.boot.actuate.endpoint.OperationResponseBody;

/**
 * What the endpoint shows, from the values that come with a question. Each view takes its own values and refuses others.
 *
 * @param commands knows the definitions
 */
record JobViews(JobQuestions questions, HistoryOperations history, JobCommands commands) {
    private static final int USUAL_DUE_TIMES = 10;
    private static final List<String> VIEWS = List.of(
            "definition", "instances", "due-times", "commands", "preview", "tree", "history", "runs", "explain/<item>");

    // ------------------------------------------------------------------ all jobs

    /**
     * The jobs of the namespace, its servers, what needs a person, or what is to be done. Empty for the jobs of the application, which are
     * always shown together.
     *
     * @param usualScope the scope where none is asked for
     */
    Optional<OperationResponseBody> jobs(String usualScope, GivenArguments given) {
        String scope = given.text("scope").orElse(usualScope);
        if (scope.equals("demand")) {
            NamePatterns jobs = NamePatterns.of(given.text("jobs").orElse(""));
            given.end("scope \"demand\"");
            return Optional.of(questions.demand(jobs));
        }
        JobPage.Query query = scope.equals("namespace") ? query(given) : JobPage.Query.all();
        given.end("scope \"%s\"".formatted(scope));
        return scope.equals("application") ? Optional.empty() : Optional.of(questions.namespace(scope, query));
    }

    private static JobPage.Query query(GivenArguments given) {
        JobPage.Query query = JobPage.Query.all();
        query = given.text("name").map(query::named).orElse(query);
        query = given.text("after").map(query::after).orElse(query);
        return given.value("status", JobViews::status).map(query::withStatus).orElse(query);
    }

    private static JobStatus status(String name) {
        return Stream.of(JobStatus.values())
                .filter(known -> known.name().equals(name.toUpperCase(Locale.ROOT)))
                .findFirst()
                .orElseThrow(() -> new IllegalArgumentException("expected one of " + List.of(JobStatus.values())));
    }

    // ------------------------------------------------------------------ one job

    OperationResponseBody job(String job, GivenArguments given) {
        given.end("a job");
        return questions.job(job);
    }

    OperationResponseBody view(String job, String view, GivenArguments given) {
        String taker = "view \"%s\"".formatted(view);
        return switch (view) {
            case "preview" -> {
                WhatIf question = question(given);
                given.end(taker);
                yield questions.preview(job, question);
            }
            case "due-times" -> {
                int count = given.number("limit").orElse(USUAL_DUE_TIMES);
                given.end(taker);
                yield questions.dueTimes(job, count);
            }
            case "history" -> {
                var query = HistoryOperations.query(job, given);
                given.end(taker);
                yield history.entries(query);
            }
            case "runs" -> {
                var page = HistoryOperations.RunsPage.of(given);
                given.end(taker);
                yield history.runs(job, page);
            }
            default -> {
                given.end(taker);
                yield plain(job, view);
            }
        };
    }

    private OperationResponseBody plain(String job, String view) {
        return switch (view) {
            case "definition" -> commands.definition(job);
            case "instances" -> questions.instances(job);
            case "commands" -> questions.commands(job);
            case "tree" -> questions.tree(job);
            default -> throw unknown(view);
        };
    }

    private static WhatIf question(GivenArguments given) {
        WhatIf nothing = WhatIf.nothing();
        SortedSet<String> without = given.text("without").map(JobViews::ids).orElseGet(TreeSet::new);
        int more = given.value(
                        "more", text -> nothing.more(Argument.number(text)).more())
                .orElse(0);
        Optional<Integer> total = given.value(
                        "total", text -> nothing.total(Argument.number(text)).total())
                .flatMap(items -> items);
        return new WhatIf(without, more, total, given.text("strategy"), given.text("runOn"));
    }

    private static SortedSet<String> ids(String text) {
        return Stream.of(text.split(",", -1))
                .map(String::strip)
                .filter(id -> !id.isEmpty())
                .collect(Collectors.toCollection(TreeSet::new));
    }

    // ------------------------------------------------------------------ one of a job

    OperationResponseBody entry(String job, String view, String id, GivenArguments given) {
        given.end("view \"%s\"".formatted(view));
        return switch (view) {
            case "explain" -> questions.explanation(job, item(job, id));
            case "history" -> history.entry(job, id);
            default -> throw unknown(view);
        };
    }

    private static int item(String job, String text) {
        try {
            return Integer.parseInt(text);
        } catch (NumberFormatException e) {
            throw new IllegalArgumentException(
                    "Expected the number of an item of job \"%s\", but it was \"%s\"".formatted(job, text), e);
        }
    }

    private static UnknownTargetException unknown(String view) {
        return new UnknownTargetException(
                "There is no view \"%s\" of a job: expected one of %s".formatted(view, String.join(", ", VIEWS)));
    }
}
