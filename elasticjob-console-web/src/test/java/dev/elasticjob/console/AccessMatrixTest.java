package dev.elasticjob.console;

import static org.assertj.core.api.Assertions.assertThat;

import dev.elasticjob.console.web.Access;
import dev.elasticjob.console.web.AccessLevel;
import dev.elasticjob.console.web.Caller;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;

/** Each route for each kind of caller. A route that is not in this table fails the test. */
class AccessMatrixTest {
    private static final String JOB = "/api/v1/registries/default/jobs/job-00000";

    /** An address for each route. */
    static final Map<String, String> ADDRESSES = addresses();

    private static Map<String, String> addresses() {
        Map<String, String> addresses = new LinkedHashMap<>();
        addresses.put("GET ", "");
        addresses.put("GET /", "/");
        addresses.put("GET /assets/{hash}/{file}", "/assets/0/main.js");
        addresses.put("GET /api/v1/session", "/api/v1/session");
        addresses.put("GET /api/v1/registries/{registry}/jobs", "/api/v1/registries/default/jobs");
        addresses.put("GET /api/v1/registries/{registry}/names", "/api/v1/registries/default/names");
        addresses.put("GET /api/v1/registries/{registry}/last", "/api/v1/registries/default/last?jobs=job-00000");
        addresses.put("GET /api/v1/registries/{registry}/attention", "/api/v1/registries/default/attention");
        addresses.put("GET /api/v1/registries/{registry}/demand", "/api/v1/registries/default/demand?jobs=job-*");
        addresses.put(
                "GET /api/v1/registries/{registry}/definitions.yaml",
                "/api/v1/registries/default/definitions.yaml?jobs=job-*");
        addresses.put("GET /api/v1/registries/{registry}/servers", "/api/v1/registries/default/servers");
        addresses.put("GET /api/v1/registries/{registry}/apps", "/api/v1/registries/default/apps");
        addresses.put("GET /api/v1/registries/{registry}/apps/{app}", "/api/v1/registries/default/apps/jobs.none");
        addresses.put("GET /api/v1/registries/{registry}/groups", "/api/v1/registries/default/groups");
        addresses.put("GET /api/v1/registries/{registry}/groups/{group}", "/api/v1/registries/default/groups/none");
        addresses.put(
                "GET /api/v1/registries/{registry}/servers/{server}", "/api/v1/registries/default/servers/10.0.0.9");
        addresses.put("GET /api/v1/registries/{registry}/jobs/{job}", JOB);
        addresses.put("GET /api/v1/registries/{registry}/jobs/{job}/items", JOB + "/items");
        addresses.put(
                "GET /api/v1/registries/{registry}/jobs/{job}/items/{item}/explanation", JOB + "/items/0/explanation");
        addresses.put("GET /api/v1/registries/{registry}/jobs/{job}/next", JOB + "/next");
        addresses.put("GET /api/v1/registries/{registry}/jobs/{job}/preview", JOB + "/preview");
        addresses.put("GET /api/v1/registries/{registry}/jobs/{job}/definition", JOB + "/definition");
        addresses.put("GET /api/v1/registries/{registry}/jobs/{job}/definition.yaml", JOB + "/definition.yaml");
        addresses.put("GET /api/v1/registries/{registry}/jobs/{job}/commands", JOB + "/commands");
        addresses.put("GET /api/v1/registries/{registry}/jobs/{job}/tree", JOB + "/tree");
        addresses.put("GET /api/v1/registries/{registry}/jobs/{job}/firings", JOB + "/firings");
        addresses.put("GET /api/v1/registries/{registry}/jobs/{job}/firings/{run}", JOB + "/firings/run");
        addresses.put(
                "GET /api/v1/registries/{registry}/executions/{execution}", "/api/v1/registries/default/executions/a");
        addresses.put(
                "GET /api/v1/registries/{registry}/executions/{execution}/steps",
                "/api/v1/registries/default/executions/a/steps");
        addresses.put("GET /api/v1/registries/{registry}/latest", "/api/v1/registries/default/latest?jobs=job-00000");
        addresses.put("GET /api/v1/registries/{registry}/executions", "/api/v1/registries/default/executions");
        addresses.put("GET /api/v1/registries/{registry}/load", "/api/v1/registries/default/load");
        addresses.put("GET /api/v1/registries/{registry}/operations", "/api/v1/registries/default/operations");
        return addresses;
    }

    /** What can't be undone, or changes what runs. */
    private static final Set<String> ADMINS = Set.of(
            "PUT jobs/{job}",
            "PATCH jobs/{job}/definition",
            "PUT jobs/{job}/definition",
            "POST jobs/{job}/definition.yaml",
            "DELETE jobs/{job}",
            "PUT fencing-tokens");

    /** An address for each route that changes something, and what it needs. */
    static final Map<String, Write> WRITES = writes();

    private static Map<String, Write> writes() {
        Map<String, Write> writes = new LinkedHashMap<>();
        for (String route : List.of(
                "POST jobs/{job}/runs",
                "POST jobs/{job}/cancellations",
                "POST jobs/{job}/backfill",
                "DELETE jobs/{job}/backfill",
                "PUT jobs/{job}/items/{item}/disabled",
                "DELETE jobs/{job}/items/{item}/disabled",
                "PUT jobs/{job}/items/disabled",
                "DELETE jobs/{job}/items/disabled",
                "PUT jobs/{job}/servers/{server}/disabled",
                "DELETE jobs/{job}/servers/{server}/disabled",
                "PUT jobs/{job}/instances/{instance}/drained",
                "DELETE jobs/{job}/instances/{instance}/drained",
                "PUT jobs/{job}/disabled",
                "DELETE jobs/{job}/disabled",
                "PUT jobs/{job}/paused",
                "DELETE jobs/{job}/paused",
                "POST jobs/{job}/reshard",
                "PUT paused",
                "DELETE paused",
                "PUT apps/{app}/suspended",
                "DELETE apps/{app}/suspended",
                "DELETE apps/{app}",
                "DELETE data-loss",
                "PUT fencing-tokens",
                "PUT instances/{instance}/drained",
                "DELETE instances/{instance}/drained",
                "POST bulk",
                "PUT jobs/{job}",
                "PATCH jobs/{job}/definition",
                "PUT jobs/{job}/definition",
                "POST jobs/{job}/definition.yaml",
                "DELETE jobs/{job}")) {
            String[] parts = route.split(" ");
            String address = "/api/v1/registries/default/" + parts[1];
            writes.put(
                    parts[0] + " /api/v1/registries/{registry}/" + parts[1],
                    new Write(
                            parts[0],
                            address.replace("{job}", "job-00000")
                                    .replace("{item}", "0")
                                    .replace("{server}", "10.0.0.1")
                                    .replace("{instance}", "a")
                                    .replace("{app}", "jobs.shop"),
                            ADMINS.contains(route) ? AccessLevel.ADMIN : AccessLevel.OPERATOR));
        }
        return writes;
    }

    record Write(String method, String address, AccessLevel level) {}

    /** What the page sends with a command. */
    private static final Map<String, String> HEADERS =
            Map.of("content-type", "application/json", "x-elasticjob", "1", "sec-fetch-site", "same-origin");

    private final ManyJobs console = new ManyJobs(ManyJobs.withRoles()).write(1);

    @Test
    void everyRouteIsInTheTable() {
        assertThat(console.handler.routes())
                .extracting(route -> route.method() + " " + route.pattern())
                .containsExactlyInAnyOrderElementsOf(
                        Stream.concat(ADDRESSES.keySet().stream(), WRITES.keySet().stream())
                                .toList());
        assertThat(console.handler.routes())
                .filteredOn(route -> route.method().equals("GET"))
                .allSatisfy(route -> assertThat(route.level()).isEqualTo(AccessLevel.VIEWER));
    }

    @Test
    void whoHasNotSignedInSeesNothing() {
        assertThat(statuses(console, Optional.empty())).containsOnly(401);
    }

    @Test
    void whoHasNoneOfTheRolesSeesNothing() {
        assertThat(statuses(console, caller("guest"))).containsOnly(403);
    }

    @Test
    void eachOfTheRolesMayLookWithOrWithoutItsPrefix() {
        for (String role : List.of("viewer", "operator", "admin", "ROLE_viewer", "ROLE_admin")) {
            assertThat(statuses(console, caller(role))).as(role).isSubsetOf(200, 302, 404);
        }
    }

    @Test
    void withoutARoleForViewersEveryUserMayLook() {
        assertThat(statuses(ManyJobs.forEveryUser().write(1), caller("guest"))).isSubsetOf(200, 302, 404);
        assertThat(statuses(ManyJobs.forEveryUser().write(1), Optional.empty())).containsOnly(401);
    }

    @Test
    void withoutSecurityTheApplicationMayLetEverybodyLook() {
        var open = new Access(Access.Unsecured.READ_ONLY, Optional.of("viewer"), Optional.of("x"), Optional.of("x"));

        assertThat(statuses(new ManyJobs(open).write(1), Optional.empty())).isSubsetOf(200, 302, 404);
        assertThat(open.levels(Optional.empty())).containsExactly(AccessLevel.VIEWER);
        assertThat(open.levels(caller("x"))).containsExactly(AccessLevel.VIEWER);
    }

    @Test
    void aRoleThatIsNotConfiguredGivesNothing() {
        var onlyReads = new Access(Access.Unsecured.NOTHING, Optional.empty(), Optional.empty(), Optional.empty());

        assertThat(onlyReads.levels(caller("admin"))).containsExactly(AccessLevel.VIEWER);
        assertThat(ManyJobs.withRoles().levels(caller("operator")))
                .containsExactly(AccessLevel.VIEWER, AccessLevel.OPERATOR);
        assertThat(ManyJobs.withRoles().levels(caller("admin")))
                .containsExactly(AccessLevel.VIEWER, AccessLevel.OPERATOR, AccessLevel.ADMIN);
    }

    @Test
    void anotherMethodIsNoWayAround() {
        for (String method : List.of("POST", "PUT", "PATCH", "DELETE", "OPTIONS", "TRACE")) {
            var response = console.ask(method, JOB + "/tree", Map.of(), caller("admin"))
                    .join();

            assertThat(response.status()).as(method).isEqualTo(405);
            assertThat(response.headers()).containsEntry("Allow", "GET");
        }
    }

    @Test
    void onlyTheRoleThatARouteNeedsMayChangeSomething() {
        String before = console.ensemble.render();
        for (Write write : WRITES.values()) {
            assertThat(status(write, HEADERS, Optional.empty())).isEqualTo(401);
            assertThat(status(write, HEADERS, caller("guest"))).isEqualTo(403);
            assertThat(status(write, HEADERS, caller("viewer"))).isEqualTo(403);
        }
        assertThat(console.ensemble.render()).isEqualTo(before);

        for (Write write : WRITES.values()) {
            assertThat(status(write, HEADERS, caller("operator")))
                    .as(write.address())
                    .isIn(write.level() == AccessLevel.ADMIN ? List.of(403) : List.of(200, 400, 404, 409));
            assertThat(status(write, HEADERS, caller("admin"))).isIn(200, 400, 404, 409);
        }
    }

    @Test
    void withoutSecurityNobodyChangesAnything() {
        var open = new ManyJobs(new Access(
                        Access.Unsecured.READ_ONLY, Optional.empty(), Optional.of("operator"), Optional.of("admin")))
                .write(1);

        for (Write write : WRITES.values()) {
            for (Optional<Caller> caller : List.of(Optional.<Caller>empty(), caller("admin"))) {
                assertThat(open.ask(write.method(), write.address(), HEADERS, caller)
                                .join()
                                .status())
                        .isEqualTo(403);
            }
        }
    }

    @Test
    void aPageOfAnotherSiteChangesNothing() {
        String before = console.ensemble.render();

        for (Write write : WRITES.values()) {
            assertThat(status(write, without("x-elasticjob"), caller("admin"))).isEqualTo(403);
            assertThat(status(write, without("content-type"), caller("admin"))).isEqualTo(415);
            for (String site : List.of("cross-site", "same-site", "none")) {
                assertThat(status(write, with("sec-fetch-site", site), caller("admin")))
                        .isEqualTo(403);
            }
            for (String type : List.of("text/plain", "application/x-www-form-urlencoded", "application/jsonx")) {
                assertThat(status(write, with("content-type", type), caller("admin")))
                        .isEqualTo(415);
            }
        }

        assertThat(console.ensemble.render()).isEqualTo(before);
    }

    @Test
    void aBrowserThatDoesNotSayWhereItComesFromIsBelieved() {
        Write disable = new Write("PUT", JOB + "/items/0/disabled", AccessLevel.OPERATOR);

        assertThat(status(disable, without("sec-fetch-site"), caller("operator")))
                .isEqualTo(200);
        assertThat(status(disable, with("content-type", "application/json; charset=UTF-8"), caller("operator")))
                .isEqualTo(200);
    }

    private int status(Write write, Map<String, String> headers, Optional<Caller> caller) {
        return console.ask(write.method(), write.address(), headers, caller)
                .join()
                .status();
    }

    private static Map<String, String> with(String header, String value) {
        Map<String, String> headers = new LinkedHashMap<>(HEADERS);
        headers.put(header, value);
        return headers;
    }

    private static Map<String, String> without(String header) {
        Map<String, String> headers = new LinkedHashMap<>(HEADERS);
        headers.remove(header);
        return headers;
    }

    private static List<Integer> statuses(ManyJobs console, Optional<Caller> caller) {
        return ADDRESSES.values().stream()
                .map(address ->
                        console.ask("GET", address, Map.of(), caller).join().status())
                .toList();
    }

    private static Optional<Caller> caller(String role) {
        return Optional.of(new Caller("tom", Set.of(role)));
    }
}
