package dev.elasticjob.spring.actuate;

import dev.elasticjob.admin.command.DefinitionChangedException;
import dev.elasticjob.admin.command.UnknownTargetException;
import dev.elasticjob.definition.InvalidJobDefinitionException;
import dev.elasticjob.definition.InvalidJobDefinitionException.Violation;
import dev.elasticjob.registry.RegistryUnavailableException;
import dev.elasticjob.spring.history.HistoryUnavailableException;
import java.security.Principal;
import java.time.Instant;
import java.util.List;
import java.util.Map;
import java.util.function.Supplier;
import org.jspecify.annotations.Nullable;
import org.springframework.boot.actuate.endpoint.OperationResponseBody;
import org.springframework.boot.actuate.endpoint.SecurityContext;
import org.springframework.boot.actuate.endpoint.annotation.ReadOperation;
import org.springframework.boot.actuate.endpoint.annotation.Selector;
import org.springframework.boot.actuate.endpoint.annotation.WriteOperation;
import org.springframework.boot.actuate.endpoint.web.WebEndpointResponse;
import org.springframework.boot.actuate.endpoint.web.annotation.EndpointWebExtension;

/**
 * The endpoint over HTTP: 404 for what isn't there, 400 for a parameter that can't be understood, 409 for a command that the
 * job's state doesn't allow, and 503 with the reason when the registry or the database of the history can't be asked.
 */
@EndpointWebExtension(endpoint = ElasticJobEndpoint.class)
public final class ElasticJobEndpointWebExtension {
    private static final int STATUS_CONFLICT = 409;

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
            @Nullable Integer limit,
            @Nullable String without,
            @Nullable Integer more,
            @Nullable Integer total,
            @Nullable String strategy) {
        return response(() -> endpoint.view(
                job, view, item, runId, outcome, from, until, after, limit, without, more, total, strategy));
    }

    @ReadOperation
    public WebEndpointResponse<OperationResponseBody> entry(
            @Selector String job, @Selector String view, @Selector String id) {
        return response(() -> endpoint.entry(job, view, id));
    }

    /** The actor is the user of the request. */
    @WriteOperation
    public WebEndpointResponse<OperationResponseBody> command(
            SecurityContext security,
            @Selector String job,
            @Selector String command,
            @Nullable String reason,
            @Nullable String runId,
            @Nullable String newRunId,
            @Nullable Instant from,
            @Nullable Instant until,
            @Nullable Integer atOnce,
            @Nullable String parameter,
            @Nullable String items,
            @Nullable Integer item,
            @Nullable String server,
            @Nullable String instance,
            @Nullable String version,
            @Nullable String settings) {
        return response(() -> endpoint.command(
                actor(security),
                job,
                command,
                new JobCommands.Arguments(
                        reason, runId, newRunId, from, until, atOnce, parameter, items, item, server, instance, version,
                        settings)));
    }

    /** For all jobs of the namespace. The actor is the user of the request. */
    @WriteOperation
    public WebEndpointResponse<OperationResponseBody> commandForAll(
            SecurityContext security, @Selector String command, @Nullable String reason, @Nullable String instance) {
        return response(() -> endpoint.commandForAll(actor(security), command, reason, instance));
    }

    private static String actor(SecurityContext security) {
        Principal user = security.getPrincipal();
        return user == null || user.getName() == null ? "anonymous" : user.getName();
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
        } catch (UnknownTargetException e) {
            return error(e, WebEndpointResponse.STATUS_NOT_FOUND);
        } catch (DefinitionChangedException e) {
            return new WebEndpointResponse<>(
                    new ConflictBody(text(e), e.newer().version(), e.newer().settings()), STATUS_CONFLICT);
        } catch (InvalidJobDefinitionException e) {
            return new WebEndpointResponse<>(
                    new ViolationsBody(text(e), e.violations()), WebEndpointResponse.STATUS_BAD_REQUEST);
        } catch (IllegalArgumentException e) {
            return error(e, WebEndpointResponse.STATUS_BAD_REQUEST);
        } catch (IllegalStateException e) {
            return error(e, STATUS_CONFLICT);
        }
    }

    private static WebEndpointResponse<OperationResponseBody> error(RuntimeException reason, int status) {
        return new WebEndpointResponse<>(new ErrorBody(text(reason)), status);
    }

    private static String text(RuntimeException reason) {
        return String.valueOf(reason.getMessage());
    }

    /** The reason why there is no answer. */
    public record ErrorBody(String error) implements OperationResponseBody {}

    /** Somebody else has changed the definition: what it is now. */
    public record ConflictBody(String error, String version, Map<String, Object> settings)
            implements OperationResponseBody {}

    /** Every setting that can't be used. */
    public record ViolationsBody(String error, List<Violation> violations) implements OperationResponseBody {}
}
