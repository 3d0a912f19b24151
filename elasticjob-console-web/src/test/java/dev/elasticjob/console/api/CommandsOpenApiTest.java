package dev.elasticjob.console.api;

import static org.assertj.core.api.Assertions.assertThat;

import dev.elasticjob.admin.table.Argument;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.TreeMap;
import java.util.stream.Collectors;
import org.junit.jupiter.api.Test;

/**
 * What the description of the API says of the bodies of commands: a line each, made of the row. With {@code
 * -Dopenapi.write}, this writes the lines anew.
 */
class CommandsOpenApiTest {
    private static final Path FILE = Path.of("src/main/resources/dev/elasticjob/console/openapi.yaml");
    private static final String SCHEMA = "            schema: {type: object";

    @Test
    void eachBodyIsThatOfTheRow() throws IOException {
        List<String> lines = new ArrayList<>(Files.readAllLines(FILE));
        Map<Integer, String> bodies = new TreeMap<>();
        for (CommandLine line : CommandRoutes.LINES) {
            bodies.put(placeOfBody(lines, line), "            schema: " + flow(schema(line)));
        }
        if (System.getProperty("openapi.write") != null) {
            bodies.forEach(lines::set);
            Files.write(FILE, lines);
        }

        assertThat(bodies).hasSameSizeAs(CommandRoutes.LINES);
        bodies.forEach((place, body) -> assertThat(lines.get(place))
                .as("write it anew with mvn test -pl elasticjob-console-web -am -Dtest=CommandsOpenApiTest"
                        + " -Dsurefire.failIfNoSpecifiedTests=false -Dopenapi.write")
                .isEqualTo(body));
    }

    @Test
    void severalJobsTakeTheCommandsThatAreThere() throws IOException {
        assertThat(Files.readString(FILE))
                .contains("command: {enum: [%s]}".formatted(String.join(", ", BulkRoute.COMMANDS.keySet())))
                .contains("jobs: {type: array, minItems: 1, maxItems: %d,".formatted(BulkRoute.MOST_JOBS));
    }

    private static int placeOfBody(List<String> lines, CommandLine line) {
        int path = lines.indexOf("  " + line.address() + ":");
        int method = next(lines, path, "    " + line.method().toLowerCase(Locale.ROOT) + ":");
        return next(lines, method, SCHEMA);
    }

    private static int next(List<String> lines, int after, String beginning) {
        assertThat(after).isNotNegative();
        for (int place = after; place < lines.size(); place++) {
            if (lines.get(place).startsWith(beginning)) {
                return place;
            }
        }
        throw new AssertionError("there is no line \"%s\" after line %d".formatted(beginning, after));
    }

    // ------------------------------------------------------------------ what stands there

    private static Map<String, Object> schema(CommandLine line) {
        Map<String, Object> properties = new LinkedHashMap<>();
        List<String> required = new ArrayList<>();
        line.instead()
                .ifPresent(other -> other.line().command().arguments().stream()
                        .filter(argument -> name(other.line(), argument.name()).equals(other.by()))
                        .forEach(argument ->
                                properties.put(other.by(), argument.schemas().get(argument.name()))));
        for (Argument<?> argument : line.command().arguments()) {
            if (argument.names().stream().anyMatch(name -> isInAddress(line, name))) {
                continue;
            }
            argument.schemas().forEach((name, schema) -> properties.put(name(line, name), schema));
            if ((argument.isRequired() || argument.isId()) && argument.names().size() == 1) {
                required.add(name(line, argument.name()));
            }
        }
        Map<String, Object> schema = new LinkedHashMap<>();
        schema.put("type", "object");
        if (!required.isEmpty()) {
            schema.put("required", required);
        }
        schema.put("properties", properties);
        return schema;
    }

    private static boolean isInAddress(CommandLine line, String name) {
        return line.path().contains("{" + name + "}") || name(line, name).equals(GivenJson.IF_MATCH);
    }

    private static String name(CommandLine line, String argument) {
        return line.names().getOrDefault(argument, argument);
    }

    /** As YAML in one line. */
    private static String flow(Object value) {
        if (value instanceof Map<?, ?> map) {
            return map.entrySet().stream()
                    .map(entry -> entry.getKey() + ": " + flow(entry.getValue()))
                    .collect(Collectors.joining(", ", "{", "}"));
        }
        if (value instanceof List<?> list) {
            return list.stream().map(CommandsOpenApiTest::flow).collect(Collectors.joining(", ", "[", "]"));
        }
        String text = value.toString();
        return text.matches("[\\w-][\\w -]*") ? text : "'" + text.replace("'", "''") + "'";
    }
}
