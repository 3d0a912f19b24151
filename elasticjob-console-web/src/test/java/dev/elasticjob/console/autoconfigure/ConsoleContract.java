package dev.elasticjob.console.autoconfigure;

import static org.assertj.core.api.Assertions.assertThat;

import dev.elasticjob.admin.JobAdmin;
import dev.elasticjob.job.SimpleJob;
import dev.elasticjob.job.event.JobEvent;
import dev.elasticjob.job.event.JobEventListener;
import dev.elasticjob.registry.Registry;
import dev.elasticjob.registry.memory.InMemoryEnsemble;
import dev.elasticjob.registry.memory.InMemoryRegistry;
import dev.elasticjob.spring.ElasticJob;
import java.io.IOException;
import java.net.URI;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpResponse;
import java.nio.charset.StandardCharsets;
import java.time.Clock;
import java.time.Duration;
import java.util.Base64;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.Semaphore;
import java.util.concurrent.TimeUnit;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.TestInstance;
import org.springframework.boot.SpringApplication;
import org.springframework.boot.autoconfigure.EnableAutoConfiguration;
import org.springframework.context.ConfigurableApplicationContext;
import org.springframework.context.annotation.Bean;
import org.springframework.context.annotation.Configuration;
import org.springframework.core.task.SimpleAsyncTaskExecutor;

/** What the console answers through both doors, over HTTP, behind the host's default security. */
@TestInstance(TestInstance.Lifecycle.PER_CLASS)
abstract class ConsoleContract {
    private static final Duration LIMIT = Duration.ofSeconds(60);
    private static final String JOBS = "/api/v1/registries/default/jobs";
    private static final Pattern ASSET = Pattern.compile("assets/[0-9a-f]{16}/");

    private static final String ODD_NAME = "账单 50%; <b>";
    private static final Pattern INSTANCE = Pattern.compile("\"id\":\"([^\"]+)\"");
    private static final Pattern TOKEN = Pattern.compile("\"token\":\"([^\"]+)\"");

    private final HttpClient client = HttpClient.newHttpClient();
    private final ConfigurableApplicationContext host;

    ConsoleContract(String... arguments) {
        host = new SpringApplication(Shop.class).run(arguments);
        host.getBean(Planned.class).awaitBoth();
    }

    @AfterAll
    void stop() {
        host.close();
    }

    @Test
    void theSessionSaysWhoIsThereAndWhatTheHostWantsAgainstForgery() {
        HttpResponse<String> session = get("/api/v1/session");

        assertThat(session.statusCode()).isEqualTo(200);
        assertThat(session.body())
                .contains(
                        "\"user\":\"mei\"",
                        "\"VIEWER\",\"OPERATOR\"",
                        "\"header\":\"X-CSRF-TOKEN\"",
                        "\"namespace\":\"shop\"")
                .doesNotContain("\"ADMIN\"", "mei-password");
        assertThat(session.headers().firstValue("Cache-Control")).hasValue("no-store");
    }

    @Test
    void whoHasNotSignedInIsSentAway() {
        HttpResponse<String> answer = send("/api/v1/session", Map.of("Accept", "application/json"));

        assertThat(answer.statusCode()).isIn(401, 302);
        assertThat(answer.body()).doesNotContain("registries");
    }

    @Test
    void thePageAndItsFilesAreServed() {
        HttpResponse<String> page = get("/?job=orders");
        Matcher asset = ASSET.matcher(page.body());
        assertThat(asset.find()).isTrue();
        HttpResponse<String> script = get("/" + asset.group() + "main.js");
        HttpResponse<String> library = get("/" + asset.group() + "lit-html.js");

        assertThat(page.headers().firstValue("Content-Security-Policy"))
                .hasValueSatisfying(policy -> assertThat(policy)
                        .contains("default-src 'none'", "script-src 'self'", "require-trusted-types-for 'script'"));
        assertThat(script.headers().firstValue("Content-Type")).hasValue("text/javascript;charset=UTF-8");
        assertThat(script.headers().firstValue("Cache-Control"))
                .hasValueSatisfying(cache -> assertThat(cache).contains("immutable"));
        assertThat(library.body()).contains("BSD-3-Clause");
        assertThat(get("/assets/0000000000000000/main.js").statusCode()).isEqualTo(404);
        assertThat(get("/" + asset.group() + "index.html").statusCode()).isEqualTo(404);
    }

    @Test
    void withoutASlashThePageIsFoundNevertheless() {
        HttpResponse<String> answer = get("?job=orders");

        assertThat(answer.statusCode()).isEqualTo(302);
        assertThat(answer.headers().firstValue("Location")).hasValue("elasticjob/?job=orders");
    }

    @Test
    void jobsAreListedAndSearched() {
        assertThat(get(JOBS).body()).contains("\"name\":\"orders\"", "\"names\":2", "\"cron\":\"0 0 4 1 1 ?\"");
        assertThat(get(JOBS + "?search=%E8%B4%A6").body()).contains("\"names\":1", "账单 50%; <b>");
        assertThat(get(JOBS + "?state=NO_INSTANCE").body()).contains("\"jobs\":[]");
    }

    @Test
    void jobsAreInTheOrderThatIsAskedForAndSelectedByTheirNamesAlone() {
        assertThat(get(JOBS + "?sort=-items").body()).containsSubsequence("\"name\":\"orders\"", "账单 50%; <b>");
        assertThat(get(JOBS + "?sort=items").body()).containsSubsequence("账单 50%; <b>", "\"name\":\"orders\"");
        assertThat(get(JOBS + "?state=TROUBLED").body()).contains("\"complete\":true");
        assertThat(get("/api/v1/registries/default/names").body()).contains("\"names\":[\"orders\",\"账", "\"total\":2");
        assertThat(get("/api/v1/registries/default/names?state=UNREADABLE&sort=items")
                        .body())
                .contains("\"names\":[]", "\"complete\":true");
    }

    @Test
    void aJobIsShownWithItsItemsAndInstances() {
        assertThat(get(JOBS + "/orders").body()).contains("\"id\":\"10.0.0.1@-@", "\"item\":2", "\"state\":\"NEW\"");
        assertThat(get(JOBS + "/orders/items?from=1").body())
                .contains("\"item\":2")
                .doesNotContain("\"item\":0");
        assertThat(get(JOBS + "/orders/items/0/explanation").body()).contains("NOT_DUE", "/orders/sharding/0");
        assertThat(get(JOBS + "/orders/next?count=3").body()).contains("-01-01T04:00:00Z");
        assertThat(get(JOBS + "/orders/definition").body()).contains("\"version\"", "shardingTotalCount");
        assertThat(get(JOBS + "/orders/tree").body()).contains("/orders/sharding/2");
        assertThat(get(JOBS + "/~" + base64("账单 50%; <b>")).body()).contains("\"item\":0");
    }

    @Test
    void whatIsNotThereOrCannotBeUnderstoodIsAProblem() {
        assertProblem(get(JOBS + "/nothing"), 404, "UNKNOWN");
        assertProblem(get(JOBS + "/orders/items/77/explanation"), 404, "UNKNOWN");
        assertProblem(get("/api/v1/registries/other/jobs"), 404, "UNKNOWN");
        assertProblem(get("/api/v1/what"), 404, "UNKNOWN");
        assertProblem(get(JOBS + "?state=FINE"), 400, "INVALID");
        assertThat(get(JOBS + "?state=FINE&sort=size&after=a").body())
                .contains("TROUBLED, STOPPED", "NO_INSTANCE", "name, -name, condition, -condition");
        assertThat(get(JOBS + "?sort=items&after=orders").body()).contains("isn't ordered by name");
        assertProblem(get(JOBS + "/orders/next?count=0"), 400, "INVALID");
        assertProblem(get(JOBS + "/~%21"), 400, "INVALID");
    }

    @Test
    void whoWouldOwnWhichItemsIsPreviewed() {
        Matcher instance = Pattern.compile("\"id\":\"([^\"]+)\"")
                .matcher(get(JOBS + "/orders").body());
        assertThat(instance.find()).isTrue();
        String preview = JOBS + "/orders/preview";

        assertThat(get(preview).body()).contains("\"strategy\":\"AVG_ALLOCATION\"", "\"moved\":[]");
        assertThat(get(preview + "?more=1&total=4").body())
                .contains("\"instance\":\"+1\",\"change\":\"JOINS\"", "\"moved\":[2]", "\"assigned\":[3]");
        assertThat(get(preview + "?without=~" + base64(instance.group(1))).body())
                .contains("\"change\":\"LEAVES\"", "\"unowned\":[0,1,2]");
        assertProblem(get(preview + "?without=nobody"), 400, "INVALID");
        assertProblem(get(preview + "?total=0"), 400, "INVALID");
        assertProblem(get(preview + "?strategy=byRegion"), 409, "REFUSED");
        assertThat(get(preview + "?strategy=byRegion").body()).contains("\\\"byRegion\\\"");
        assertProblem(get(JOBS + "/nothing/preview"), 404, "UNKNOWN");
    }

    private static void assertProblem(HttpResponse<String> answer, int status, String code) {
        assertThat(answer.statusCode()).isEqualTo(status);
        assertThat(answer.headers().firstValue("Content-Type")).hasValue("application/problem+json");
        assertThat(answer.body()).contains("\"status\":" + status, "\"code\":\"" + code + "\"", "\"detail\"");
    }

    @Test
    void anAnswerThatIsTheSameIsNotSentAgain() {
        HttpResponse<String> first = get(JOBS + "/orders");
        String tag = first.headers().firstValue("ETag").orElseThrow();

        HttpResponse<String> again = send(JOBS + "/orders", signedIn("If-None-Match", tag));

        assertThat(first.headers().firstValue("Age")).isPresent();
        assertThat(again.statusCode()).isEqualTo(304);
        assertThat(again.body()).isEmpty();
    }

    @Test
    void whoWaitsIsAnsweredWhenSomethingChanges() throws Exception {
        String tag = get(JOBS + "/orders").headers().firstValue("ETag").orElseThrow();
        HttpRequest.Builder waiting =
                request(JOBS + "/orders", signedIn("If-None-Match", tag)).header("Prefer", "wait=20");
        CompletableFuture<HttpResponse<String>> held =
                client.sendAsync(waiting.build(), HttpResponse.BodyHandlers.ofString());

        host.getBean(JobAdmin.class)
                .disableItem("orders", 1)
                .toCompletableFuture()
                .get(60, TimeUnit.SECONDS);

        HttpResponse<String> changed = held.get(60, TimeUnit.SECONDS);
        assertThat(changed.statusCode()).isEqualTo(200);
        assertThat(changed.body()).contains("\"disabled\":true");
    }

    @Test
    void aSecondClickIsTheSameRun() throws Exception {
        String run = "{\"runId\": \"month-end\", \"items\": [2], \"reason\": \"INC-7\"}";

        HttpResponse<String> first = command("POST", JOBS + "/orders/runs", run);
        HttpResponse<String> second = command("POST", JOBS + "/orders/runs", run);

        assertThat(first.statusCode()).isEqualTo(200);
        assertThat(first.body()).contains("\"runId\":\"month-end\"", "\"items\":[2]");
        assertThat(second.body()).isEqualTo(first.body());
        Planned events = host.getBean(Planned.class);
        events.awaitRun(1);
        // A second run of the same would come before this one.
        command("POST", JOBS + "/orders/runs", "{\"runId\": \"after\", \"items\": [2], \"parameter\": \"x\"}");
        events.awaitRun(2);
        assertThat(events.runIds).containsExactly("month-end", "after");
        assertThat(events.commands)
                .filteredOn(command -> command.command().equals("trigger run month-end"))
                .hasSize(2)
                .allSatisfy(command -> {
                    assertThat(command.actor()).isEqualTo("mei");
                    assertThat(command.reason()).hasValue("INC-7");
                });
    }

    @Test
    void severalItemsAreDisabledAndEnabledWithOneCommand() throws Exception {
        String items = "{\"items\": [0, 2], \"reason\": \"INC-8\"}";

        HttpResponse<String> disabled = command("PUT", JOBS + "/orders/items/disabled", items);
        String shown = get(JOBS + "/orders/items/2/explanation").body();
        HttpResponse<String> enabled = command("DELETE", JOBS + "/orders/items/disabled", items);

        done(disabled, "\"0\":\"CHANGED\",\"2\":\"CHANGED\"");
        assertThat(shown).contains("ITEM_DISABLED");
        done(enabled, "\"0\":\"CHANGED\",\"2\":\"CHANGED\"");
        assertThat(host.getBean(Planned.class).commands)
                .filteredOn(command -> command.command().equals("disable items [0,2]"))
                .singleElement()
                .satisfies(command -> assertThat(command.reason()).hasValue("INC-8"));
    }

    @Test
    void everyOperationWorksForANameWithBlanksAndSigns() throws Exception {
        String job = JOBS + "/~" + base64(ODD_NAME);
        Matcher instance = INSTANCE.matcher(get(job).body());
        assertThat(instance.find()).isTrue();
        String drained = "/instances/~" + base64(instance.group(1)) + "/drained";

        String range = "{\"from\": \"2025-06-01T00:00:00Z\", \"until\": \"2026-06-01T00:00:00Z\"}";
        assertThat(command("POST", job + "/backfill?dryRun=true", range).body()).contains("TIMES_RUN\",\"count\":1");
        // The other way round, the run would be refused as long as the backfill's waits.
        done(command("POST", job + "/runs", "{\"runId\": \"odd\"}"), "\"items\":[0]");
        done(command("POST", job + "/backfill", range), "\"times\":1", "\"first\":\"2026-01-01T04:00:00Z\"");
        for (String path : List.of("/items/0/disabled", "/servers/10.0.0.1/disabled", drained, "/paused")) {
            done(command("PUT", job + path, "{\"reason\": \"INC-9\"}"));
            done(command("DELETE", job + path, "{}"));
        }
        done(command("POST", job + "/reshard", "{}"));
        for (String name : List.of("disable", "enable", "pause", "resume")) {
            done(
                    command(
                            "POST",
                            "/api/v1/registries/default/bulk",
                            "{\"command\": \"" + name + "\", \"jobs\": [\"" + ODD_NAME + "\"]}"),
                    "\"outcome\":\"DONE\"");
        }

        assertThat(get(job + "/commands").body()).contains("\"command\":\"pause\"", "\"reason\":\"INC-9\"", "mei");
        assertThat(get("/api/v1/registries/default/last?jobs=orders,~" + base64(ODD_NAME))
                        .body())
                .contains("\"orders\":{\"items\":3,\"state\":", "\"" + ODD_NAME + "\":{\"items\":1,");
    }

    private static void done(HttpResponse<String> answer, String... parts) {
        assertThat(answer.statusCode()).as(answer.uri() + " " + answer.body()).isEqualTo(200);
        for (String part : parts) {
            assertThat(answer.body()).contains(part);
        }
    }

    @Test
    void aCommandWithoutTheHostsTokenOrOurHeaderIsRefused() throws Exception {
        HttpRequest.Builder withoutToken = request(JOBS + "/orders/reshard", signedIn("X-ElasticJob", "1"))
                .header("Content-Type", "application/json")
                .POST(HttpRequest.BodyPublishers.ofString("{}"));
        int status = client.send(withoutToken.build(), HttpResponse.BodyHandlers.ofString())
                .statusCode();

        assertThat(status).isIn(401, 403);
        assertThat(send("POST", JOBS + "/orders/reshard", "{}", Map.of()).statusCode())
                .isEqualTo(403);
    }

    @Test
    void aBodyThatIsTooLargeIsRefused() throws Exception {
        assertThat(command("POST", JOBS + "/orders/reshard", "{" + " ".repeat(70_000) + "}")
                        .statusCode())
                .isEqualTo(413);
    }

    @Test
    void theHeadOfAnAnswerHasNoBody() throws Exception {
        HttpRequest request = request(JOBS, signedIn("Accept", "*/*"))
                .method("HEAD", HttpRequest.BodyPublishers.noBody())
                .build();

        assertThat(client.send(request, HttpResponse.BodyHandlers.ofString()).statusCode())
                .isEqualTo(200);
    }

    @Test
    void theHostsOwnAddressesStayItsOwn() throws Exception {
        URI beside = URI.create(base().replace("/elasticjob", "/elasticjobs"));
        HttpRequest request =
                HttpRequest.newBuilder(beside).header("Authorization", basic()).build();

        HttpResponse<String> answer = client.send(request, HttpResponse.BodyHandlers.ofString());

        assertThat(answer.statusCode()).isEqualTo(404);
        assertThat(answer.body()).doesNotContain("console");
    }

    // ------------------------------------------------------------------ asking

    private HttpResponse<String> get(String path) {
        return send(path, signedIn("Accept", "*/*"));
    }

    private HttpResponse<String> send(String path, Map<String, String> headers) {
        try {
            return client.send(request(path, headers).build(), HttpResponse.BodyHandlers.ofString());
        } catch (IOException e) {
            throw new IllegalStateException(e);
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
            throw new IllegalStateException(e);
        }
    }

    private HttpResponse<String> command(String method, String path, String body) throws Exception {
        return send(method, path, body, Map.of("X-ElasticJob", "1"));
    }

    /** In a session of its own, with the host's token. */
    private HttpResponse<String> send(String method, String path, String body, Map<String, String> headers)
            throws Exception {
        HttpResponse<String> session = get("/api/v1/session");
        Matcher token = TOKEN.matcher(session.body());
        assertThat(token.find()).isTrue();
        String cookie = session.headers().firstValue("Set-Cookie").orElseThrow().split(";")[0];
        HttpRequest.Builder command = request(path, headers)
                .header("Cookie", cookie)
                .header("Authorization", basic())
                .header("X-CSRF-TOKEN", token.group(1))
                .header("Content-Type", "application/json")
                .method(method, HttpRequest.BodyPublishers.ofString(body));
        return client.send(command.build(), HttpResponse.BodyHandlers.ofString());
    }

    private HttpRequest.Builder request(String path, Map<String, String> headers) {
        HttpRequest.Builder request =
                HttpRequest.newBuilder(URI.create(base() + path)).timeout(LIMIT);
        headers.forEach(request::header);
        return request;
    }

    private String base() {
        return "http://localhost:" + host.getEnvironment().getProperty("local.server.port") + prefix() + "/elasticjob";
    }

    /** The path below which the application is served. */
    abstract String prefix();

    private static Map<String, String> signedIn(String header, String value) {
        return Map.of("Authorization", basic(), header, value);
    }

    private static String basic() {
        return "Basic " + Base64.getEncoder().encodeToString("mei:mei-password".getBytes(StandardCharsets.UTF_8));
    }

    private static String base64(String name) {
        return Base64.getUrlEncoder().withoutPadding().encodeToString(name.getBytes(StandardCharsets.UTF_8));
    }

    /** Waits until both jobs have owners. */
    static final class Planned implements JobEventListener {
        private final Set<String> jobs = ConcurrentHashMap.newKeySet();
        final List<JobEvent.CommandEnded> commands = new CopyOnWriteArrayList<>();
        final List<String> runIds = new CopyOnWriteArrayList<>();
        private final Semaphore ran = new Semaphore(0);
        private final CountDownLatch both = new CountDownLatch(1);

        @Override
        public void onEvent(JobEvent event) {
            if (event instanceof JobEvent.AssignmentChanged change
                    && !change.items().isEmpty()
                    && jobs.add(change.jobName())
                    && jobs.size() == 2) {
                both.countDown();
            }
            if (event instanceof JobEvent.CommandEnded command) {
                commands.add(command);
            }
            if (event instanceof JobEvent.ItemFinished finished
                    && finished.jobName().equals("orders")) {
                runIds.add(finished.runId());
                ran.release();
            }
        }

        /** @param number of the run, for the message */
        void awaitRun(int number) throws InterruptedException {
            assertThat(ran.tryAcquire(1, 60, TimeUnit.SECONDS))
                    .as("run %d", number)
                    .isTrue();
        }

        void awaitBoth() {
            try {
                assertThat(both.await(60, TimeUnit.SECONDS)).isTrue();
            } catch (InterruptedException e) {
                throw new IllegalStateException(e);
            }
        }
    }

    /** The host. */
    @Configuration(proxyBeanMethods = false)
    @EnableAutoConfiguration
    static class Shop {
        @Bean
        Planned planned() {
            return new Planned();
        }

        @Bean
        Registry registry() {
            return new InMemoryRegistry(
                    new InMemoryEnsemble(Clock.systemUTC()), new SimpleAsyncTaskExecutor("registry-"));
        }

        @Bean
        @ElasticJob(name = "orders", cron = "0 0 4 1 1 ?", shardingTotalCount = 3, timeZone = "UTC")
        SimpleJob orders() {
            return context -> {};
        }

        @Bean
        @ElasticJob(name = ODD_NAME, cron = "0 0 4 1 1 ?", timeZone = "UTC")
        SimpleJob bills() {
            return context -> {};
        }
    }
}
