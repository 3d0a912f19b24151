package dev.elasticjob.coordination.session;

import static dev.elasticjob.coordination.Samples.NOON;
import static dev.elasticjob.coordination.Samples.SESSION;
import static org.assertj.core.api.Assertions.assertThat;

import dev.elasticjob.registry.ConnectionState;
import dev.elasticjob.registry.RegistryUnavailableException;
import dev.elasticjob.time.manual.ManualTime;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionStage;
import java.util.function.Supplier;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;

class ReconcileLoopTest {
    private static final Duration PAUSE = Duration.ofMillis(50);

    private final ManualTime time = new ManualTime(NOON);
    private final ScriptedRegistry registry = new ScriptedRegistry(SESSION);
    private final SharedConnection connection = new SharedConnection(
            registry, Runnable::run, time, new SessionLease(time, Duration.ofSeconds(2)), new RegistryTime(time, time));
    private final List<CompletableFuture<Next>> begun = new ArrayList<>();
    private final ReconcileLoop loop = loop(this::begin);

    @BeforeEach
    void open() {
        connection.open();
    }

    @Test
    void aWishBeginsARoundAtOnce() {
        loop.again();

        assertThat(begun).hasSize(1);
    }

    @Test
    void wishesDuringARoundAreFoldedIntoOneMore() {
        loop.again();
        loop.again();
        loop.again();
        assertThat(begun).hasSize(1);

        last().complete(Next.WAIT);
        last().complete(Next.WAIT);

        assertThat(begun).hasSize(2);
    }

    @Test
    void aRoundMayAskForAnother() {
        loop.again();
        last().complete(Next.AGAIN);
        assertThat(begun).hasSize(2);

        last().complete(Next.WAIT);

        assertThat(begun).hasSize(2);
    }

    @Test
    void oneThatMetAnUnavailableRegistryIsRepeatedWhenTheConnectionIsBack() {
        loop.again();
        registry.become(ConnectionState.SUSPENDED);
        last().completeExceptionally(new RegistryUnavailableException("away"));
        time.advance(Duration.ofSeconds(10));
        assertThat(begun).hasSize(1);

        registry.reconnect(SESSION);

        assertThat(begun).hasSize(2);
    }

    @Test
    void oneThatFailedIsRepeatedAfterAPauseThatGrows() {
        loop.again();
        for (int i = 0; i < 4; i++) {
            last().completeExceptionally(new IllegalStateException("provoked by this test"));
            Duration pause = PAUSE.multipliedBy(1L << i);
            time.advance(pause.minusNanos(1));
            assertThat(begun).hasSize(i + 1);
            time.advance(Duration.ofNanos(1));
            assertThat(begun).hasSize(i + 2);
        }
        last().complete(Next.AGAIN);
        last().completeExceptionally(new IllegalStateException("provoked by this test"));

        assertThat(time.nextTask())
                .as("after a success it begins anew")
                .contains(time.instant().plus(PAUSE));
    }

    @Test
    void wishesDoNotCutAPauseShort() {
        loop.again();
        last().completeExceptionally(new IllegalStateException("provoked by this test"));

        loop.again();

        assertThat(begun).hasSize(1);
    }

    @Test
    void whateverARoundThrowsItIsRepeated() {
        List<Instant> attempts = new ArrayList<>();
        ReconcileLoop throwing = loop(() -> {
            attempts.add(time.instant());
            if (attempts.size() == 1) {
                throw new IllegalStateException("provoked by this test");
            }
            throw new NoClassDefFoundError("provoked by this test");
        });

        throwing.again();
        time.advance(PAUSE);
        time.advance(PAUSE.multipliedBy(2));

        assertThat(attempts).hasSize(3);
    }

    @Test
    void roundsWithoutEndArePaced() {
        List<Instant> looks = new ArrayList<>();
        ReconcileLoop restless = loop(() -> {
            looks.add(time.instant());
            return Next.againIf(looks.size() < 1_000).stage();
        });

        restless.again();
        assertThat(looks).as("a few at once").hasSizeBetween(10, 50);
        time.advance(Duration.ofSeconds(60));

        assertThat(looks).as("but never without an end, and never given up").hasSize(1_000);
        assertThat(time.nextTask()).isEmpty();
    }

    // ------------------------------------------------------------------ stop

    @Test
    void stoppedAtRestNothingBeginsAnyMore() {
        CompletionStage<Void> rested = loop.stop();
        loop.again();

        assertThat(rested.toCompletableFuture()).isCompleted();
        assertThat(begun).isEmpty();
    }

    @Test
    void stoppedDuringARoundItRestsAfterIt() {
        loop.again();
        CompletionStage<Void> rested = loop.stop();
        assertThat(rested.toCompletableFuture()).isNotDone();

        last().complete(Next.AGAIN);

        assertThat(rested.toCompletableFuture()).isCompleted();
        assertThat(begun).hasSize(1);
    }

    @Test
    void stoppedDuringARoundThatFailsItRestsToo() {
        loop.again();
        CompletionStage<Void> rested = loop.stop();

        last().completeExceptionally(new IllegalStateException("provoked by this test"));
        time.advance(Duration.ofSeconds(10));

        assertThat(rested.toCompletableFuture()).isCompleted();
        assertThat(begun).hasSize(1);
    }

    @Test
    void stoppedDuringAPauseItRestsAtOnce() {
        loop.again();
        last().completeExceptionally(new IllegalStateException("provoked by this test"));

        CompletionStage<Void> rested = loop.stop();
        time.advance(Duration.ofSeconds(10));

        assertThat(rested.toCompletableFuture()).isCompleted();
        assertThat(begun).hasSize(1);
    }

    @Test
    void theEndOfTheConnectionLeavesNothingToPollFor() {
        loop.again();
        registry.become(ConnectionState.SUSPENDED);
        last().completeExceptionally(new RegistryUnavailableException("away"));

        connection.close();
        time.advance(Duration.ofMinutes(10));

        assertThat(begun).hasSizeLessThanOrEqualTo(2);
        assertThat(time.nextTask()).isEmpty();
    }

    private ReconcileLoop loop(Supplier<CompletionStage<Next>> round) {
        return new ReconcileLoop("Rounds of this test", connection, round);
    }

    private CompletionStage<Next> begin() {
        begun.add(new CompletableFuture<>());
        return last();
    }

    private CompletableFuture<Next> last() {
        return begun.get(begun.size() - 1);
    }
}
