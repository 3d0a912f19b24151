package dev.elasticjob.engine;

import static dev.elasticjob.engine.OneEngine.TREE;
import static org.assertj.core.api.Assertions.assertThat;

import dev.elasticjob.admin.command.RunRequest;
import dev.elasticjob.admin.explain.Explanation;
import dev.elasticjob.definition.JobDefinition;
import dev.elasticjob.definition.Overlap;
import dev.elasticjob.job.ShardingContext;
import dev.elasticjob.job.SimpleJob;
import dev.elasticjob.job.event.JobEvent;
import dev.elasticjob.job.event.JobEvent.FiringsFolded;
import dev.elasticjob.job.event.JobEvent.FiringsLost;
import dev.elasticjob.job.event.JobEvent.FiringsSkipped;
import dev.elasticjob.job.event.JobEvent.ItemCancelled;
import dev.elasticjob.testing.LoggedLines;
import java.time.Duration;
import java.time.Instant;
import java.time.ZoneOffset;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.Nested;
import org.junit.jupiter.api.Test;

/** What becomes of firings that come due while their item still executes: timelines, to the second. */
class OverlapTest {
    private static final Instant NOON = Instant.parse("2026-03-01T12:00:00Z");

    private final List<String> runs = new ArrayList<>();
    private OneEngine one;

    @Nested
    class Skip {
        @Test
        void whatComesDueDuringAnExecutionDoesNotRunAndIsToldAsSkippedOnce() {
            start(everyFiveSeconds(Overlap.SKIP), context -> last(context, 12));

            try (LoggedLines log = new LoggedLines()) {
                one.passRunning(Duration.ofSeconds(29));

                assertThat(log.all())
                        .filteredOn(line -> line.contains("skipped 2 firings"))
                        .singleElement()
                        .asString()
                        .startsWith("INFO")
                        .contains("items [0]", "since 2026-03-01T12:00:05Z");
            }

            assertThat(runs).containsExactly("00–12 for 00", "15–27 for 15");
            assertThat(told()).containsExactly(skipped(5, 15, 2));
        }

        @Test
        void withoutMisfireTheSameIsSkippedAndNotLost() {
            start(everyFiveSeconds(Overlap.SKIP).misfire(false), context -> last(context, 12));

            one.passRunning(Duration.ofSeconds(29));

            assertThat(told()).containsExactly(skipped(5, 15, 2));
        }

        @Test
        void noFiringIsShownAsWaitingAndTheReasonIsExplained() {
            List<Boolean> marks = new ArrayList<>();
            start(everyFiveSeconds(Overlap.SKIP), context -> {
                last(context, 6);
                marks.add(one.read(TREE.misfire(0)).isPresent());
            });

            one.passRunning(Duration.ofSeconds(8));

            assertThat(marks).containsExactly(false);
            Explanation explained = one.inspector()
                    .explain("orders", 0)
                    .toCompletableFuture()
                    .join()
                    .orElseThrow();
            assertThat(explained.conditions().get(0).fact().text())
                    .isEqualTo(
                            "The item is not due before 2026-03-01T12:00:10Z; the firing of 2026-03-01T12:00:05Z came"
                                    + " due while it was executing, and overlap is SKIP");
        }

        @Test
        void whatNobodyWasThereForRunsAllTheSame() {
            start(everyFiveSeconds(Overlap.SKIP), context -> last(context, 1));
            one.passRunning(Duration.ofSeconds(3));

            one.engine.stop();
            one.pass(Duration.ofSeconds(20));
            one.engine.start();
            one.passRunning(Duration.ofSeconds(1));

            assertThat(runs).containsExactly("00–01 for 00", "23–24 for 20");
            assertThat(told()).containsExactly(new FiringsFolded("orders", 0, at(5), at(20), 3));
        }

        @Test
        void whatComesDueWhileTheItemOnlyWaitsForAThreadRuns() {
            start(everyFiveSeconds(Overlap.SKIP), context -> last(context, 1));
            one.settle();

            one.pass(Duration.ofSeconds(7));
            one.passRunning(Duration.ofSeconds(2));

            assertThat(runs).containsExactly("07–08 for 00", "08–09 for 05");
        }

        @Test
        void whatComesDueDuringAManualRunIsSkippedToo() {
            start(everyHour(Overlap.SKIP).cron("10 * * * * ?"), context -> last(context, 8));
            one.passRunning(Duration.ofSeconds(5));

            one.admin().trigger("orders", RunRequest.create());
            one.passRunning(Duration.ofSeconds(67));

            assertThat(runs).hasSize(2).last().asString().endsWith("for 70");
            assertThat(told()).containsExactly(skipped(10, 70, 1));
        }

        @Test
        void withoutMonitoringItIsSkippedAndToldAtOnce() {
            start(everyFiveSeconds(Overlap.SKIP).monitorExecution(false), context -> last(context, 6));

            one.passRunning(Duration.ofSeconds(8));

            assertThat(runs).containsExactly("00–06 for 00");
            assertThat(told()).containsExactly(skipped(5, 5, 1));
        }
    }

    @Nested
    class CancelRunning {
        @Test
        void theNextFiringCancelsWhatRunsAndBegins() {
            start(everyFiveSeconds(Overlap.CANCEL_RUNNING), this::takeTwelveSecondsUnlessInterrupted);

            one.passRunning(Duration.ofSeconds(8));

            assertThat(runs).containsExactly("00–05 for 00, cut off", "05–10 for 05, cut off");
            assertThat(one.events)
                    .filteredOn(ItemCancelled.class::isInstance)
                    .first()
                    .isEqualTo(new ItemCancelled(
                            "orders",
                            "a@-@1",
                            0,
                            NOON,
                            "orders@2026-03-01T12:00:00Z",
                            1,
                            "cancelled by overlap: its firing at 2026-03-01T12:00:05Z is due"));
            assertThat(told()).isEmpty();
        }

        @Test
        void withoutMisfireItBeginsAllTheSame() {
            start(everyFiveSeconds(Overlap.CANCEL_RUNNING).misfire(false), this::takeTwelveSecondsUnlessInterrupted);

            one.passRunning(Duration.ofSeconds(8));

            assertThat(runs).startsWith("00–05 for 00, cut off", "05–10 for 05, cut off");
            assertThat(told()).isEmpty();
        }

        @Test
        void codeThatIgnoresItsInterruptionKeepsItsLockAndTheFiringWaits() {
            start(everyFiveSeconds(Overlap.CANCEL_RUNNING), context -> {
                last(context, runs.isEmpty() ? 7 : 1);
                boolean interrupted = Thread.interrupted();
                assertThat(interrupted).isEqualTo(runs.size() == 1);
            });

            one.passRunning(Duration.ofSeconds(9));

            assertThat(runs).containsExactly("00–07 for 00", "07–08 for 05");
        }

        @Test
        void aManualRunGoesOnAndTheFiringWaits() {
            start(everyHour(Overlap.CANCEL_RUNNING).cron("10 * * * * ?"), context -> {
                last(context, 8);
                assertThat(Thread.interrupted()).isFalse();
            });
            one.passRunning(Duration.ofSeconds(5));

            one.admin().trigger("orders", RunRequest.create());
            one.passRunning(Duration.ofSeconds(12));

            assertThat(runs).hasSize(2).last().asString().isEqualTo("13–21 for 10");
        }

        @Test
        void whatWaitsForAThreadIsNotCancelled() {
            start(everyFiveSeconds(Overlap.CANCEL_RUNNING), context -> last(context, 1));
            one.settle();

            one.pass(Duration.ofSeconds(7));
            one.passRunning(Duration.ofSeconds(2));

            assertThat(runs).containsExactly("07–08 for 00", "08–09 for 05");
            assertThat(one.events).noneMatch(ItemCancelled.class::isInstance);
        }

        @Test
        void aDisabledItemIsNotCancelled() {
            start(everyFiveSeconds(Overlap.CANCEL_RUNNING), context -> {
                one.admin().disableItem("orders", 0);
                last(context, 7);
                assertThat(Thread.interrupted()).isFalse();
            });

            one.passRunning(Duration.ofSeconds(9));

            assertThat(runs).containsExactly("00–07 for 00");
        }

        @Test
        void thatIsExplained() {
            List<String> explained = new ArrayList<>();
            start(everyFiveSeconds(Overlap.CANCEL_RUNNING), context -> {
                explained.add(one.inspector()
                        .explain("orders", 0)
                        .toCompletableFuture()
                        .join()
                        .orElseThrow()
                        .conditions()
                        .get(0)
                        .fact()
                        .text());
                last(context, 1);
            });

            one.passRunning(Duration.ofSeconds(2));

            assertThat(explained)
                    .containsExactly("The item is running on \"a@-@1\", attempt 1; the firing of 2026-03-01T12:00:05Z"
                            + " cancels it");
        }

        private void takeTwelveSecondsUnlessInterrupted(ShardingContext context) throws InterruptedException {
            long from = now();
            for (int second = 0; second < 12; second++) {
                one.passRunning(Duration.ofSeconds(1));
                if (Thread.interrupted()) {
                    note(context, from, ", cut off");
                    throw new InterruptedException();
                }
            }
            note(context, from, "");
        }
    }

    // ------------------------------------------------------------------ helpers

    private static JobDefinition.Builder everyFiveSeconds(Overlap overlap) {
        return JobDefinition.builder("orders")
                .cron("0/5 * * * * ?")
                .timeZone(ZoneOffset.UTC)
                .overlap(overlap);
    }

    private static JobDefinition.Builder everyHour(Overlap overlap) {
        return everyFiveSeconds(overlap).cron("0 0 * * * ?");
    }

    /** At noon, a moment before the first firing. */
    private void start(JobDefinition.Builder definition, SimpleJob job) {
        one = new OneEngine(NOON.minusSeconds(1), definition.build(), job).started();
        one.pass(Duration.ofMillis(999));
        one.time.advance(Duration.ofMillis(1));
    }

    private void last(ShardingContext context, int seconds) {
        long from = now();
        one.passRunning(Duration.ofSeconds(seconds));
        note(context, from, "");
    }

    private void note(ShardingContext context, long from, String how) {
        long firing = Duration.between(NOON, context.getScheduledTime()).toSeconds();
        runs.add("%02d–%02d for %02d%s".formatted(from, now(), firing, how));
    }

    private long now() {
        return Duration.between(NOON, one.time.instant()).toSeconds();
    }

    private List<JobEvent> told() {
        return one.events.stream()
                .filter(event -> event instanceof FiringsLost
                        || event instanceof FiringsFolded
                        || event instanceof FiringsSkipped)
                .toList();
    }

    private static FiringsSkipped skipped(int from, int before, int count) {
        return new FiringsSkipped("orders", 0, at(from), at(before), count);
    }

    private static Instant at(int second) {
        return NOON.plusSeconds(second);
    }
}
