package dev.elasticjob.console.web;

import tools.jackson.databind.json.JsonMapper;

/** The console's own JSON: settings of the host's mapper don't change it. Thread-safe. */
public final class Json {
    private static final JsonMapper MAPPER = JsonMapper.builder().build();

    private Json() {}

    public static byte[] bytes(Object value) {
        return MAPPER.writeValueAsBytes(value);
    }

    public static ConsoleResponse response(byte[] json) {
        return ConsoleResponse.of(200, "application/json", json);
    }

    static ConsoleResponse problem(Problem problem) {
        return ConsoleResponse.of(problem.status(), "application/problem+json", bytes(problem));
    }
}
