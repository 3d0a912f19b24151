package dev.elasticjob.console.api;

import static org.assertj.core.api.Assertions.assertThat;

import dev.elasticjob.console.ManyJobs;
import dev.elasticjob.console.web.Caller;
import dev.elasticjob.console.web.ConsoleResponse;
import dev.elasticjob.coordination.view.OperatorDrain;
import dev.elasticjob.registry.JobTree;
import dev.elasticjob.registry.RegistryCommit;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.util.Arrays;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.concurrent.CompletableFuture;
import java.util.stream.IntStream;
import org.junit.jupiter.api.Test;

/** "May I reboot it?", as the API answers it, and what that costs the registry. */
class ServersRouteTest {
    private static final String SERVERS = "/api/v1/registries/default/servers";
    private static final String INSTANCE = "10.0.0.1@-@7";
    private static final Optional<Caller> OPERATOR = Optional.of(new Caller("tom", Set.of("operator")));

    private final ManyJobs console = new ManyJobs(ManyJobs.withRoles());

    private void onServer(String... jobs) {
        RegistryCommit.Builder nodes = RegistryCommit.builder();
        for (String job : jobs) {
            JobTree tree = new JobTree(job);
            nodes.create(tree.server("10.0.0.1"), "").create(tree.instance(INSTANCE), "");
        }
        commit(nodes);
    }

    private void commit(RegistryCommit.Builder nodes) {
        console.registry.commit(nodes.build()).toCompletableFuture().join();
    }

    private CompletableFuture<ConsoleResponse> ask(String address) {
        return console.ask("GET", address, Map.of(), Optional.of(new Caller("mei", Set.of("viewer"))));
    }

    private String text(String address) {
        return text(ask(address).join());
    }

    private static String text(ConsoleResponse answer) {
        return new String(answer.body(), StandardCharsets.UTF_8);
    }

    @Test
    void aServerIsCountedAndShownWithWhatItsInstancesDoInEachJob() {
        console.write("bills", "orders");
        onServer("bills", "orders");
        JobTree orders = new JobTree("orders");
        commit(RegistryCommit.builder().create(orders.drain(INSTANCE), OperatorDrain.text("mei", "new kernel")));

        assertThat(text(SERVERS))
                .contains(
                        "{\"server\":\"10.0.0.1\",\"instances\":[{\"id\":\"" + INSTANCE
                                + "\",\"state\":\"PARTLY_TAKEN_OUT\",\"jobs\":2,\"items\":0,\"running\":0,\"used\":0,\"capacity\":null,\"drainedJobs\":1,\"takenOutOf\":1",
                        "\"drainedBy\":{\"since\":\"2026-11-23T03:00:00Z\",\"actor\":\"mei\",\"reason\":\"new kernel\"}",
                        "\"jobs\":2,\"disabledJobs\":0,\"deadJobs\":0}");
        assertThat(text(SERVERS + "/10.0.0.1"))
                .contains(
                        "{\"job\":\"bills\",\"items\":[],\"running\":[],\"weight\":0,\"draining\":false,\"drainedBy\":null",
                        "{\"job\":\"orders\",\"items\":[],\"running\":[],\"weight\":0,\"draining\":true,\"drainedBy\":{",
                        "\"jobs\":[{\"job\":\"bills\",\"disabled\":false,\"dead\":false},")
                .doesNotContain("takenOut\"");
        assertThat(ask(SERVERS + "/10.0.0.2").join().status()).isEqualTo(404);
    }

    @Test
    void aServerIsDisabledForSeveralJobsAfterADryRunOfEach() {
        console.write("bills", "orders");
        onServer("bills", "orders");
        String body = "{\"command\": \"disable-server\", \"server\": \"10.0.0.1\", \"jobs\": [\"bills\", \"orders\"]}";

        String preview = text(bulk("?dryRun=true", body));
        String before = text(SERVERS);
        String done = text(bulk("", body));

        assertThat(preview).contains("\"job\":\"orders\",\"outcome\":\"CHANGES\"", "ONLY_THIS_JOB");
        assertThat(before).contains("\"disabledJobs\":0");
        assertThat(done).contains("\"job\":\"orders\",\"outcome\":\"DONE\"");
        assertThat(text(SERVERS)).contains("\"disabledJobs\":2");
        assertThat(text(bulk("", "{\"command\": \"disable-server\", \"jobs\": [\"bills\"]}")))
                .contains("\"field\":\"server\"");
        assertThat(text(bulk("", "{\"command\": \"pause\", \"server\": \"10.0.0.1\", \"jobs\": [\"bills\"]}")))
                .contains("\"field\":\"server\"");
    }

    private ConsoleResponse bulk(String query, String body) {
        return console.ask(
                        "POST",
                        "/api/v1/registries/default/bulk" + query,
                        Map.of("content-type", "application/json", "x-elasticjob", "1"),
                        OPERATOR,
                        body)
                .join();
    }

    @Test
    void fewJobsAreReadEveryTwoSecondsAndFourThousandEveryThirty() {
        console.write("orders");
        onServer("orders");
        ask(SERVERS).join();
        long soon = console.requestsOf(() -> everySecond(20));
        // A request for the names, and two for the jobs and their members; without an assignment, none for records.
        assertThat(soon).isBetween(9L * 3, 11L * 3);

        console.write(4_000);
        String[] names =
                IntStream.range(0, 4_000).mapToObj("job-%05d"::formatted).toArray(String[]::new);
        for (int from = 0; from < names.length; from += 500) {
            onServer(Arrays.copyOfRange(names, from, from + 500));
        }
        console.time.advance(Duration.ofMinutes(2));
        ask(SERVERS).join();
        assertThat(console.requestsOf(() -> everySecond(29))).isZero();
    }

    private void everySecond(int seconds) {
        for (int second = 0; second < seconds; second++) {
            ask(SERVERS).join();
            console.time.advance(Duration.ofSeconds(1));
        }
    }
}
