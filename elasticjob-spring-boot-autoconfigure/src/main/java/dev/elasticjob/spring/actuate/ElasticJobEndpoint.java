package dev.elasticjob.spring.actuate;

import dev.elasticjob.admin.JobInspector;
import dev.elasticjob.registry.RegistryUnavailableException;
import dev.elasticjob.spring.actuate.JobsBody.JobWithItemsBody;
import dev.elasticjob.time.DurationText;
import java.time.Duration;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.CompletionException;
import java.util.concurrent.CompletionStage;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.TimeoutException;
import java.util.function.Supplier;
import org.jspecify.annotations.Nullable;
import org.springframework.boot.actuate.endpoint.Access;
import org.springframework.boot.actuate.endpoint.annotation.Endpoint;
import org.springframework.boot.actuate.endpoint.annotation.ReadOperation;
import org.springframework.boot.actuate.endpoint.annotation.Selector;

/** The jobs of this application as they stand in the registry, which each call asks. */
@Endpoint(id = "elasticjob", defaultAccess = Access.READ_ONLY)
public final class ElasticJobEndpoint {
    private final Supplier<Optional<JobInspector>> inspector;
    private final Duration timeout;

    /**
     * @param inspector empty when the application has no jobs
     * @param timeout how long a call waits for the registry
     */
    ElasticJobEndpoint(Supplier<Optional<JobInspector>> inspector, Duration timeout) {
        this.inspector = inspector;
        this.timeout = timeout;
    }

    /** @throws RegistryUnavailableException when the registry can't be asked or gives no answer in time */
    @ReadOperation
    public JobsBody jobs() {
        return JobsBody.of(
                inspector.get().map(present -> answer(present.jobs())).orElse(List.of()));
    }

    /**
     * Null when this application has no such job, which the Actuator answers with 404.
     *
     * @throws RegistryUnavailableException when the registry can't be asked or gives no answer in time
     */
    @ReadOperation
    public @Nullable JobWithItemsBody job(@Selector String job) {
        return inspector
                .get()
                .flatMap(present -> answer(present.job(job)))
                .map(JobWithItemsBody::of)
                .orElse(null);
    }

    private <T> T answer(CompletionStage<T> asked) {
        try {
            return asked.toCompletableFuture().get(timeout.toMillis(), TimeUnit.MILLISECONDS);
        } catch (TimeoutException e) {
            throw new RegistryUnavailableException("The registry did not answer within " + DurationText.of(timeout));
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
            throw new RegistryUnavailableException("Interrupted while waiting for an answer of the registry");
        } catch (ExecutionException e) {
            if (e.getCause() instanceof RuntimeException failure) {
                throw failure;
            }
            throw new CompletionException(e.getCause());
        }
    }
}
