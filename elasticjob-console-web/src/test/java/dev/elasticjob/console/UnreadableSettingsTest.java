package dev.elasticjob.console;

import static org.assertj.core.api.Assertions.assertThat;

import dev.elasticjob.console.web.Caller;
import dev.elasticjob.console.web.ConsoleResponse;
import dev.elasticjob.definition.JobDefinition;
import dev.elasticjob.definition.JobType;
import dev.elasticjob.definition.codec.JobDefinitionCodec;
import dev.elasticjob.registry.JobTree;
import dev.elasticjob.registry.RegistryCommit;
import java.nio.charset.StandardCharsets;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import org.junit.jupiter.api.Test;

/** A job whose stored settings somebody has spoilt: what the API says of it, and how it is repaired. */
class UnreadableSettingsTest {
    private static final String JOB = ManyJobs.JOBS + "/job-00000";
    private static final String DEFINITION = JOB + "/definition";
    private static final JobTree TREE = new JobTree("job-00000");
    private static final Optional<Caller> ADMIN = Optional.of(new Caller("tom", Set.of("admin")));

    private final ManyJobs console = new ManyJobs(ManyJobs.withRoles()).write(1);

    @Test
    void theAnswerHasTheNodeTheFaultsAndWhatCanBeRead() {
        spoilValue();

        assertThat(text(console.ask("GET", DEFINITION, Map.of(), ADMIN).join()))
                .contains(
                        "\"node\":\"/job-00000/config\"", "shardingTotalCount is \\\"abc\\\", expected a whole number")
                .contains(
                        "\"faults\":[{\"field\":\"shardingTotalCount\",\"found\":\"abc\",\"expected\":\"expected a whole number\"}]")
                .contains("\"cron\":\"0 0 4 * * ?\"", "\"jobParameter\":\"p\"", "\"maxFailovers\":3");
    }

    @Test
    void theRestOfAConfigThatEndsInTheMiddleHasToBeGiven() {
        set("{\"jobName\":\"job-00000\",\"jobType\":\"SIMPLE\",\"jobParameter\":\"p\",\"cron\":\"0 0 4");

        assertThat(text(console.ask("GET", DEFINITION, Map.of(), ADMIN).join()))
                .contains("something else, in line 1, column", "\"jobParameter\":\"p\"", "\"jobType\":\"SIMPLE\"")
                .contains("{\"field\":\"cron\",\"found\":\"\",\"expected\":\"expected a value: it is missing\"}")
                .contains("\"field\":\"shardingTotalCount\"");
    }

    @Test
    void anAdministratorRepairsWhatCannotBeUsedAndTheRestStays() {
        spoilValue();
        String body = "{\"settings\":{\"shardingTotalCount\":3}}";

        ConsoleResponse dryRun = put(DEFINITION + "?dryRun=true", body);
        ConsoleResponse repaired = put(DEFINITION, body);

        assertThat(text(dryRun))
                .contains("\"code\":\"REPAIRED\"", "{\"setting\":\"shardingTotalCount\",\"before\":null,\"after\":3}");
        assertThat(repaired.status()).as(text(repaired)).isEqualTo(200);
        assertThat(text(repaired)).contains("\"unreadable\":null");
        assertThat(text(console.ask("GET", DEFINITION, Map.of(), ADMIN).join()))
                .contains("\"shardingTotalCount\":3", "\"jobParameter\":\"p\"", "\"unreadable\":null");
    }

    @Test
    void aRepairWithoutAValueForAFaultIsRefusedAtItsPlace() {
        spoilValue();

        ConsoleResponse refused = put(DEFINITION, "{\"settings\":{\"failover\":true}}");

        assertThat(refused.status()).isEqualTo(400);
        assertThat(text(refused)).contains("\"field\":\"shardingTotalCount\"");
    }

    @Test
    void whatOthersHaveRepairedIsLeftAlone() {
        spoilValue();
        String version = version();
        put(DEFINITION, "{\"settings\":{\"shardingTotalCount\":3}}");

        ConsoleResponse late = put(DEFINITION, version, "{\"settings\":{\"shardingTotalCount\":4}}");

        assertThat(late.status()).isEqualTo(409);
        assertThat(text(late)).contains("\"code\":\"REFUSED\"");
    }

    @Test
    void aDryRunOfARunSaysThatNothingStarts() {
        spoilValue();

        ConsoleResponse pause = command("PUT", JOB + "/paused?dryRun=true", "{}");

        assertThat(text(pause)).contains("{\"code\":\"UNREADABLE\",\"count\":0}");
        assertThat(text(command("POST", JOB + "/runs?dryRun=true", "{}")))
                .doesNotContain("\"effects\":[{\"code\":\"ITEMS_RUN\"");
    }

    @Test
    void whatIfSaysWhyItHasNoAnswer() {
        spoilValue();

        ConsoleResponse answer =
                console.ask("GET", JOB + "/preview?more=1", Map.of(), ADMIN).join();

        assertThat(answer.status()).isEqualTo(409);
        assertThat(text(answer)).contains("shardingTotalCount is");
    }

    @Test
    void aChangeOfSettingsThatCannotBeUsedHasACodeOfItsOwn() {
        spoilValue();

        ConsoleResponse answer = patch("job-00000", "0-0", "{\"settings\":{\"failover\":true}}");

        assertThat(answer.status()).isEqualTo(409);
        assertThat(text(answer)).contains("\"code\":\"UNREADABLE\"");
    }

    @Test
    void aCommandLineThatTheApplicationDecidesIsRefusedAtItsField() {
        script("report");

        ConsoleResponse refused = patch("report", version("report"), "{\"settings\":{\"scriptCommandLine\":\"rm\"}}");

        assertThat(refused.status()).isEqualTo(400);
        assertThat(text(refused))
                .contains("\"field\":\"scriptCommandLine\"", "the application that declares the job decides");
        assertThat(patch("report", version("report"), "{\"settings\":{\"failover\":true}}")
                        .status())
                .isEqualTo(200);
    }

    @Test
    void ofAJobThatIsKeptInTheRegistryTheCommandLineIsChanged() {
        command(
                "PUT",
                ManyJobs.JOBS + "/kept",
                "{\"settings\":{\"jobType\":\"SCRIPT\",\"scriptCommandLine\":\"true\",\"cron\":\"0 0 4 * * ?\"}}");

        ConsoleResponse changed = patch("kept", version("kept"), "{\"settings\":{\"scriptCommandLine\":\"false\"}}");

        assertThat(changed.status()).as(text(changed)).isEqualTo(200);
    }

    // ------------------------------------------------------------------ the job

    private void spoilValue() {
        set(
                "{\"jobName\":\"job-00000\",\"jobType\":\"SIMPLE\",\"cron\":\"0 0 4 * * ?\",\"jobParameter\":\"p\",\"shardingTotalCount\":\"abc\"}");
    }

    private void set(String config) {
        commit(RegistryCommit.builder().setOrCreate(TREE.config(), config, Optional.of(0)));
    }

    private void script(String name) {
        console.write(name);
        var definition = JobDefinition.builder(name)
                .jobType(JobType.SCRIPT)
                .cron("0 0 4 * * ?")
                .scriptCommandLine("true")
                .build();
        var config = new JobDefinitionCodec().config(definition, Optional.empty());
        commit(RegistryCommit.builder()
                .setOrCreate(new JobTree(name).config(), new String(config, StandardCharsets.UTF_8), Optional.of(0)));
    }

    private void commit(RegistryCommit.Builder changes) {
        console.registry.commit(changes.build()).toCompletableFuture().join();
    }

    // ------------------------------------------------------------------ asking

    private String version() {
        return version("job-00000");
    }

    private String version(String job) {
        return text(console.ask("GET", ManyJobs.JOBS + "/" + job + "/definition", Map.of(), ADMIN)
                        .join())
                .replaceAll("(?s).*\"version\":\"([^\"]*)\".*", "$1");
    }

    private ConsoleResponse put(String address, String body) {
        return put(address, version(), body);
    }

    private ConsoleResponse put(String address, String version, String body) {
        return console.ask("PUT", address, headers(version), ADMIN, body).join();
    }

    private ConsoleResponse patch(String job, String version, String body) {
        return console.ask("PATCH", ManyJobs.JOBS + "/" + job + "/definition", headers(version), ADMIN, body)
                .join();
    }

    private ConsoleResponse command(String method, String address, String body) {
        return console.ask(method, address, headers("0"), ADMIN, body).join();
    }

    private static Map<String, String> headers(String version) {
        return Map.of("content-type", "application/json", "x-elasticjob", "1", "if-match", "\"" + version + "\"");
    }

    private static String text(ConsoleResponse answer) {
        return new String(answer.body(), StandardCharsets.UTF_8);
    }
}
