package dev.elasticjob.console.web;

import dev.elasticjob.admin.command.UnknownTargetException;
import dev.elasticjob.console.history.HistoryAwayException;
import dev.elasticjob.console.web.InvalidRequestException.Violation;
import dev.elasticjob.definition.InvalidJobDefinitionException;
import dev.elasticjob.definition.UnreadableDefinitionException;
import dev.elasticjob.registry.RegistryAccessDeniedException;
import dev.elasticjob.registry.RegistryUnavailableException;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.concurrent.CompletionException;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Why there is no answer, as RFC 9457 has it. The code is for programs, the detail for people.
 *
 * @param title of the status
 * @param violations every value that can't be used
 * @param theirs what others have changed in the meantime
 */
public record Problem(
        int status, String code, String title, String detail, List<Violation> violations, Optional<Object> theirs) {
    private static final Logger log = LoggerFactory.getLogger(Problem.class);
    private static final Map<Integer, String> TITLES = Map.of(
            400, "Bad Request",
            401, "Unauthorized",
            403, "Forbidden",
            404, "Not Found",
            405, "Method Not Allowed",
            409, "Conflict",
            413, "Content Too Large",
            415, "Unsupported Media Type",
            500, "Internal Server Error",
            503, "Service Unavailable");

    static Problem of(int status, String code, String detail) {
        return new Problem(status, code, TITLES.getOrDefault(status, "Error"), detail, List.of(), Optional.empty());
    }

    /** What a failure means to the caller. A failure that nobody expected is logged. */
    public static Problem of(Throwable failure) {
        Throwable cause = failure;
        while (cause instanceof CompletionException && cause.getCause() != null) {
            cause = cause.getCause();
        }
        Throwable last = cause;
        return ofValues(last).orElseGet(() -> ofState(last));
    }

    /** Values of the request that can't be used, or are of yesterday. */
    private static Optional<Problem> ofValues(Throwable cause) {
        String text = String.valueOf(cause.getMessage());
        if (cause instanceof InvalidRequestException invalid) {
            return Optional.of(invalid(text, invalid.violations()));
        }
        if (cause instanceof InvalidJobDefinitionException invalid) {
            return Optional.of(invalid(
                    text,
                    invalid.violations().stream()
                            .map(one -> new Violation(one.setting(), one.found(), one.expected()))
                            .toList()));
        }
        if (cause instanceof OutdatedException outdated) {
            return Optional.of(
                    new Problem(409, "CHANGED", "Conflict", text, List.of(), Optional.of(outdated.theirs())));
        }
        return Optional.empty();
    }

    private static Problem ofState(Throwable cause) {
        String text = String.valueOf(cause.getMessage());
        if (cause instanceof UnknownTargetException) {
            return of(404, "UNKNOWN", text);
        }
        if (cause instanceof UnreadableDefinitionException) {
            return of(409, "UNREADABLE", text);
        }
        if (cause instanceof ReadOnlyException) {
            return of(403, "READ_ONLY", text);
        }
        if (cause instanceof RefusedException) {
            return of(409, "REFUSED", text);
        }
        if (cause instanceof RegistryUnavailableException) {
            return of(503, "REGISTRY_UNAVAILABLE", text);
        }
        if (cause instanceof HistoryAwayException) {
            return of(503, "HISTORY_AWAY", text);
        }
        if (cause instanceof RegistryAccessDeniedException) {
            return of(503, "REGISTRY_ACCESS_DENIED", text);
        }
        if (cause instanceof IllegalArgumentException) {
            return of(400, "INVALID", text);
        }
        log.error("The console could not answer a request; the application is not affected", cause);
        return of(500, "FAILED", "The console could not answer. The log of the application says why");
    }

    private static Problem invalid(String text, List<Violation> violations) {
        return new Problem(400, "INVALID", "Bad Request", text, violations, Optional.empty());
    }
}
