package dev.elasticjob.definition;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.elasticjob.definition.text.HttpOrigin;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** Which hosts are the same. */
class HttpOriginTest {
    @ParameterizedTest
    @ValueSource(
            strings = {
                "https://billing.example.com/close?a=b#c",
                "HTTPS://Billing.Example.com",
                "https://billing.example.com:443/x"
            })
    void schemeHostAndPortAreNormalized(String uri) {
        assertThat(HttpOrigin.of(uri)).isEqualTo(HttpOrigin.allowed("billing.example.com"));
    }

    @ParameterizedTest
    @ValueSource(
            strings = {
                "http://billing.example.com/",
                "https://billing.example.com:8443/",
                "https://billing.example.com.evil.example/",
                "https://billing.example.com./",
                "https://xbilling.example.com/",
                "https://evil.example/billing.example.com",
                "https://billing.example.com@evil.example/"
            })
    void everythingElseIsAnotherHost(String uri) {
        assertThat(HttpOrigin.of(uri)).isNotEqualTo(HttpOrigin.allowed("billing.example.com"));
    }

    @Test
    void aSchemeAndAPortMayBeGiven() {
        assertThat(HttpOrigin.allowed(" http://localhost:8080 ")).hasToString("http://localhost:8080");
        assertThat(HttpOrigin.allowed("http://[::1]")).isEqualTo(HttpOrigin.of("http://[::1]:80/x"));
    }

    @ParameterizedTest
    @ValueSource(
            strings = {
                "",
                "*",
                "*.example.com",
                "ftp://example.com",
                "https://example.com/",
                "https://example.com/path",
                "https://user@example.com",
                "example.com?a",
                "a b",
                "file:///etc/passwd"
            })
    void whatIsNoHostIsRefused(String text) {
        assertThatThrownBy(() -> HttpOrigin.allowed(text))
                .isInstanceOf(IllegalArgumentException.class)
                .hasMessageContaining("Expected a host such as billing.example.com");
    }
}
