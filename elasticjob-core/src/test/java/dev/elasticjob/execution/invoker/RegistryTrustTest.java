package dev.elasticjob.execution.invoker;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import com.sun.net.httpserver.HttpExchange;
import com.sun.net.httpserver.HttpServer;
import dev.elasticjob.definition.HttpRequestSettings;
import dev.elasticjob.definition.JobDefinition;
import dev.elasticjob.definition.JobType;
import dev.elasticjob.definition.trust.RegistryTrust;
import dev.elasticjob.execution.Claims;
import dev.elasticjob.job.HttpJobFailedException;
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
        JobInvoker.ofRegistryJobs(listed()).invoke(Claims.context(http("/kept", "${token}")));

        assertThat(asked).containsExactly("/kept Bearer ${token} ${token}");
    }

    @Test
    void aKeptRequestToAnotherHostFailsAndIsNotSent() {
        RegistryTrust others = RegistryTrust.NONE.withHosts(List.of("billing.example.com"));

        assertThatThrownBy(() -> JobInvoker.ofRegistryJobs(others).invoke(Claims.context(http("/kept", ""))))
                .isInstanceOf(IllegalStateException.class)
                .hasMessageContaining("may not run it")
                .hasMessageContaining("http://localhost:" + port());
        assertThat(asked).isEmpty();
    }

    @Test
    void aRedirectOfAListedHostIsNotFollowed() {
        assertThatThrownBy(() -> JobInvoker.ofRegistryJobs(listed()).invoke(Claims.context(http("/away", ""))))
                .isInstanceOf(HttpJobFailedException.class)
                .hasMessageContaining("302");
        assertThat(asked).containsExactly("/away Bearer ${token}");
    }

    @Test
    void aKeptScriptNeedsItsFlag() throws Exception {
        assertThatThrownBy(() -> JobInvoker.ofRegistryJobs(listed()).invoke(Claims.context(script("there"))))
                .hasMessageContaining("registry-jobs.scripts");
        assertThat(directory.resolve("there")).doesNotExist();

        JobInvoker.ofRegistryJobs(RegistryTrust.NONE.withScripts()).invoke(Claims.context(script("there")));
        assertThat(directory.resolve("there")).exists();
    }

    @Test
    void onlyTheBeansThatAreListedRunAndOnlyForTheirType() throws Exception {
        List<String> ran = new ArrayList<>();
        JobInvoker kept =
                JobInvoker.ofRegistryJobs(RegistryTrust.NONE.withCode("nightly", context -> ran.add("nightly")));

        kept.invoke(Claims.context(bean("nightly", JobType.SIMPLE)));
        assertThatThrownBy(() -> kept.invoke(Claims.context(bean("dataSource", JobType.SIMPLE))))
                .hasMessageContaining("doesn't contain \"dataSource\"");
        assertThatThrownBy(() -> kept.invoke(Claims.context(bean("nightly", JobType.DATAFLOW))))
                .hasMessageContaining("for jobs of the type SIMPLE");

        assertThat(ran).containsExactly("nightly");
    }

    // ------------------------------------------------------------------

    private static JobInvoker local(JobDefinition declared, RegistryTrust trust) {
        return Objects.requireNonNull(JobInvoker.withoutCode(text -> text.replace("${token}", "secret"), trust)
                        .get(declared.jobType()))
                .apply(declared);
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
