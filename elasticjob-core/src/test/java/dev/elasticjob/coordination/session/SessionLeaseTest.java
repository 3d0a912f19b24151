package dev.elasticjob.coordination.session;

import static dev.elasticjob.coordination.Samples.NOON;
import static org.assertj.core.api.Assertions.assertThat;

import dev.elasticjob.coordination.session.SessionLease.Sending;
import dev.elasticjob.registry.RegistrySession;
import dev.elasticjob.time.SleepyTime;
import dev.elasticjob.time.manual.ManualTime;
import java.time.Duration;
import org.junit.jupiter.api.Test;

/** "The lease decides", sentence by sentence. A timeout of 30 s: 27 s can be used, two thirds are 20 s. */
class SessionLeaseTest {
    private static final Duration TICK = Duration.ofSeconds(2);
    private static final RegistrySession SESSION = new RegistrySession(7, Duration.ofSeconds(30));

    private final ManualTime time = new ManualTime(NOON);
    private final SessionLease lease = new SessionLease(time, TICK);

    @Test
    void nothingHoldsBeforeACommitWasAnswered() {
        lease.sending(SESSION);

        assertThat(lease.holds(7)).isFalse();
        assertThat(lease.left(7)).isZero();
    }

    @Test
    void aFirstAnswerCountsFromTwoThirdsOfTheTimeoutBeforeItsSending() {
        answered(SESSION);

        assertThat(lease.left(7)).isEqualTo(Duration.ofSeconds(7));
    }

    @Test
    void anAnswerCountsFromItsSendingNotFromItsArrival() {
        Sending sending = lease.sending(SESSION);
        time.advance(Duration.ofSeconds(5));
        lease.answered(sending);

        assertThat(lease.left(7)).isEqualTo(Duration.ofSeconds(2));
    }

    @Test
    void aSendingThatAnotherAnsweredOneFollowsByATickCountsInFull() {
        answered(SESSION);
        time.advance(TICK);
        answered(SESSION);

        assertThat(lease.left(7)).isEqualTo(Duration.ofSeconds(25));
    }

    @Test
    void oneThatFollowsSoonerProvesNothing() {
        answered(SESSION);
        time.advance(TICK.minusNanos(1));
        answered(SESSION);

        assertThat(lease.left(7)).isEqualTo(Duration.ofSeconds(7));
    }

    /** Both may have reached the server in one moment, right before it dies: then nobody has reported the first. */
    @Test
    void whatIsAnsweredTogetherAfterAStallProvesNothingThoughItWasSentATickApart() {
        Sending first = lease.sending(SESSION);
        time.advance(TICK);
        Sending second = lease.sending(SESSION);
        time.advance(Duration.ofSeconds(1));

        lease.answered(first);
        lease.answered(second);

        assertThat(lease.left(7)).isEqualTo(Duration.ofSeconds(6));
    }

    @Test
    void theNewestConfirmedSendingCounts() {
        answered(SESSION);
        time.advance(Duration.ofSeconds(1));
        answered(SESSION);
        time.advance(Duration.ofSeconds(1));
        answered(SESSION);
        time.advance(Duration.ofSeconds(1));
        answered(SESSION);

        assertThat(lease.left(7)).as("the second is confirmed by the fourth").isEqualTo(Duration.ofSeconds(25));
    }

    @Test
    void whatIsOlderThanTwoThirdsOfTheTimeoutIsNoWorseThanNothing() {
        answered(SESSION);
        time.advance(Duration.ofSeconds(21));
        answered(SESSION);

        assertThat(lease.left(7)).isEqualTo(Duration.ofSeconds(7));
    }

    @Test
    void theLeaseEndsToTheMoment() {
        answered(SESSION);

        time.advance(Duration.ofSeconds(7).minusNanos(1));
        assertThat(lease.holds(7)).isTrue();
        time.advance(Duration.ofNanos(1));

        assertThat(lease.holds(7)).isFalse();
    }

    @Test
    void aTickIsLeftOutAtLeast() {
        RegistrySession brief = new RegistrySession(7, Duration.ofSeconds(16));
        answered(brief);
        time.advance(TICK);

        answered(brief);

        assertThat(lease.left(7)).isEqualTo(Duration.ofSeconds(16).minus(TICK).minus(TICK));
    }

    /** Two thirds would leave a second and a third, which a beat of 1.7 s does not meet. */
    @Test
    void ofAShortTimeoutAFirstAnswerIsGoodForAFifth() {
        answered(new RegistrySession(7, Duration.ofSeconds(10)));

        assertThat(lease.left(7)).isEqualTo(Duration.ofSeconds(2));
    }

    @Test
    void aLateAnswerNeverShortensTheLease() {
        answered(SESSION);
        time.advance(TICK);
        Sending slow = lease.sending(SESSION);
        time.advance(TICK);
        answered(SESSION);
        Duration before = lease.left(7);

        lease.answered(slow);

        assertThat(lease.left(7)).isEqualTo(before);
    }

    @Test
    void anOtherSessionBeginsAnew() {
        answered(SESSION);
        time.advance(TICK);
        answered(SESSION);

        answered(new RegistrySession(8, Duration.ofSeconds(30)));

        assertThat(lease.holds(7)).isFalse();
        assertThat(lease.left(8)).isEqualTo(Duration.ofSeconds(7));
    }

    @Test
    void sendingsOfAnEarlierSessionConfirmNothing() {
        answered(SESSION);
        time.advance(TICK);
        RegistrySession next = new RegistrySession(8, Duration.ofSeconds(30));
        answered(next);
        time.advance(Duration.ofSeconds(1));
        answered(next);

        assertThat(lease.left(8)).isEqualTo(Duration.ofSeconds(7));
    }

    @Test
    void aStandstillTakesFromAFirstAnswersLease() {
        SessionLease ours = wokenAfter(Duration.ofSeconds(4));

        ours.answered(ours.sending(SESSION));

        assertThat(ours.left(7))
                .as("counted from twenty seconds awake before; one of the standstill goes unnoticed")
                .isEqualTo(Duration.ofSeconds(7 - 4 + 1));
    }

    @Test
    void afterAStandstillTwoAnswersATickApartCountInFull() {
        SessionLease ours = wokenAfter(Duration.ofSeconds(20));
        ours.answered(ours.sending(SESSION));
        assertThat(ours.holds(7))
                .as("asleep for all that a first answer is worth")
                .isFalse();
        time.advance(TICK);

        ours.answered(ours.sending(SESSION));

        assertThat(ours.left(7)).isEqualTo(Duration.ofSeconds(25));
    }

    @Test
    void whatOneThatIsClosedHasWatchedWithIsGone() {
        SessionLease ours = new SessionLease(new SleepyTime(time), TICK);

        ours.close();

        assertThat(time.nextTask()).isEmpty();
    }

    @Test
    void theLastSendingIsRemembered() {
        lease.sending(SESSION);
        time.advance(Duration.ofSeconds(4));

        assertThat(lease.sinceLastSending()).isEqualTo(Duration.ofSeconds(4));
    }

    @Test
    void aSessionOfLessThanThreeTicksIsObjectedTo() {
        RegistrySession tooShort = new RegistrySession(7, Duration.ofSeconds(5));

        assertThat(lease.objection(tooShort)).hasValueSatisfying(objection -> {
            assertThat(objection)
                    .hasMessage("A session timeout of at least 6 s was expected, three ticks of the ZooKeeper servers"
                            + " (\"elasticjob.registry.server-tick\", 2 s), but the servers granted 5 s: no item could"
                            + " run safely.");
            assertThat(objection.remedy())
                    .isEqualTo(
                            "Set \"elasticjob.registry.session-timeout\", or the session timeout of the application's own"
                                    + " CuratorFramework, to 6 s or more. If it already is, the servers"
                                    + " grant less than requested: raise their \"maxSessionTimeout\". If the servers' \"tickTime\""
                                    + " is shorter than 2 s, set \"elasticjob.registry.server-tick\" to it.");
        });
    }

    @Test
    void aTimeoutRaisedToMoreThanTwoTicksMeansALongerTick() {
        RegistrySession raised = new RegistrySession(7, Duration.ofSeconds(10), Duration.ofSeconds(6));

        assertThat(lease.doubt(raised))
                .hasValue("This application requested a session timeout of 6 s, but the ZooKeeper servers granted 10 s,"
                        + " the shortest they grant. Unless their \"minSessionTimeout\" is set, that is two of"
                        + " their ticks, so their tick is 5 s, but \"elasticjob.registry.server-tick\" is 2 s."
                        + " With too short a tick, an execution might be interrupted only after another"
                        + " instance has started its item. Set the property to the servers' \"tickTime\".");
    }

    @Test
    void aTimeoutRaisedToTwoTicksIsNotDoubted() {
        RegistrySession raised = new RegistrySession(7, Duration.ofSeconds(4), Duration.ofSeconds(3));

        assertThat(lease.doubt(raised)).isEmpty();
    }

    @Test
    void aTimeoutThatIsGrantedOrLoweredIsNotDoubted() {
        RegistrySession lowered = new RegistrySession(7, Duration.ofSeconds(40), Duration.ofSeconds(60));

        assertThat(lease.doubt(SESSION)).isEmpty();
        assertThat(lease.doubt(lowered)).isEmpty();
    }

    @Test
    void theShortestSessionHoldsALeaseForMoreThanABeat() {
        RegistrySession shortest = new RegistrySession(7, Duration.ofSeconds(6));

        answered(shortest);

        assertThat(lease.objection(shortest)).isEmpty();
        assertThat(lease.left(7)).isGreaterThan(shortest.timeout().dividedBy(6));
    }

    /** The lease of a process that was awake for a minute, and has then stood still. */
    private SessionLease wokenAfter(Duration standstill) {
        SleepyTime sleepy = new SleepyTime(time);
        SessionLease woken = new SessionLease(sleepy, TICK);
        time.advance(Duration.ofSeconds(60));
        sleepy.standStill(standstill);
        return woken;
    }

    private void answered(RegistrySession session) {
        lease.answered(lease.sending(session));
    }
}
