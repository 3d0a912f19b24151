package dev.elasticjob.console;

import static org.assertj.core.api.Assertions.assertThat;

import dev.elasticjob.console.web.Caller;
import dev.elasticjob.console.web.ConsoleResponse;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import java.util.stream.Collectors;
import java.util.stream.IntStream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/** What comes with a command, and what the job's state allows. */
class CommandBodyTest {
    private static final Optional<Caller> ADMIN = Optional.of(new Caller("tom", Set.of("admin")));
    private static final Pattern VERSION = Pattern.compile("\"version\":\"([^\"]+)\"");
    private static final Pattern FIELD = Pattern.compile("\"field\":\"(\\w+)\"");
    private static final Map<String, String> HEADERS = Map.of("content-type", "application/json", "x-elasticjob", "1");
    private static final String JOB = ManyJobs.JOBS + "/job-00000";

    private final ManyJobs console = new ManyJobs(ManyJobs.withRoles()).write(1);

    @Test
    void everyValueThatCannotBeUsedIsNamed() {
        ConsoleResponse answer = post("/runs", "{\"runId\": \"a\", \"items\": [0, -1, \"x\"]}");

        assertThat(answer.status()).isEqualTo(400);
        assertThat(text(answer)).contains("\"found\":\"-1\"", "\\\"x\\\"", "\"code\":\"INVALID\"");
    }

    /** Each would do more than was meant if the wrong name were overlooked. */
    @ParameterizedTest
    @CsvSource(
            delimiter = '|',
            quoteCharacter = '`',
            value = {
                "POST   | /runs                  | {'runId': 'a', 'itmes': [1], 'server': 'x'} | itmes,server",
                "POST   | /runs                  | {'item': 'x', 'items': [-1], 'parameter': 7} | runId,parameter,item,item,items",
                "POST   | /runs                  | {'runId': 'a', 'items': []}       | items",
                "POST   | /runs                  | {'runId': 'a', 'items': null}     | items",
                "POST   | /runs                  | {'runId': 'a', 'item': null}      | item",
                "POST   | /runs                  | {'runId': 'a', 'again': ' '}      | again",
                "POST   | /runs                  | {'runId': 'a b', 'again': 'b', 'item': 0, 'parameter': 'p'} | runId,item,parameter",
                "POST   | /runs?dryrun=true      | {'runId': 'a'}                    | dryrun",
                "POST   | /runs                  | {'runId': 'a', 'dryRun': true}    | dryRun",
                "POST   | /runs?dryRun=yes&x=1   | {'reason': 7}                     | runId,reason,dryRun,x",
                "POST   | /cancellations         | {'runId': 'a', 'Item': 1}         | Item",
                "POST   | /cancellations         | {'runId': '', 'items': 1}         | runId,items",
                "POST   | /backfill              | {'from': 'x', 'until': 'y', 'atOnce': 0, 'item': 1} | from,until,atOnce,item",
                "DELETE | /backfill              | {'runId': 'a'}                    | runId",
                "PUT    | /items/0/disabled      | {'item': 1}                       | item",
                "PUT    | /items/disabled        | {'reson': 'x'}                    | item,reson",
                "PUT    | /items/disabled        | {'items': []}                     | items",
                "PUT    | /items/disabled        | {'item': 0, 'items': [1]}         | item",
                "PUT    | /items/disabled        | {'items': [0, 1, 0, -1, 1]}       | items,items,items",
                "DELETE | /items/disabled?x=1    | {'item': 'x', 'runId': 'a'}       | item,runId,x",
                "POST   | /cancellations         | {'items': [0, 1, 1]}              | items",
                "PUT    | /servers/a/disabled    | {'server': 'b'}                   | server",
                "DELETE | /instances/a/drained   | {'instance': 'b'}                 | instance",
                "PUT    | /paused                | {'until': 'tomorrow', 'reson': 'x'} | until,reson",
                "POST   | /reshard               | {'instance': 'a'}                 | instance",
                "DELETE | /                      | {'item': 1}                       | item",
            })
    void aWrongNameIsRefusedWithEverythingElseThatIsWrong(String method, String path, String body, String names) {
        String before = console.ensemble.render();

        ConsoleResponse answer = send(method, path.equals("/") ? "" : path, body.replace('\'', '"'));

        assertThat(answer.status()).isEqualTo(400);
        assertThat(FIELD.matcher(text(answer)).results().map(found -> found.group(1)))
                .containsExactlyInAnyOrder(names.strip().split(","));
        assertThat(console.ensemble.render()).isEqualTo(before);
    }

    @Test
    void aCommandForSeveralJobsRefusesTheValuesOfOthers() {
        assertThat(text(ofAll(
                        "POST",
                        "/bulk",
                        "{\"command\": \"pause\", \"jobs\": [\"job-00000\"], \"runId\": \"a\", \"job\": \"b\"}")))
                .contains("\"field\":\"runId\"", "\"field\":\"job\"", "takes only command, jobs, reason");
        assertThat(text(ofAll("POST", "/bulk", "{\"command\": \"stop\", \"jobs\": []}")))
                .contains("\"field\":\"command\"", "\"field\":\"jobs\"");
        assertThat(text(ofAll("PUT", "/paused", "{\"job\": \"a\"}"))).contains("\"field\":\"job\"");
        assertThat(text(ofAll("PUT", "/instances/a/drained", "{\"instance\": \"b\"}")))
                .contains("\"field\":\"instance\"");
    }

    @Test
    void oneItemMayBeNamedByEitherWord() {
        assertThat(text(post("/cancellations", "{\"item\": 0}"))).contains("has never run");
        assertThat(text(post("/cancellations", "{\"items\": [0]}"))).contains("has never run");
        assertThat(text(post("/runs?dryRun=true", "{\"runId\": \"a\", \"item\": 1}")))
                .contains("NO_OWNER");
    }

    @Test
    void itemsAreDisabledAndEnabledByEitherWordAndTheAnswerSaysWhatCameOfThem() {
        ConsoleResponse preview = send("PUT", "/items/disabled?dryRun=true", "{\"items\": [0]}");
        ConsoleResponse disabled = send("PUT", "/items/disabled", "{\"items\": [0], \"reason\": \"INC-7\"}");
        ConsoleResponse again = send("PUT", "/items/disabled", "{\"item\": 0}");
        ConsoleResponse enabled = send("DELETE", "/items/disabled", "{\"item\": 0}");

        assertThat(text(preview)).contains("CHANGES", "FIRINGS_SKIPPED");
        assertThat(text(disabled)).isEqualTo("{\"items\":{\"0\":\"CHANGED\"}}");
        assertThat(text(again)).isEqualTo("{\"items\":{\"0\":\"ALREADY\"}}");
        assertThat(text(enabled)).isEqualTo("{\"items\":{\"0\":\"CHANGED\"}}");
    }

    @Test
    void unknownItemsAreAllNamedAndNothingIsDisabled() {
        String before = console.ensemble.render();

        ConsoleResponse preview = send("PUT", "/items/disabled?dryRun=true", "{\"items\": [0, 8, 9]}");
        ConsoleResponse answer = send("PUT", "/items/disabled", "{\"items\": [0, 8, 9]}");

        assertThat(text(preview)).contains("REFUSED", "NO_SUCH_ITEMS\",\"count\":2");
        assertThat(answer.status()).isEqualTo(404);
        assertThat(text(answer)).contains("has no items [8-9]");
        assertThat(console.ensemble.render()).isEqualTo(before);
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
        assertThat(console.ask("POST", ManyJobs.JOBS + "/none/reshard", HEADERS, ADMIN, "{}")
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
    void aJobIsPausedAndResumedByTheCaller() {
        ConsoleResponse paused = send("PUT", "/paused", "{\"reason\": \"INC-7\"}");

        assertThat(paused.status()).isEqualTo(200);
        assertThat(text(paused)).contains("\"changed\":true", "\"actor\":\"tom\"", "\"reason\":\"INC-7\"");
        assertThat(text(send("GET", "", ""))).contains("\"scope\":\"JOB\"", "INC-7");
        assertThat(text(send("DELETE", "/paused", ""))).contains("\"changed\":true");
        assertThat(text(send("DELETE", "/paused", ""))).contains("\"changed\":false");
    }

    @Test
    void allJobsArePausedAndResumed() {
        ConsoleResponse paused = ofAll("PUT", "/paused", "{\"reason\": \"INC-7\"}");

        assertThat(text(paused)).contains("\"changed\":true", "\"scope\":\"NAMESPACE\"");
        assertThat(text(send("GET", "", ""))).contains("\"scope\":\"NAMESPACE\"", "\"status\":\"NO_INSTANCE\"");
        assertThat(text(ofAll("GET", "/jobs", ""))).contains("\"names\":1,");
        assertThat(text(ofAll("DELETE", "/paused", ""))).contains("\"changed\":true");
    }

    @Test
    void whatIsToBeCancelledOrDrainedMustBeThere() {
        assertThat(post("/cancellations", "{}").status()).isEqualTo(400);
        assertThat(post("/cancellations", "{\"items\": [0, 1]}").status()).isEqualTo(409);
        assertThat(post("/cancellations", "{\"items\": [0]}").status()).isEqualTo(409);
        assertThat(post("/runs", "{\"runId\": \"b\", \"again\": \"a\"}").status())
                .isEqualTo(409);
        assertThat(post("/runs", "{\"runId\": \"b\", \"again\": \"a\", \"items\": [0]}")
                        .status())
                .isEqualTo(400);
        assertThat(send("PUT", "/instances/a/drained", "{}").status()).isEqualTo(404);
        assertThat(ofAll("PUT", "/instances/a/drained", "{}").status()).isEqualTo(404);
    }

    @Test
    void aJobThatIsKeptInTheRegistryIsCreatedAfterADryRun() {
        String settings = "{\"settings\": {\"jobClass\": \"nightlyReport\", \"cron\": \"0 0 4 * * ?\"}}";
        String before = console.ensemble.render();

        ConsoleResponse preview = put("report?dryRun=true", settings);
        assertThat(preview.status()).isEqualTo(200);
        assertThat(text(preview))
                .contains(
                        "JOINED_WHERE_ALLOWED",
                        "{\"setting\":\"jobClass\",\"before\":\"\",\"after\":\"nightlyReport\"}");
        assertThat(console.ensemble.render()).isEqualTo(before);

        assertThat(put("report", settings).status()).isEqualTo(200);
        assertThat(text(ofAll("GET", "/jobs", ""))).contains("\"name\":\"report\"");
        assertThat(text(put("job-00000?dryRun=true", settings))).contains("REFUSED", "There is already a job");
        assertThat(put("job-00000", settings).status()).isEqualTo(409);
    }

    @Test
    void eachSettingOfANewJobThatCannotBeUsedIsNamed() {
        String settings = "{\"settings\": {\"cron\": \"soon\", \"shardingTotalCount\": 0, \"colour\": 1}}";

        for (String query : new String[] {"", "?dryRun=true"}) {
            ConsoleResponse answer = put("report" + query, settings);

            assertThat(answer.status()).isEqualTo(400);
            assertThat(text(answer))
                    .contains("\"field\":\"cron\"", "\"field\":\"shardingTotalCount\"", "\"field\":\"colour\"");
        }
        assertThat(text(put("report?dryRun=true", "{\"settings\": {}}"))).contains("\"field\":\"jobClass\"");
        assertThat(put("report", "{}").status()).isEqualTo(400);
    }

    private ConsoleResponse put(String job, String body) {
        return console.ask("PUT", ManyJobs.JOBS + "/" + job, HEADERS, ADMIN, body)
                .join();
    }

    @Test
    void aChangeOfSettingsIsListedWithTheValuesFromBefore() {
        change("", version(), "{\"shardingTotalCount\": 4, \"jobProperties\": {\"db.password\": \"swordfish\"}}");
        change("", version(), "{\"cron\": \"0 0 5 * * ?\"}");

        String commands = text(send("GET", "/commands", ""));

        assertThat(commands)
                .contains(
                        "\"actor\":\"tom\"",
                        "{\"setting\":\"cron\",\"before\":\"0 0 4 * * ?\",\"after\":\"0 0 5 * * ?\"}",
                        "{\"setting\":\"jobProperties\",\"before\":{},\"after\":{\"db.password\":\"******\"}}");
        assertThat(commands + text(send("GET", "/definition", ""))).doesNotContain("swordfish");
    }

    @Test
    void aSecretStaysWhenItsNeighbourChanges() {
        change("", version(), "{\"jobProperties\": {\"db.password\": \"swordfish\", \"rows\": \"1\"}}");

        assertThat(change("", version(), "{\"jobProperties\": {\"db.password\": \"******\"}}")
                        .status())
                .isEqualTo(400);
        assertThat(change("", version(), "{\"jobProperties\": {\"rows\": \"2\"}}")
                        .status())
                .isEqualTo(200);
        assertThat(console.ensemble.render()).contains("\"db.password\":\"swordfish\",\"rows\":\"2\"");
    }

    @Test
    void onlyTheSettingsThatChangeAreSent() {
        String version = version();

        ConsoleResponse preview = change("?dryRun=true", version, "{\"shardingTotalCount\": 4}");
        assertThat(text(preview))
                .contains("{\"setting\":\"shardingTotalCount\",\"before\":2,\"after\":4}", "ITEMS_ADDED\",\"count\":2");
        assertThat(version()).isEqualTo(version);

        ConsoleResponse changed = change("", version, "{\"shardingTotalCount\": 4}");
        assertThat(changed.status()).isEqualTo(200);
        assertThat(text(changed)).contains("\"shardingTotalCount\":4", "\"cron\":\"0 0 4 * * ?\"");
        assertThat(version()).isNotEqualTo(version);
    }

    @Test
    void whoeverHasNotSeenTheLatestSettingsGetsThem() {
        String version = version();
        change("", version, "{\"description\": \"theirs\"}");

        for (String query : List.of("", "?dryRun=true")) {
            ConsoleResponse answer = change(query, version, "{\"description\": \"mine\"}");

            assertThat(answer.status()).isEqualTo(409);
            assertThat(text(answer))
                    .contains(
                            "\"code\":\"CHANGED\"",
                            "\"theirs\":{\"version\":\"" + version(),
                            "\"description\":\"theirs\"");
        }
    }

    @Test
    void everySettingThatCannotBeUsedIsNamed() {
        for (String query : List.of("", "?dryRun=true")) {
            ConsoleResponse answer =
                    change(query, version(), "{\"cron\": \"soon\", \"shardingTotalCount\": 0, \"colour\": \"red\"}");

            assertThat(answer.status()).isEqualTo(400);
            assertThat(text(answer))
                    .contains("\"field\":\"cron\"", "\"field\":\"shardingTotalCount\"", "\"field\":\"colour\"");
        }
        assertThat(change("", version(), "[]").status()).isEqualTo(400);
        assertThat(send("PATCH", "/definition", "{\"settings\": {}}").status()).isEqualTo(400);
    }

    @Test
    void aJobIsRemoved() {
        assertThat(text(send("DELETE", "?dryRun=true", ""))).contains("GONE_FOR_GOOD", "COMES_BACK");
        assertThat(send("GET", "", "").status()).isEqualTo(200);

        assertThat(text(send("DELETE", "", ""))).isEqualTo("{\"ended\":true}");

        console.time.advance(Duration.ofSeconds(5));
        assertThat(send("GET", "", "").status()).isEqualTo(404);
    }

    private String version() {
        console.time.advance(Duration.ofSeconds(5));
        Matcher version = VERSION.matcher(text(send("GET", "/definition", "")));
        assertThat(version.find()).isTrue();
        return version.group(1);
    }

    private ConsoleResponse change(String query, String version, String settings) {
        Map<String, String> headers = new HashMap<>(HEADERS);
        headers.put("if-match", "\"" + version + "\"");
        return console.ask("PATCH", JOB + "/definition" + query, headers, ADMIN, "{\"settings\": " + settings + "}")
                .join();
    }

    @Test
    void aCommandForSeveralJobsHasAResultForEach() {
        console.write("a", "b");

        String preview =
                text(ofAll("POST", "/bulk?dryRun=true", "{\"command\": \"pause\", \"jobs\": [\"b\", \"none\"]}"));
        assertThat(preview)
                .contains(
                        "{\"job\":\"b\",\"outcome\":\"CHANGES\"",
                        "NOTHING_STARTS",
                        "{\"job\":\"none\",\"outcome\":\"FAILED\"");
        String done = text(ofAll("POST", "/bulk", "{\"command\": \"pause\", \"jobs\": [\"b\", \"none\"]}"));
        assertThat(done)
                .contains(
                        "{\"job\":\"b\",\"outcome\":\"DONE\"",
                        "{\"job\":\"none\",\"outcome\":\"FAILED\"",
                        "\\\"none\\\"");
        assertThat(text(ofAll("POST", "/bulk?dryRun=true", "{\"command\": \"pause\", \"jobs\": [\"a\", \"b\"]}")))
                .contains("\"job\":\"a\",\"outcome\":\"CHANGES\"", "\"job\":\"b\",\"outcome\":\"NOTHING\"");
        assertThat(text(ofAll("POST", "/bulk", "{\"command\": \"run\", \"runId\": \"r\", \"jobs\": [\"a\"]}")))
                .contains("REFUSED");
    }

    @Test
    void aBackfillNeedsARangeAndSaysEverythingThatIsWrongWithIt() {
        assertThat(text(post("/backfill", "{\"from\": \"soon\"}")))
                .contains("\"field\":\"from\"", "\"field\":\"until\"", "\"status\":400");
        String range = "\"from\": \"2026-11-01T00:00:00Z\", \"until\": \"2026-11-08T00:00:00Z\"";
        assertThat(post("/backfill", "{" + range + ", \"atOnce\": 17}").status())
                .isEqualTo(400);
        assertThat(post("/backfill", "{\"from\": \"2026-11-08T00:00:00Z\", \"until\": \"2026-11-01T00:00:00Z\"}")
                        .status())
                .isEqualTo(400);
        assertThat(text(post("/backfill?dryRun=true", "{" + range + "}"))).contains("REFUSED", "NO_TIMES");
        assertThat(post("/backfill", "{" + range + "}").status()).isEqualTo(409);
        assertThat(send("DELETE", "/backfill", "{}").status()).isEqualTo(409);
        assertThat(text(send("DELETE", "/backfill?dryRun=true", "{}"))).contains("REFUSED", "NO_BACKFILL");
    }

    @Test
    void disablingSeveralJobsIsRefusedWhereThereIsNoServer() {
        for (String command : List.of("disable", "enable")) {
            String body = "{\"command\": \"" + command + "\", \"jobs\": [\"job-00000\"]}";

            assertThat(text(ofAll("POST", "/bulk?dryRun=true", body))).contains("REFUSED", "NO_SERVER");
            assertThat(text(ofAll("POST", "/bulk", body))).contains("REFUSED", "has no instance");
        }
    }

    /** A pause waits for the instances after the registry has answered. */
    @Test
    void aPauseOfSeveralJobsMayTakeAsLongAsOneOfASingleJob() {
        console.write("b");
        console.answers = task -> console.time.after(Duration.ofMillis(1_600), task);

        var answer = console.ask(
                "POST",
                "/api/v1/registries/default/bulk",
                HEADERS,
                ADMIN,
                "{\"command\": \"pause\", \"jobs\": [\"b\"]}");
        console.time.advance(Duration.ofSeconds(11));

        assertThat(answer).isNotDone();
        console.time.advance(Duration.ofSeconds(9));
        assertThat(text(answer.join())).contains("{\"job\":\"b\",\"outcome\":\"DONE\"");
    }

    @Test
    void aCommandForSeveralJobsNeedsACommandAndAtMostFiveHundredJobs() {
        String many =
                IntStream.range(0, 501).mapToObj(job -> "\"job-" + job + "\"").collect(Collectors.joining(", "));

        for (String body : List.of(
                "{}",
                "{\"command\": \"explode\", \"jobs\": [\"a\"]}",
                "{\"command\": \"pause\"}",
                "{\"command\": \"pause\", \"jobs\": []}",
                "{\"command\": \"pause\", \"jobs\": [7]}",
                "{\"command\": \"run\", \"jobs\": [\"a\"]}",
                "{\"command\": \"pause\", \"jobs\": [" + many + "]}")) {
            assertThat(ofAll("POST", "/bulk", body).status()).as(body).isEqualTo(400);
        }
    }

    @Test
    void aDryRunSaysWhatFollowsAndChangesNothing() {
        String before = console.ensemble.render();

        assertThat(text(send("PUT", "/paused?dryRun=true", "{}")))
                .isEqualTo("{\"outcome\":\"CHANGES\",\"effects\":[{\"code\":\"NOTHING_STARTS\",\"count\":0}]}");
        assertThat(text(post("/runs?dryRun=true", "{\"runId\": \"a\"}"))).contains("\"REFUSED\"", "NO_OWNER");
        assertThat(text(ofAll("PUT", "/paused?dryRun=true", "{}"))).contains("ALL_JOBS\",\"count\":1");
        assertThat(text(ofAll("PUT", "/instances/a/drained?dryRun=true", "{}")))
                .contains("\"code\":\"UNKNOWN\"", "No job of the namespace has an instance");
        assertThat(console.ensemble.render()).isEqualTo(before);
    }

    @Test
    void aDryRunChecksTheSameValues() {
        assertThat(post("/runs?dryRun=true", "{}").status()).isEqualTo(400);
        assertThat(post("/runs?dryRun=yes", "{\"runId\": \"a\"}").status()).isEqualTo(400);
        assertThat(post("/reshard?dryRun=true", "{\"reason\": \"" + "r".repeat(1_001) + "\"}")
                        .status())
                .isEqualTo(400);
        assertThat(console.ask("POST", ManyJobs.JOBS + "/none/reshard?dryRun=true", HEADERS, ADMIN, "{}")
                        .join()
                        .status())
                .isEqualTo(404);
    }

    @Test
    void withoutTheRegistryNothingIsDone() {
        console.registry.disconnect();

        assertThat(send("PUT", "/items/0/disabled", "{}").status()).isEqualTo(503);
    }

    private ConsoleResponse ofAll(String method, String path, String body) {
        return console.ask(method, "/api/v1/registries/default" + path, HEADERS, ADMIN, body)
                .join();
    }

    private ConsoleResponse post(String path, String body) {
        return send("POST", path, body);
    }

    private ConsoleResponse send(String method, String path, String body) {
        return console.ask(method, JOB + path, HEADERS, ADMIN, body).join();
    }

    private static String text(ConsoleResponse answer) {
        return new String(answer.body(), StandardCharsets.UTF_8);
    }
}
