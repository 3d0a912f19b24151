package dev.elasticjob.spring.actuate;

import dev.elasticjob.admin.JobInspector;
import dev.elasticjob.admin.JobReport;
import dev.elasticjob.group.GroupInspector;
import dev.elasticjob.group.GroupReport;
import dev.elasticjob.registry.RegistryUnavailableException;
import dev.elasticjob.spring.actuate.HistoryBody.ExecutionBody;
import dev.elasticjob.spring.actuate.JobsBody.JobWithItemsBody;
import dev.elasticjob.time.DurationText;
import java.time.Duration;
import java.time.Instant;
import java.util.Comparator;
import java.util.List;
import java.util.concurrent.CompletionException;
import java.util.concurrent.CompletionStage;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.TimeoutException;
import java.util.function.Supplier;
import org.jspecify.annotations.Nullable;
import org.springframework.boot.actuate.endpoint.Access;
import org.springframework.boot.actuate.endpoint.OperationResponseBody;
import org.springframework.boot.actuate.endpoint.annotation.Endpoint;
import org.springframework.boot.actuate.endpoint.annotation.ReadOperation;
import org.springframework.boot.actuate.endpoint.annotation.Selector;

/** Shows the jobs of this application. Each call reads the registry. */
@Endpoint(id = "elasticjob", defaultAccess = Access.READ_ONLY)
public final class ElasticJobEndpoint {
    private final Supplier<List<JobInspector>> inspectors;
    private final Supplier<List<GroupInspector>> groups;
    private final HistoryOperations history;
    private final Duration timeout;

    /**
     * @param inspectors one for each context of the application that has jobs
     * @param groups the same for groups
     * @param history of the application's jobs
     * @param timeout how long a call waits for the registry
     */
    ElasticJobEndpoint(
            Supplier<List<JobInspector>> inspectors,
            Supplier<List<GroupInspector>> groups,
            HistoryOperations history,
            Duration timeout) {
        this.inspectors = inspectors;
        this.groups = groups;
        this.history = history;
        this.timeout = timeout;
    }

    /** @throws RegistryUnavailableException if the registry doesn't answer in time */
    @ReadOperation
    public JobsBody jobs() {
        return JobsBody.of(
                inspectors.get().stream()
                        .flatMap(inspector -> answer(inspector.jobs()).stream())
                        .sorted(Comparator.comparing(JobReport::name))
                        .toList(),
                groups.get().stream()
                        .flatMap(inspector -> answer(inspector.groups()).stream())
                        .sorted(Comparator.comparing(GroupReport::group))
                        .toList());
    }

    /**
     * Returns null if this application has no such job, which the Actuator answers with 404.
     *
     * @throws RegistryUnavailableException if the registry doesn't answer in time
     */
    @ReadOperation
    public @Nullable JobWithItemsBody job(@Selector String job) {
        return inspectors.get().stream()
                .flatMap(inspector -> answer(inspector.job(job)).stream())
                .findFirst()
                .map(JobWithItemsBody::of)
                .orElse(null);
    }

    /**
     * The history of a job: entries with the view "history", and with "runs" its runs as a grid of which "limit" says how
     * many. Null for any other view, and without an event trace, which the Actuator answers with 404.
     *
     * @param outcome one or several, separated by commas
     * @param after the value of "next" in the answer before
     * @throws IllegalArgumentException when a value can't be understood
     */
    @ReadOperation
    public @Nullable OperationResponseBody view(
            @Selector String job,
            @Selector String view,
            @Nullable Integer item,
            @Nullable String runId,
            @Nullable String outcome,
            @Nullable Instant from,
            @Nullable Instant until,
            @Nullable String after,
            @Nullable Integer limit) {
        return history.view(job, view, new HistoryOperations.Filter(item, runId, outcome, from, until, after, limit));
    }

    /** An entry of the view "history", with the whole text of its failure and its steps. Null if there is none. */
    @ReadOperation
    public @Nullable ExecutionBody entry(@Selector String job, @Selector String view, @Selector String id) {
        return history.entry(job, view, id);
    }

    private <T> T answer(CompletionStage<T> asked) {
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
