package dev.elasticjob.spring.actuate;

import dev.elasticjob.admin.JobInspector;
import dev.elasticjob.admin.JobPage;
import dev.elasticjob.admin.JobReport;
import dev.elasticjob.admin.JobStatus;
import dev.elasticjob.admin.preview.WhatIf;
import dev.elasticjob.registry.RegistryUnavailableException;
import dev.elasticjob.spring.actuate.JobsBody.JobWithItemsBody;
import dev.elasticjob.spring.actuate.NamespaceBody.AttentionBody;
import dev.elasticjob.spring.actuate.NamespaceBody.CommandsBody;
import dev.elasticjob.spring.actuate.NamespaceBody.DueTimesBody;
import dev.elasticjob.spring.actuate.NamespaceBody.ExplanationBody;
import dev.elasticjob.spring.actuate.NamespaceBody.FindingBody;
import dev.elasticjob.spring.actuate.NamespaceBody.InstancesBody;
import dev.elasticjob.spring.actuate.NamespaceBody.PageBody;
import dev.elasticjob.spring.actuate.NamespaceBody.PreviewBody;
import dev.elasticjob.spring.actuate.NamespaceBody.ServersBody;
import dev.elasticjob.spring.actuate.NamespaceBody.TreeBody;
import dev.elasticjob.time.DurationText;
import java.time.Duration;
import java.util.Comparator;
import java.util.List;
import java.util.Locale;
import java.util.Optional;
import java.util.SortedSet;
import java.util.TreeSet;
import java.util.concurrent.CompletionException;
import java.util.concurrent.CompletionStage;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.TimeoutException;
import java.util.function.Function;
import java.util.function.Supplier;
import java.util.stream.Collectors;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;
import org.springframework.boot.actuate.endpoint.OperationResponseBody;

/**
 * What the endpoint answers about jobs, from the registry. Null where nothing is there, which the Actuator answers with
 * 404. Thread-safe; waits for the registry's answer up to the timeout.
 *
 * @param inspectors one for each context of the application that has jobs
 */
record JobQuestions(Supplier<List<JobInspector>> inspectors, Duration timeout) {
    private static final int USUAL_DUE_TIMES = 10;

    /** The jobs of this application. */
    List<JobReport> jobs() {
        return inspectors.get().stream()
                .flatMap(inspector -> answer(inspector.jobs()).stream())
                .sorted(Comparator.comparing(JobReport::name))
                .toList();
    }

    /**
     * A page of the jobs of the namespace, or its servers.
     *
     * @throws IllegalArgumentException when a value can't be understood
     */
    OperationResponseBody namespace(
            String scope, @Nullable String name, @Nullable String status, @Nullable String after) {
        Optional<JobInspector> first = inspectors.get().stream().findFirst();
        return switch (scope) {
            case "namespace" -> {
                JobPage.Query query = query(name, status, after);
                yield PageBody.of(first.map(inspector -> answer(inspector.page(query)))
                        .orElseGet(() -> new JobPage(List.of(), 0, Optional.empty(), Optional.empty())));
            }
            case "servers" ->
                new ServersBody(
                        first.map(inspector -> answer(inspector.servers())).orElse(List.of()));
            case "attention" ->
                new AttentionBody(first.map(inspector -> answer(inspector.attention())).orElse(List.of()).stream()
                        .map(FindingBody::of)
                        .toList());
            default ->
                throw new IllegalArgumentException(
                        ("Expected \"scope\" to be \"application\", \"namespace\", \"servers\" or \"attention\", but it"
                                        + " was \"%s\"")
                                .formatted(scope));
        };
    }

    private static JobPage.Query query(@Nullable String name, @Nullable String status, @Nullable String after) {
        JobPage.Query query = JobPage.Query.all();
        query = name == null ? query : query.named(name);
        query = after == null ? query : query.after(after);
        return status == null ? query : query.withStatus(status(status));
    }

    private static JobStatus status(String name) {
        for (JobStatus known : JobStatus.values()) {
            if (known.name().equals(name.toUpperCase(Locale.ROOT))) {
                return known;
            }
        }
        throw new IllegalArgumentException(
                "Expected \"status\" to be one of %s, but it was \"%s\"".formatted(List.of(JobStatus.values()), name));
    }

    @Nullable
    JobWithItemsBody job(String job) {
        return of(job, inspector -> inspector.job(job))
                .map(JobWithItemsBody::of)
                .orElse(null);
    }

    /**
     * A view of a job; null for any that is not one of these.
     *
     * @param limit how many due times
     */
    @Nullable
    OperationResponseBody view(String job, String view, @Nullable Integer limit) {
        return switch (view) {
            case "instances" ->
                of(job, inspector -> inspector.instances(job))
                        .map(InstancesBody::of)
                        .orElse(null);
            case "due-times" -> {
                int count = limit == null ? USUAL_DUE_TIMES : limit;
                yield of(job, inspector -> inspector.dueTimes(job, count))
                        .map(DueTimesBody::new)
                        .orElse(null);
            }
            case "commands" ->
                of(job, inspector -> inspector.commands(job))
                        .map(CommandsBody::new)
                        .orElse(null);
            case "tree" ->
                of(job, inspector -> inspector.dump(job))
                        .map(text -> new TreeBody(text.lines().toList()))
                        .orElse(null);
            default -> null;
        };
    }

    /**
     * Who would own which items after a resharding under other conditions.
     *
     * @param without the ids of instances, separated by commas
     * @throws IllegalArgumentException when a value can't be used
     * @throws IllegalStateException if the job's state doesn't allow an answer
     */
    @Nullable
    PreviewBody preview(
            String job,
            @Nullable String without,
            @Nullable Integer more,
            @Nullable Integer total,
            @Nullable String strategy) {
        WhatIf question = new WhatIf(
                ids(without == null ? "" : without),
                more == null ? 0 : more,
                Optional.ofNullable(total),
                Optional.ofNullable(strategy));
        return of(job, inspector -> inspector.preview(job, question))
                .map(PreviewBody::of)
                .orElse(null);
    }

    private static SortedSet<String> ids(String text) {
        return Stream.of(text.split(",", -1))
                .map(String::strip)
                .filter(id -> !id.isEmpty())
                .collect(Collectors.toCollection(TreeSet::new));
    }

    /** @throws IllegalArgumentException when the item is no number */
    @Nullable
    ExplanationBody explanation(String job, String item) {
        int number;
        try {
            number = Integer.parseInt(item);
        } catch (NumberFormatException e) {
            throw new IllegalArgumentException(
                    "Expected the number of an item of job \"%s\", but it was \"%s\"".formatted(job, item), e);
        }
        return of(job, inspector -> inspector.explain(job, number))
                .map(ExplanationBody::of)
                .orElse(null);
    }

    /** The context that runs the job knows more than the others. */
    private <T> Optional<T> of(String job, Function<JobInspector, CompletionStage<Optional<T>>> question) {
        List<JobInspector> all = inspectors.get();
        List<JobInspector> here = all.size() < 2
                ? List.of()
                : all.stream()
                        .filter(inspector -> answer(inspector.jobs()).stream()
                                .anyMatch(report -> report.name().equals(job)))
                        .toList();
        return (here.isEmpty() ? all : here)
                .stream()
                        .flatMap(inspector -> answer(question.apply(inspector)).stream())
                        .findFirst();
    }

    <T> T answer(CompletionStage<T> asked) {
        return answer(asked, timeout);
    }

    /** @param longest the time that the answer takes, beside the registry's */
    <T> T answerAfter(Duration longest, CompletionStage<T> asked) {
        return answer(asked, timeout.plus(longest));
    }

    private static <T> T answer(CompletionStage<T> asked, Duration timeout) {
        try {
            return asked.toCompletableFuture().get(timeout.toMillis(), TimeUnit.MILLISECONDS);
        } catch (TimeoutException e) {
            throw new RegistryUnavailableException("The registry did not answer within " + DurationText.of(timeout));
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
            throw new RegistryUnavailableException("Interrupted while waiting for an answer from the registry");
        } catch (ExecutionException e) {
            if (e.getCause() instanceof RuntimeException failure) {
                throw failure;
            }
            throw new CompletionException(e.getCause());
        }
    }
}
