package dev.elasticjob.console.standalone;

import static org.assertj.core.api.Assertions.assertThat;

import dev.elasticjob.time.manual.ManualTime;
import java.time.Duration;
import java.time.Instant;
import java.util.List;
import org.junit.jupiter.api.Test;

/** How long nobody may try to sign in, in virtual time. */
class SignInBrakeTest {
    private static final String HERE = "10.0.0.1";

    private final ManualTime time = new ManualTime(Instant.EPOCH);
    private final SignInBrake brake = new SignInBrake(time::nanoTime);

    @Test
    void theWaitAfterWrongPasswordsForAUserGrows() {
        wrong("anna", SignInBrake.FREE_OF_USER);
        assertThat(brake.refusedFor("anna", HERE)).isEmpty();

        for (long seconds : List.of(15, 30, 60, 120, 240, 480, 900, 900)) {
            wrong("anna", 1);

            assertThat(brake.begin("anna", HERE)).contains(Duration.ofSeconds(seconds));
            assertThat(brake.begin("anna", "10.0.0.2")).as("from wherever").contains(Duration.ofSeconds(seconds));
            assertThat(brake.begin(" ANNA ", HERE)).as("the same user").contains(Duration.ofSeconds(seconds));
            time.advance(Duration.ofSeconds(seconds));
        }
    }

    @Test
    void refusedAttemptsDoNotMakeTheWaitLonger() {
        wrong("anna", SignInBrake.FREE_OF_USER + 1);
        for (int attempt = 0; attempt < 100; attempt++) {
            brake.begin("anna", HERE);
        }

        time.advance(SignInBrake.FIRST_WAIT);

        assertThat(brake.begin("anna", HERE)).isEmpty();
    }

    @Test
    void theRightPasswordEndsTheCountOfTheUser() {
        wrong("anna", SignInBrake.FREE_OF_USER);
        assertThat(brake.begin("anna", HERE)).isEmpty();
        brake.succeeded("anna", HERE);

        wrong("anna", SignInBrake.FREE_OF_USER);

        assertThat(brake.refusedFor("anna", HERE)).isEmpty();
    }

    @Test
    void anAddressThatTriesManyUsersWaitsAndOthersDoNot() {
        for (int user = 0; user <= SignInBrake.FREE_OF_ADDRESS; user++) {
            assertThat(brake.begin("user" + user, HERE)).isEmpty();
        }

        assertThat(brake.begin("anna", HERE)).contains(SignInBrake.FIRST_WAIT);
        assertThat(brake.begin("anna", "10.0.0.2")).isEmpty();
    }

    @Test
    void someonesOwnPasswordDoesNotResetTheCountOfTheAddress() {
        for (int user = 0; user < SignInBrake.FREE_OF_ADDRESS; user++) {
            brake.begin("user" + user, HERE);
            assertThat(brake.begin("eve", HERE)).isEmpty();
            brake.succeeded("eve", HERE);
        }

        assertThat(brake.begin("anna", HERE)).isEmpty();
        assertThat(brake.begin("anna", HERE)).contains(SignInBrake.FIRST_WAIT);
    }

    @Test
    void addressesOfOneNetworkOfIpv6AreOne() {
        for (int host = 0; host <= SignInBrake.FREE_OF_ADDRESS; host++) {
            brake.begin("user" + host, "2001:db8:0:1:0:0:0:" + host);
        }

        assertThat(brake.begin("anna", "2001:db8:0:1:a:b:c:d")).isPresent();
        assertThat(brake.begin("anna", "2001:db8:0:2:a:b:c:d")).isEmpty();
    }

    @Test
    void wrongPasswordsAreForgottenAfterAnHour() {
        wrong("anna", SignInBrake.FREE_OF_USER + 1);

        time.advance(SignInBrake.FORGOTTEN.plusSeconds(1));
        wrong("anna", SignInBrake.FREE_OF_USER);

        assertThat(brake.refusedFor("anna", HERE)).isEmpty();
    }

    @Test
    void whoeverInventsUsersDoesNotFillTheMemory() {
        wrong("anna", SignInBrake.FREE_OF_USER + 1);
        for (int user = 0; user < SignInBrake.MOST_KEPT - 1; user++) {
            brake.begin("user" + user, "host" + user);
        }
        assertThat(brake.refusedFor("anna", "10.0.0.2")).isPresent();

        brake.begin("one more", "host");

        assertThat(brake.refusedFor("anna", "10.0.0.2")).as("tried longest ago").isEmpty();
    }

    private void wrong(String user, int times) {
        for (int attempt = 0; attempt < times; attempt++) {
            assertThat(brake.begin(user, HERE)).isEmpty();
        }
    }
}
