package dev.elasticjob.definition;

import dev.elasticjob.definition.InvalidJobDefinitionException.Violation;
import dev.elasticjob.definition.text.HttpOrigin;
import dev.elasticjob.time.WrittenDuration;
import java.net.URI;
import java.net.URISyntaxException;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Collections;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Objects;
import java.util.Optional;
import java.util.Set;
import java.util.TreeMap;
import java.util.function.UnaryOperator;
import java.util.regex.Pattern;

/**
 * The request that an HTTP job sends for each item. Immutable. {@link JobDefinition} validates it; until then, it may
 * be invalid.
 *
 * <p>The body and the values of headers may be secrets, so {@link #toString()} and error messages don't contain them.
 *
 * @param uri absolute, {@code http} or {@code https}
 * @param method in upper case
 * @param body the body, sent as UTF-8; empty for none
 * @param contentType the media type of the body; empty to send none
 * @param headers further headers, in order
 * @param connectTimeout the timeout for establishing the connection
 * @param responseTimeout the timeout for the whole exchange, from the connection to the last byte of the response
 */
public record HttpRequestSettings(
        String uri,
        String method,
        String body,
        String contentType,
        Map<String, String> headers,
        Duration connectTimeout,
        Duration responseTimeout) {
    /** The header that carries the item's context. ElasticJob 3 uses the same name. */
    public static final String CONTEXT_HEADER = "shardingContext";

    public static final String DEFAULT_METHOD = "GET";
    public static final Duration DEFAULT_CONNECT_TIMEOUT = Duration.ofSeconds(3);
    public static final Duration DEFAULT_RESPONSE_TIMEOUT = Duration.ofSeconds(5);

    private static final Pattern METHOD = Pattern.compile("[A-Z][A-Z-]*");
    private static final Pattern TOKEN = Pattern.compile("[A-Za-z0-9!#$%&'*+.^_`|~-]+");
    private static final Pattern VALUE = Pattern.compile("[\\t\\x20-\\x7e]*");
    private static final Set<String> SET_BY_CLIENT =
            Set.of("connection", "content-length", "expect", "host", "transfer-encoding", "upgrade");

    public HttpRequestSettings {
        headers = Collections.unmodifiableMap(new LinkedHashMap<>(headers));
    }

    /** A request without body and headers, with the default method and timeouts. */
    public static HttpRequestSettings of(String uri) {
        return new HttpRequestSettings(
                uri, DEFAULT_METHOD, "", "", Map.of(), DEFAULT_CONNECT_TIMEOUT, DEFAULT_RESPONSE_TIMEOUT);
    }

    /** Without a URI, it is invalid. */
    static HttpRequestSettings read(SettingSource source) {
        HttpRequestSettings other = source.base().flatMap(JobDefinition::http).orElseGet(() -> of(""));
        return new HttpRequestSettings(
                source.text("http.uri").orElse(other.uri),
                source.text("http.method").orElse(other.method),
                source.text("http.body").orElse(other.body),
                source.text("http.contentType").orElse(other.contentType),
                source.texts("http.headers").orElse(other.headers),
                source.duration("http.connectTimeout").orElse(other.connectTimeout),
                source.duration("http.responseTimeout").orElse(other.responseTimeout));
    }

    /** Returns a copy with another method and body. */
    public HttpRequestSettings withBody(String newMethod, String newBody, String newContentType) {
        return new HttpRequestSettings(
                uri, newMethod, newBody, newContentType, headers, connectTimeout, responseTimeout);
    }

    /** Returns a copy in which these headers replace the present ones. */
    public HttpRequestSettings withHeaders(Map<String, String> newHeaders) {
        return new HttpRequestSettings(uri, method, body, contentType, newHeaders, connectTimeout, responseTimeout);
    }

    /** Returns a copy with other timeouts. */
    public HttpRequestSettings withTimeouts(Duration newConnectTimeout, Duration newResponseTimeout) {
        return new HttpRequestSettings(uri, method, body, contentType, headers, newConnectTimeout, newResponseTimeout);
    }

    /**
     * Returns a copy whose body and values of headers have no references any more. A reference is replaced only in a
     * header or body that this instance declares itself, and only if the request goes to the host that it declares.
     * Otherwise, a change of the stored request would be enough to read an instance's secrets.
     *
     * @param declared the request as this instance declares it
     * @param resolve replaces the references in a text; throws an {@link IllegalArgumentException} if one has no value,
     *     whose message names the reference and contains no value
     * @throws IllegalArgumentException if a reference has no value, or one that a header can't have, or may not be
     *     replaced; names the header, and contains no value
     */
    public HttpRequestSettings resolved(HttpRequestSettings declared, UnaryOperator<String> resolve) {
        Map<String, String> values = new LinkedHashMap<>();
        headers.forEach((name, value) -> {
            String what = "header \"%s\"".formatted(name);
            String resolved = resolved(what, value, declared.headers().getOrDefault(name, ""), declared, resolve);
            if (!VALUE.matcher(resolved).matches()) {
                throw new IllegalArgumentException(
                        "Expected a reference in the %s to have a value of printable ASCII, but it has another character; correct the property on this instance"
                                .formatted(what));
            }
            values.put(name, resolved);
        });
        String sent = resolved("body", body, declared.body(), declared, resolve);
        return withHeaders(values).withBody(method, sent, contentType);
    }

    private String resolved(
            String what, String text, String own, HttpRequestSettings declared, UnaryOperator<String> resolve) {
        String resolved;
        try {
            resolved = resolve.apply(text);
        } catch (IllegalArgumentException e) {
            // Without the cause, whose own causes may contain more than the name of the reference.
            throw new IllegalArgumentException(
                    "The %s of the request can't be sent. %s".formatted(what, e.getMessage()));
        }
        boolean same = text.equals(own);
        if (!resolved.equals(text) && !(same && origin().equals(declared.origin()))) {
            throw new IllegalArgumentException(
                    "Expected the %s of the request, which refers to a secret, to be sent as this instance declares it, but the registry has another %s; declare the new one on this instance too, or restore the old one with overwrite=true"
                            .formatted(what, same ? "host" : "text"));
        }
        return resolved;
    }

    /** The scheme, host and port that the request is sent to. Call it for a valid request only. */
    public HttpOrigin origin() {
        return HttpOrigin.of(uri);
    }

    /** The violations, in the order of the settings. */
    List<Violation> violations() {
        List<Violation> found = new ArrayList<>();
        uriFault().ifPresent(fault -> found.add(new Violation("http.uri", uri, fault)));
        if (!METHOD.matcher(method).matches() || method.equals("CONNECT")) {
            found.add(new Violation(
                    "http.method", method, "expected a method in upper case, such as GET or POST, but not CONNECT"));
        }
        if (!VALUE.matcher(contentType).matches()) {
            found.add(new Violation("http.contentType", contentType, "expected a media type such as application/json"));
        }
        headers.forEach((name, value) ->
                headerFaults(name, value).forEach(fault -> found.add(new Violation("http.headers", name, fault))));
        timeout(found, "http.connectTimeout", connectTimeout);
        timeout(found, "http.responseTimeout", responseTimeout);
        return found;
    }

    private Optional<String> uriFault() {
        try {
            URI parsed = new URI(uri);
            String scheme = String.valueOf(parsed.getScheme()).toLowerCase(Locale.ROOT);
            if (!Set.of("http", "https").contains(scheme) || parsed.getHost() == null) {
                return Optional.of("expected an absolute URI such as https://billing.example.com/close-day");
            }
            return parsed.getRawUserInfo() == null
                    ? Optional.empty()
                    : Optional.of(
                            "the URI is displayed and must not contain a user and password; send them in a header");
        } catch (URISyntaxException e) {
            return Optional.of("expected an absolute URI (%s)".formatted(e.getReason()));
        }
    }

    private static List<String> headerFaults(String name, String value) {
        List<String> faults = new ArrayList<>();
        String lowerCase = name.toLowerCase(Locale.ROOT);
        if (!TOKEN.matcher(name).matches()) {
            faults.add("the name of a header may contain only letters, digits and -_.!#$%&'*+^`|~");
        } else if (SET_BY_CLIENT.contains(lowerCase)) {
            faults.add("the HTTP client sets this header itself; remove it");
        } else if (lowerCase.equals("content-type")) {
            faults.add("set http.contentType instead");
        } else if (name.equalsIgnoreCase(CONTEXT_HEADER)) {
            faults.add("the job's context is sent in this header; choose another name");
        }
        if (!VALUE.matcher(value).matches()) {
            faults.add("its value, which isn't shown, contains a character that is not printable ASCII");
        }
        return faults;
    }

    private static void timeout(List<Violation> found, String setting, Duration timeout) {
        if (timeout.compareTo(Duration.ofMillis(1)) < 0 || timeout.compareTo(Duration.ofDays(1)) > 0) {
            found.add(new Violation(setting, WrittenDuration.of(timeout), "expected a duration from 1 ms to 1 day"));
        }
    }

    /** Each setting by its name, with the text that may be shown for it: of headers, only the names; of the body, none. */
    public Map<String, Shown> shown() {
        Map<String, Shown> shown = new LinkedHashMap<>();
        shown.put("uri", Shown.open(uri));
        shown.put("method", Shown.open(method));
        shown.put("body", new Shown(body, body.isEmpty() ? "" : "(not shown)"));
        shown.put("contentType", Shown.open(contentType));
        shown.put("headers", new Shown(new TreeMap<>(headers), headers.keySet() + ", values not shown"));
        shown.put("connectTimeout", Shown.of(connectTimeout));
        shown.put("responseTimeout", Shown.of(responseTimeout));
        return shown;
    }

    /** A setting's value, and the text that stands for it. */
    public record Shown(Object value, String text) {
        static Shown open(Object value) {
            return new Shown(value, Objects.toString(value));
        }

        static Shown of(Duration value) {
            return new Shown(value, WrittenDuration.of(value));
        }
    }

    @Override
    public String toString() {
        StringBuilder text = new StringBuilder("HttpRequestSettings");
        shown().forEach((name, setting) ->
                text.append(' ').append(name).append('=').append(setting.text()));
        return text.toString();
    }
}
