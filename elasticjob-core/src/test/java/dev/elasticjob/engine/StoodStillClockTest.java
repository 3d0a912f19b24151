package dev.elasticjob.engine;

import static dev.elasticjob.engine.OneEngine.TREE;
import static org.assertj.core.api.Assertions.assertThat;

import dev.elasticjob.definition.JobDefinition;
import dev.elasticjob.job.event.JobEvent.ClockDiffers;
import dev.elasticjob.job.event.JobEvent.ItemStarted;
import dev.elasticjob.registry.RegistryCommit;
import dev.elasticjob.registry.RegistryNode;
import dev.elasticjob.time.PauseDetector;
import dev.elasticjob.time.TaskTimer;
import java.time.Duration;
import java.time.Instant;
import java.time.ZoneOffset;
import org.junit.jupiter.api.Test;

/**
 * A virtual machine was paused while its session lived: its monotonic clock has stood still since the registry last told
 * its time, its wall clock is right again.
 */
class StoodStillClockTest {
    private static final Duration SECOND = Duration.ofSeconds(1);
    private static final Duration MINUTE = Duration.ofMinutes(1);

    private Duration stoodStill = Duration.ZERO;
    private OneEngine one;

    @Test
    void itsFiringsAreClaimedWithoutAWordOfClocks() {
        start("2026-03-01T08:00:30Z", everyMinute().maxTimeDiffSeconds(5));
        firings(2);

        standStill(SECOND.multipliedBy(10));
        firings(3);

        assertThat(EventLog.only(ItemStarted.class, one.events)).hasSize(5);
        assertThat(EventLog.only(ClockDiffers.class, one.events)).isEmpty();
    }

    @Test
    void firingsAreClaimedAlsoWhereNoDifferenceIsLimited() {
        start("2026-03-01T08:00:30Z", everyMinute());
        firings(1);

        standStill(MINUTE.multipliedBy(3));
        firings(2);

        assertThat(EventLog.only(ItemStarted.class, one.events))
                .extracting(started -> started.scheduledAt().toString())
                .as("what was missed while it stood still, folded, and what comes after")
                .containsExactly(
                        "2026-03-01T08:01:00Z", "2026-03-01T08:02:00Z", "2026-03-01T08:05:00Z", "2026-03-01T08:06:00Z");
    }

    @Test
    void whatOthersHaveRecordedMeanwhileIsNotSetBackAsFromTheFuture() {
        start(
                "2026-03-01T11:58:30Z",
                JobDefinition.builder("orders")
                        .cron("0 0 12 * * ?")
                        .timeZone(ZoneOffset.UTC)
                        .reconcileIntervalMinutes(1));
        String done = "{\"scheduledAt\":\"2026-03-01T12:00:00Z\",\"state\":\"COMPLETED\",\"instance\":\"b@-@1\"}";
        one.operate(RegistryCommit.builder().set(TREE.item(0), done, RegistryCommit.ANY_VERSION));

        standStill(MINUTE.multipliedBy(5));
        one.pass(MINUTE.multipliedBy(3));
        one.runItems();

        assertThat(one.read(TREE.item(0)).map(RegistryNode::text)).contains(done);
        assertThat(EventLog.only(ItemStarted.class, one.events)).isEmpty();
    }

    private static JobDefinition.Builder everyMinute() {
        return JobDefinition.builder("orders").cron("0 * * * * ?").timeZone(ZoneOffset.UTC);
    }

    private void start(String at, JobDefinition.Builder job) {
        one = new OneEngine(
                Instant.parse(at), job.build(), context -> {}, builder -> builder.timer(new StandingStill()));
        one.started();
    }

    /** Nothing runs meanwhile; timers whose time has come go off afterwards. */
    private void standStill(Duration duration) {
        stoodStill = stoodStill.plus(duration);
        one.time.advance(duration);
    }

    private void firings(int count) {
        for (int firing = 0; firing < count; firing++) {
            one.pass(MINUTE);
            one.runItems();
            one.settle();
        }
    }

    /** Its timers go off by the wall clock. */
    private final class StandingStill implements TaskTimer {
        @Override
        public Cancellable after(Duration delay, Runnable task) {
            return one.time.after(delay, task);
        }

        @Override
        public long nanoTime() {
            return one.time.nanoTime() - stoodStill.toNanos();
        }

        @Override
        public PauseDetector detectPauses(Duration unnoticed) {
            return one.time.detectPauses(unnoticed);
        }
    }
}
