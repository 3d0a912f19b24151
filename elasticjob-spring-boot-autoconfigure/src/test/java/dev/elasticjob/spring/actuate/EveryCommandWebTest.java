package dev.elasticjob.spring.actuate;

import static dev.elasticjob.spring.actuate.CommandsWebTest.get;
import static dev.elasticjob.spring.actuate.CommandsWebTest.json;
import static dev.elasticjob.spring.actuate.CommandsWebTest.post;
import static org.assertj.core.api.Assertions.assertThat;

import dev.elasticjob.admin.app.AppNodes;
import dev.elasticjob.admin.app.PublishedApp;
import dev.elasticjob.admin.table.Argument;
import dev.elasticjob.admin.table.CommandTable;
import dev.elasticjob.admin.table.OperatorCommand;
import dev.elasticjob.admin.table.OperatorCommand.Scope;
import dev.elasticjob.job.event.JobEvent;
import dev.elasticjob.registry.Registry;
import java.net.http.HttpResponse;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.stream.Collectors;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.TestInstance;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;
import org.springframework.boot.SpringApplication;
import org.springframework.context.ConfigurableApplicationContext;

/** All rows of the table, over HTTP: what each would do. */
@TestInstance(TestInstance.Lifecycle.PER_CLASS)
class EveryCommandWebTest {
    private ConfigurableApplicationContext application;

    @BeforeAll
    void start() {
        application = new SpringApplication(CommandsWebTest.Shop.class)
                .run(
                        "--server.port=0",
                        "--management.endpoints.web.exposure.include=elasticjob",
                        "--management.endpoint.elasticjob.access=unrestricted",
                        "--elasticjob.instance.ip=10.0.0.1");
        application
                .getBean(CommandsWebTest.Events.class)
                .await(
                        2,
                        JobEvent.AssignmentChanged.class,
                        change -> !change.items().isEmpty());
        new AppNodes(application.getBean(Registry.class))
                .publish("uid", new PublishedApp("shop", "jobs", false, List.of(), List.of()))
                .toCompletableFuture()
                .join();
    }

    @AfterAll
    void stop() {
        application.close();
    }

    static List<OperatorCommand> commands() {
        return CommandTable.ALL;
    }

    @ParameterizedTest
    @MethodSource("commands")
    void aDryRunSaysWhatWouldHappenAndChangesNothing(OperatorCommand command) throws Exception {
        String before = registry();

        HttpResponse<String> answer = post(application, path(command), body(command, "true"));

        assertThat(answer.statusCode()).as(answer.body()).isEqualTo(200);
        assertThat(json(answer))
                .containsEntry("command", command.name())
                .containsEntry("dryRun", true)
                .containsKey("outcome");
        assertThat((List<?>) json(answer).get("effects"))
                .isNotEmpty()
                .allSatisfy(effect -> assertThat((Map<?, ?>) effect)
                        .extracting(one -> one.get("text").toString())
                        .asString()
                        .matches("[A-Z][^%]+"));
        assertThat(registry()).isEqualTo(before);
    }

    @ParameterizedTest
    @MethodSource("commands")
    void aDryRunThatIsNoneChangesNothing(OperatorCommand command) throws Exception {
        String before = registry();

        HttpResponse<String> answer = post(application, path(command), body(command, "perhaps"));

        assertThat(answer.statusCode()).isEqualTo(400);
        assertThat(answer.body()).contains("\"dryRun\"", "expected true or false");
        assertThat(registry()).isEqualTo(before);
    }

    @Test
    void aChangeOfSettingsSaysWhichAndWhenTheJobWouldRun() throws Exception {
        Map<String, Object> answer = json(post(application, "/orders/redefine", body(CommandTable.REDEFINE, "true")));

        assertThat((List<?>) answer.get("changes"))
                .singleElement()
                .isEqualTo(Map.of("setting", "description", "before", "", "after", "x"));
        assertThat((List<?>) answer.get("firingsAfter")).hasSize(10).isEqualTo(answer.get("firingsBefore"));
    }

    @Test
    void aDryRunOfAnUnknownJobIsNotFound() throws Exception {
        assertThat(post(application, "/unknown/pause", "{\"dryRun\": \"true\"}").statusCode())
                .isEqualTo(404);
    }

    private String registry() throws Exception {
        return get(application, "?scope=namespace").body()
                + get(application, "/orders/tree").body();
    }

    /** A job that is created must not be there. */
    private static String path(OperatorCommand command) {
        String job = command == CommandTable.CREATE ? "/fresh" : "/orders";
        return (command.scope() == Scope.JOB ? job : "") + "/" + command.name();
    }

    private String body(OperatorCommand command, String dryRun) throws Exception {
        Map<String, String> values = new HashMap<>(Map.of("dryRun", dryRun));
        for (Argument<?> argument : command.arguments()) {
            if (argument.isRequired()) {
                values.put(argument.name(), value(command, argument.name()));
            }
        }
        if (command == CommandTable.CANCEL) {
            values.put("item", "0");
        }
        return values.entrySet().stream()
                .map(entry -> "\"%s\": \"%s\"".formatted(entry.getKey(), entry.getValue()))
                .collect(Collectors.joining(", ", "{", "}"));
    }

    private String value(OperatorCommand command, String argument) throws Exception {
        return switch (argument) {
            case "runId" -> "orders@2026-01-01T00:00:00Z";
            case "from" -> "2021-01-01T00:00:00Z";
            case "until" -> "2024-06-01T00:00:00Z";
            case "item" -> "0";
            case "server" -> "10.0.0.1";
            case "app" -> "jobs.shop";
            case "above" -> "50489";
            case "instance" -> String.valueOf(json(get(application, "/orders")).get("instance"));
            case "version" ->
                String.valueOf(json(get(application, "/orders/definition")).get("version"));
            case "settings" -> command == CommandTable.CREATE ? "jobClass=a" : "description=x";
            default -> throw new IllegalStateException("Expected a value of \"%s\" here".formatted(argument));
        };
    }
}
