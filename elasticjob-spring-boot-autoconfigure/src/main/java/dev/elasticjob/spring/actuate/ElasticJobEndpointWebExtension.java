package dev.elasticjob.spring.actuate;

import dev.elasticjob.registry.RegistryUnavailableException;
import java.util.function.Supplier;
import org.jspecify.annotations.Nullable;
import org.springframework.boot.actuate.endpoint.OperationResponseBody;
import org.springframework.boot.actuate.endpoint.annotation.ReadOperation;
import org.springframework.boot.actuate.endpoint.annotation.Selector;
import org.springframework.boot.actuate.endpoint.web.WebEndpointResponse;
import org.springframework.boot.actuate.endpoint.web.annotation.EndpointWebExtension;

/** The endpoint over HTTP: 404 for an unknown job, and 503 with the reason if the registry doesn't answer. */
@EndpointWebExtension(endpoint = ElasticJobEndpoint.class)
public final class ElasticJobEndpointWebExtension {
    private final ElasticJobEndpoint endpoint;

    ElasticJobEndpointWebExtension(ElasticJobEndpoint endpoint) {
        this.endpoint = endpoint;
    }

    @ReadOperation
    public WebEndpointResponse<OperationResponseBody> jobs() {
        return response(endpoint::jobs);
    }

    @ReadOperation
    public WebEndpointResponse<OperationResponseBody> job(@Selector String job) {
        return response(() -> endpoint.job(job));
    }

    private static WebEndpointResponse<OperationResponseBody> response(
            Supplier<? extends @Nullable OperationResponseBody> asked) {
        try {
            OperationResponseBody body = asked.get();
            return body == null
                    ? new WebEndpointResponse<>(WebEndpointResponse.STATUS_NOT_FOUND)
                    : new WebEndpointResponse<>(body);
        } catch (RegistryUnavailableException e) {
            return new WebEndpointResponse<>(
                    new ErrorBody(String.valueOf(e.getMessage())), WebEndpointResponse.STATUS_SERVICE_UNAVAILABLE);
        }
    }

    /** The reason why there is no answer. */
    public record ErrorBody(String error) implements OperationResponseBody {}
}
