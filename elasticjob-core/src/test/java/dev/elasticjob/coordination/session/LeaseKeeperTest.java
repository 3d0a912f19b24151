package dev.elasticjob.coordination.session;

import static dev.elasticjob.coordination.Samples.NOON;
import static org.assertj.core.api.Assertions.assertThat;

import dev.elasticjob.registry.ConnectionState;
import dev.elasticjob.registry.RegistryCommit;
import dev.elasticjob.registry.RegistrySession;
import dev.elasticjob.time.manual.ManualTime;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;

/** A session timeout of 24 s: a beat every 4 s. */
class LeaseKeeperTest {
    private static final RegistrySession LONG = new RegistrySession(7, Duration.ofSeconds(24));
    private static final Duration BEAT = Duration.ofSeconds(4);
    private static final String OWN_NODE = "/orders/instances/a";

    private final ManualTime time = new ManualTime(NOON);
    private final ScriptedRegistry registry = new ScriptedRegistry(LONG);
    private final SessionLease lease = new SessionLease(time, Duration.ofSeconds(2));
    private final SharedConnection connection =
            new SharedConnection(registry, Runnable::run, time, lease, new RegistryTime(time, time));
    private final List<Instant> over = new ArrayList<>();
    private boolean executing = true;
    private Optional<String> ownNode = Optional.of(OWN_NODE);
    private final LeaseKeeper keeper =
            new LeaseKeeper(connection, lease, time, Runnable::run, () -> executing, () -> ownNode, this::lookForLost);

    /** What was claimed in the first session is executed until the end. */
    private void lookForLost() {
        if (!lease.holds(LONG.id())) {
            over.add(time.instant());
        }
    }

    @BeforeEach
    void openAndClaim() {
        connection.open();
        claim();
        keeper.executionBegins(LONG);
    }

    @Test
    void afterAFirstClaimACheckOfOurOwnNodeGoesOutAfterHalfOfItsLease() {
        time.advance(lease.left(LONG.id()).dividedBy(2));

        assertThat(registry.sent)
                .hasSize(2)
                .last()
                .satisfies(sent -> assertThat(sent.commit())
                        .isEqualTo(RegistryCommit.builder()
                                .check(OWN_NODE, RegistryCommit.ANY_VERSION)
                                .build()));
    }

    @Test
    void onceTheClaimIsConfirmedOneGoesOutEverySixthOfTheTimeout() {
        answeredFor(lease.left(LONG.id()).dividedBy(2));
        int sent = registry.sent.size();

        answeredFor(BEAT.multipliedBy(6));

        assertThat(registry.sent).hasSizeBetween(sent + 5, sent + 6);
        assertThat(over).isEmpty();
    }

    @Test
    void whileACommitIsUnansweredNoOtherGoesOutUntilTheLeaseIsOver() {
        time.advance(lease.left(LONG.id()));

        assertThat(registry.sent).hasSize(2);
        assertThat(over).containsExactly(time.instant());
    }

    @Test
    void answeredBeatsKeepTheLeaseFreshForEver() {
        answeredFor(BEAT.multipliedBy(100));

        assertThat(lease.holds(LONG.id())).isTrue();
        assertThat(over).isEmpty();
    }

    @Test
    void whereAnotherCommitWentOutNoneIsNeeded() {
        time.advance(Duration.ofSeconds(2));
        claim();

        time.advance(Duration.ofSeconds(2));

        assertThat(registry.sent).hasSize(2);
    }

    @Test
    void whenNothingRunsTheKeeperSleeps() {
        executing = false;
        time.advance(BEAT);

        assertThat(registry.sent).hasSize(1);
        assertThat(time.nextTask()).isEmpty();
    }

    @Test
    void theNextExecutionWakesIt() {
        executing = false;
        time.advance(BEAT);
        executing = true;
        keeper.executionBegins(LONG);

        time.advance(BEAT);

        assertThat(registry.sent).hasSize(2);
    }

    @Test
    void manyExecutionsBeatOnce() {
        keeper.executionBegins(LONG);
        keeper.executionBegins(LONG);
        registry.become(ConnectionState.LOST);

        time.advance(Duration.ofSeconds(60));

        assertThat(over).isNotEmpty().doesNotHaveDuplicates();
    }

    @Test
    void theEndOfTheLeaseIsToldAtItsMoment() {
        Instant end = time.instant().plus(lease.left(LONG.id()));

        time.advance(Duration.ofSeconds(30));

        assertThat(over).isNotEmpty();
        assertThat(over.get(0)).isEqualTo(end);
    }

    /** After a standstill, a claim may have little of its lease left, and the next beat be further away. */
    @Test
    void theEndOfALeaseThatIsNearerThanTheNextBeatIsToldAtItsMoment() {
        time.advance(Duration.ofSeconds(1));
        connection.commit(LONG, RegistryCommit.builder().build());
        ScriptedRegistry.Sent slow = registry.last();
        time.advance(lease.left(LONG.id()));
        assertThat(over)
                .as("the lease is over, and the next beat a whole one away")
                .hasSize(1);
        time.advance(Duration.ofMillis(400));
        slow.carriedOut(time.instant());
        Instant end = time.instant().plus(lease.left(LONG.id()));

        keeper.executionBegins(LONG);
        time.advance(BEAT);

        assertThat(end).isBefore(over.get(0).plus(BEAT));
        assertThat(over).contains(end);
    }

    @Test
    void withoutAConnectionTheLeaseEndsAndIsToldUntilNothingRuns() {
        registry.become(ConnectionState.SUSPENDED);
        registry.become(ConnectionState.LOST);
        time.advance(Duration.ofSeconds(60));
        int told = over.size();
        assertThat(told).isGreaterThan(1);

        executing = false;
        time.advance(Duration.ofSeconds(60));

        assertThat(over).hasSize(told);
        assertThat(registry.sent).hasSize(1);
        assertThat(time.nextTask()).isEmpty();
    }

    @Test
    void withoutANodeOfOurOwnNothingIsSent() {
        ownNode = Optional.empty();

        time.advance(BEAT);

        assertThat(registry.sent).hasSize(1);
    }

    @Test
    void inANewSessionItBeatsOnForWhatStillRuns() {
        registry.become(ConnectionState.LOST);
        registry.reconnect(new RegistrySession(8, Duration.ofSeconds(24)));

        time.advance(BEAT);

        assertThat(registry.last().session().id()).isEqualTo(8);
    }

    @Test
    void whatAFormerSessionClaimedIsLookedForThoughThePresentOneHolds() {
        RegistrySession next = new RegistrySession(8, Duration.ofSeconds(24));
        registry.become(ConnectionState.LOST);
        registry.reconnect(next);
        claimIn(next);
        keeper.executionBegins(next);

        time.advance(BEAT);

        assertThat(lease.holds(next.id())).isTrue();
        assertThat(over).isNotEmpty();
    }

    @Test
    void aFailureInWhatIsToldDoesNotEndTheBeats() {
        List<Instant> told = new ArrayList<>();
        LeaseKeeper unlucky = new LeaseKeeper(
                connection, lease, time, LeaseKeeperTest::carelessly, () -> true, Optional::empty, () -> {
                    told.add(time.instant());
                    throw new IllegalStateException("provoked by this test");
                });
        unlucky.executionBegins(LONG);

        time.advance(Duration.ofSeconds(60));

        assertThat(told).hasSizeGreaterThan(2);
    }

    private static void carelessly(Runnable task) {
        try {
            task.run();
        } catch (RuntimeException e) {
            // As an executor does whose thread is replaced.
        }
    }

    /** Each commit is answered after a tenth of a second at most. */
    private void answeredFor(Duration duration) {
        Instant end = time.instant().plus(duration);
        while (time.instant().isBefore(end)) {
            time.advance(Duration.ofMillis(100));
            registry.last().carriedOut(time.instant());
        }
    }

    private void claim() {
        claimIn(LONG);
    }

    private void claimIn(RegistrySession session) {
        connection.commit(session, RegistryCommit.builder().build());
        registry.last().carriedOut(time.instant());
    }
}
