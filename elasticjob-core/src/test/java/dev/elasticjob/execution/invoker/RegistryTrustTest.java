package dev.elasticjob.execution.invoker;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import com.sun.net.httpserver.HttpExchange;
import com.sun.net.httpserver.HttpServer;
import dev.elasticjob.definition.HttpRequestSettings;
import dev.elasticjob.definition.InvalidJobDefinitionException;
import dev.elasticjob.definition.InvalidJobDefinitionException.Violation;
import dev.elasticjob.definition.JobDefinition;
import dev.elasticjob.definition.JobType;
import dev.elasticjob.definition.kind.JobKind;
import dev.elasticjob.definition.kind.JobKinds;
import dev.elasticjob.definition.kind.KindProperty;
import dev.elasticjob.definition.trust.RegistryTrust;
import dev.elasticjob.execution.Claims;
import dev.elasticjob.job.HttpJobFailedException;
import dev.elasticjob.job.ShardingContext;
import dev.elasticjob.testing.LoggedLines;
import java.io.IOException;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Collections;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** What an instance runs at a claim, whatever the registry says: each rule of the trust boundary. */
class RegistryTrustTest {
    private final List<String> asked = Collections.synchronizedList(new ArrayList<>());
    private final LoggedLines log = new LoggedLines();

    @TempDir
    private Path directory;

    private HttpServer server;

    @BeforeEach
    void listen() throws IOException {
        server = HttpServer.create(new InetSocketAddress(InetAddress.getLoopbackAddress(), 0), 0);
        server.createContext("/", this::answer);
        server.start();
    }

    @AfterEach
    void close() {
        server.stop(0);
        log.close();
    }

    private void answer(HttpExchange exchange) throws IOException {
        String path = exchange.getRequestURI().getPath();
        String token = Objects.requireNonNullElse(exchange.getRequestHeaders().getFirst("Authorization"), "");
        String body = new String(exchange.getRequestBody().readAllBytes(), StandardCharsets.UTF_8);
        asked.add("%s %s %s".formatted(path, token, body).strip());
        if (path.equals("/away")) {
            exchange.getResponseHeaders().add("Location", "http://localhost:" + port() + "/stolen");
        }
        exchange.sendResponseHeaders(path.equals("/away") ? 302 : 200, -1);
        exchange.close();
    }

    // ------------------------------------------------------------------ local jobs, changed in the registry

    @Test
    void aChangedCommandLineOfALocalJobIsNotRunAndReportedOnce() throws Exception {
        JobInvoker invoker = local(script("here"), RegistryTrust.NONE);

        invoker.invoke(Claims.context(script("there")));
        invoker.invoke(Claims.context(script("there")));

        assertThat(directory.resolve("here")).exists();
        assertThat(directory.resolve("there")).doesNotExist();
        assertThat(errors())
                .singleElement()
                .asString()
                .contains("another command line", "touch", "registry-jobs.scripts");
    }

    @Test
    void withTheFlagTheChangedCommandLineIsRun() throws Exception {
        local(script("here"), RegistryTrust.NONE.withScripts()).invoke(Claims.context(script("there")));

        assertThat(directory.resolve("here")).doesNotExist();
        assertThat(directory.resolve("there")).exists();
        assertThat(errors()).isEmpty();
    }

    @Test
    void aChangedUriOfALocalJobIsNotCalledWithAnythingOfIt() throws Exception {
        JobDefinition declared = http("/here", "here");

        local(declared, RegistryTrust.NONE).invoke(Claims.context(http("/there", "there")));

        assertThat(asked).containsExactly("/here Bearer secret here");
        assertThat(errors()).singleElement().asString().contains("another URI", "/there", "registry-jobs.http");
    }

    @Test
    void aChangedUriOnAHostThatIsNotListedIsNotCalled() throws Exception {
        RegistryTrust others = RegistryTrust.NONE.withHosts(List.of("localhost:" + port(), "http://localhost:1"));

        local(http("/here", ""), others).invoke(Claims.context(http("/there", "")));

        assertThat(asked).containsExactly("/here Bearer secret");
        assertThat(errors()).singleElement().asString().contains("allowed-hosts");
    }

    @Test
    void withTheFlagAndTheHostTheChangedUriIsCalled() throws Exception {
        local(http("/here", "here"), listed()).invoke(Claims.context(http("/there", "there")));

        assertThat(asked).containsExactly("/there Bearer secret there");
        assertThat(errors()).isEmpty();
    }

    /** The host is allowed, but the secret is declared for another one. */
    @Test
    void noSecretGoesToAListedHostThatTheInstanceDoesNotDeclare() {
        JobDefinition declared = http(HttpRequestSettings.of("http://localhost:1/here"), "");

        assertThatThrownBy(() -> local(declared, listed()).invoke(Claims.context(http("/there", ""))))
                .isInstanceOf(IllegalArgumentException.class)
                .hasMessageContaining("the registry has another host");
        assertThat(asked).isEmpty();
    }

    // ------------------------------------------------------------------ jobs that are kept in the registry

    @Test
    void aKeptRequestIsSentWithoutItsReferencesReplaced() throws Exception {
        kept(listed()).invoke(Claims.context(http("/kept", "${token}")));

        assertThat(asked).containsExactly("/kept Bearer ${token} ${token}");
    }

    @Test
    void aKeptRequestToAnotherHostFailsAndIsNotSent() {
        RegistryTrust others = RegistryTrust.NONE.withHosts(List.of("billing.example.com"));

        assertThatThrownBy(() -> kept(others).invoke(Claims.context(http("/kept", ""))))
                .isInstanceOf(IllegalStateException.class)
                .hasMessageContaining("may not run it")
                .hasMessageContaining("http://localhost:" + port());
        assertThat(asked).isEmpty();
    }

    @Test
    void aRedirectOfAListedHostIsNotFollowed() {
        assertThatThrownBy(() -> kept(listed()).invoke(Claims.context(http("/away", ""))))
                .isInstanceOf(HttpJobFailedException.class)
                .hasMessageContaining("302");
        assertThat(asked).containsExactly("/away Bearer ${token}");
    }

    @Test
    void aKeptScriptNeedsItsFlag() throws Exception {
        assertThatThrownBy(() -> kept(listed()).invoke(Claims.context(script("there"))))
                .hasMessageContaining("registry-jobs.scripts");
        assertThat(directory.resolve("there")).doesNotExist();

        kept(RegistryTrust.NONE.withScripts()).invoke(Claims.context(script("there")));
        assertThat(directory.resolve("there")).exists();
    }

    @Test
    void onlyTheBeansThatAreListedRunAndOnlyForTheirType() throws Exception {
        List<String> ran = new ArrayList<>();
        JobInvoker kept = kept(RegistryTrust.NONE.withCode("nightly", context -> ran.add("nightly")));

        kept.invoke(Claims.context(bean("nightly", JobType.SIMPLE)));
        assertThatThrownBy(() -> kept.invoke(Claims.context(bean("dataSource", JobType.SIMPLE))))
                .hasMessageContaining("doesn't contain \"dataSource\"");
        assertThatThrownBy(() -> kept.invoke(Claims.context(bean("nightly", JobType.DATAFLOW))))
                .hasMessageContaining("for jobs of the type SIMPLE");

        assertThat(ran).containsExactly("nightly");
    }

    // ------------------------------------------------------------------ an application's own kinds

    @Test
    void changedPropertiesOfAnOwnKindAreNotUsedAndReportedOnceWithoutTheirSecrets() throws Exception {
        JobInvoker invoker = ofKind(RegistryTrust.NONE).declared(say("here", "quiet"));

        invoker.invoke(Claims.context(say("there", "loud")));
        invoker.invoke(Claims.context(say("there", "loud")));

        assertThat(asked).containsExactly("here loud", "here loud");
        assertThat(errors())
                .singleElement()
                .asString()
                .contains("another set of SAY properties", "say.text=there", "add \"say\" to", "registry-jobs.kinds")
                .contains("say.password=******")
                .doesNotContain("s3cret");
    }

    @Test
    void whereTheKindIsTrustedChangedPropertiesAreUsedOnceTheyAreChecked() throws Exception {
        JobInvoker invoker = ofKind(RegistryTrust.NONE.withKind(SAY)).declared(say("here", "quiet"));

        invoker.invoke(Claims.context(say("there", "loud")));
        assertThatThrownBy(() -> invoker.invoke(Claims.context(say("rude", "loud"))))
                .isInstanceOf(InvalidJobDefinitionException.class)
                .hasMessageContaining("say something nice");

        assertThat(asked).containsExactly("there loud");
        assertThat(errors()).isEmpty();
    }

    @Test
    void aKeptJobOfAnOwnKindNeedsItsNameInTheList() throws Exception {
        assertThatThrownBy(() -> ofKind(RegistryTrust.NONE.withScripts()).kept().invoke(Claims.context(say("x", "y"))))
                .hasMessageContaining("runs no SAY jobs from the registry");
        ofKind(RegistryTrust.NONE.withKind(SAY)).kept().invoke(Claims.context(say("x", "y")));

        assertThat(asked).containsExactly("x y");
    }

    @Test
    void aKeptJobOfAKindThatIsNotHereFailsWithTheKindsThatAre() {
        assertThatThrownBy(() -> kept(RegistryTrust.NONE.withKind(SAY)).invoke(Claims.context(say("x", "y"))))
                .hasMessageContaining("expected one of SIMPLE, DATAFLOW, SCRIPT, HTTP");
    }

    private static final JobType SAY = new JobType("SAY");

    private static JobDefinition say(String text, String tone) {
        return JobDefinition.builder("job")
                .jobType(SAY)
                .jobProperties(Map.of("say.text", text, "say.tone", tone, "say.password", "s3cret"))
                .build();
    }

    private KindInvokers ofKind(RegistryTrust trust) {
        return new KindInvokers(JobKinds.of(List.of(new Say(asked))), text -> text, trust);
    }

    private record Say(List<String> said) implements JobKind {
        @Override
        public String name() {
            return SAY.name();
        }

        @Override
        public List<KindProperty> properties() {
            return List.of(
                    KindProperty.of("say.text").required(),
                    KindProperty.of("say.tone").changeable(),
                    KindProperty.of("say.password").secret());
        }

        @Override
        public List<Violation> check(JobDefinition definition) {
            return definition.jobProperties().containsValue("rude")
                    ? List.of(new Violation("jobProperties", "rude", "say something nice"))
                    : List.of();
        }

        @Override
        public void execute(JobDefinition definition, ShardingContext context) {
            said.add("%s %s"
                    .formatted(
                            definition.jobProperties().get("say.text"),
                            definition.jobProperties().get("say.tone")));
        }
    }

    // ------------------------------------------------------------------

    private static JobInvoker local(JobDefinition declared, RegistryTrust trust) {
        return new KindInvokers(JobKinds.BUILT_IN, text -> text.replace("${token}", "secret"), trust)
                .declared(declared);
    }

    private static JobInvoker kept(RegistryTrust trust) {
        return new KindInvokers(JobKinds.BUILT_IN, text -> text.replace("${token}", "secret"), trust).kept();
    }

    private RegistryTrust listed() {
        return RegistryTrust.NONE.withHosts(List.of("http://LOCALHOST:" + port()));
    }

    private int port() {
        return server.getAddress().getPort();
    }

    private JobDefinition script(String file) {
        assertThat(Files.isDirectory(directory)).isTrue();
        return JobDefinition.builder("job")
                .jobType(JobType.SCRIPT)
                // The context is the last argument, which is $0.
                .scriptCommandLine("sh -c 'touch %s'".formatted(directory.resolve(file)))
                .build();
    }

    private JobDefinition http(String path, String body) {
        return http(HttpRequestSettings.of("http://localhost:" + port() + path), body);
    }

    private static JobDefinition http(HttpRequestSettings request, String body) {
        return JobDefinition.builder("job")
                .jobType(JobType.HTTP)
                .http(request.withBody(body.isEmpty() ? "GET" : "POST", body, "")
                        .withHeaders(Map.of("Authorization", "Bearer ${token}")))
                .build();
    }

    private static JobDefinition bean(String name, JobType type) {
        return JobDefinition.builder("job").jobType(type).jobClass(name).build();
    }

    private List<String> errors() {
        return log.all().stream().filter(line -> line.startsWith("ERROR")).toList();
    }
}
