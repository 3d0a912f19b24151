package dev.elasticjob.console;

import static org.assertj.core.api.Assertions.assertThat;

import dev.elasticjob.console.web.Access;
import dev.elasticjob.console.web.Caller;
import dev.elasticjob.console.web.Level;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import org.junit.jupiter.api.Test;

/** Each route for each kind of caller. A route that is not in this table fails the test. */
class AccessMatrixTest {
    private static final String JOB = "/api/v1/registries/default/jobs/job-00000";

    /** An address for each route. */
    private static final Map<String, String> ADDRESSES = addresses();

    private static Map<String, String> addresses() {
        Map<String, String> addresses = new LinkedHashMap<>();
        addresses.put("GET ", "");
        addresses.put("GET /", "/");
        addresses.put("GET /assets/{hash}/{file}", "/assets/0/main.js");
        addresses.put("GET /api/v1/session", "/api/v1/session");
        addresses.put("GET /api/v1/registries/{registry}/jobs", "/api/v1/registries/default/jobs");
        addresses.put("GET /api/v1/registries/{registry}/jobs/{job}", JOB);
        addresses.put("GET /api/v1/registries/{registry}/jobs/{job}/items", JOB + "/items");
        addresses.put(
                "GET /api/v1/registries/{registry}/jobs/{job}/items/{item}/explanation", JOB + "/items/0/explanation");
        addresses.put("GET /api/v1/registries/{registry}/jobs/{job}/next", JOB + "/next");
        addresses.put("GET /api/v1/registries/{registry}/jobs/{job}/definition", JOB + "/definition");
        addresses.put("GET /api/v1/registries/{registry}/jobs/{job}/tree", JOB + "/tree");
        return addresses;
    }

    private final ManyJobs console = new ManyJobs(ManyJobs.withRoles()).write(1);

    @Test
    void everyRouteIsInTheTable() {
        assertThat(console.handler.routes())
                .extracting(route -> route.method() + " " + route.pattern())
                .containsExactlyInAnyOrderElementsOf(ADDRESSES.keySet());
        assertThat(console.handler.routes())
                .filteredOn(route -> route.method().equals("GET"))
                .allSatisfy(route -> assertThat(route.level()).isEqualTo(Level.VIEWER));
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
        assertThat(open.levels(Optional.empty())).containsExactly(Level.VIEWER);
        assertThat(open.levels(caller("x"))).containsExactly(Level.VIEWER);
    }

    @Test
    void aRoleThatIsNotConfiguredGivesNothing() {
        var onlyReads = new Access(Access.Unsecured.NOTHING, Optional.empty(), Optional.empty(), Optional.empty());

        assertThat(onlyReads.levels(caller("admin"))).containsExactly(Level.VIEWER);
        assertThat(ManyJobs.withRoles().levels(caller("operator"))).containsExactly(Level.VIEWER, Level.OPERATOR);
        assertThat(ManyJobs.withRoles().levels(caller("admin")))
                .containsExactly(Level.VIEWER, Level.OPERATOR, Level.ADMIN);
    }

    @Test
    void anotherMethodIsNoWayAround() {
        for (String method : List.of("POST", "PUT", "PATCH", "DELETE", "OPTIONS", "TRACE")) {
            var response = console.ask(method, JOB, Map.of(), caller("admin")).join();

            assertThat(response.status()).as(method).isEqualTo(405);
            assertThat(response.headers()).containsEntry("Allow", "GET");
        }
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
