package dev.elasticjob.compatibility;

import static org.assertj.core.api.Assertions.assertThat;

import dev.elasticjob.admin.RegistryJobAdmin;
import dev.elasticjob.definition.JobDefinition;
import dev.elasticjob.engine.ElasticJobEngine;
import dev.elasticjob.job.SimpleJob;
import dev.elasticjob.registry.JobTree;
import dev.elasticjob.registry.Registry;
import dev.elasticjob.registry.RegistryRead;
import dev.elasticjob.registry.curator.CuratorRegistry;
import dev.elasticjob.registry.curator.RegistrySettings;
import dev.elasticjob.testing.Heard;
import dev.elasticjob.testing.TestZooKeeper;
import java.io.IOException;
import java.time.Duration;
import java.time.ZoneOffset;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.CompletionStage;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;
import java.util.stream.IntStream;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.TestInfo;
import org.springframework.boot.SpringApplication;
import org.springframework.boot.autoconfigure.EnableAutoConfiguration;
import org.springframework.context.ConfigurableApplicationContext;
import org.springframework.context.annotation.Configuration;
import tools.jackson.databind.JsonNode;

/**
 * Our console, asked over HTTP, beside the API that the console of 2.1.5 calls: what one does, the other shows. Each test has
 * a job that is named as the test.
 */
@Tag("proof")
class ConsoleBesideTwoIT {
    private static final String NAMESPACE = "shop";
    private static final String ONCE_A_YEAR = "0 0 0 1 1 ?";
    private static final String A = "10.0.0.1@-@1";
    private static final String B = "10.0.0.2@-@1";
    private static final SimpleJob NOTHING = context -> {};
    private static final String BULK = "registries/default/bulk";

    private static TestZooKeeper server;
    private static Operator his;
    private static ConfigurableApplicationContext application;
    private static ConsoleClient ours;

    private final List<AutoCloseable> opened = new ArrayList<>();
    private final CountDownLatch released = new CountDownLatch(1);
    private final Heard<Integer> begun = new Heard<>();
    private String job;

    /** Shows all jobs of the namespace, and runs none. */
    @Configuration(proxyBeanMethods = false)
    @EnableAutoConfiguration
    static class Application {}

    @BeforeAll
    static void startServerAndConsoles() {
        server = TestZooKeeper.start();
        his = new Operator(server.connectString(), NAMESPACE);
        application = SpringApplication.run(
                Application.class,
                "--server.port=0",
                "--spring.security.user.name=mei",
                "--spring.security.user.password=mei-password",
                "--spring.security.user.roles=OPS",
                "--elasticjob.console.roles.operator=OPS",
                "--elasticjob.console.roles.admin=OPS",
                "--elasticjob.worker.enabled=false",
                "--elasticjob.registry.connect-string=" + server.connectString(),
                "--elasticjob.registry.namespace=" + NAMESPACE);
        String port = application.getEnvironment().getProperty("local.server.port");
        ours = new ConsoleClient("http://127.0.0.1:" + port + "/elasticjob/", "mei", "mei-password");
    }

    @AfterAll
    static void endServerAndConsoles() throws IOException {
        application.close();
        his.close();
        server.close();
    }

    @BeforeEach
    void nameTheJob(TestInfo test) {
        job = test.getTestMethod().orElseThrow().getName();
    }

    @AfterEach
    void removeTheJob() throws Exception {
        released.countDown();
        for (AutoCloseable each : opened) {
            each.close();
        }
        try (Registry registry = registry()) {
            if (isThere(registry)) {
                get(new RegistryJobAdmin(registry).remove(job));
            }
        }
    }

    // ------------------------------------------------------------------ he does, ours shows

    @Test
    void aJobThatHeDisables() {
        start(A, NOTHING);

        his.does("disable job", job);
        ours.await(path(""), shown -> status(shown).equals("DISABLED") && isDisabled(shown, A));
        his.does("enable job", job);

        ours.await(path(""), shown -> status(shown).equals("READY") && !isDisabled(shown, A));
    }

    @Test
    void aServerThatHeDisables() {
        start(A, NOTHING);
        start(B, NOTHING);
        ours.await(path(""), shown -> itemsOf(shown, A).size() == 1);

        his.does("disable server", job, "10.0.0.1");
        ours.await(
                path(""),
                shown -> isDisabled(shown, A)
                        && !isDisabled(shown, B)
                        && itemsOf(shown, B).equals(List.of(0, 1)));
        his.does("enable server", job, "10.0.0.1");

        ours.await(path(""), shown -> !isDisabled(shown, A) && itemsOf(shown, A).size() == 1);
    }

    @Test
    void anItemThatHeDisables() {
        start(A, NOTHING);

        his.does("disable item", job, "1");
        ours.await(path(""), shown -> shown.at("/items/1/disabled").asBoolean());
        his.does("enable item", job, "1");

        ours.await(path(""), shown -> !shown.at("/items/1/disabled").asBoolean());
    }

    @Test
    void aRunThatHeTriggers() {
        start(A, NOTHING);

        his.does("trigger", job);

        ours.await(
                path(""),
                shown -> IntStream.range(0, 2)
                        .mapToObj(item -> shown.at("/items/" + item))
                        .allMatch(item -> item.at("/state").asString().equals("COMPLETED")
                                && item.at("/runId").asString().startsWith("operator-")));
    }

    @Test
    void settingsThatHeChanges() {
        start(A, NOTHING);

        his.does("update", job, "cron", "0 30 4 1 1 ?");
        his.does("update", job, "count", "3");
        his.does("update", job, "description", "his");

        ours.await(
                path("/definition"),
                shown -> shown.at("/settings/cron").asString().equals("0 30 4 1 1 ?")
                        && shown.at("/settings/shardingTotalCount").asInt() == 3
                        && shown.at("/settings/description").asString().equals("his"));
        ours.await(path(""), shown -> itemsOf(shown, A).equals(List.of(0, 1, 2)));
        assertThat(ours.get(path("/next?count=1")).at("/times/0").asString()).contains("-01-01T", ":30:00Z");
    }

    @Test
    void anInstanceThatHeShutsDown() {
        start(A, NOTHING);
        start(B, NOTHING);
        ours.await(path(""), shown -> itemsOf(shown, A).size() == 1);

        his.does("shut down", job, "10.0.0.1");

        ours.await(
                path(""),
                shown -> shown.at("/instances").size() == 1 && itemsOf(shown, B).equals(List.of(0, 1)));
    }

    /** His removal breaks off without a word where a node is gone before he comes to it: then he asks again. */
    @Test
    void aJobThatHeRemoves() {
        start(A, NOTHING);

        try (Registry registry = registry()) {
            for (int asked = 0; asked < 100 && isThere(registry); asked++) {
                his.does("remove job", job);
            }
        }

        ours.awaitAbsence(path(""));
        ours.await(
                "registries/default/jobs?search=" + job,
                shown -> shown.at("/names").asInt() == 0);
    }

    // ------------------------------------------------------------------ ours does, he shows

    @Test
    void aJobThatIsDisabledHere() {
        start(A, NOTHING);

        ours.command("POST", BULK, "{\"command\": \"disable\", \"jobs\": [\"" + job + "\"]}");
        List<String> disabled = hisJob();
        List<String> servers = his.does("servers");
        ours.command("POST", BULK, "{\"command\": \"enable\", \"jobs\": [\"" + job + "\"]}");
        ours.await(
                path(""),
                shown -> status(shown).equals("READY") && itemsOf(shown, A).equals(List.of(0, 1)));

        assertThat(disabled).containsExactly(job + "\tDISABLED\t0 0 0 1 1 ?\t2\t1");
        assertThat(servers).containsExactly("10.0.0.1\t1\t1\t1");
        assertThat(hisJob()).containsExactly(job + "\tOK\t0 0 0 1 1 ?\t2\t1");
        assertThat(his.does("servers")).containsExactly("10.0.0.1\t1\t1\t0");
    }

    @Test
    void aServerThatIsDisabledHere() {
        start(A, NOTHING);
        start(B, NOTHING);

        ours.command("PUT", path("/servers/10.0.0.1/disabled"), "{}");
        ours.await(path(""), shown -> itemsOf(shown, B).equals(List.of(0, 1)));

        assertThat(his.does("servers")).containsExactly("10.0.0.1\t1\t1\t1", "10.0.0.2\t1\t1\t0");
        assertThat(his.does("sharding", job)).containsExactly("0\t10.0.0.2\t1\tPENDING", "1\t10.0.0.2\t1\tPENDING");
    }

    @Test
    void anItemThatIsDisabledHere() {
        start(A, NOTHING);

        ours.command("PUT", path("/items/1/disabled"), "{}");
        List<String> disabled = his.does("sharding", job);
        ours.command("DELETE", path("/items/1/disabled"), "{}");

        assertThat(disabled).containsExactly("0\t10.0.0.1\t1\tPENDING", "1\t10.0.0.1\t1\tDISABLED");
        assertThat(his.does("sharding", job)).containsExactly("0\t10.0.0.1\t1\tPENDING", "1\t10.0.0.1\t1\tPENDING");
    }

    @Test
    void aRunThatIsTriggeredHere() {
        start(A, context -> {
            begun.add(context.getShardingItem());
            released.await(60, TimeUnit.SECONDS);
        });

        ours.command("POST", path("/runs"), "{\"runId\": \"by-hand\", \"items\": [1]}");
        begun.await("item 1", items -> items.contains(1));
        List<String> meanwhile = his.does("sharding", job);
        released.countDown();
        ours.await(path(""), shown -> shown.at("/items/1/state").asString().equals("COMPLETED"));

        assertThat(meanwhile).containsExactly("0\t10.0.0.1\t1\tPENDING", "1\t10.0.0.1\t1\tRUNNING");
        assertThat(his.does("sharding", job)).containsExactly("0\t10.0.0.1\t1\tPENDING", "1\t10.0.0.1\t1\tPENDING");
    }

    @Test
    void settingsThatAreChangedHere() {
        start(A, NOTHING);

        ours.change(
                job,
                "{\"cron\": \"0 30 4 1 1 ?\", \"shardingTotalCount\": 3, \"jobParameter\": \"p\", \"description\": \"ours\"}");
        ours.await(path(""), shown -> itemsOf(shown, A).equals(List.of(0, 1, 2)));

        assertThat(his.does("settings", job))
                .contains("cron\t0 30 4 1 1 ?", "count\t3", "parameter\tp", "description\tours");
        assertThat(hisJob()).containsExactly(job + "\tOK\t0 30 4 1 1 ?\t3\t1");
        assertThat(his.does("sharding", job)).hasSize(3).allMatch(line -> line.contains("\t10.0.0.1\t1\tPENDING"));
    }

    @Test
    void aJobThatIsRemovedHere() {
        start(A, NOTHING);
        List<String> before = hisJob();

        ours.command("DELETE", path(""), "{}");

        assertThat(before).hasSize(1);
        assertThat(hisJob()).isEmpty();
    }

    // ------------------------------------------------------------------ sentences

    /** An instance with the job, which has a plan with it when this returns. */
    private void start(String instance, SimpleJob body) {
        ElasticJobEngine engine = ElasticJobEngine.builder(registry())
                .instanceId(instance)
                .ip(instance.split("@")[0])
                .shutdownTimeout(Duration.ofSeconds(2))
                .build();
        opened.add(engine);
        engine.register(
                JobDefinition.builder(job)
                        .cron(ONCE_A_YEAR)
                        .shardingTotalCount(2)
                        .timeZone(ZoneOffset.UTC)
                        .build(),
                body);
        engine.start();
        ours.await(path(""), shown -> !itemsOf(shown, instance).isEmpty());
    }

    private Registry registry() {
        return CuratorRegistry.connect(
                RegistrySettings.of(server.connectString(), NAMESPACE).withSessionTimeout(Duration.ofSeconds(6)));
    }

    private boolean isThere(Registry registry) {
        String root = new JobTree(job).root();
        return !get(registry.read(List.of(RegistryRead.children(root))))
                .children(root)
                .isEmpty();
    }

    private static <T> T get(CompletionStage<T> stage) {
        return stage.toCompletableFuture().orTimeout(60, TimeUnit.SECONDS).join();
    }

    /** The line of the job on his list, if it is there. */
    private List<String> hisJob() {
        return his.does("jobs").stream()
                .filter(line -> line.startsWith(job + "\t"))
                .toList();
    }

    private String path(String more) {
        return "registries/default/jobs/" + job + more;
    }

    private static String status(JsonNode shown) {
        return shown.at("/job/status").asString();
    }

    private static boolean isDisabled(JsonNode shown, String instance) {
        return instance(shown, instance).at("/serverDisabled").asBoolean();
    }

    private static List<Integer> itemsOf(JsonNode shown, String instance) {
        List<Integer> items = new ArrayList<>();
        instance(shown, instance).at("/items").forEach(item -> items.add(item.asInt()));
        return items;
    }

    private static JsonNode instance(JsonNode shown, String id) {
        for (JsonNode instance : shown.at("/instances")) {
            if (instance.at("/id").asString().equals(id)) {
                return instance;
            }
        }
        return shown.at("/nobody");
    }
}
