package dev.elasticjob.console.web;

import java.nio.charset.StandardCharsets;
import java.util.LinkedHashMap;
import java.util.Map;
import tools.jackson.core.JacksonException;
import tools.jackson.core.type.TypeReference;
import tools.jackson.databind.JsonNode;
import tools.jackson.databind.json.JsonMapper;

/** The console's own JSON: settings of the host's mapper don't change it. Thread-safe. */
public final class Json {
    private static final JsonMapper MAPPER = JsonMapper.builder().build();

    private static final int SHOWN = 100;

    private Json() {}

    public static byte[] bytes(Object value) {
        return MAPPER.writeValueAsBytes(value);
    }

    public static ConsoleResponse response(byte[] json) {
        return ConsoleResponse.of(200, "application/json", json);
    }

    /** @throws InvalidRequestException if it is no JSON object */
    static CommandBody object(byte[] body) {
        try {
            JsonNode json = body.length == 0 ? MAPPER.createObjectNode() : MAPPER.readTree(body);
            if (json.isObject()) {
                return new CommandBody(json);
            }
        } catch (JacksonException e) {
            // Said below.
        }
        throw InvalidRequestException.of(
                "body",
                new String(body, 0, Math.min(SHOWN, body.length), StandardCharsets.UTF_8),
                "expected a JSON object");
    }

    /** The members of a JSON object, as plain values. */
    static Map<String, Object> map(JsonNode object) {
        return MAPPER.convertValue(object, new TypeReference<LinkedHashMap<String, Object>>() {});
    }

    static ConsoleResponse problem(Problem problem) {
        return ConsoleResponse.of(problem.status(), "application/problem+json", bytes(problem));
    }
}
