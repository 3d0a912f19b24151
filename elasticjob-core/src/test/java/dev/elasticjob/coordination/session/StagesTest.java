package dev.elasticjob.coordination.session;

import static org.assertj.core.api.Assertions.assertThat;

import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.CompletableFuture;
import org.junit.jupiter.api.Test;

class StagesTest {
    private final List<String> begun = new ArrayList<>();
    private final List<CompletableFuture<Optional<Integer>>> results = new ArrayList<>();

    private CompletableFuture<Optional<Integer>> begin(String part) {
        begun.add(part);
        results.add(new CompletableFuture<>());
        return results.get(results.size() - 1);
    }

    @Test
    void eachPartBeginsWhenTheOneBeforeHasEnded() {
        var all = Stages.inOrder(List.of("a", "b"), this::begin).toCompletableFuture();
        assertThat(begun).containsExactly("a");

        results.get(0).complete(Optional.of(1));
        assertThat(begun).containsExactly("a", "b");
        assertThat(all).isNotDone();

        results.get(1).complete(Optional.empty());
        assertThat(all).isCompletedWithValue(List.of(Optional.of(1), Optional.empty()));
    }

    @Test
    void theFirstFailureEndsTheSequence() {
        var all = Stages.inOrder(List.of("a", "b"), this::begin).toCompletableFuture();

        results.get(0).completeExceptionally(new IllegalStateException("of a"));

        assertThat(begun).containsExactly("a");
        assertThat(all).failsWithin(Duration.ZERO).withThrowableThat().withMessageContaining("of a");
    }

    @Test
    void noPartsHaveNoResults() {
        assertThat(Stages.inOrder(List.<String>of(), this::begin).toCompletableFuture())
                .isCompletedWithValue(List.of());
    }

    @Test
    void aStepIsAttemptedUntilItHasAResult() {
        var result = Stages.attempts(3, () -> begin("x")).toCompletableFuture();
        results.get(0).complete(Optional.empty());
        results.get(1).complete(Optional.of(7));

        assertThat(begun).hasSize(2);
        assertThat(result).isCompletedWithValue(Optional.of(7));
    }

    @Test
    void attemptsAreLimited() {
        var result = Stages.attempts(2, () -> begin("x")).toCompletableFuture();
        results.get(0).complete(Optional.empty());
        results.get(1).complete(Optional.empty());

        assertThat(begun).hasSize(2);
        assertThat(result).isCompletedWithValue(Optional.empty());
    }

    @Test
    void aFailedAttemptIsTheLast() {
        var result = Stages.attempts(2, () -> begin("x")).toCompletableFuture();
        results.get(0).completeExceptionally(new IllegalStateException("of the first"));

        assertThat(begun).hasSize(1);
        assertThat(result).failsWithin(Duration.ZERO).withThrowableThat().withMessageContaining("of the first");
    }

    @Test
    void severalStepsAskForAnotherRoundIfOneDoes() {
        assertThat(Next.of(List.of(Next.WAIT, Next.AGAIN, Next.WAIT))).isEqualTo(Next.AGAIN);
        assertThat(Next.of(List.of(Next.WAIT))).isEqualTo(Next.WAIT);
        assertThat(Next.of(List.of())).isEqualTo(Next.WAIT);
    }
}
