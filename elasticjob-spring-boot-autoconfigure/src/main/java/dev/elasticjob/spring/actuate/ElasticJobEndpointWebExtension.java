package dev.elasticjob.spring.actuate;

import com.fasterxml.jackson.annotation.JsonInclude;
import com.fasterxml.jackson.annotation.JsonInclude.Include;
import dev.elasticjob.admin.command.DefinitionChangedException;
import dev.elasticjob.admin.command.UnknownTargetException;
import dev.elasticjob.admin.command.VersionedDefinition;
import dev.elasticjob.admin.table.GivenArguments;
import dev.elasticjob.admin.table.InvalidArgumentsException;
import dev.elasticjob.definition.InvalidJobDefinitionException;
import dev.elasticjob.definition.InvalidJobDefinitionException.Violation;
import dev.elasticjob.registry.RegistryUnavailableException;
import dev.elasticjob.spring.history.HistoryUnavailableException;
import java.security.Principal;
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
 * The endpoint over HTTP: 404 for what isn't there, 400 for values that can't be understood or that nobody takes, 409 for a
 * command that the job's state doesn't allow, and 503 when the registry or the database of the history can't be asked. Each
 * of these has a {@link ProblemBody}.
 *
 * <p>A value of the request replaces one of the path that has the same name, before it can be seen. So no value has the name
 * of a part of the path.
 */
@EndpointWebExtension(endpoint = ElasticJobEndpoint.class)
public final class ElasticJobEndpointWebExtension {
    private static final int STATUS_CONFLICT = 409;

    private final ElasticJobEndpoint endpoint;

    ElasticJobEndpointWebExtension(ElasticJobEndpoint endpoint) {
        this.endpoint = endpoint;
    }

    @ReadOperation
    public WebEndpointResponse<OperationResponseBody> jobs(GivenArguments given) {
        return response(() -> endpoint.jobs(given));
    }

    @ReadOperation
    public WebEndpointResponse<OperationResponseBody> job(@Selector String jobInPath, GivenArguments given) {
        return response(() -> endpoint.job(jobInPath, given));
    }

    @ReadOperation
    public WebEndpointResponse<OperationResponseBody> view(
            @Selector String jobInPath, @Selector String viewInPath, GivenArguments given) {
        return response(() -> endpoint.view(jobInPath, viewInPath, given));
    }

    @ReadOperation
    public WebEndpointResponse<OperationResponseBody> entry(
            @Selector String jobInPath, @Selector String viewInPath, @Selector String idInPath, GivenArguments given) {
        return response(() -> endpoint.entry(jobInPath, viewInPath, idInPath, given));
    }

    /** The actor is the user of the request. */
    @WriteOperation
    public WebEndpointResponse<OperationResponseBody> command(
            SecurityContext security,
            @Selector String jobInPath,
            @Selector String commandInPath,
            GivenArguments given) {
        return response(() -> endpoint.command(actor(security), jobInPath, commandInPath, given));
    }

    /** For all jobs of the namespace. The actor is the user of the request. */
    @WriteOperation
    public WebEndpointResponse<OperationResponseBody> commandForAll(
            SecurityContext security, @Selector String commandInPath, GivenArguments given) {
        return response(() -> endpoint.commandForAll(actor(security), commandInPath, given));
    }

    private static String actor(SecurityContext security) {
        Principal user = security.getPrincipal();
        return user == null || user.getName() == null ? "anonymous" : user.getName();
    }

    private static WebEndpointResponse<OperationResponseBody> response(Supplier<OperationResponseBody> asked) {
        try {
            return new WebEndpointResponse<>(asked.get());
        } catch (RegistryUnavailableException | HistoryUnavailableException e) {
            return problem(e, WebEndpointResponse.STATUS_SERVICE_UNAVAILABLE, List.of());
        } catch (UnknownTargetException e) {
            return problem(e, WebEndpointResponse.STATUS_NOT_FOUND, List.of());
        } catch (DefinitionChangedException e) {
            VersionedDefinition newer = e.newer();
            return new WebEndpointResponse<>(
                    new ProblemBody(text(e), List.of(), newer.version(), newer.settings()), STATUS_CONFLICT);
        } catch (InvalidJobDefinitionException e) {
            return problem(e, WebEndpointResponse.STATUS_BAD_REQUEST, e.violations());
        } catch (InvalidArgumentsException e) {
            return problem(e, WebEndpointResponse.STATUS_BAD_REQUEST, e.violations());
        } catch (IllegalArgumentException e) {
            return problem(e, WebEndpointResponse.STATUS_BAD_REQUEST, List.of());
        } catch (IllegalStateException e) {
            return problem(e, STATUS_CONFLICT, List.of());
        }
    }

    private static WebEndpointResponse<OperationResponseBody> problem(
            RuntimeException reason, int status, List<Violation> violations) {
        return new WebEndpointResponse<>(new ProblemBody(text(reason), violations, null, null), status);
    }

    private static String text(RuntimeException reason) {
        return String.valueOf(reason.getMessage());
    }

    /**
     * Why a request has no other answer.
     *
     * @param error the whole reason, for people
     * @param violations every value that can't be used; empty if the reason is another one
     * @param version of a definition that somebody else has changed, as it is now
     * @param settings of that definition
     */
    @JsonInclude(Include.NON_NULL)
    public record ProblemBody(
            String error,
            List<Violation> violations,
            @Nullable String version,
            @Nullable Map<String, Object> settings) implements OperationResponseBody {}
}
