package dev.elasticjob.console;

import static org.assertj.core.api.Assertions.assertThat;

import dev.elasticjob.console.web.Caller;
import dev.elasticjob.console.web.ConsoleResponse;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** A console that shows more than one registry. */
class SeveralRegistriesTest {
    private static final Optional<Caller> ADMIN = Optional.of(new Caller("anna", Set.of("admin")));
    private static final Map<String, String> HEADERS =
            Map.of("content-type", "application/json", "x-elasticjob", "1", "sec-fetch-site", "same-origin");

    private final ManyJobs console = new ManyJobs(ManyJobs.withRoles()).write(1);

    @Test
    void theSessionListsThemAndSaysWhichMayBeOperated() {
        String session =
                text(console.ask("GET", "/api/v1/session", Map.of(), ADMIN).join());

        assertThat(session)
                .contains(
                        "{\"name\":\"default\",\"namespace\":\"shop\",\"mode\":\"OPERATED\",\"logLink\":null}",
                        "{\"name\":\"archive\",\"namespace\":\"old-shop\",\"mode\":\"READ_ONLY\",\"logLink\":null}",
                        "\"signOut\":\"../logout\"");
    }

    @Test
    void aReadOnlyOneIsReadAndNobodyChangesAnythingInIt() {
        String before = console.ensemble.render();

        assertThat(read("archive").status()).isEqualTo(200);
        for (String method : new String[] {"PUT", "DELETE"}) {
            ConsoleResponse refused = console.ask(
                            method, "/api/v1/registries/archive/jobs/job-00000/items/0/disabled", HEADERS, ADMIN, "{}")
                    .join();

            assertThat(refused.status()).isEqualTo(403);
            assertThat(text(refused)).contains("\"code\":\"READ_ONLY\"", "archive");
        }
        assertThat(console.ensemble.render()).isEqualTo(before);
    }

    @Test
    void oneThatIsNotThereIsSaidToBeUnknown() {
        ConsoleResponse unknown = read("production");

        assertThat(unknown.status()).isEqualTo(404);
        assertThat(text(unknown)).contains("There is no registry \\\"production\\\" in this console");
    }

    @Test
    void theSumOfOneHasItsWorstFindingAndHowManyThereAreOfEachKind() {
        console.write("job-00001", "job-00002");
        attention("archive", "");
        console.time.advance(Duration.ofSeconds(10));

        String sum = text(attention("archive", "?most=1"));
        String all = text(attention("archive", ""));

        String counts = "\"total\":3,\"kinds\":{\"NO_INSTANCE\":3}";
        assertThat(sum)
                .contains("\"job\":\"job-00000\"", counts, "\"complete\":true")
                .doesNotContain("job-00001");
        assertThat(all).contains("\"job\":\"job-00001\"", counts);
    }

    @ParameterizedTest
    @ValueSource(strings = {"0", "501", "all"})
    void aNumberOfFindingsThatCantBeListedIsRefused(String most) {
        ConsoleResponse refused = attention("default", "?most=" + most);

        assertThat(refused.status()).isEqualTo(400);
        assertThat(text(refused)).contains("\"most\"", "expected a number from 1 to 500");
    }

    private ConsoleResponse attention(String registry, String query) {
        return console.ask("GET", "/api/v1/registries/" + registry + "/attention" + query, Map.of(), ADMIN)
                .join();
    }

    private ConsoleResponse read(String registry) {
        return console.ask("GET", "/api/v1/registries/" + registry + "/jobs", Map.of(), ADMIN)
                .join();
    }

    private static String text(ConsoleResponse response) {
        return new String(response.body(), StandardCharsets.UTF_8);
    }
}
