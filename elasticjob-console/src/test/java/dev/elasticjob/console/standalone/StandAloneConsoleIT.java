package dev.elasticjob.console.standalone;

import static org.assertj.core.api.Assertions.assertThat;

import dev.elasticjob.admin.RegistryJobAdmin;
import dev.elasticjob.definition.HttpRequestSettings;
import dev.elasticjob.definition.JobDefinition;
import dev.elasticjob.definition.JobType;
import dev.elasticjob.engine.ElasticJobEngine;
import dev.elasticjob.job.SimpleJob;
import dev.elasticjob.job.event.JobEvent;
import dev.elasticjob.registry.RegistryCommit;
import dev.elasticjob.registry.curator.CuratorRegistry;
import dev.elasticjob.registry.curator.RegistrySettings;
import dev.elasticjob.testing.ChildJvm;
import dev.elasticjob.testing.Heard;
import dev.elasticjob.testing.ZooKeeperProcess;
import java.io.ByteArrayInputStream;
import java.io.IOException;
import java.net.http.HttpResponse;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import java.util.stream.IntStream;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.TestInstance;
import org.junit.jupiter.api.io.TempDir;

/** The jar that users run, as a process, in front of two ZooKeeper servers and an OpenID Connect provider. */
@TestInstance(TestInstance.Lifecycle.PER_CLASS)
class StandAloneConsoleIT {
    private static final String API = "/elasticjob/api/v1";
    private static final String NORTH = API + "/registries/north/jobs";
    private static final String SOUTH = API + "/registries/south/jobs";
    private static final Pattern PORT = Pattern.compile("Tomcat started on port (\\d+)");

    private final IdentityProvider provider = new IdentityProvider();
    private final ZooKeeperProcess north = ZooKeeperProcess.start();
    private final ZooKeeperProcess south = ZooKeeperProcess.start();
    private final Heard<JobEvent> events = new Heard<>();

    private CuratorRegistry registry;
    private ElasticJobEngine engine;
    private ChildJvm process;
    private String console;

    @BeforeAll
    void start(@TempDir Path folder) throws IOException {
        registry = CuratorRegistry.connect(RegistrySettings.of(north.connectString(), "shop"));
        engine = engine(registry);
        try (var other = CuratorRegistry.connect(RegistrySettings.of(south.connectString(), "bank"))) {
            engine(other).close();
        }
        Path settings = Files.writeString(folder.resolve("console.yml"), settings());
        process = ChildJvm.ofJar(
                "console",
                List.of("-Xmx256m", "-XX:TieredStopAtLevel=1"),
                Path.of(System.getProperty("console.jar")),
                List.of("--spring.config.additional-location=file:" + settings, "--server.port=0"));
        process.await("the web server", line -> PORT.matcher(line).find());
        console = "http://127.0.0.1:"
                + process.printed().all().stream()
                        .map(PORT::matcher)
                        .filter(Matcher::find)
                        .map(found -> found.group(1))
                        .findFirst()
                        .orElseThrow();
    }

    /** With the job "orders", which has an instance, and has a plan when this returns. */
    private ElasticJobEngine engine(CuratorRegistry on) {
        ElasticJobEngine started = ElasticJobEngine.builder(on)
                .ip("10.0.0.1")
                .listener(events::add)
                .build();
        SimpleJob job = context -> {};
        started.register(
                JobDefinition.builder("orders")
                        .cron("0 0 4 1 1 ?")
                        .shardingTotalCount(2)
                        .build(),
                job);
        events.clear();
        started.start();
        events.await(
                "an assignment",
                all -> all.stream()
                        .anyMatch(event -> event instanceof JobEvent.AssignmentChanged change
                                && change.items().size() == 2));
        return started;
    }

    private String settings() throws IOException {
        return """
                elasticjob:
                  console:
                    roles-claim: realm_access.roles
                    registries:
                      north: {connect-string: "%1$s", namespace: shop}
                      south: {connect-string: "%2$s", namespace: bank}
                      archive: {connect-string: "%1$s", namespace: shop, read-only: true}
                      dead: {connect-string: "127.0.0.1:1", namespace: shop, connection-timeout: 1s}
                      empty: {connect-string: "%1$s", namespace: nobody/has/this}
                      full: {connect-string: "%1$s", namespace: full}
                      idle: {connect-string: "%1$s", namespace: idle}
                    users:
                      mei: {password: "%3$s", roles: [viewer]}
                      anna: {password: "%4$s", roles: [admin]}
                      guest: {password: "%4$s"}
                spring:
                  security:
                    oauth2:
                      client:
                        registration:
                          company:
                            client-id: %5$s
                            client-secret: of-the-client
                            scope: openid
                        provider:
                          company:
                            issuer-uri: %6$s
                            user-name-attribute: preferred_username
                """.formatted(
                        north.connectString(),
                        south.connectString(),
                        encoded("mei-s"),
                        encoded("anna-s"),
                        IdentityProvider.CLIENT,
                        provider.issuer());
    }

    private static String encoded(String password) throws IOException {
        return EncodedPassword.read(null, new ByteArrayInputStream(password.getBytes(StandardCharsets.UTF_8)));
    }

    @Test
    void aProgramReadsTheDemandOfARegistryWithTheUserOfAViewer() {
        HttpResponse<String> demand =
                SignedIn.nobody(console).getWith("mei", "mei-s", API + "/registries/north/demand?jobs=ord*");

        assertThat(demand.statusCode()).isEqualTo(200);
        assertThat(demand.body()).contains("\"weight\":0");
    }

    /** No instance of these jobs has ever been there: the first firing of a fixed delay is due at once, and the other one is not. */
    @Test
    void aProgramReadsTheWeightOfWhatIsDueWithoutAnInstance() {
        try (var idle = CuratorRegistry.connect(RegistrySettings.of(north.connectString(), "idle"))) {
            RegistryJobAdmin admin = new RegistryJobAdmin(idle);
            List.of(
                            billing("due")
                                    .fixedDelay(Duration.ofHours(1))
                                    .shardingTotalCount(3)
                                    .itemWeights("1=5"),
                            billing("later").every(Duration.ofDays(20)))
                    .forEach(job -> admin.create(job.weight(2).build())
                            .toCompletableFuture()
                            .join());
        }

        String path = API + "/registries/idle/demand?jobs=";

        assertThat(SignedIn.nobody(console)
                        .getWith("mei", "mei-s", path + "due")
                        .body())
                .contains("\"open\":3,\"running\":0,\"weight\":9,");
        assertThat(SignedIn.nobody(console)
                        .getWith("mei", "mei-s", path + "due,later")
                        .body())
                .contains("\"jobs\":2,\"unknown\":0,\"open\":3,\"running\":0,\"weight\":9,");
        assertThat(SignedIn.nobody(console)
                        .getWith("mei", "mei-s", path + "later")
                        .body())
                .matches("\\{\"jobs\":1,\"unknown\":0,\"open\":0,\"running\":0,\"weight\":0,\"oldestOpenSeconds\":null,"
                        + "\"nextDueSeconds\":[1-9]\\d{0,6}}");
    }

    /** With the address and the key that the guide gives to KEDA. */
    @Test
    void theDemandIsWhereTheGuideLetsKedaLook() throws IOException {
        String guide = Files.readString(Path.of("..", "docs", "guide", "scaling.md"));
        Matcher trigger = Pattern.compile("url: \"https://console:8443(\\S+)\"\\s+valueLocation: (\\S+)")
                .matcher(guide);
        assertThat(trigger.find()).isTrue();
        String path = trigger.group(1).replace("/shop/", "/north/");

        String answer = SignedIn.nobody(console).getWith("mei", "mei-s", path).body();

        assertThat(path).startsWith(API + "/registries/north/demand?jobs=");
        assertThat(answer).contains("\"" + trigger.group(2) + "\":");
    }

    private static JobDefinition.Builder billing(String name) {
        return JobDefinition.builder(name)
                .jobType(JobType.HTTP)
                .http(HttpRequestSettings.of("http://localhost:1/bill"));
    }

    @AfterAll
    void stop() {
        process.close();
        engine.close();
        registry.close();
        north.close();
        south.close();
        provider.close();
    }

    @Test
    void whoHasNotSignedInSeesNothing() {
        SignedIn nobody = SignedIn.nobody(console);

        assertThat(nobody.get("/").headers().firstValue("Location"))
                .hasValueSatisfying(to -> assertThat(to).endsWith("/login"));
        assertThat(nobody.get("/elasticjob/?registry=south").headers().firstValue("Location"))
                .hasValueSatisfying(to -> assertThat(to).endsWith("/login"));
        HttpResponse<String> api = nobody.get(NORTH);
        assertThat(api.statusCode()).isEqualTo(401);
        assertThat(api.body()).contains("NOT_AUTHENTICATED").doesNotContain("orders");
        assertThat(nobody.get("/login").body()).contains("name=\"password\"", "/oauth2/authorization/company");
    }

    @Test
    void afterSigningInAUserIsBackAtTheSameViewAndSeesAllRegistries() {
        SignedIn mei = SignedIn.nobody(console);
        mei.get("/elasticjob/?registry=south");
        mei.get(NORTH);

        HttpResponse<String> signedIn = mei.signIn("mei", "mei-s");

        assertThat(signedIn.headers().firstValue("Location"))
                .hasValueSatisfying(to -> assertThat(to).contains("/elasticjob/?registry=south"));
        assertThat(mei.get("/").headers().firstValue("Location")).hasValue("elasticjob/");
        HttpResponse<String> page = mei.get("/elasticjob/");
        assertThat(page.body()).contains("id=\"console\"");
        assertThat(page.headers().firstValue("Content-Security-Policy"))
                .hasValueSatisfying(policy -> assertThat(policy).contains("script-src 'self'"));
        assertThat(mei.get(API + "/session").body())
                .contains(
                        "\"user\":\"mei\"",
                        "\"levels\":[\"VIEWER\"]",
                        "\"name\":\"north\",\"namespace\":\"shop\",\"mode\":\"OPERATED\"",
                        "\"name\":\"archive\",\"namespace\":\"shop\",\"mode\":\"READ_ONLY\"",
                        "\"signOut\":\"../logout\"")
                .doesNotContain("127.0.0.1");
        assertThat(mei.get(NORTH).body()).contains("\"name\":\"orders\"", "READY");
        assertThat(mei.get("/logout").body()).contains("_csrf");
    }

    @Test
    void aWrongPasswordAndAMissingRoleLetNobodyIn() {
        assertThat(SignedIn.nobody(console).signIn("mei", "anna-s").headers().firstValue("Location"))
                .hasValueSatisfying(to -> assertThat(to).endsWith("/login?error"));
        assertThat(SignedIn.as(console, "guest", "anna-s").get(NORTH).statusCode())
                .isEqualTo(403);
    }

    @Test
    void onlyOperatorsOperateOnlyWithTheTokenAndNotWhereItIsReadOnly() {
        SignedIn anna = SignedIn.as(console, "anna", "anna-s");
        SignedIn mei = SignedIn.as(console, "mei", "mei-s");
        String item = "/orders/items/1/disabled";

        assertThat(mei.command("PUT", NORTH + item, "{}").statusCode()).isEqualTo(403);
        assertThat(anna.withoutToken("PUT", NORTH + item, "{}", "forged").statusCode())
                .isEqualTo(403);
        assertThat(anna.command("PUT", API + "/registries/archive/jobs" + item, "{}")
                        .body())
                .contains("READ_ONLY");
        assertThat(anna.get(NORTH + "/orders").body()).doesNotContain("\"disabled\":true");

        assertThat(anna.command("PUT", NORTH + item, "{\"reason\":\"as a test\"}")
                        .statusCode())
                .isEqualTo(200);

        process.await(
                "the log of the command",
                line -> line.contains("Registry \"north\": Job \"orders\": \"anna\" carried out \"disable item 1\"")
                        && line.contains("as a test"));
        assertThat(anna.command("DELETE", NORTH + item, "{}").statusCode()).isEqualTo(200);
    }

    @Test
    void aUserOfTheProviderHasTheRolesOfTheClaim() {
        SignedIn wei = SignedIn.byProvider(console, "company");

        assertThat(wei.get(API + "/session").body())
                .contains("\"user\":\"wei\"", "\"levels\":[\"VIEWER\",\"OPERATOR\"]");
        assertThat(wei.command("POST", NORTH + "/orders/reshard", "{}").statusCode())
                .isEqualTo(200);
    }

    /** ZooKeeper's clients take 1 MB by default; ours, and so the console, takes more. */
    @Test
    void aNamespaceWhoseNamesExceedAMegabyteIsListedAndSearched() {
        int names = 5_000;
        String start = "n".repeat(240);
        try (var full = CuratorRegistry.connect(RegistrySettings.of(north.connectString(), "full"))) {
            for (int begin = 0; begin < names; begin += 1_000) {
                var commit = RegistryCommit.builder();
                IntStream.range(begin, begin + 1_000).forEach(number -> commit.create("/" + start + number));
                full.commit(commit.build()).toCompletableFuture().join();
            }
        }
        SignedIn mei = SignedIn.as(console, "mei", "mei-s");
        String jobs = API + "/registries/full/jobs";

        HttpResponse<String> page = mei.get(jobs);

        assertThat(page.statusCode()).as(page.body()).isEqualTo(200);
        assertThat(page.body()).contains("\"names\":" + names);
        assertThat(mei.get(jobs + "?search=n4999").body()).contains(start + 4_999);
        HttpResponse<byte[]> packed = mei.getPacked(jobs);
        assertThat(packed.headers().firstValue("Content-Encoding")).hasValue("gzip");
        assertThat(packed.body().length).isLessThan(page.body().length() / 4);
    }

    @Test
    void aRegistryThatIsNotConfiguredIsUnknown() {
        HttpResponse<String> unknown = SignedIn.as(console, "mei", "mei-s").get(API + "/registries/west/jobs");

        assertThat(unknown.statusCode()).isEqualTo(404);
        assertThat(unknown.body()).contains("There is no registry \\\"west\\\" in this console");
    }

    @Test
    void lookingAtANamespaceThatDoesNotExistDoesNotCreateIt() {
        SignedIn mei = SignedIn.as(console, "mei", "mei-s");
        long before = north.znodes();

        assertThat(mei.get(API + "/registries/empty/jobs").body()).contains("\"jobs\":[]");

        assertThat(north.znodes()).isEqualTo(before);
    }

    @Test
    void aRegistryThatWasNeverThereSaysSoByItsName() {
        HttpResponse<String> dead = SignedIn.as(console, "mei", "mei-s").get(API + "/registries/dead/jobs");

        assertThat(dead.statusCode()).isEqualTo(503);
        assertThat(dead.body())
                .contains("No ZooKeeper server of the registry \\\"dead\\\" has answered")
                .doesNotContain("elasticjob.registry");
    }

    @Test
    void aRegistryThatIsDownHarmsNoOtherAndComesBackByItself() {
        SignedIn mei = SignedIn.as(console, "mei", "mei-s");
        assertThat(mei.get(SOUTH).body()).contains("\"name\":\"orders\"");

        south.kill();
        process.await("the loss", line -> line.contains(south.connectString() + "\": SUSPENDED"));
        HttpResponse<String> down = mei.get(SOUTH + "?search=o");

        assertThat(down.statusCode()).isEqualTo(503);
        assertThat(down.body()).contains("REGISTRY_UNAVAILABLE");
        assertThat(mei.get(NORTH + "?search=o").statusCode()).isEqualTo(200);

        south.restart();
        process.await("the return", line -> line.contains(south.connectString() + "\": RECONNECTED"));
        assertThat(mei.get(SOUTH + "?search=r").body()).contains("\"name\":\"orders\"");
    }
}
