package dev.elasticjob.registry.curator;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatCode;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.time.Duration;
import java.util.Optional;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

class RegistrySettingsTest {
    private final RegistrySettings settings = RegistrySettings.of("localhost:2181", "jobs");

    @Test
    void allViolationsAreReportedAtOnceByName() {
        assertThatThrownBy(() -> new RegistrySettings(
                        "",
                        "/jobs/",
                        Duration.ZERO,
                        Duration.ofDays(1000),
                        new RegistrySettings.Retry(Duration.ofSeconds(3), Duration.ofSeconds(1), -1),
                        Optional.of("secret")))
                .isInstanceOf(IllegalArgumentException.class)
                .hasMessageContaining("elasticjob.registry.connect-string")
                .hasMessageContaining("elasticjob.registry.namespace")
                .hasMessageContaining("elasticjob.registry.session-timeout")
                .hasMessageContaining("elasticjob.registry.connection-timeout")
                .hasMessageContaining("elasticjob.registry.retry.max-sleep")
                .hasMessageContaining("elasticjob.registry.retry.max-retries")
                .hasMessageContaining("elasticjob.registry.digest")
                .hasMessageNotContaining("secret");
    }

    @ParameterizedTest
    @ValueSource(strings = {"", " ", "/jobs", "jobs/", "a//b", "a/../b", "zookeeper", "zookeeper/jobs"})
    void aNamespaceIsANodePathOfOurOwn(String namespace) {
        assertThatThrownBy(() -> settings.withNamespace(namespace))
                .hasMessageContaining("elasticjob.registry.namespace");
    }

    @ParameterizedTest
    @ValueSource(strings = {"a:2181", "a:2181,b:2181/chroot", "10.0.0.1", "[::1]:2181"})
    void aConnectStringNamesServers(String connectString) {
        assertThatCode(() -> settings.withConnectString(connectString)).doesNotThrowAnyException();
    }

    @ParameterizedTest
    @CsvSource({"a:2181,''", "a:2181/,''", "a:2181/x/y,/x/y"})
    void theChrootIsBehindTheServers(String connectString, String chroot) {
        var given = settings.withConnectString(connectString);

        assertThat(given.servers()).isEqualTo("a:2181");
        assertThat(given.chroot()).isEqualTo(chroot);
    }

    @Test
    void namespaceAndChrootAreBoundedTogether() {
        var behindChroot = settings.withConnectString("a:2181/" + "c".repeat(49));

        assertThatCode(() -> behindChroot.withNamespace("n".repeat(50))).doesNotThrowAnyException();
        assertThatThrownBy(() -> behindChroot.withNamespace("n".repeat(51)))
                .hasMessageContaining("elasticjob.registry.namespace")
                .hasMessageContaining("elasticjob.registry.connect-string")
                .hasMessageContaining("100 bytes")
                .hasMessageContaining("101");
    }

    @Test
    void thePasswordIsNotShown() {
        assertThat(settings.withDigest("user:secret").toString())
                .contains("user")
                .doesNotContain("secret");
    }
}
