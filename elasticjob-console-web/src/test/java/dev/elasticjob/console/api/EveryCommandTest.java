package dev.elasticjob.console.api;

import static org.assertj.core.api.Assertions.assertThat;

import dev.elasticjob.admin.table.Argument;
import dev.elasticjob.admin.table.CommandTable;
import dev.elasticjob.admin.table.OperatorCommand;
import dev.elasticjob.console.web.ConsoleRequest;
import dev.elasticjob.console.web.InvalidRequestException;
import dev.elasticjob.console.web.Route.Call;
import dev.elasticjob.spring.actuate.EndpointDoor;
import java.util.HashMap;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.TreeSet;
import java.util.stream.Collectors;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;
import tools.jackson.databind.json.JsonMapper;

/** All rows of the table, in the console, and compared with what the endpoint says. */
class EveryCommandTest {
    private static final JsonMapper MAPPER = JsonMapper.builder().build();

    /** A value of each argument that both doors can be given, and that is outside its limits. */
    private static final Map<String, Object> WRONG = Map.ofEntries(
            Map.entry("runId", " "),
            Map.entry("newRunId", "no blanks"),
            Map.entry("parameter", "p".repeat(513)),
            Map.entry("from", "soon"),
            Map.entry("until", "2026-11-01T00:00:00"),
            Map.entry("atOnce", 17),
            Map.entry("server", " "),
            Map.entry("instance", " "),
            Map.entry("version", " "),
            Map.entry("reason", "r".repeat(1_001)));

    @Test
    void theConsoleKnowsEachCommand() {
        Set<OperatorCommand> known = Stream.of(
                        CommandRoutes.LINES.stream().map(CommandLine::command),
                        CommandRoutes.LINES.stream()
                                .flatMap(line -> line.instead().stream())
                                .map(other -> other.line().command()),
                        BulkRoute.COMMANDS.values().stream())
                .flatMap(commands -> commands)
                .collect(Collectors.toSet());

        assertThat(known).containsExactlyInAnyOrderElementsOf(CommandTable.ALL);
    }

    static List<OperatorCommand> commands() {
        return CommandTable.ALL;
    }

    @ParameterizedTest
    @MethodSource("commands")
    void bothDoorsRefuseANameThatTheCommandDoesNotTakeInTheSameWords(OperatorCommand command) {
        String endpoint = EndpointDoor.refused(command, Map.of("colour", "1")).get("colour");
        String console = refused(command, Map.of("colour", "1")).get("colour");

        assertThat(endpoint)
                .isEqualTo("no such name: command \"%s\" takes only %s, dryRun"
                        .formatted(command.name(), String.join(", ", names(command))));
        assertThat(console + ", dryRun").isEqualTo(endpoint);
    }

    @ParameterizedTest
    @MethodSource("commands")
    void bothDoorsRefuseValuesOutsideTheLimitsInTheSameWords(OperatorCommand command) {
        Map<String, Object> wrong = new LinkedHashMap<>(WRONG);
        wrong.keySet().retainAll(names(command));

        Map<String, String> console = refused(command, wrong);
        Map<String, String> endpoint = EndpointDoor.refused(command, wrong);

        assertThat(endpoint.keySet()).containsAll(wrong.keySet());
        assertThat(without(console, "settings")).isEqualTo(without(endpoint, "settings"));
    }

    @ParameterizedTest
    @MethodSource("commands")
    void bothDoorsRefuseACommandWithoutWhatItNeedsInTheSameWords(OperatorCommand command) {
        Map<String, String> console = refused(command, Map.of());
        Map<String, String> endpoint = EndpointDoor.refused(command, Map.of());

        assertThat(endpoint)
                .containsOnlyKeys(command.arguments().stream()
                        .filter(Argument::isRequired)
                        .map(Argument::name)
                        .toList());
        // A browser repeats a request that wasn't answered, under the same id.
        List<String> chosen = command.arguments().stream()
                .filter(Argument::isId)
                .map(Argument::name)
                .toList();
        assertThat(console.keySet()).containsAll(chosen);
        chosen.forEach(console::remove);
        assertThat(console).isEqualTo(endpoint);
    }

    @ParameterizedTest
    @MethodSource("commands")
    void itsArgumentsAreDescribed(OperatorCommand command) {
        assertThat(command.description()).matches("[A-Z].+\\.");
        for (Argument<?> argument : command.arguments()) {
            assertThat(argument.schemas()).as(argument.name()).containsOnlyKeys(argument.names());
            argument.schemas()
                    .values()
                    .forEach(schema ->
                            assertThat(schema.keySet()).as(argument.name()).containsAnyOf("$ref", "description"));
        }
    }

    private static Set<String> names(OperatorCommand command) {
        return command.arguments().stream()
                .flatMap(argument -> argument.names().stream())
                .collect(Collectors.toCollection(TreeSet::new));
    }

    private static Map<String, String> without(Map<String, String> some, String name) {
        Map<String, String> others = new HashMap<>(some);
        others.remove(name);
        return others;
    }

    /** With all of its arguments in the body, under their own names. */
    private static Map<String, String> refused(OperatorCommand command, Map<String, Object> values) {
        Map<String, String> refused = new LinkedHashMap<>();
        try {
            Order.of(call(MAPPER.writeValueAsBytes(values)), CommandLine.of("POST", "", command));
        } catch (InvalidRequestException e) {
            e.violations().forEach(one -> refused.put(one.field(), one.expected()));
        }
        return refused;
    }

    private static Call call(byte[] body) {
        return new Call(
                new ConsoleRequest("POST", "", "", Map.of(), Optional.empty(), body, Optional::empty),
                Map.of(),
                Map.of());
    }
}
