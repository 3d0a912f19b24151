package dev.elasticjob.console.standalone;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.io.ByteArrayInputStream;
import java.io.IOException;
import java.io.InputStream;
import java.nio.charset.StandardCharsets;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.ExtendWith;
import org.springframework.boot.SpringApplication;
import org.springframework.boot.test.system.CapturedOutput;
import org.springframework.boot.test.system.OutputCaptureExtension;

/** Settings with which the console doesn't start, and passwords. */
@ExtendWith(OutputCaptureExtension.class)
class SettingsTest {
    @Test
    void withoutUsersAndRegistriesItDoesNotStartAndSaysWhatToSet(CapturedOutput output) {
        start();

        assertThat(output)
                .contains(
                        "APPLICATION FAILED TO START",
                        "Nobody can sign in, and there is no default password",
                        "encode-password",
                        "There is no registry to show",
                        "\"elasticjob.console.registries.NAME.connect-string\"");
    }

    @Test
    void everythingThatIsWrongIsReportedAtOnceWithoutThePassword(CapturedOutput output) {
        start(
                "--elasticjob.console.users.anna.password=secret-of-anna",
                "--elasticjob.console.registries.north.connect-string=127.0.0.1:2181",
                "--elasticjob.console.registries.south.connect-string=127.0.0.1:2181",
                "--elasticjob.console.registries.south.namespace=shop",
                "--elasticjob.console.registries.south.dynamic-sharding-namespace=/shares",
                "--elasticjob.console.registries.south.digest=secret-of-south",
                "--elasticjob.console.registries.south.ssl-bundle=missing",
                "--elasticjob.console.registries.south.history.url=jdbc:postgresql://db?password=secret-of-south",
                "--elasticjob.console.registries.west.connect-string=127.0.0.1:2181",
                "--elasticjob.console.registries.west.namespace=shop",
                "--elasticjob.console.registries.west.ssl.bundle=one",
                "--elasticjob.console.registries.west.ssl-bundle=other",
                "--elasticjob.console.registries.west.history.url=jdbc:oracle:thin:mei/secret-of-west@db:1521/trace",
                "--elasticjob.console.registries.west.history.query-timeout=10ms",
                "--elasticjob.console.registries.west.log-link=https://{job}.logs?q={trace}",
                "--elasticjob.console.registries[a/b].connect-string=127.0.0.1:2181",
                "--elasticjob.console.registries[a/b].namespace=shop");

        assertThat(output)
                .contains(
                        "\"elasticjob.console.users.anna.password\" must be {bcrypt}",
                        "\"elasticjob.console.registries.north.namespace\" must be",
                        "\"elasticjob.console.registries.south.dynamic-sharding-namespace\" can't be \"/shares\"",
                        "\"elasticjob.console.registries.south.digest\" must be user:password",
                        "\"elasticjob.console.registries.south.ssl-bundle\" names the SSL bundle \"missing\"",
                        "\"elasticjob.console.registries.west.ssl.bundle\" names the SSL bundle \"one\"",
                        "is short for \"elasticjob.console.registries.west.ssl.bundle\", but they name different",
                        "\"elasticjob.console.registries.south.history.url\" is an address that no driver",
                        "\"elasticjob.console.registries.west.history.url\" is an address that no driver",
                        "\"elasticjob.console.registries.west.history.query-timeout\" is \"10 ms\"",
                        "\"elasticjob.console.registries.west.log-link\" is \"https://{job}.logs?q={trace}\": it must begin",
                        "\"elasticjob.console.registries.west.log-link\" is \"https://{job}.logs?q={trace}\": it has {trace}",
                        "has the name \"a/b\"")
                .doesNotContain("secret-of-anna", "secret-of-south", "secret-of-west", "Nobody can sign in");
    }

    @Test
    void durationsWithoutAUnitAreReportedWithTheRest(CapturedOutput output) {
        start(
                "--elasticjob.console.users.anna.password=secret-of-anna",
                "--elasticjob.console.registries.north.connect-string=127.0.0.1:2181",
                "--elasticjob.console.registries.north.namespace=shop",
                "--elasticjob.console.registries.north.connection-timeout=5",
                "--elasticjob.console.registries.north.session-timeout=20000",
                "--elasticjob.console.registries.north.history.query-timeout=2");

        assertThat(output)
                .contains(
                        "APPLICATION FAILED TO START",
                        "\"elasticjob.console.registries.north.connection-timeout\" is \"5\": expected a duration with a unit: 5"
                                + " what? Write 5s or 5m.",
                        "\"elasticjob.console.registries.north.session-timeout\" is \"20000\": expected a duration with a unit",
                        "\"elasticjob.console.registries.north.history.query-timeout\" is \"2\": expected a duration with a unit",
                        "\"elasticjob.console.users.anna.password\" must be {bcrypt}")
                .doesNotContain("secret-of-anna");
    }

    @Test
    void anUnknownPropertyIsReported(CapturedOutput output) throws IOException {
        start(
                "--spring.config.additional-location=file:src/test/resources/unknown-property.yml",
                "--elasticjob.console.users.anna.password=" + encoded("a"));

        assertThat(output).contains("APPLICATION FAILED TO START", "elasticjob.console.registries.north.namspace");
    }

    private static void start(String... arguments) {
        assertThatThrownBy(() -> SpringApplication.run(ConsoleApplication.class, arguments))
                .isInstanceOf(Exception.class);
    }

    @Test
    void byDefaultOnlyThisMachineReachesItAndTheRolesHaveTheirOwnNames() throws IOException {
        try (InputStream brought = SettingsTest.class.getResourceAsStream("/application.yml")) {
            assertThat(new String(brought.readAllBytes(), StandardCharsets.UTF_8).lines())
                    .contains(
                            "  address: 127.0.0.1",
                            "  port: 8899",
                            "      viewer: viewer",
                            "      operator: operator",
                            "      admin: admin");
        }
    }

    @Test
    void aPasswordIsEncodedAsItHasToBeConfigured() throws IOException {
        String encoded = encoded("correct horse");

        assertThat(EncodedPassword.isOne(encoded)).isTrue();
        assertThat(EncodedPassword.encoder().matches("correct horse", encoded)).isTrue();
        assertThat(EncodedPassword.encoder().matches("wrong horse", encoded)).isFalse();
        for (String other : new String[] {"", "secret", "{noop}secret", "{bcrypt}secret", encoded.substring(8)}) {
            assertThat(EncodedPassword.isOne(other)).as(other).isFalse();
        }
    }

    @Test
    void aPasswordThatBcryptWouldCutIsRefused() {
        assertThatThrownBy(() -> encoded("ä".repeat(37))).hasMessageContaining("1 to 72 bytes, but it had 74");
        assertThatThrownBy(() -> encoded("")).hasMessageContaining("but it had 0");
    }

    private static String encoded(String password) throws IOException {
        return EncodedPassword.read(null, new ByteArrayInputStream((password + "\n").getBytes(StandardCharsets.UTF_8)));
    }
}
