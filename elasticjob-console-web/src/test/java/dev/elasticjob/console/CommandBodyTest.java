package dev.elasticjob.console;

import static org.assertj.core.api.Assertions.assertThat;

import dev.elasticjob.console.web.Caller;
import dev.elasticjob.console.web.ConsoleResponse;
import java.nio.charset.StandardCharsets;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import org.junit.jupiter.api.Test;

/** What comes with a command, and what the job's state allows. */
class CommandBodyTest {
    private static final Optional<Caller> OPERATOR = Optional.of(new Caller("tom", Set.of("operator")));
    private static final Map<String, String> HEADERS = Map.of("content-type", "application/json", "x-elasticjob", "1");
    private static final String JOB = ManyJobs.JOBS + "/job-00000";

    private final ManyJobs console = new ManyJobs(ManyJobs.withRoles()).write(1);

    @Test
    void everyValueThatCannotBeUsedIsNamed() {
        ConsoleResponse answer = post("/runs", "{\"runId\": \"a\", \"items\": [0, -1, \"x\"]}");

        assertThat(answer.status()).isEqualTo(400);
        assertThat(text(answer)).contains("\"found\":\"-1\"", "\\\"x\\\"", "\"code\":\"INVALID\"");
    }

    @Test
    void aBodyMustBeAJsonObject() {
        for (String body : new String[] {"[]", "7", "\"text\"", "{", "not json", "{\"reason\": 7}"}) {
            assertThat(post("/reshard", body).status()).as(body).isEqualTo(400);
        }
        assertThat(post("/reshard", "").status()).isEqualTo(200);
    }

    @Test
    void aBodyIsNoLargerThanSixtyFourKilobytes() {
        String blanks = " ".repeat(64 * 1024 - 2);

        assertThat(post("/reshard", "{" + blanks + "}").status()).isEqualTo(200);
        assertThat(post("/reshard", "{" + blanks + " }").status()).isEqualTo(413);
    }

    @Test
    void aRunNeedsAnIdOfTheBrowser() {
        assertThat(post("/runs", "{}").status()).isEqualTo(400);
        assertThat(post("/runs", "{\"runId\": \"no blanks\"}").status()).isEqualTo(400);
        assertThat(post("/runs", "{\"runId\": \"a\", \"parameter\": \"" + "p".repeat(513) + "\"}")
                        .status())
                .isEqualTo(400);
    }

    @Test
    void whatTheStateOfTheJobDoesNotAllowIsRefused() {
        ConsoleResponse answer = post("/runs", "{\"runId\": \"a\"}");

        assertThat(answer.status()).isEqualTo(409);
        assertThat(text(answer)).contains("\"code\":\"REFUSED\"", "job-00000");
    }

    @Test
    void whatIsNotThereIsUnknown() {
        assertThat(send("PUT", "/items/9/disabled", "{}").status()).isEqualTo(404);
        assertThat(send("PUT", "/servers/10.9.9.9/disabled", "{}").status()).isEqualTo(404);
        assertThat(console.ask("POST", ManyJobs.JOBS + "/none/reshard", HEADERS, OPERATOR, "{}")
                        .join()
                        .status())
                .isEqualTo(404);
    }

    @Test
    void anItemIsDisabledAndEnabled() {
        String before = console.ensemble.render();

        assertThat(send("PUT", "/items/0/disabled", "{\"reason\": \"INC-7\"}").status())
                .isEqualTo(200);
        assertThat(console.ensemble.render()).isNotEqualTo(before).contains("/disabled v0");
        assertThat(send("DELETE", "/items/0/disabled", "").status()).isEqualTo(200);
        assertThat(console.ensemble.render()).doesNotContain("/disabled v0");
    }

    @Test
    void withoutTheRegistryNothingIsDone() {
        console.registry.disconnect();

        assertThat(send("PUT", "/items/0/disabled", "{}").status()).isEqualTo(503);
    }

    private ConsoleResponse post(String path, String body) {
        return send("POST", path, body);
    }

    private ConsoleResponse send(String method, String path, String body) {
        return console.ask(method, JOB + path, HEADERS, OPERATOR, body).join();
    }

    private static String text(ConsoleResponse answer) {
        return new String(answer.body(), StandardCharsets.UTF_8);
    }
}
