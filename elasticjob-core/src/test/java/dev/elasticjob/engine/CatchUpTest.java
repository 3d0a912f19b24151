package dev.elasticjob.engine;

import static org.assertj.core.api.Assertions.assertThat;

import dev.elasticjob.admin.command.RunRequest;
import dev.elasticjob.definition.CatchUp;
import dev.elasticjob.definition.JobDefinition;
import dev.elasticjob.definition.Overlap;
import dev.elasticjob.job.ShardingContext;
import dev.elasticjob.job.SimpleJob;
import dev.elasticjob.job.event.JobEvent;
import dev.elasticjob.job.event.JobEvent.FiringsFolded;
import dev.elasticjob.job.event.JobEvent.FiringsLost;
import dev.elasticjob.job.event.JobEvent.ItemCancelled;
import java.time.Duration;
import java.time.Instant;
import java.time.ZoneOffset;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.Test;

/** A job that makes up for each firing that it has missed: timelines, to the second. */
class CatchUpTest {
    private static final Instant NOON = Instant.parse("2026-03-01T12:00:00Z");

    private final List<String> runs = new ArrayList<>();
    private OneEngine one;

    @Test
    void eachMissedFiringRunsTheOldestFirst() {
        start(each(), context -> last(context, 1));

        nobodyIsThereFor(20);
        one.passRunning(Duration.ofSeconds(6));

        assertThat(runs)
                .containsExactly(
                        "00–01 for 00", "22–23 for 05", "23–24 for 10", "24–25 for 15", "25–26 for 20", "26–27 for 25");
        assertThat(told()).isEmpty();
    }

    @Test
    void whileItCatchesUpItSaysHowManyFiringsWaitBehind() {
        List<String> said = new ArrayList<>();
        start(each().catchUpLimit(3), context -> {
            said.add(explained());
            last(context, 1);
        });

        nobodyIsThereFor(20);
        one.passRunning(Duration.ofSeconds(6));

        assertThat(said.get(0)).doesNotContain("wait behind it");
        assertThat(said.get(1)).endsWith("firings that wait behind it: 2, the first of " + at(15));
        assertThat(said.get(2)).endsWith("firings that wait behind it: 1, the first of " + at(20));
        assertThat(said.get(3)).doesNotContain("wait behind it");
    }

    private String explained() {
        return one.inspector()
                .explain("orders", 0)
                .toCompletableFuture()
                .join()
                .orElseThrow()
                .conditions()
                .get(0)
                .fact()
                .text();
    }

    @Test
    void theOldestBeyondTheLimitAreLostAndSaySo() {
        start(each().catchUpLimit(2), context -> last(context, 1));

        nobodyIsThereFor(20);
        one.passRunning(Duration.ofSeconds(4));

        assertThat(runs).containsExactly("00–01 for 00", "22–23 for 15", "23–24 for 20", "25–26 for 25");
        assertThat(told())
                .containsExactly(new FiringsLost("orders", 0, at(5), at(15), 2, "beyond its catchUpLimit of 2"));
    }

    @Test
    void thoseOlderThanTheWindowAreLostAndSaySo() {
        start(
                each().misfireThreshold(Duration.ofSeconds(1)).catchUpWindow(Duration.ofSeconds(30)),
                context -> last(context, 1));

        nobodyIsThereFor(40);
        one.passRunning(Duration.ofSeconds(7));

        assertThat(runs).startsWith("00–01 for 00", "42–43 for 15", "43–44 for 20");
        assertThat(told())
                .containsExactly(
                        new FiringsLost("orders", 0, at(5), at(15), 2, "older than its catchUpWindow of 30 s"));
    }

    @Test
    void whatMeetsABusyItemRunsAfterwardsInOrder() {
        start(each(), context -> last(context, runs.isEmpty() ? 17 : 1));

        one.passRunning(Duration.ofSeconds(22));

        assertThat(runs)
                .containsExactly("00–17 for 00", "17–18 for 05", "18–19 for 10", "19–20 for 15", "20–21 for 20");
    }

    @Test
    void aManualRunWaitsUntilNothingIsMissed() {
        start(each(), context -> last(context, 1));
        nobodyIsThereFor(10);

        one.admin().trigger("orders", RunRequest.create());
        one.passRunning(Duration.ofSeconds(3));

        assertThat(runs)
                .startsWith("00–01 for 00", "12–13 for 05", "13–14 for 10")
                .hasSize(4);
    }

    @Test
    void whatIsMadeUpForIsNotCancelledByThoseThatWaitBehindIt() {
        start(each().overlap(Overlap.CANCEL_RUNNING), context -> {
            last(context, 1);
            assertThat(Thread.interrupted()).isFalse();
        });

        nobodyIsThereFor(20);
        one.passRunning(Duration.ofSeconds(6));

        assertThat(runs).hasSize(6);
        assertThat(one.events).noneMatch(ItemCancelled.class::isInstance);
    }

    @Test
    void aDisabledItemSkipsThemAll() {
        start(each(), context -> last(context, 1));
        one.passRunning(Duration.ofSeconds(2));

        one.admin().disableItem("orders", 0);
        one.passRunning(Duration.ofSeconds(10));
        one.admin().enableItem("orders", 0);
        one.passRunning(Duration.ofSeconds(5));

        assertThat(runs).containsExactly("00–01 for 00", "15–16 for 15");
    }

    // ------------------------------------------------------------------ helpers

    private static JobDefinition.Builder each() {
        return JobDefinition.builder("orders")
                .cron("0/5 * * * * ?")
                .timeZone(ZoneOffset.UTC)
                .catchUp(CatchUp.EACH);
    }

    /** At noon, a moment before the first firing. */
    private void start(JobDefinition.Builder definition, SimpleJob job) {
        one = new OneEngine(NOON.minusSeconds(1), definition.build(), job).started();
        one.pass(Duration.ofMillis(999));
        one.time.advance(Duration.ofMillis(1));
    }

    private void nobodyIsThereFor(int seconds) {
        one.passRunning(Duration.ofSeconds(2));
        one.engine.stop();
        one.pass(Duration.ofSeconds(seconds));
        one.engine.start();
    }

    private void last(ShardingContext context, int seconds) {
        long from = now();
        one.passRunning(Duration.ofSeconds(seconds));
        long firing = Duration.between(NOON, context.getScheduledTime()).toSeconds();
        runs.add("%02d–%02d for %02d".formatted(from, now(), firing));
    }

    private long now() {
        return Duration.between(NOON, one.time.instant()).toSeconds();
    }

    private List<JobEvent> told() {
        return one.events.stream()
                .filter(event -> event instanceof FiringsLost || event instanceof FiringsFolded)
                .toList();
    }

    private static Instant at(int second) {
        return NOON.plusSeconds(second);
    }
}
