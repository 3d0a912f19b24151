package dev.elasticjob.engine;

import static org.assertj.core.api.Assertions.assertThat;

import dev.elasticjob.admin.command.RunRequest;
import dev.elasticjob.admin.explain.Explanation;
import dev.elasticjob.definition.Jitter;
import dev.elasticjob.definition.JobDefinition;
import dev.elasticjob.definition.Overlap;
import dev.elasticjob.job.event.ExecutionTrigger;
import dev.elasticjob.job.event.JobEvent;
import dev.elasticjob.job.event.JobEvent.FiringOverdue;
import dev.elasticjob.job.event.JobEvent.FiringsLost;
import dev.elasticjob.job.event.JobEvent.ItemStarted;
import java.time.Duration;
import java.time.Instant;
import java.time.ZoneOffset;
import java.util.List;
import java.util.stream.IntStream;
import org.junit.jupiter.api.Test;

/** Items that start later than their firing, each by a time of its own. The job fires at 10 s past each minute. */
class JitterTest {
    private static final Duration WINDOW = Duration.ofSeconds(40);
    private static final Instant FIRING = Instant.parse("2026-03-01T12:00:10Z");
    private static final JobDefinition ORDERS = JobDefinition.builder("orders")
            .cron("10 * * * * ?")
            .timeZone(ZoneOffset.UTC)
            .shardingTotalCount(4)
            .jitter(WINDOW)
            .build();

    private OneEngine one;

    @Test
    void eachItemStartsAtItsOwnMomentForTheSameScheduledTime() {
        start(ORDERS);

        one.passRunning(Duration.ofMinutes(2));

        assertThat(started()).hasSize(8).allSatisfy(event -> {
            assertThat(event.startedAt())
                    .isEqualTo(dueAt(event.item(), event.scheduledAt()))
                    .isEqualTo(event.dueAt());
            assertThat(event.trigger()).isEqualTo(ExecutionTrigger.SCHEDULE);
        });
        assertThat(started()).extracting(ItemStarted::startedAt).doesNotHaveDuplicates();
        assertThat(started().stream().map(ItemStarted::scheduledAt).distinct())
                .containsExactly(FIRING, FIRING.plusSeconds(60));
    }

    @Test
    void aRestartChangesNothing() {
        start(ORDERS);
        one.passRunning(Duration.ofSeconds(1));

        one.engine.stop();
        one.pass(Duration.ofSeconds(1));
        one.engine.start();
        one.passRunning(Duration.ofSeconds(50));

        assertThat(started())
                .hasSize(4)
                .allSatisfy(event -> assertThat(event.startedAt()).isEqualTo(dueAt(event.item(), FIRING)));
    }

    @Test
    void delaysAreWithinTheWindowAndFixedForever() {
        Jitter jitter = Jitter.of(ORDERS);

        assertThat(IntStream.range(0, 1_000).mapToObj(item -> Duration.between(FIRING, jitter.dueAt(item, FIRING))))
                .allMatch(delay -> !delay.isNegative() && delay.compareTo(WINDOW) < 0)
                .filteredOn(delay -> delay.compareTo(WINDOW.dividedBy(2)) < 0)
                .hasSizeBetween(400, 600);
        assertThat(IntStream.range(0, 4)
                        .mapToObj(item -> Duration.between(FIRING, jitter.dueAt(item, FIRING))
                                .toMillis()))
                .containsExactlyElementsOf(KNOWN);
    }

    /** What other versions compute too. */
    private static final List<Long> KNOWN = List.of(37_432L, 2_263L, 25_447L, 34_952L);

    @Test
    void beingLateCountsFromTheItemsOwnMoment() {
        start(ORDERS.toBuilder()
                .misfire(false)
                .misfireThreshold(Duration.ofSeconds(1))
                .expectWithin(Duration.ofSeconds(1))
                .build());

        one.passRunning(Duration.ofSeconds(50));

        assertThat(started()).hasSize(4);
        assertThat(one.events).noneMatch(event -> event instanceof FiringOverdue || event instanceof FiringsLost);
    }

    @Test
    void aManualRunIsNotDelayed() {
        start(ORDERS);
        one.settle();

        one.admin().trigger("orders", RunRequest.create());
        one.passRunning(Duration.ofMillis(100));

        assertThat(started())
                .filteredOn(event -> event.trigger() == ExecutionTrigger.MANUAL)
                .hasSize(4);
    }

    @Test
    void itIsExplained() {
        start(ORDERS);
        one.settle();

        Explanation explained = one.inspector()
                .explain("orders", 0)
                .toCompletableFuture()
                .join()
                .orElseThrow();

        assertThat(explained.conditions().get(0).fact().text())
                .isEqualTo("The item is not due before %s, to which its jitter delays the firing of %s"
                        .formatted(dueAt(0, FIRING), FIRING));
    }

    @Test
    void whatIsCancelledForTheNextFiringGoesOnUntilItsItemIsDue() {
        one = new OneEngine(
                FIRING.minusSeconds(1),
                ORDERS.toBuilder()
                        .shardingTotalCount(1)
                        .overlap(Overlap.CANCEL_RUNNING)
                        .build(),
                context -> {
                    while (!Thread.interrupted()) {
                        one.passRunning(Duration.ofMillis(500));
                    }
                    throw new InterruptedException();
                });
        one.started();

        one.passRunning(Duration.ofSeconds(62).plus(WINDOW));

        Instant due = dueAt(0, FIRING.plusSeconds(60));
        assertThat(one.events)
                .filteredOn(JobEvent.ItemCancelled.class::isInstance)
                .isNotEmpty();
        assertThat(started().get(1).startedAt()).isBetween(due, due.plusSeconds(1));
    }

    // ------------------------------------------------------------------ helpers

    /** Up to the first firing. */
    private void start(JobDefinition definition) {
        one = new OneEngine(FIRING.minusSeconds(1), definition, context -> {}).started();
        one.pass(Duration.ofSeconds(1));
    }

    private static Instant dueAt(int item, Instant firing) {
        return Jitter.of(ORDERS).dueAt(item, firing);
    }

    private List<ItemStarted> started() {
        return one.events.stream()
                .filter(ItemStarted.class::isInstance)
                .map(ItemStarted.class::cast)
                .toList();
    }
}
