package dev.elasticjob.engine;

import static org.assertj.core.api.Assertions.assertThat;

import dev.elasticjob.definition.JobDefinition;
import dev.elasticjob.job.ClockDifferenceException;
import dev.elasticjob.job.JobErrorHandler;
import dev.elasticjob.job.event.JobEvent;
import dev.elasticjob.job.event.JobEvent.ClockDiffers;
import dev.elasticjob.job.event.JobEvent.FiringsFolded;
import dev.elasticjob.job.event.JobEvent.ItemStarted;
import java.time.Duration;
import java.time.Instant;
import java.time.InstantSource;
import java.time.ZoneOffset;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.Test;

/** An engine whose machine's clock is not the registry's. */
class ClockDifferenceTest {
    private static final Instant START = Instant.parse("2026-03-01T08:00:30Z");
    private static final Duration MINUTE = Duration.ofMinutes(1);

    private Duration ahead = Duration.ZERO;
    private final List<Throwable> failures = new ArrayList<>();
    private OneEngine one;

    @Test
    void withinTheToleratedDifferenceFiringsAreClaimed() {
        started(30);
        ahead = Duration.ofSeconds(20);

        firings(2);

        assertThat(told(ItemStarted.class)).hasSize(2);
        assertThat(told(ClockDiffers.class)).isEmpty();
    }

    @Test
    void beyondItTheyStayDueAndBothTimesAreToldOnce() {
        started(30);
        ahead = Duration.ofSeconds(-40);

        firings(3);

        assertThat(told(ItemStarted.class)).isEmpty();
        assertThat(told(ClockDiffers.class))
                .singleElement()
                .satisfies(event -> assertThat(Duration.between(event.here(), event.registry()))
                        .isEqualTo(Duration.ofSeconds(40)));
    }

    @Test
    void theErrorHandlerHearsOfItOnAThreadForItems() {
        started(30);
        ahead = Duration.ofSeconds(-40);

        one.pass(MINUTE.multipliedBy(2));
        assertThat(failures).as("before such a thread has run").isEmpty();
        one.runItems();

        assertThat(failures)
                .singleElement()
                .isInstanceOfSatisfying(
                        ClockDifferenceException.class,
                        failure -> assertThat(failure).hasMessageContaining("maxTimeDiffSeconds"));
    }

    @Test
    void whenTheClocksAgreeAgainTheLatestRunsAndTheOthersAreFoldedIntoIt() {
        started(30);
        ahead = Duration.ofSeconds(40);
        firings(3);

        ahead = Duration.ZERO;
        firings(2);

        assertThat(told(ItemStarted.class)).isNotEmpty();
        assertThat(told(FiringsFolded.class)).hasSize(1);
    }

    @Test
    void aDifferenceThatNobodyLimitsIsToldOnceAndFiringsRun() {
        started(-1);
        ahead = Duration.ofMinutes(-5);
        firings(7);
        int behind = told(ItemStarted.class).size();

        ahead = Duration.ofDays(365);
        firings(3);

        assertThat(behind).as("five minutes behind").isBetween(5, 7);
        assertThat(told(ItemStarted.class)).as("a year ahead").hasSize(behind + 3);
        assertThat(told(ClockDiffers.class)).hasSize(1);
        assertThat(failures).as("told to the error handler").isEmpty();
        assertThat(one.engine.figures().clockDiffers()).isTrue();
    }

    private void started(int maxTimeDiffSeconds) {
        JobDefinition everyMinute = JobDefinition.builder("orders")
                .cron("0 * * * * ?")
                .timeZone(ZoneOffset.UTC)
                .maxTimeDiffSeconds(maxTimeDiffSeconds)
                .jobExceptionHandler("heard")
                .build();
        InstantSource here = () -> one == null ? START : one.time.instant().plus(ahead);
        JobErrorHandler heard = (job, cause) -> failures.add(cause);
        one = new OneEngine(
                        START,
                        everyMinute,
                        context -> {},
                        builder -> builder.clock(here.withZone(ZoneOffset.UTC)).errorHandlers(Map.of("heard", heard)))
                .started();
    }

    private void firings(int count) {
        for (int firing = 0; firing < count; firing++) {
            one.pass(MINUTE);
            one.runItems();
            one.settle();
        }
    }

    private <E extends JobEvent> List<E> told(Class<E> kind) {
        return one.events.stream().filter(kind::isInstance).map(kind::cast).toList();
    }
}
