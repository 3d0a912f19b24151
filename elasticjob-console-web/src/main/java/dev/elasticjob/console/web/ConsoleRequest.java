package dev.elasticjob.console.web;

import java.nio.charset.StandardCharsets;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.function.Supplier;
import org.springframework.util.StringUtils;

/**
 * What the console looks at in a request. Immutable.
 *
 * @param path below the console's own path, still encoded: empty, or beginning with a slash
 * @param query the undecoded query string, empty if there is none
 * @param headers those of {@link #HEADERS} that the request has, by their names
 * @param caller the authenticated user; empty if there is none
 * @param body of a request that writes: all of it, or one byte more than {@link #MOST_BYTES}. Nobody changes it
 * @param csrf reads the host's token, which may begin a session. Called on the thread that handles the request
 */
public record ConsoleRequest(
        String method,
        String path,
        String query,
        Map<String, String> headers,
        Optional<Caller> caller,
        byte[] body,
        Supplier<Optional<CsrfToken>> csrf) {
    /** The headers that the console looks at, in lower case. */
    public static final List<String> HEADERS = List.of(
            "if-none-match", "if-match", "prefer", "content-type", "accept-encoding", "x-elasticjob", "sec-fetch-site");

    /** The only address whose answer has the host's token. */
    public static final String SESSION = "/api/v1/session";

    /** The most bytes of a body that is understood. */
    public static final int MOST_BYTES = WriteCheck.MOST_BYTES;

    public ConsoleRequest {
        headers = Map.copyOf(headers);
    }

    /** @param name in lower case */
    public Optional<String> header(String name) {
        return Optional.ofNullable(headers.get(name));
    }

    /**
     * The parameters of the query, decoded; of several of one name, the last.
     *
     * @throws IllegalArgumentException if a percent sign begins no valid escape
     */
    Map<String, String> parameters() {
        Map<String, String> parameters = new LinkedHashMap<>();
        for (String part : query.split("&")) {
            int sign = part.indexOf('=');
            String name = sign < 0 ? part : part.substring(0, sign);
            if (!name.isEmpty()) {
                parameters.put(decoded(name), sign < 0 ? "" : decoded(part.substring(sign + 1)));
            }
        }
        return parameters;
    }

    private static String decoded(String text) {
        return StringUtils.uriDecode(text.replace('+', ' '), StandardCharsets.UTF_8);
    }
}
