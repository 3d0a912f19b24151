package dev.elasticjob.console;

import static org.assertj.core.api.Assertions.assertThat;

import dev.elasticjob.console.history.ConsoleHistory;
import dev.elasticjob.console.history.Entry;
import dev.elasticjob.console.history.Executions;
import dev.elasticjob.console.history.Firings;
import dev.elasticjob.console.history.Operations;
import dev.elasticjob.console.history.Operations.Operation;
import dev.elasticjob.console.web.Access;
import dev.elasticjob.console.web.AccessLevel;
import dev.elasticjob.console.web.Caller;
import dev.elasticjob.console.web.ConsoleResponse;
import dev.elasticjob.definition.JobDefinition;
import dev.elasticjob.definition.codec.JobDefinitionCodec;
import dev.elasticjob.registry.JobTree;
import dev.elasticjob.registry.RegistryCommit;
import java.nio.charset.StandardCharsets;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.SortedMap;
import java.util.SortedSet;
import java.util.TreeMap;
import org.junit.jupiter.api.Test;

/**
 * Parameters are secrets for those who may only look: each address that reads, asked for jobs with a secret wherever a
 * parameter can stand.
 */
class ParametersTest {
    private static final String SECRET = "hunter2";
    private static final String JOB = ManyJobs.JOBS + "/job-00000";

    /** Spoilt in different ways; each repeats a parameter where it is spoilt. */
    private static final Map<String, String> UNREADABLE = Map.of(
            "object", "{\"jobType\":\"SIMPLE\",\"cron\":\"0 0 4 * * ?\",\"jobParameter\":{\"a\":\"hunter2\"}}",
            "pairs", "{\"jobType\":\"SIMPLE\",\"cron\":\"0 0 4 * * ?\",\"shardingItemParameters\":\"hunter2\"}",
            "word", "hunter2",
            "half", "{\"jobParameter\":hunter2");

    @Test
    void whoMayOnlyLookSeesNoParameterAnywhere() {
        ManyJobs console = console(ManyJobs.withRoles());

        assertThat(showing(console, caller("viewer"))).isEmpty();
    }

    @Test
    void nobodyIsSignedInAndNoParameterIsShown() {
        var open = new Access(Access.Unsecured.READ_ONLY, Optional.empty(), Optional.empty(), Optional.empty());

        assertThat(showing(console(open), Optional.empty())).isEmpty();
    }

    private static final String ALL_AS_YAML = "/api/v1/registries/default/definitions.yaml";

    @Test
    void operatorsSeeThemWhereTheyNeedThem() {
        ManyJobs console = console(ManyJobs.withRoles());

        for (String role : List.of("operator", "admin")) {
            assertThat(showing(console, caller(role)))
                    .as(role)
                    .contains(JOB + "/items", JOB + "/definition", JOB + "/commands", JOB + "/tree")
                    .contains("/api/v1/registries/default/operations");
        }
    }

    @Test
    void aPropertyShowsThemToAllWhoMayLook() {
        var shown = new Access(
                Access.Unsecured.READ_ONLY,
                Optional.empty(),
                Optional.empty(),
                Optional.empty(),
                AccessLevel.VIEWER,
                List.of());

        assertThat(showing(console(shown), Optional.empty())).contains(JOB + "/definition", JOB + "/items");
    }

    @Test
    void aMaskStandsForWhatIsThere() {
        ManyJobs console = console(ManyJobs.withRoles());

        assertThat(text(console, JOB + "/definition", caller("viewer")))
                .contains("\"jobParameter\":\"******\"", "\"shardingItemParameters\":\"******\"")
                .contains("\"table\":\"******\"", "\"description\":\"\"", "\"cron\":\"0 0 4 * * ?\"");
        assertThat(text(console, JOB + "/definition.yaml", caller("viewer")))
                .contains("cron: \"0 0 4 * * ?\"", "# job-parameter: ****** is not shown");
        assertThat(text(console, JOB + "/definition.yaml", caller("operator")))
                .contains("job-parameter: " + SECRET, "time-zone: ");
        assertThat(text(console, ALL_AS_YAML, caller("viewer"))).contains("# job-parameter: ****** is not shown");
        assertThat(text(console, ALL_AS_YAML, caller("operator"))).contains("job-parameter: " + SECRET);
        assertThat(text(console, JOB + "/items", caller("viewer")))
                .contains("\"parameter\":\"******\"", "\"runParameter\":\"******\"");
        assertThat(text(console, JOB + "/commands", caller("viewer")))
                .contains("{\"setting\":\"jobParameter\",\"before\":\"******\",\"after\":\"******\"}");
        assertThat(text(console, "/api/v1/registries/default/operations", caller("viewer")))
                .contains("\"changed jobParameter, timeout\"", "\"outcome\":\"******\"", "\"outcome\":\"stored\"");
    }

    @Test
    void twoWhoSeeDifferentThingsDoNotShareAnAnswer() {
        ManyJobs console = console(ManyJobs.withRoles());
        for (String address : List.of("/items", "/definition", "/commands", "/tree")) {
            ConsoleResponse all = console.ask("GET", JOB + address, Map.of(), caller("operator"))
                    .join();
            String tag = all.headers().get("ETag");

            ConsoleResponse masked = console.ask("GET", JOB + address, Map.of("if-none-match", tag), caller("viewer"))
                    .join();

            assertThat(masked.status()).as(address).isEqualTo(200);
            assertThat(masked.headers()).doesNotContainEntry("ETag", tag);
            assertThat(console.ask("GET", JOB + address, Map.of("if-none-match", tag), caller("admin"))
                            .join()
                            .status())
                    .isEqualTo(304);
        }
    }

    @Test
    void aMaskIsNeverWrittenBack() {
        ManyJobs console = console(ManyJobs.withRoles());
        String version =
                text(console, JOB + "/definition", caller("viewer")).replaceAll(".*\"version\":\"([^\"]*)\".*", "$1");

        ConsoleResponse answer = patched(console, version, "{\"settings\":{\"jobParameter\":\"******\"}}");

        assertThat(answer.status()).isEqualTo(400);
        assertThat(text(console, JOB + "/definition", caller("operator"))).contains(SECRET);
    }

    // ------------------------------------------------------------------ the jobs

    private static ManyJobs console(Access access) {
        ManyJobs console = new ManyJobs(access).write(1);
        console.remember(new Audited());
        JobTree tree = new JobTree("job-00000");
        var codec = new JobDefinitionCodec();
        JobDefinition definition = JobDefinition.builder("job-00000")
                .cron("0 0 4 * * ?")
                .shardingTotalCount(2)
                .jobParameter(SECRET)
                .shardingItemParameters("0=" + SECRET)
                .jobProperties(Map.of("table", SECRET))
                .build();
        String run = "{\"runId\":\"r1\",\"parameter\":\"%s\"}".formatted(SECRET);
        RegistryCommit.Builder job = RegistryCommit.builder()
                .setOrCreate(tree.config(), text(codec.config(definition, Optional.empty())), Optional.of(0))
                .setOrCreate(tree.extension(), text(codec.extension(definition, Optional.empty())), Optional.of(0))
                .setOrCreate(
                        tree.item(0),
                        "{\"state\":\"COMPLETED\",\"runId\":\"r0\",\"parameter\":\"%s\",\"scheduledAt\":\"2026-11-23T02:00:00Z\"}"
                                .formatted(SECRET),
                        Optional.of(0))
                .create(tree.item(1), "{\"state\":\"COMPLETED\",\"parameter\":\"%s\"}".formatted(SECRET))
                .create(tree.trigger(0), run)
                .create(
                        tree.commands(),
                        "[{\"actor\":\"eve\",\"command\":\"redefine\",\"outcome\":\"changed jobParameter\",\"settings\":{\"jobParameter\":[\"%1$s\",\"old %1$s\"]}}]"
                                .formatted(SECRET));
        commit(console, job);
        UNREADABLE.forEach((name, config) -> {
            console.write(name);
            commit(console, RegistryCommit.builder().setOrCreate(new JobTree(name).config(), config, Optional.of(0)));
        });
        return console;
    }

    private static void commit(ManyJobs console, RegistryCommit.Builder changes) {
        console.registry.commit(changes.build()).toCompletableFuture().join();
    }

    private static String text(byte[] json) {
        return new String(json, StandardCharsets.UTF_8);
    }

    // ------------------------------------------------------------------ asking

    /** The addresses whose answers have the secret. */
    private static List<String> showing(ManyJobs console, Optional<Caller> caller) {
        List<String> showing = new ArrayList<>();
        for (String address : AccessMatrixTest.ADDRESSES.values()) {
            List<String> all = new ArrayList<>(List.of(address, address.replace("items/0/", "items/1/")));
            UNREADABLE.keySet().forEach(name -> all.add(address.replace("job-00000", name)));
            all.add(address + "?format=csv");
            for (String one : all) {
                if (text(console, one, caller).contains(SECRET)) {
                    showing.add(one);
                }
            }
        }
        return showing;
    }

    private static String text(ManyJobs console, String address, Optional<Caller> caller) {
        return text(console.ask("GET", address, Map.of(), caller).join().body());
    }

    private static ConsoleResponse patched(ManyJobs console, String version, String body) {
        Map<String, String> headers =
                Map.of("content-type", "application/json", "x-elasticjob", "1", "if-match", "\"" + version + "\"");
        return console.ask("PATCH", JOB + "/definition", headers, caller("admin"), body)
                .join();
    }

    private static Optional<Caller> caller(String role) {
        return Optional.of(new Caller("tom", Set.of(role)));
    }

    /** What commands have left in the audit. */
    private record Audited() implements ConsoleHistory {
        private static final Instant AT = Instant.parse("2026-11-23T03:00:00Z");

        @Override
        public Operations operations(Operations.Filter filter) {
            return new Operations(
                    List.of(
                            operation("redefine", true, "jobParameter: \"a\" -> \"%s\"; timeout: \"0 s\" -> \"1 s\""),
                            operation("create", false, "shardingItemParameters is \"%s\": no pair"),
                            operation("create", true, "script \"load --password=%s\", as a job"),
                            operation("repair the definition", true, "stored")),
                    Optional.empty());
        }

        private static Operation operation(String command, boolean succeeded, String outcome) {
            return new Operation(
                    AT,
                    "job-00000",
                    "eve",
                    command,
                    Optional.empty(),
                    "version 1",
                    succeeded,
                    outcome.formatted(SECRET));
        }

        @Override
        public Firings firings(String job, Optional<String> before) {
            return new Firings(List.of(), Optional.empty());
        }

        @Override
        public SortedMap<String, List<Firings.End>> latest(SortedSet<String> jobs, int most) {
            return new TreeMap<>();
        }

        @Override
        public Executions executions(Executions.Filter filter) {
            return new Executions(List.of(), Optional.empty());
        }

        @Override
        public List<Executions.Step> steps(String id) {
            return List.of();
        }

        @Override
        public Optional<Entry> entry(String id) {
            return Optional.empty();
        }
    }
}
