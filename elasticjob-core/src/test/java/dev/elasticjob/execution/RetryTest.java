package dev.elasticjob.execution;

import static org.assertj.core.api.Assertions.assertThat;

import dev.elasticjob.coordination.item.ExecutionResult;
import dev.elasticjob.coordination.state.ItemState;
import dev.elasticjob.definition.JobDefinition;
import dev.elasticjob.definition.RetrySettings;
import dev.elasticjob.job.event.JobEvent.ItemFinished;
import dev.elasticjob.job.event.JobEvent.ItemRetried;
import dev.elasticjob.job.event.JobEvent.ItemStarted;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.net.ConnectException;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.Collections;
import java.util.List;
import java.util.Map;
import java.util.concurrent.RejectedExecutionException;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

class RetryTest {
    private static final Duration SECOND = Duration.ofSeconds(1);
    private static final RetrySettings THRICE = RetrySettings.of(3, SECOND);

    private final List<Instant> attempts = new ArrayList<>();
    private final OneRunner one = new OneRunner(context -> {
        attempts.add(now());
        throw new IllegalStateException("provoked by attempt " + attempts.size());
    });

    @Test
    void attemptsFollowEachOtherAfterPausesThatGrowUpToTheLongest() {
        RetrySettings growing =
                new RetrySettings(5, SECOND, 3, Duration.ofSeconds(5), Duration.ZERO, List.of(), List.of());

        one.claim(retrying(growing), 1).runAll();
        passInSteps(20);

        assertThat(pauses()).containsExactly(1L, 3L, 5L, 5L);
    }

    @Test
    void anAttemptAfterWhichOtherCodeFailsEndsItsItem() {
        one.onEvent = event -> {
            if (event instanceof ItemFinished) {
                throw new OutOfMemoryError("provoked by this test");
            }
        };

        one.claim(retrying(THRICE), 1).runAll();
        passInSteps(10);

        assertThat(attempts).hasSize(3);
        assertThat(one.state(0)).isEqualTo(ItemState.FAILED);
        assertThat(one.runner.isIdle()).isTrue();
    }

    @Test
    void theLastFailureIsTheExecutionsAndIsToldOnce() {
        one.claim(retrying(THRICE), 1).runAll();
        passInSteps(10);

        assertThat(attempts).hasSize(3);
        assertThat(one.state(0)).isEqualTo(ItemState.FAILED);
        assertThat(one.failure(0)).contains("provoked by attempt 3");
        assertThat(one.failures)
                .singleElement()
                .satisfies(failure -> assertThat(failure).hasMessage("provoked by attempt 3"));
        assertThat(one.told(ItemStarted.class)).hasSize(1);
        assertThat(one.told(ItemFinished.class)).hasSize(1);
    }

    @Test
    void eachFailureThatIsTriedAgainIsToldWithItsNumberAndPause() {
        one.claim(retrying(THRICE), 1).runAll();
        passInSteps(10);

        assertThat(one.told(ItemRetried.class))
                .extracting(ItemRetried::failures)
                .containsExactly(1, 2);
        assertThat(one.told(ItemRetried.class)).extracting(ItemRetried::pause).containsExactly(SECOND, SECOND);
        assertThat(one.told(ItemRetried.class))
                .extracting(retried -> retried.failure().getMessage())
                .containsExactly("provoked by attempt 1", "provoked by attempt 2");
    }

    @Test
    void anExecutionThatSucceedsInTheEndIsCompletedFromItsFirstBeginning() {
        OneRunner patient = failing(2, new IllegalStateException("provoked by this test"));

        patient.claim(retrying(THRICE), 1).runAll();
        patient.pass(SECOND);
        patient.pass(SECOND);

        assertThat(patient.endings)
                .containsEntry(
                        0,
                        new ExecutionResult.Returned(
                                ItemState.COMPLETED, OneRunner.NOON, OneRunner.NOON.plusSeconds(2), null));
        assertThat(patient.failures).isEmpty();
    }

    @Test
    void betweenTwoAttemptsTheItemHasNoThreadAndNoPlaceInTheBound() {
        List<Integer> begun = new ArrayList<>();
        OneRunner bounded = new OneRunner(context -> {
            begun.add(context.getShardingItem());
            throw new IllegalStateException("provoked by this test");
        });

        bounded.claim(retrying(THRICE).concurrency(1), 2).runAll();

        assertThat(begun).containsExactly(0, 1);
        assertThat(bounded.bulkhead.free()).isEqualTo(1);
        assertThat(bounded.endings).as("both are still held").isEmpty();
    }

    @Test
    void aPauseIsShorterOrLongerByNoMoreThanItsJitter() {
        RetrySettings jittery = new RetrySettings(
                100, Duration.ofSeconds(10), 1, Duration.ZERO, Duration.ofSeconds(4), List.of(), List.of());

        one.claim(retrying(jittery), 1).runAll();
        for (int i = 0; i < 100; i++) {
            one.pass(Duration.ofSeconds(14));
        }

        assertThat(one.told(ItemRetried.class))
                .hasSize(99)
                .extracting(ItemRetried::pause)
                .allSatisfy(pause -> assertThat(pause).isBetween(Duration.ofSeconds(6), Duration.ofSeconds(14)));
        assertThat(one.told(ItemRetried.class).stream().map(ItemRetried::pause).distinct())
                .hasSizeGreaterThan(50);
    }

    @ParameterizedTest
    @ValueSource(classes = {IOException.class, Exception.class, Throwable.class})
    void whatIsIncludedIsTriedAgainWithItsSubclassesAndAsACause(Class<?> included) {
        OneRunner unchecked = failing(1, new UncheckedIOException(new ConnectException("provoked by this test")));

        unchecked
                .claim(retrying(only(List.of(included.getName()), List.of())), 1)
                .runAll();

        assertThat(unchecked.told(ItemRetried.class)).hasSize(1);
    }

    @Test
    void whatIsNotIncludedOrIsExcludedFailsAtOnce() {
        String io = IOException.class.getName();
        OneRunner notIncluded = failing(1, new IllegalStateException("provoked by this test"));
        OneRunner excluded = failing(1, new ConnectException("provoked by this test"));

        notIncluded.claim(retrying(only(List.of(io), List.of())), 1).runAll();
        excluded.claim(retrying(only(List.of(io), List.of(ConnectException.class.getName()))), 1)
                .runAll();

        assertThat(notIncluded.state(0)).isEqualTo(ItemState.FAILED);
        assertThat(excluded.state(0)).isEqualTo(ItemState.FAILED);
    }

    @Test
    void whoeverStopsEndsTheWaitingAsInterruptedSoThatAnotherMayGoOn() {
        one.claim(retrying(THRICE), 1).runAll();

        one.runner.beginNothingMore();

        assertThat(one.state(0)).isEqualTo(ItemState.INTERRUPTED);
        assertThat(one.failure(0)).contains("provoked by attempt 1");
        assertThat(one.time.nextTask()).as("the timer").isEmpty();
        assertThat(one.failures).as("not failed for good").isEmpty();
    }

    @Test
    void whatFailsWhileTheEngineStopsAndHasAttemptsLeftIsInterruptedToo() {
        OneRunner[] stopping = new OneRunner[1];
        stopping[0] = new OneRunner(context -> {
            stopping[0].runner.beginNothingMore();
            throw new IllegalStateException("provoked by this test");
        });

        stopping[0].claim(retrying(THRICE), 1).runAll();

        assertThat(stopping[0].state(0)).isEqualTo(ItemState.INTERRUPTED);
    }

    @Test
    void whatWaitsWithoutALeaseIsInterrupted() {
        one.claim(retrying(RetrySettings.of(3, Duration.ofHours(2))), 1).runAll();
        one.time.advance(OneRunner.LEASE);

        one.runner.interruptWithoutLease();

        assertThat(one.state(0)).isEqualTo(ItemState.INTERRUPTED);
    }

    @Test
    void aLaterAttemptDoesNotBeginWithoutALeaseEvenWhereExecutionsMayGoOn() {
        one.claim(retrying(RetrySettings.of(3, OneRunner.LEASE.plus(SECOND))), 1)
                .runAll();
        one.time.advance(OneRunner.LEASE);
        one.runner.goOnWithoutLease();

        one.pass(SECOND);

        assertThat(attempts).hasSize(1);
        assertThat(one.state(0)).isEqualTo(ItemState.INTERRUPTED);
    }

    @Test
    void whatIsInterruptedByTheEngineIsNotTriedAgain() {
        OneRunner[] interrupted = new OneRunner[1];
        interrupted[0] = new OneRunner(context -> {
            interrupted[0].runner.interruptAll("the engine is stopping");
            throw new IllegalStateException("provoked by this test");
        });

        interrupted[0].claim(retrying(THRICE), 1).runAll();

        assertThat(interrupted[0].state(0)).isEqualTo(ItemState.INTERRUPTED);
        assertThat(interrupted[0].told(ItemRetried.class)).isEmpty();
    }

    @Test
    void whatGetsNoThreadForItsNextAttemptIsInterruptedWithItsFailure() {
        List<Runnable> once = new ArrayList<>();
        OneRunner scarce = new OneRunner(
                context -> {
                    throw new IllegalStateException("provoked by this test");
                },
                Map.of("scarce", task -> {
                    if (!once.isEmpty()) {
                        throw new RejectedExecutionException("provoked by this test");
                    }
                    once.add(task);
                }));

        scarce.claim(retrying(THRICE).executorServiceHandler("scarce"), 1).runAll();
        once.get(0).run();
        scarce.pass(SECOND);

        assertThat(scarce.state(0)).isEqualTo(ItemState.INTERRUPTED);
        assertThat(scarce.failure(0)).contains("provoked by this test");
    }

    // ------------------------------------------------------------------ what follows

    private Instant now() {
        return one.time.instant();
    }

    private void passInSteps(int seconds) {
        Collections.nCopies(seconds, SECOND).forEach(one::pass);
    }

    private List<Long> pauses() {
        List<Long> pauses = new ArrayList<>();
        for (int i = 1; i < attempts.size(); i++) {
            pauses.add(Duration.between(attempts.get(i - 1), attempts.get(i)).toSeconds());
        }
        return pauses;
    }

    private static OneRunner failing(int times, Exception failure) {
        List<Exception> left = new ArrayList<>(Collections.nCopies(times, failure));
        return new OneRunner(context -> {
            if (!left.isEmpty()) {
                throw left.remove(0);
            }
        });
    }

    private static RetrySettings only(List<String> includes, List<String> excludes) {
        return new RetrySettings(3, SECOND, 1, Duration.ZERO, Duration.ZERO, includes, excludes);
    }

    private static JobDefinition.Builder retrying(RetrySettings retry) {
        return OneRunner.job().retry(retry);
    }
}
