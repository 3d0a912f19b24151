package dev.elasticjob.console;

import static org.assertj.core.api.Assertions.assertThat;

import dev.elasticjob.console.web.Access;
import dev.elasticjob.console.web.Access.Team;
import dev.elasticjob.console.web.AccessLevel;
import dev.elasticjob.console.web.Caller;
import dev.elasticjob.console.web.ConsoleResponse;
import dev.elasticjob.definition.text.NamePatterns;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;

/** A team operates its own jobs; everybody sees all of them. */
class TeamsTest {
    private static final String REGISTRY = "/api/v1/registries/default";
    private static final Access ACCESS = new Access(
            Access.Unsecured.NOTHING,
            Optional.of("viewer"),
            Optional.of("operator"),
            Optional.of("admin"),
            AccessLevel.OPERATOR,
            List.of(
                    new Team(
                            new NamePatterns(List.of("billing-*", "invoices")),
                            Optional.of("BILLING"),
                            Optional.of("BILLING_LEAD")),
                    new Team(new NamePatterns(List.of("报表?")), Optional.empty(), Optional.of("REPORTS"))));

    private final ManyJobs console = new ManyJobs(ACCESS);

    @BeforeEach
    void jobs() {
        console.write("billing-daily", "invoices", "orders", "报表1");
    }

    private ConsoleResponse send(String role, String method, String address, String version, String body) {
        return console.ask(
                        method,
                        REGISTRY + address,
                        Map.of(
                                "content-type",
                                "application/json",
                                "x-elasticjob",
                                "1",
                                "sec-fetch-site",
                                "same-origin",
                                "if-match",
                                "\"" + version + "\""),
                        caller(role),
                        body)
                .join();
    }

    private int status(String role, String method, String address, String body) {
        return send(role, method, address, "0-0", body).status();
    }

    private String text(String role, String address) {
        return new String(
                console.ask("GET", address, Map.of(), caller(role)).join().body(), StandardCharsets.UTF_8);
    }

    private static Optional<Caller> caller(String role) {
        return Optional.of(new Caller("mei", Set.of(role)));
    }

    @Test
    void aTeamOperatesItsOwnJobs() {
        assertThat(status("BILLING", "PUT", "/jobs/billing-daily/paused", "{}")).isEqualTo(200);
        assertThat(status("BILLING", "DELETE", "/jobs/billing-daily/paused", "{}"))
                .isEqualTo(200);
        assertThat(status("ROLE_BILLING", "PUT", "/jobs/invoices/paused", "{}")).isEqualTo(200);

        for (String other : List.of("orders", "billing", "~" + "5oql6KGoMQ")) {
            assertThat(status("BILLING", "PUT", "/jobs/" + other + "/paused", "{}"))
                    .as(other)
                    .isEqualTo(403);
        }
    }

    @Test
    void itChangesTheSettingsOfItsJobsOnlyWithTheRoleForThat() {
        String change = "{\"settings\":{\"description\":\"x\"}}";

        assertThat(status("BILLING", "PATCH", "/jobs/invoices/definition", change))
                .isEqualTo(403);
        assertThat(status("BILLING_LEAD", "PATCH", "/jobs/invoices/definition", change))
                .isEqualTo(409);
        assertThat(status("BILLING_LEAD", "PUT", "/jobs/invoices/paused", "{}")).isEqualTo(200);
        assertThat(status("BILLING_LEAD", "PATCH", "/jobs/orders/definition", change))
                .isEqualTo(403);
        assertThat(status("REPORTS", "PATCH", "/jobs/~5oql6KGoMQ/definition", change))
                .isEqualTo(409);
    }

    @Test
    void itCreatesJobsWhoseNamesAreItsOwn() {
        String job = "{\"settings\":{\"jobType\":\"HTTP\",\"http\":{\"uri\":\"http://localhost/x\"}}}";

        assertThat(status("BILLING_LEAD", "PUT", "/jobs/billing-new", job)).isEqualTo(200);
        assertThat(status("BILLING_LEAD", "PUT", "/jobs/orders-new", job)).isEqualTo(403);
    }

    /** What concerns all jobs concerns those of others too. */
    @Test
    void itDoesNothingToTheRegistryAsAWhole() {
        for (String address : List.of("/paused", "/instances/a/drained")) {
            assertThat(status("BILLING_LEAD", "PUT", address, "{}")).as(address).isEqualTo(403);
        }
        assertThat(status("BILLING_LEAD", "DELETE", "/data-loss", "{}")).isEqualTo(403);
        assertThat(status("operator", "PUT", "/paused", "{}")).isEqualTo(200);
    }

    @Test
    void ofSeveralJobsThoseOfOthersAreRefusedEach() {
        String pause = "{\"command\":\"pause\",\"jobs\":[\"orders\",\"invoices\"]}";
        for (String query : List.of("?dryRun=true", "")) {
            byte[] answer =
                    send("BILLING", "POST", "/bulk" + query, "0-0", pause).body();
            assertThat(new String(answer, StandardCharsets.UTF_8))
                    .contains(
                            "{\"job\":\"orders\",\"outcome\":\"REFUSED\",\"effects\":[],\"detail\":\"Expected a user with the role of an operator for job \\\"orders\\\"\"}",
                            "{\"job\":\"invoices\",\"outcome\":\"" + (query.isEmpty() ? "DONE" : "CHANGES"));
        }
        assertThat(text("viewer", REGISTRY + "/jobs/orders")).contains("\"paused\":null");
        assertThat(status("viewer", "POST", "/bulk", pause)).isEqualTo(403);
    }

    @Test
    void whoBelongsToATeamMayLookAndSeesTheParametersOfItsJobs() {
        assertThat(text("BILLING", "/api/v1/session"))
                .contains(
                        "\"levels\":[\"VIEWER\"],\"rights\":[{\"jobs\":[\"billing-*\",\"invoices\"],\"levels\":[\"OPERATOR\"]}]");
        assertThat(text("operator", "/api/v1/session")).contains("\"levels\":[\"VIEWER\",\"OPERATOR\"],\"rights\":[]");
        assertThat(text("guest", "/api/v1/session")).contains("FORBIDDEN");

        assertThat(status("admin", "PUT", "/jobs/invoices/paused", "{}")).isEqualTo(200);
        assertThat(ACCESS.seesParameters(caller("BILLING"), Optional.of("invoices")))
                .isTrue();
        assertThat(ACCESS.seesParameters(caller("BILLING"), Optional.of("orders")))
                .isFalse();
        assertThat(ACCESS.seesParameters(caller("BILLING"), Optional.empty())).isFalse();
    }

    @Test
    void noRouteOfAJobIsOpenToAnotherTeam() {
        AccessMatrixTest.WRITES.values().stream()
                .filter(write -> write.address().contains("/jobs/"))
                .forEach(write -> assertThat(status(
                                "BILLING_LEAD",
                                write.method(),
                                write.address().substring(REGISTRY.length()).replace("job-00000", "orders"),
                                "{}"))
                        .as(write.method() + " " + write.address())
                        .isEqualTo(403));
    }

    @Test
    void parametersAreMaskedInTheAnswersAboutJobsOfOthers() {
        String change = "{\"settings\":{\"jobParameter\":\"hunter2\"}}";
        for (String job : List.of("orders", "invoices")) {
            String version = text("admin", REGISTRY + "/jobs/" + job + "/definition")
                    .replaceAll("(?s).*\"version\":\"([^\"]*)\".*", "$1");
            send("admin", "PATCH", "/jobs/" + job + "/definition", version, change);
        }
        console.time.advance(Duration.ofSeconds(3));

        assertThat(text("BILLING", REGISTRY + "/jobs/invoices/definition")).contains("hunter2");
        assertThat(text("BILLING", REGISTRY + "/jobs/orders/definition"))
                .doesNotContain("hunter2")
                .contains("******");
        assertThat(text("BILLING", REGISTRY + "/jobs/orders/definition.yaml")).doesNotContain("hunter2");
    }

    @Test
    void aRefusalSaysWhereTheRolesAre() {
        assertThat(text("guest", REGISTRY + "/jobs"))
                .contains(
                        "\\\"elasticjob.console.roles.viewer\\\" names the role, and \\\"elasticjob.console.roles.teams\\\" those for some jobs");
    }
}
