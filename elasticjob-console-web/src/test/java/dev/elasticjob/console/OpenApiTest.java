package dev.elasticjob.console;

import static org.assertj.core.api.Assertions.assertThat;

import dev.elasticjob.console.web.AccessLevel;
import dev.elasticjob.console.web.Caller;
import dev.elasticjob.console.web.Route;
import java.io.IOException;
import java.io.InputStream;
import java.nio.charset.StandardCharsets;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.TreeSet;
import java.util.regex.MatchResult;
import java.util.regex.Pattern;
import java.util.stream.Collectors;
import org.junit.jupiter.api.Test;
import org.yaml.snakeyaml.LoaderOptions;
import org.yaml.snakeyaml.Yaml;
import org.yaml.snakeyaml.constructor.SafeConstructor;

/** The description of the API in the jar, compared with what the console answers. */
class OpenApiTest {
    private static final String FILE = "/dev/elasticjob/console/openapi.yaml";
    private static final Pattern VARIABLE = Pattern.compile("\\{(\\w+)}");
    private static final String PARAMETERS = "#/components/parameters/";

    private final Map<String, Object> description = read();
    private final List<Route> routes = new ManyJobs(ManyJobs.withRoles())
            .handler.routes().stream()
                    .filter(route -> route.pattern().getPatternString().startsWith("/api/"))
                    .toList();

    @Test
    void itHasEachRouteAndNoOther() {
        Set<String> described = new TreeSet<>();
        map(description, "paths")
                .forEach((path, methods) -> map(methods)
                        .keySet()
                        .forEach(method -> described.add(method.toUpperCase(Locale.ROOT) + " " + path)));

        assertThat(described)
                .isEqualTo(routes.stream()
                        .map(route -> route.method() + " " + route.pattern())
                        .collect(Collectors.toCollection(TreeSet::new)));
    }

    @Test
    void eachHasTheVariablesOfItsPathAndTheRoleThatItNeeds() {
        for (Route route : routes) {
            Map<String, Object> operation = map(
                    map(map(description, "paths"), route.pattern().getPatternString()),
                    route.method().toLowerCase(Locale.ROOT));

            assertThat(parameters(operation))
                    .as(route.pattern().toString())
                    .containsAll(VARIABLE.matcher(route.pattern().getPatternString())
                            .results()
                            .map((MatchResult match) -> match.group(1))
                            .toList());
            String needs = String.valueOf(operation.getOrDefault("description", ""));
            assertThat(needs.contains("administrator"))
                    .as(route.method() + " " + route.pattern())
                    .isEqualTo(route.level() == AccessLevel.ADMIN);
            assertThat(needs.contains("operator")).isEqualTo(route.level() == AccessLevel.OPERATOR);
        }
    }

    /** A name that no command takes is refused with those that it does take. */
    @Test
    void eachCommandTakesTheValuesThatAreDescribedAndNoOthers() {
        ManyJobs console = new ManyJobs(ManyJobs.withRoles()).write(1);
        for (Route route : routes) {
            if (route.method().equals("GET")
                    || route.pattern().getPatternString().endsWith("/bulk")) {
                continue;
            }
            Map<String, Object> operation = map(
                    map(map(description, "paths"), route.pattern().getPatternString()),
                    route.method().toLowerCase(Locale.ROOT));
            Map<String, Object> schema =
                    map(map(map(map(operation, "requestBody"), "content"), "application/json"), "schema");

            String answer = answerToAnUnknownName(console, route);

            assertThat(answer)
                    .as(route.method() + " " + route.pattern())
                    .contains("takes only "
                            + String.join(
                                    ", ",
                                    new TreeSet<>(map(schema, "properties").keySet())) + "\"");
        }
    }

    private static String answerToAnUnknownName(ManyJobs console, Route route) {
        String address = route.pattern()
                .getPatternString()
                .replace("{registry}", "default")
                .replace("{job}", "job-00000")
                .replaceAll("\\{\\w+}", "0");
        var answer = console.ask(
                        route.method(),
                        address,
                        Map.of("content-type", "application/json", "x-elasticjob", "1", "if-match", "\"0\""),
                        Optional.of(new Caller("tom", Set.of("admin"))),
                        "{\"colour\": 1}")
                .join();
        return new String(answer.body(), StandardCharsets.UTF_8);
    }

    private List<String> parameters(Map<String, Object> operation) {
        Object given = operation.getOrDefault("parameters", List.of());
        return ((List<?>) given)
                .stream()
                        .map(OpenApiTest::map)
                        .map(one -> one.containsKey("$ref") ? referred(String.valueOf(one.get("$ref"))) : one)
                        .map(one -> String.valueOf(one.get("name")))
                        .toList();
    }

    private Map<String, Object> referred(String reference) {
        assertThat(reference).startsWith(PARAMETERS);
        return map(map(map(description, "components"), "parameters"), reference.substring(PARAMETERS.length()));
    }

    private static Map<String, Object> map(Map<String, Object> in, String key) {
        assertThat(in).containsKey(key);
        return map(in.get(key));
    }

    @SuppressWarnings("unchecked")
    private static Map<String, Object> map(Object value) {
        return (Map<String, Object>) value;
    }

    private static Map<String, Object> read() {
        try (InputStream file = OpenApiTest.class.getResourceAsStream(FILE)) {
            return new Yaml(new SafeConstructor(new LoaderOptions())).load(file);
        } catch (IOException e) {
            throw new IllegalStateException(e);
        }
    }
}
