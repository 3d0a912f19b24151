package dev.elasticjob.spring.actuate;

import dev.elasticjob.admin.AppWatch;
import dev.elasticjob.admin.GroupWatch;
import dev.elasticjob.admin.JobInspector;
import dev.elasticjob.admin.JobInspector.DueTimes;
import dev.elasticjob.admin.JobPage;
import dev.elasticjob.admin.JobReport;
import dev.elasticjob.admin.command.UnknownTargetException;
import dev.elasticjob.admin.explain.WhatIf;
import dev.elasticjob.definition.text.NamePatterns;
import dev.elasticjob.registry.RegistryUnavailableException;
import dev.elasticjob.spring.actuate.JobsBody.JobWithItemsBody;
import dev.elasticjob.spring.actuate.NamespaceBody.AttentionBody;
import dev.elasticjob.spring.actuate.NamespaceBody.CommandsBody;
import dev.elasticjob.spring.actuate.NamespaceBody.DemandBody;
import dev.elasticjob.spring.actuate.NamespaceBody.DueTimesBody;
import dev.elasticjob.spring.actuate.NamespaceBody.ExplanationBody;
import dev.elasticjob.spring.actuate.NamespaceBody.InstancesBody;
import dev.elasticjob.spring.actuate.NamespaceBody.PageBody;
import dev.elasticjob.spring.actuate.NamespaceBody.PreviewBody;
import dev.elasticjob.spring.actuate.NamespaceBody.ServersBody;
import dev.elasticjob.spring.actuate.NamespaceBody.TreeBody;
import dev.elasticjob.time.DurationText;
import java.time.Duration;
import java.util.Comparator;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.CompletionException;
import java.util.concurrent.CompletionStage;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.TimeoutException;
import java.util.function.Function;
import java.util.function.Supplier;
import org.springframework.boot.actuate.endpoint.OperationResponseBody;

/**
 * What the endpoint answers about jobs, from the registry. Fails with an {@link UnknownTargetException} where nothing is
 * there. Thread-safe; waits for the registry's answer up to the timeout.
 *
 * @param inspectors one for each context of the application that has jobs
 * @param groups those of dynamic sharding
 * @param apps those of Kubernetes
 */
record JobQuestions(Supplier<List<JobInspector>> inspectors, GroupWatch groups, AppWatch apps, Duration timeout) {
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
    OperationResponseBody namespace(String scope, JobPage.Query query) {
        Optional<JobInspector> first = inspectors.get().stream().findFirst();
        return switch (scope) {
            case "namespace" ->
                PageBody.of(first.map(inspector -> answer(inspector.page(query)))
                        .orElseGet(() -> new JobPage(List.of(), 0, Optional.empty(), Optional.empty())));
            case "servers" ->
                ServersBody.of(
                        first.map(inspector -> answer(inspector.servers())).orElse(List.of()));
            case "attention" ->
                AttentionBody.of(
                        first.map(inspector -> answer(inspector.attention())).orElse(List.of()),
                        answer(groups.look()),
                        answer(apps.look()));
            default ->
                throw new IllegalArgumentException(
                        ("Expected \"scope\" to be \"application\", \"namespace\", \"servers\", \"attention\" or"
                                        + " \"demand\", but it was \"%s\"")
                                .formatted(scope));
        };
    }

    /** What is to be done in all jobs of the namespace whose names match. */
    DemandBody demand(NamePatterns jobs) {
        return inspectors.get().stream()
                .findFirst()
                .map(inspector -> DemandBody.of(answer(inspector.demandOf(jobs))))
                .orElseThrow(() -> new RegistryUnavailableException(
                        "This application has no jobs, so it reads no registry; ask another one"));
    }

    JobWithItemsBody job(String job) {
        return JobWithItemsBody.of(known(job, inspector -> inspector.job(job)));
    }

    InstancesBody instances(String job) {
        return InstancesBody.of(known(job, inspector -> inspector.instances(job)));
    }

    DueTimesBody dueTimes(String job, int count) {
        DueTimes due = known(job, inspector -> inspector.dueTimes(job, count));
        return new DueTimesBody(due.times(), due.leftOut());
    }

    CommandsBody commands(String job) {
        return new CommandsBody(known(job, inspector -> inspector.commands(job)));
    }

    TreeBody tree(String job) {
        return new TreeBody(known(job, inspector -> inspector.dump(job)).lines().toList());
    }

    /**
     * Who would own which items after a resharding under other conditions.
     *
     * @throws IllegalStateException if the job's state doesn't allow an answer
     */
    PreviewBody preview(String job, WhatIf question) {
        return PreviewBody.of(known(job, inspector -> inspector.preview(job, question)));
    }

    ExplanationBody explanation(String job, int item) {
        return of(job, inspector -> inspector.explain(job, item))
                .map(ExplanationBody::of)
                .orElseThrow(() -> new UnknownTargetException(
                        "There is no item %d of a job \"%s\" in the registry".formatted(item, job)));
    }

    private <T> T known(String job, Function<JobInspector, CompletionStage<Optional<T>>> question) {
        return of(job, question)
                .orElseThrow(() -> new UnknownTargetException("There is no job \"%s\" in the registry".formatted(job)));
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
        return answerAfter(Duration.ZERO, asked);
    }

    /** @param longest the time that the answer takes, beside the registry's */
    <T> T answerAfter(Duration longest, CompletionStage<T> asked) {
        Duration limit = timeout.plus(longest);
        return within(limit, asked)
                .orElseThrow(() -> new RegistryUnavailableException(
                        "The registry did not answer within " + DurationText.of(limit)));
    }

    /** @param late what is answered if it takes longer than half the registry's time */
    <T> T answerOr(T late, CompletionStage<T> asked) {
        return within(timeout.dividedBy(2), asked).orElse(late);
    }

    /** Empty if it takes longer. */
    private static <T> Optional<T> within(Duration limit, CompletionStage<T> asked) {
        try {
            return Optional.of(asked.toCompletableFuture().get(limit.toMillis(), TimeUnit.MILLISECONDS));
        } catch (TimeoutException e) {
            return Optional.empty();
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
