package dev.elasticjob.spring.actuate;

import dev.elasticjob.registry.RegistryUnavailableException;
import dev.elasticjob.spring.history.HistoryUnavailableException;
import java.time.Instant;
import java.util.function.Supplier;
import org.jspecify.annotations.Nullable;
import org.springframework.boot.actuate.endpoint.OperationResponseBody;
import org.springframework.boot.actuate.endpoint.annotation.ReadOperation;
import org.springframework.boot.actuate.endpoint.annotation.Selector;
import org.springframework.boot.actuate.endpoint.web.WebEndpointResponse;
import org.springframework.boot.actuate.endpoint.web.annotation.EndpointWebExtension;

/**
 * The endpoint over HTTP: 404 for what isn't there, 400 for a parameter that can't be understood, 503 with the reason when the
 * registry or the database of the history can't be asked.
 */
@EndpointWebExtension(endpoint = ElasticJobEndpoint.class)
public final class ElasticJobEndpointWebExtension {
    private final ElasticJobEndpoint endpoint;

    ElasticJobEndpointWebExtension(ElasticJobEndpoint endpoint) {
        this.endpoint = endpoint;
    }

    @ReadOperation
    public WebEndpointResponse<OperationResponseBody> jobs(
            @Nullable String scope, @Nullable String name, @Nullable String status, @Nullable String after) {
        return response(() -> endpoint.jobs(scope, name, status, after));
    }

    @ReadOperation
    public WebEndpointResponse<OperationResponseBody> job(@Selector String job) {
        return response(() -> endpoint.job(job));
    }

    @ReadOperation
    public WebEndpointResponse<OperationResponseBody> view(
            @Selector String job,
            @Selector String view,
            @Nullable Integer item,
            @Nullable String runId,
            @Nullable String outcome,
            @Nullable Instant from,
            @Nullable Instant until,
            @Nullable String after,
            @Nullable Integer limit) {
        return response(() -> endpoint.view(job, view, item, runId, outcome, from, until, after, limit));
    }

    @ReadOperation
    public WebEndpointResponse<OperationResponseBody> entry(
            @Selector String job, @Selector String view, @Selector String id) {
        return response(() -> endpoint.entry(job, view, id));
    }

    private static WebEndpointResponse<OperationResponseBody> response(
            Supplier<? extends @Nullable OperationResponseBody> asked) {
        try {
            OperationResponseBody body = asked.get();
            return body == null
                    ? new WebEndpointResponse<>(WebEndpointResponse.STATUS_NOT_FOUND)
                    : new WebEndpointResponse<>(body);
        } catch (RegistryUnavailableException | HistoryUnavailableException e) {
            return error(e, WebEndpointResponse.STATUS_SERVICE_UNAVAILABLE);
        } catch (IllegalArgumentException e) {
            return error(e, WebEndpointResponse.STATUS_BAD_REQUEST);
        }
    }

    private static WebEndpointResponse<OperationResponseBody> error(RuntimeException reason, int status) {
        return new WebEndpointResponse<>(new ErrorBody(String.valueOf(reason.getMessage())), status);
    }

    /** The reason why there is no answer. */
    public record ErrorBody(String error) implements OperationResponseBody {}
}
