package dev.elasticjob.console.live;

import static org.assertj.core.api.Assertions.assertThat;

import dev.elasticjob.console.web.Json;
import dev.elasticjob.registry.RegistryUnavailableException;
import dev.elasticjob.time.manual.ManualTime;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.time.Instant;
import java.util.Optional;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionStage;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.function.Supplier;
import java.util.stream.IntStream;
import org.junit.jupiter.api.Test;

class SnapshotsTest {
    private final ManualTime time = new ManualTime(Instant.parse("2026-11-23T03:00:00Z"));
    private final Snapshots snapshots = new Snapshots(
            new Queries(time, Runnable::run, Duration.ofSeconds(10), Queries.REGISTRY), time, Json::bytes, 200);
    private final AtomicInteger reads = new AtomicInteger();

    private CompletableFuture<Snapshot> ask(int number, Supplier<? extends CompletionStage<?>> read) {
        var question = new Question("search " + number, Duration.ofSeconds(30), read);
        return snapshots.ask(question, Optional.empty(), Duration.ZERO).toCompletableFuture();
    }

    private CompletionStage<?> answer() {
        reads.incrementAndGet();
        return CompletableFuture.completedFuture("answer");
    }

    @Test
    void theOldestAnswersAreForgottenWhenThereAreTooMany() {
        IntStream.rangeClosed(0, Snapshots.MOST_QUESTIONS).forEach(number -> {
            ask(number, this::answer).join();
            time.advance(Duration.ofMillis(1));
        });

        ask(Snapshots.MOST_QUESTIONS, this::answer).join();
        assertThat(reads).hasValue(Snapshots.MOST_QUESTIONS + 1);
        ask(0, this::answer).join();
        assertThat(reads).hasValue(Snapshots.MOST_QUESTIONS + 2);
    }

    @Test
    void whoAsksWhileTooManyWaitIsToldSo() {
        IntStream.range(0, Snapshots.MOST_QUESTIONS).forEach(number -> ask(number, CompletableFuture::new));

        assertThat(ask(-1, this::answer))
                .failsWithin(Duration.ZERO)
                .withThrowableThat()
                .withCauseInstanceOf(RegistryUnavailableException.class);
        assertThat(reads).hasValue(0);

        time.advance(Duration.ofSeconds(11));
        assertThat(ask(-1, this::answer).join().json()).isNotEmpty();
    }

    @Test
    void aRegistryThatHasJustFailedIsLeftAloneForAMoment() {
        for (int viewer = 0; viewer < 3; viewer++) {
            assertThat(ask(1, this::failure)).isCompletedExceptionally();
        }
        assertThat(reads).hasValue(1);

        time.advance(Duration.ofSeconds(1));
        assertThat(ask(1, this::answer).join().json()).isNotEmpty();
        assertThat(reads).hasValue(2);
    }

    /** Somebody saves, and looks at once: what was read before is shared for a while otherwise. */
    @Test
    void whoHasChangedSomethingSeesNothingFromBefore() {
        assertThat(text(ask(1, () -> CompletableFuture.completedFuture("before"))))
                .isEqualTo("\"before\"");
        CompletableFuture<String> slow = new CompletableFuture<>();
        snapshots.changed();
        CompletableFuture<Snapshot> first = ask(1, () -> slow);
        snapshots.changed();
        CompletableFuture<Snapshot> second = ask(1, () -> CompletableFuture.completedFuture("after both"));

        assertThat(second).isNotDone();
        slow.complete("after one");

        assertThat(text(first)).isEqualTo("\"after one\"");
        assertThat(text(second)).isEqualTo("\"after both\"");
        assertThat(text(ask(1, CompletableFuture::new))).isEqualTo("\"after both\"");
    }

    private static String text(CompletableFuture<Snapshot> answer) {
        return new String(answer.join().json(), StandardCharsets.UTF_8);
    }

    private CompletionStage<?> failure() {
        reads.incrementAndGet();
        return CompletableFuture.failedFuture(new RegistryUnavailableException("no connection"));
    }
}
