package dev.elasticjob.console;

import static org.assertj.core.api.Assertions.assertThat;

import ch.qos.logback.classic.Level;
import ch.qos.logback.classic.Logger;
import dev.elasticjob.admin.command.CommandLog;
import dev.elasticjob.console.web.Caller;
import dev.elasticjob.console.web.ConsoleResponse;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.util.Base64;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Random;
import java.util.Set;
import java.util.stream.Collectors;
import java.util.stream.IntStream;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import org.slf4j.LoggerFactory;

/** Whatever a browser sends, it is no error of the server. */
class RandomRequestsTest {
    private static final int REQUESTS = 100_000;
    private static final String ALPHABET = "ab0.-_~%/;?#&=+ \\\"'<>:@[]{}|^`\u0000\n\r\t账é\uD83D\uDE00\uDC00";
    private static final List<String> PLACES = List.of(
            "%s",
            "/%s",
            "/assets/%s/%s",
            "/api/v1/registries/%s/jobs",
            "/api/v1/registries/default/jobs?search=%s&state=&after=%s",
            "/api/v1/registries/default/jobs?state=%s",
            "/api/v1/registries/default/jobs/%s",
            "/api/v1/registries/default/jobs/%s/items?from=%s",
            "/api/v1/registries/default/jobs/%s/items/0/explanation",
            "/api/v1/registries/default/jobs/orders/items/%s/explanation",
            "/api/v1/registries/default/jobs/%s/next?count=%s",
            "/api/v1/registries/default/jobs/orders/preview?without=%s&more=1&total=3&strategy=%s",
            "/api/v1/registries/default/jobs/%s/preview?more=%s&total=%s",
            "/api/v1/registries/default/jobs/%s/definition",
            "/api/v1/registries/default/jobs/%s/tree",
            "/api/v1/registries/default/jobs/%s/commands",
            "/api/v1/registries/default/last?jobs=%s,%s");

    private final ManyJobs console = new ManyJobs(ManyJobs.withRoles());
    private static final Optional<Caller> CALLER = Optional.of(new Caller("tom", Set.of("admin")));
    private static final Map<String, String> COMMAND =
            Map.of("content-type", "application/json", "x-elasticjob", "1", "if-match", "\"0\"");
    private static final List<String> COMMANDS = List.of(
            "POST /%s/runs",
            "PUT /%s/items/%s/disabled",
            "DELETE /orders/items/%s/disabled",
            "PUT /%s/items/disabled",
            "DELETE /orders/items/disabled?dryRun=%s",
            "PUT /%s/servers/%s/disabled",
            "DELETE /orders/servers/%s/disabled",
            "POST /%s/reshard",
            "POST /orders/reshard?dryRun=%s",
            "POST /%s/cancellations",
            "POST /orders/cancellations?dryRun=true",
            "POST /%s/backfill?dryRun=true",
            "POST /orders/backfill",
            "DELETE /orders/backfill",
            "POST /orders/runs?dryRun=true",
            "PUT /%s/instances/%s/drained",
            "DELETE /orders/instances/%s/drained",
            "PUT /%s",
            "PUT /%s?dryRun=true",
            "PUT /%s/paused?dryRun=true",
            "DELETE /%s/paused",
            "PATCH /orders/definition?dryRun=%s",
            "PATCH /%s/definition",
            "POST /orders/runs");

    private final Random random = new Random(17);

    @Test
    void noRequestFailsTheServer() {
        console.write("orders");

        for (int request = 0; request < REQUESTS; request++) {
            String address = PLACES.get(random.nextInt(PLACES.size())).replace("%s", segment());
            Map<String, String> headers = random.nextBoolean()
                    ? Map.of()
                    : Map.of("if-none-match", "\"" + text() + "\"", "prefer", text() + "wait=" + random.nextInt(3));
            var answer = console.ask("GET", address, headers, CALLER);
            if (!answer.isDone()) {
                console.time.advance(Duration.ofSeconds(10));
            }
            ConsoleResponse response = answer.join();
            assertThat(response.status()).as(address).isLessThan(500);
            if (request % 1_000 == 0) {
                console.time.advance(Duration.ofMinutes(2));
            }
        }
    }

    /** It would say so of each of the commands. */
    @BeforeAll
    static void refusalsAreNotLogged() {
        level(Level.OFF);
    }

    @AfterAll
    static void refusalsAreLogged() {
        level(Level.INFO);
    }

    private static void level(Level level) {
        ((Logger) LoggerFactory.getLogger(CommandLog.class)).setLevel(level);
    }

    @Test
    void noCommandFailsTheServer() {
        console.write("orders");

        for (int request = 0; request < REQUESTS / 2; request++) {
            String[] command = COMMANDS.get(random.nextInt(COMMANDS.size())).split(" ");
            String address = ManyJobs.JOBS + command[1].replace("%s", segment());
            String body = random.nextInt(3) == 0
                    ? text()
                    : "{\"runId\": \"%s\", \"items\": [%s], \"reason\": \"%s\", \"again\": \"%s\", \"settings\": {\"cron\": \"%s\", \"retry\": {\"%s\": null}}, \"parameter\": %s, \"from\": \"%s\", \"atOnce\": %s}"
                            .formatted(
                                    text(),
                                    text(),
                                    text(),
                                    text(),
                                    text(),
                                    text(),
                                    random.nextBoolean() ? "null" : "\"" + text() + "\"",
                                    text(),
                                    text());
            ConsoleResponse response =
                    console.ask(command[0], address, COMMAND, CALLER, body).join();
            assertThat(response.status()).as(address + " " + body).isLessThan(500);
        }
    }

    @Test
    void everyNameCanBeAskedFor() {
        for (String name : List.of("账单 50%; <b>&amp;", "a b", "%2e", "~x", "..x", "ü?#")) {
            console.write(name);

            String segment =
                    "~" + Base64.getUrlEncoder().withoutPadding().encodeToString(name.getBytes(StandardCharsets.UTF_8));
            ConsoleResponse response = console.ask(
                            "GET", ManyJobs.JOBS + "/" + segment + "/definition", Map.of(), CALLER)
                    .join();

            assertThat(response.status()).as(name).isEqualTo(200);
            assertThat(new String(response.body(), StandardCharsets.UTF_8)).contains("0 0 4 * * ?");
        }
    }

    private String segment() {
        String text = text();
        return switch (random.nextInt(4)) {
            case 0 ->
                "~" + Base64.getUrlEncoder().withoutPadding().encodeToString(text.getBytes(StandardCharsets.UTF_8));
            case 1 -> "~" + text;
            case 2 -> Integer.toString(random.nextInt());
            default -> text;
        };
    }

    private String text() {
        return IntStream.range(0, random.nextInt(12))
                .mapToObj(any -> String.valueOf(ALPHABET.charAt(random.nextInt(ALPHABET.length()))))
                .collect(Collectors.joining());
    }
}
