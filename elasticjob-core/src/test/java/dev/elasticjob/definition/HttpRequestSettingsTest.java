package dev.elasticjob.definition;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatCode;
import static org.assertj.core.api.Assertions.catchThrowableOfType;

import dev.elasticjob.definition.InvalidJobDefinitionException.Violation;
import java.time.Duration;
import java.util.Map;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

class HttpRequestSettingsTest {
    private static final String URI = "https://billing.example.com/close-day?dry=true";
    private static final HttpRequestSettings PLAIN = HttpRequestSettings.of(URI);
    private static final HttpRequestSettings SECRET =
            PLAIN.withBody("POST", "pin=4711", "text/plain").withHeaders(Map.of("Authorization", "Bearer s3cret"));

    @Test
    void allViolationsAreReportedAtOnce() {
        var wrong = new HttpRequestSettings(
                "/close-day",
                "post",
                "",
                "text/plain\n",
                Map.of("not a name", "x"),
                Duration.ZERO,
                Duration.ofSeconds(-1));

        assertThat(refused(wrong).violations())
                .extracting(Violation::setting)
                .containsExactly(
                        "http.uri",
                        "http.method",
                        "http.contentType",
                        "http.headers",
                        "http.connectTimeout",
                        "http.responseTimeout");
    }

    @ParameterizedTest
    @ValueSource(
            strings = {"", "billing/close", "//billing/close", "ftp://billing/close", "http:///close", "http://a b"})
    void whatIsNoAbsoluteHttpUriIsRefused(String uri) {
        assertThat(refused(HttpRequestSettings.of(uri)).violations())
                .singleElement()
                .satisfies(violation -> assertThat(violation.setting()).isEqualTo("http.uri"));
    }

    @Test
    void credentialsInTheUriAreRefusedSinceTheUriIsShown() {
        assertThat(refused(HttpRequestSettings.of("http://me:s3cret@billing/")).violations())
                .singleElement()
                .satisfies(violation -> assertThat(violation.expected()).contains("send them in a header"));
    }

    @ParameterizedTest
    @ValueSource(strings = {"", "X:", "Ünicode", "Host", "content-length", "Content-Type", "ShardingContext"})
    void aHeaderThatCannotBeSentIsRefused(String name) {
        assertThat(refused(PLAIN.withHeaders(Map.of(name, "s3cret"))).violations())
                .singleElement()
                .satisfies(violation -> assertThat(violation.found()).isEqualTo(name));
    }

    @Test
    void aHeaderThatWouldSmuggleALineIsRefusedWithoutShowingIt() {
        assertThat(refused(PLAIN.withHeaders(Map.of("X-Key", "s3cret\r\nX-Other: 1"))))
                .hasMessageContaining("X-Key")
                .hasMessageNotContaining("s3cret");
    }

    @Test
    void anHttpJobNeedsARequestAndOnlyAnHttpJobHasOne() {
        JobDefinition.Builder http = job().jobType(JobType.HTTP);
        JobDefinition.Builder simple = job().http(PLAIN);

        assertThat(catchThrowableOfType(InvalidJobDefinitionException.class, http::build))
                .hasMessageContaining("an HTTP job needs a URI to call");
        assertThat(catchThrowableOfType(InvalidJobDefinitionException.class, simple::build))
                .hasMessageContaining("only for an HTTP job");
        assertThatCode(() -> job().jobType(JobType.HTTP).http(SECRET).build()).doesNotThrowAnyException();
    }

    @Test
    void noTextShowsTheBodyOrTheValuesOfHeaders() {
        JobDefinition definition = job().jobType(JobType.HTTP).http(SECRET).build();

        assertThat(definition.toString())
                .contains(URI, "Authorization")
                .doesNotContain("s3cret")
                .doesNotContain("4711");
    }

    private static InvalidJobDefinitionException refused(HttpRequestSettings request) {
        JobDefinition.Builder definition = job().jobType(JobType.HTTP).http(request);
        return catchThrowableOfType(InvalidJobDefinitionException.class, definition::build);
    }

    private static JobDefinition.Builder job() {
        return JobDefinition.builder("billing").cron("0 * * * * ?");
    }
}
