package dev.elasticjob.console.api;

import static org.assertj.core.api.Assertions.assertThat;

import dev.elasticjob.admin.app.AppNodes;
import dev.elasticjob.admin.app.PublishedApp;
import dev.elasticjob.admin.app.PublishedApp.Condition;
import dev.elasticjob.admin.app.PublishedApp.Pool;
import dev.elasticjob.admin.app.PublishedApp.Worker;
import dev.elasticjob.console.ManyJobs;
import dev.elasticjob.console.api.AppBodies.State;
import dev.elasticjob.console.web.Caller;
import dev.elasticjob.console.web.ConsoleResponse;
import dev.elasticjob.registry.JobTree;
import dev.elasticjob.registry.RegistryCommit;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.time.Instant;
import java.util.Arrays;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/** "Why does no worker come?", as the API answers it, and the commands that go with it. */
class AppRoutesTest {
    private static final String APPS = "/api/v1/registries/default/apps";
    private static final String ATTENTION = "/api/v1/registries/default/attention";
    private static final Instant NOON = Instant.parse("2026-03-01T12:00:00Z");
    private static final String LOG =
            "exit code 137" + PublishedApp.LAST_LINES + "jdbc:postgresql://db?password=geheim";

    private final ManyJobs console = new ManyJobs(ManyJobs.withRoles());

    @Test
    void applicationsAreCountedAndShownWithTheirWorkers() {
        assertThat(ask("viewer", APPS)).isEqualTo("{\"apps\":[]}");

        publish(ready(), blocked(false));

        assertThat(ask("viewer", APPS))
                .contains("\"id\":\"prod.shop\",\"name\":\"shop\",\"namespace\":\"prod\",\"attended\":true")
                .contains(
                        "\"state\":\"RUNNING\",\"reason\":\"\",\"open\":7,\"running\":3,\"need\":3,\"registered\":2,\"failed\":1");
        assertThat(ask("viewer", APPS + "/prod.shop"))
                .contains("\"jobs\":[\"订单结算\"]")
                .contains(
                        "\"name\":\"shop-default-0-1\",\"phase\":\"FAILED\",\"pod\":\"shop-default-0-1-x\",\"node\":\"node-7\"");
        assertThat(response("GET", "viewer", APPS + "/prod.bills", "").status()).isEqualTo(404);
    }

    @Test
    void theEndOfALogIsForThoseWhoMaySeeParameters() {
        publish(new Condition("WorkersBlocked", true, "Error", LOG, NOON));

        assertThat(ask("operator", APPS + "/prod.shop")).contains("password=geheim");
        assertThat(ask("viewer", APPS + "/prod.shop"))
                .contains("exit code 137, last lines: ***")
                .doesNotContain("geheim");
        assertThat(ask("viewer", APPS)).doesNotContain("geheim");
    }

    @Test
    void itIsSuspendedResumedAndForgottenFromThere() {
        publish(ready());

        assertThat(command("PUT", "/prod.shop/suspended?dryRun=true", "{}")).contains("NO_WORKERS");
        assertThat(command("PUT", "/prod.shop/suspended", "{\"reason\":\"库存盘点\"}"))
                .contains("true");
        assertThat(ask("viewer", APPS))
                .contains("\"state\":\"SUSPENDED\"")
                .contains("\"actor\":\"tom\",\"reason\":\"库存盘点\"");
        assertThat(command("PUT", "/prod.shop/suspended?dryRun=true", "{}")).contains("\"NOTHING\"");
        assertThat(command("DELETE", "/prod.shop/suspended", "{}")).contains("true");

        assertThat(command("DELETE", "/prod.shop?dryRun=true", "{}"))
                .contains("\"REFUSED\"")
                .contains("ATTENDED");
        assertThat(response("DELETE", "operator", APPS + "/prod.shop", "{}").status())
                .isEqualTo(409);
        assertThat(response("PUT", "viewer", APPS + "/prod.shop/suspended", "{}")
                        .status())
                .isEqualTo(403);
        assertThat(response("PUT", "operator", APPS + "/prod.shops/suspended", "{}")
                        .status())
                .isEqualTo(404);
    }

    /** What people should know first. */
    @ParameterizedTest
    @CsvSource({
        "Ready:true:Ready, 0, 0, IDLE",
        "Ready:true:Ready, 2, 0, STARTING",
        "Ready:true:Ready, 2, 1, RUNNING",
        "Ready:false:Introducing, 2, 0, INTRODUCING",
        "Ready:false:Suspended, 2, 0, SUSPENDED",
        "Ready:false:Invalid, 2, 1, NOT_READY",
        "Ready:false:RegistryUnavailable, 0, 0, NOT_READY",
        "Ready:true:Ready WorkersBlocked:true:Unschedulable, 2, 1, BLOCKED",
        "Ready:false:Introducing WorkersBlocked:true:ImagePullBackOff, 0, 0, BLOCKED"
    })
    void theStateIsWhatPeopleShouldKnowFirst(String conditions, int open, int running, State expected) {
        List<Condition> all = Arrays.stream(conditions.split(" "))
                .map(one -> one.split(":"))
                .map(parts -> new Condition(parts[0], Boolean.parseBoolean(parts[1]), parts[2], "", NOON))
                .toList();
        Pool pool = new Pool("default", 4, 0, 10, open, running, 1, 1, null, List.of(), List.of(), 0);
        publish(new PublishedApp("shop", "prod", false, List.of(pool), all));

        assertThat(ask("viewer", APPS)).contains("\"state\":\"" + expected + "\"");
    }

    @Test
    void withoutAControllerNothingIsKnown() {
        write(RegistryCommit.builder().create(JobTree.apps()).create(JobTree.app("prod.shop"), "{}"));

        assertThat(ask("viewer", APPS)).contains("\"state\":\"NOT_ATTENDED\"").contains("\"name\":\"shop\"");
        assertThat(command("DELETE", "/prod.shop", "{}")).contains("true");
        assertThat(ask("viewer", APPS)).isEqualTo("{\"apps\":[]}");
    }

    @Test
    void whatBlocksAnApplicationNeedsAPersonUnlessItIsSuspended() {
        Instant now = console.time.instant();
        publish(ready(), new Condition("WorkersBlocked", true, "StartFailed", LOG, now));
        assertThat(ask("viewer", ATTENTION)).as("for a moment").contains("\"findings\":[],\"total\":0");

        console.time.advance(Duration.ofSeconds(60));
        assertThat(ask("operator", ATTENTION))
                .contains(
                        "\"findings\":[{\"job\":null,\"group\":null,\"app\":\"prod.shop\",\"kind\":\"WORKERS_BLOCKED\"")
                .contains("\"since\":\"%s\"".formatted(now))
                .contains("Workers don't get to work, StartFailed: exit code 137")
                .contains("READ_WORKER_LOG")
                .contains("\"kinds\":{\"WORKERS_BLOCKED\":1}")
                .contains("\"appsUnread\":null")
                .doesNotContain("geheim");

        command("PUT", "/prod.shop/suspended", "{\"reason\":\"库存盘点\"}");
        console.time.advance(Duration.ofSeconds(3));
        assertThat(ask("viewer", ATTENTION)).contains("\"findings\":[],\"total\":0");
    }

    @Test
    void anApplicationThatNobodyLooksAfterNeedsAPersonAsMuchAsAJobWithoutInstance() {
        write(RegistryCommit.builder().create(JobTree.apps()).create(JobTree.app("prod.shop"), "{}"));
        console.time.advance(Duration.ofSeconds(3));

        assertThat(ask("viewer", ATTENTION))
                .contains(
                        "\"app\":\"prod.shop\",\"kind\":\"APP_WITHOUT_CONTROLLER\",\"items\":[],\"since\":null,\"seen\":");
    }

    // ------------------------------------------------------------------ what is there

    private static Condition ready() {
        return new Condition("Ready", true, "Ready", "", NOON);
    }

    private static Condition blocked(boolean holds) {
        return new Condition("WorkersBlocked", holds, holds ? "Unschedulable" : "None", "", NOON);
    }

    private void publish(Condition... conditions) {
        Worker worker =
                new Worker("shop-default-0-1", "FAILED", "shop-default-0-1-x", "node-7", "", NOON, "OOMKilled", LOG);
        Pool pool = new Pool("default", 4, 0, 10, 7, 3, 3, 2, NOON, List.of("订单结算"), List.of(worker), 0);
        publish(new PublishedApp("shop", "prod", false, List.of(pool), List.of(conditions)));
    }

    private void publish(PublishedApp app) {
        assertThat(new AppNodes(console.registry)
                        .publish("uid", app)
                        .toCompletableFuture()
                        .join())
                .isEmpty();
    }

    private void write(RegistryCommit.Builder commit) {
        assertThat(console.registry
                        .commit(commit.build())
                        .toCompletableFuture()
                        .join()
                        .isCommitted())
                .isTrue();
    }

    private String ask(String role, String address) {
        console.time.advance(Duration.ofSeconds(3));
        return new String(response("GET", role, address, "").body(), StandardCharsets.UTF_8);
    }

    private String command(String method, String address, String body) {
        return new String(response(method, "operator", APPS + address, body).body(), StandardCharsets.UTF_8);
    }

    private ConsoleResponse response(String method, String role, String address, String body) {
        return console.ask(
                        method,
                        address,
                        Map.of("content-type", "application/json", "x-elasticjob", "1"),
                        Optional.of(new Caller("tom", Set.of(role))),
                        body)
                .join();
    }
}
