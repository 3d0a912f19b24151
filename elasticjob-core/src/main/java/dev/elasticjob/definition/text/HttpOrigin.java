package dev.elasticjob.definition.text;

import java.net.URI;
import java.net.URISyntaxException;
import java.util.Locale;
import java.util.Set;
import org.jspecify.annotations.Nullable;

/**
 * Where a request goes: scheme, host and port, in lower case, with the scheme's port if none is given. There are no
 * wildcards, and names are not looked up.
 */
public record HttpOrigin(String scheme, String host, int port) {
    private static final Set<String> SCHEMES = Set.of("http", "https");
    private static final int HTTP = 80;
    private static final int HTTPS = 443;

    public HttpOrigin {
        scheme = scheme.toLowerCase(Locale.ROOT);
        host = host.toLowerCase(Locale.ROOT);
        port = port >= 0 ? port : scheme.equals("https") ? HTTPS : HTTP;
    }

    /** @param uri absolute, with a host */
    public static HttpOrigin of(String uri) {
        URI parsed = URI.create(uri);
        return new HttpOrigin(parsed.getScheme(), parsed.getHost(), parsed.getPort());
    }

    /**
     * Reads a host that an instance allows: {@code billing.example.com}, which means HTTPS, or with a scheme and port:
     * {@code http://localhost:8080}.
     *
     * @throws IllegalArgumentException if it is something else, such as a URI with a path
     */
    public static HttpOrigin allowed(String text) {
        String stripped = text.strip();
        try {
            URI parsed = new URI(stripped.contains("://") ? stripped : "https://" + stripped);
            String scheme = String.valueOf(parsed.getScheme()).toLowerCase(Locale.ROOT);
            boolean more = !parsed.getRawPath().isEmpty()
                    || parsed.getRawQuery() != null
                    || parsed.getRawFragment() != null
                    || parsed.getRawUserInfo() != null;
            if (SCHEMES.contains(scheme) && parsed.getHost() != null && !more) {
                return new HttpOrigin(scheme, parsed.getHost(), parsed.getPort());
            }
        } catch (URISyntaxException e) {
            throw refused(text, e);
        }
        throw refused(text, null);
    }

    private static IllegalArgumentException refused(String text, @Nullable Throwable cause) {
        return new IllegalArgumentException(
                "Expected a host such as billing.example.com or http://localhost:8080, without path and wildcards, but it was \"%s\""
                        .formatted(text),
                cause);
    }

    @Override
    public String toString() {
        return "%s://%s:%d".formatted(scheme, host, port);
    }
}
