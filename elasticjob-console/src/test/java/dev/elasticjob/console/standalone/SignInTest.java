package dev.elasticjob.console.standalone;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.ByteArrayInputStream;
import java.io.IOException;
import java.net.http.HttpResponse;
import java.nio.charset.StandardCharsets;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.ExtendWith;
import org.springframework.boot.SpringApplication;
import org.springframework.boot.test.system.CapturedOutput;
import org.springframework.boot.test.system.OutputCaptureExtension;
import org.springframework.context.ConfigurableApplicationContext;

/** Signing in to the running console by its form: what the log says of it, and when it is refused. */
@ExtendWith(OutputCaptureExtension.class)
class SignInTest {
    private static final String DEMAND = "/elasticjob/api/v1/registries/north/demand?jobs=*";

    private ConfigurableApplicationContext application;
    private String console;

    @BeforeEach
    void start() throws IOException {
        String anna = "elasticjob.console.users.anna.";
        application = SpringApplication.run(
                ConsoleApplication.class,
                "--server.port=0",
                "--logging.level.dev.elasticjob.console.standalone=info",
                "--elasticjob.console.registries.north.connect-string=127.0.0.1:1",
                "--elasticjob.console.registries.north.namespace=shop",
                "--" + anna + "password="
                        + EncodedPassword.read(
                                null, new ByteArrayInputStream("anna-s".getBytes(StandardCharsets.UTF_8))),
                "--" + anna + "roles=admin");
        console = "http://127.0.0.1:" + application.getEnvironment().getProperty("local.server.port");
    }

    @AfterEach
    void stop() {
        application.close();
    }

    @Test
    void eachSignInAndSignOutHasALineWithoutThePassword(CapturedOutput output) {
        SignedIn anna = SignedIn.nobody(console);

        anna.signIn("anna", "wrong-one");
        anna.signIn("wrong-too", "whatever");
        anna.signIn("anna", "anna-s");
        anna.signOut();

        assertThat(output.getOut())
                .contains(
                        "A sign-in of \"anna\" from 127.0.0.1 failed: wrong user or password",
                        "A sign-in of an unknown user from 127.0.0.1 failed: wrong user or password",
                        "\"anna\" has signed in from 127.0.0.1",
                        "\"anna\", signed in from 127.0.0.1, has signed out")
                .doesNotContain("anna-s", "wrong-one", "wrong-too", "whatever");
    }

    @Test
    void aProgramReadsTheDemandWithAPasswordInItsRequestAndNothingElse(CapturedOutput output) {
        SignedIn keda = SignedIn.nobody(console);

        HttpResponse<String> wrong = keda.getWith("anna", "wrong-one", DEMAND);
        HttpResponse<String> other = keda.getWith("anna", "anna-s", "/elasticjob/api/v1/registries/north/jobs");

        // The registry is away: the question has come so far.
        assertThat(keda.getWith("anna", "anna-s", DEMAND).statusCode()).isEqualTo(503);
        assertThat(wrong.statusCode()).isEqualTo(401);
        assertThat(wrong.headers().map()).doesNotContainKeys("WWW-Authenticate", "Set-Cookie");
        assertThat(other.statusCode()).isEqualTo(401);
        assertThat(output.getOut())
                .contains("A sign-in of \"anna\" from 127.0.0.1 failed: wrong user or password")
                .doesNotContain("has signed in", "wrong-one");
    }

    @Test
    void guessesOfAProgramAreRefusedLikeThoseAtTheForm() {
        SignedIn eve = SignedIn.nobody(console);
        for (int attempt = 0; attempt <= SignInBrake.FREE_OF_USER; attempt++) {
            assertThat(eve.getWith("anna", "guess" + attempt, DEMAND).statusCode())
                    .isEqualTo(401);
        }

        HttpResponse<String> refused = eve.getWith("anna", "anna-s", DEMAND);

        assertThat(refused.statusCode()).isEqualTo(429);
        assertThat(refused.body()).contains("TOO_MANY_ATTEMPTS").doesNotContain("anna");
        assertThat(eve.signIn("anna", "anna-s").statusCode()).isEqualTo(429);
    }

    @Test
    void afterSomeWrongPasswordsTheRightOneIsRefusedForAWhile(CapturedOutput output) {
        SignedIn eve = SignedIn.nobody(console);
        for (int attempt = 0; attempt <= SignInBrake.FREE_OF_USER; attempt++) {
            assertThat(eve.signIn("anna", "guess" + attempt).statusCode()).isEqualTo(302);
        }

        HttpResponse<String> refused = SignedIn.nobody(console).signIn("Anna", "anna-s");

        assertThat(refused.statusCode()).isEqualTo(429);
        assertThat(refused.headers().firstValueAsLong("Retry-After").orElseThrow())
                .isBetween(1L, 15L);
        assertThat(refused.body()).contains("Too many wrong passwords", "错误密码").doesNotContain("nna-s", "Anna");
        assertThat(refused.headers().firstValue("Content-Security-Policy")).isPresent();
        assertThat(output.getOut()).contains("wrong user or password. Further attempts are refused for 1");
    }
}
