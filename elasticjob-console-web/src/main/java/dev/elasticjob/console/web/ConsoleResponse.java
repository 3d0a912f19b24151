package dev.elasticjob.console.web;

import java.nio.charset.StandardCharsets;
import java.util.LinkedHashMap;
import java.util.Map;

/**
 * A whole response. Nobody changes its body.
 *
 * @param headers in the order in which they are written
 */
public record ConsoleResponse(int status, Map<String, String> headers, byte[] body) {
    private static final byte[] NOTHING = {};

    public ConsoleResponse {
        headers = Map.copyOf(headers);
    }

    public static ConsoleResponse of(int status, String type, byte[] body) {
        return new ConsoleResponse(status, Map.of("Content-Type", type), body);
    }

    public static ConsoleResponse text(int status, String text) {
        return of(status, "text/plain;charset=UTF-8", text.getBytes(StandardCharsets.UTF_8));
    }

    public static ConsoleResponse empty(int status) {
        return new ConsoleResponse(status, Map.of(), NOTHING);
    }

    /** Adds a header, or replaces it. */
    public ConsoleResponse with(String name, String value) {
        Map<String, String> all = new LinkedHashMap<>(headers);
        all.put(name, value);
        return new ConsoleResponse(status, all, body);
    }

    ConsoleResponse withoutBody() {
        return new ConsoleResponse(status, headers, NOTHING);
    }
}
