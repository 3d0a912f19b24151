package dev.elasticjob.spring.test;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.elasticjob.definition.JobDefinition;
import java.time.Duration;
import java.time.ZoneOffset;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.RegisterExtension;

/** What doesn't come about is said after an upper bound, with what was seen instead. */
class WaitingTest {
    private static final JobDefinition STUCK = JobDefinition.builder("stuck")
            .cron("0 0 3 * * ?")
            .timeZone(ZoneOffset.UTC)
            .build();

    /** Enough for an instance to start on a busy machine, and short enough to be waited for in vain. */
    private static final Duration PATIENCE = Duration.ofSeconds(5);

    private final CountDownLatch never = new CountDownLatch(1);

    @RegisterExtension
    final ElasticJobCluster manual = ElasticJobCluster.of("a")
            .job(STUCK, context -> never.await(1, TimeUnit.MINUTES))
            .timeout(PATIENCE)
            .build();

    @RegisterExtension
    final ElasticJobCluster real = ElasticJobCluster.of("a")
            .job(STUCK, context -> never.await(1, TimeUnit.MINUTES))
            .environment(JobEnvironment.REAL_TIME)
            .timeout(PATIENCE)
            .build();

    @Test
    void aFiringThatDoesNotEndSaysWhatWasAwaitedAndWhatWasSeen() {
        assertThatThrownBy(() -> manual.jobs().fire("stuck"))
                .isInstanceOf(AssertionError.class)
                .hasMessage("""
                        Waited for every item of job "stuck" to end: [0], which did not happen within 10 s of the \
                        test's time and 5 s of real time.
                        Executions of job "stuck":
                          item 0 on "a" for 2026-01-01T00:00:00Z, attempt 1: RUNNING""");
    }

    @Test
    void onTheMachinesClockItIsTheSame() {
        assertThatThrownBy(() -> real.jobs().fire("stuck"))
                .isInstanceOf(AssertionError.class)
                .hasMessageStartingWith(
                        "Waited for every item of job \"stuck\" to end: [0], which did not happen within 5 s.")
                .hasMessageContaining("item 0 on \"a\"")
                .hasMessageEndingWith("RUNNING");
    }

    @Test
    void timeDoesNotPassBeforeWhatHasBegunHasEndedOrItsInstanceIsKilled() {
        assertThatThrownBy(() -> manual.jobs().advance(Duration.ofHours(4)))
                .isInstanceOf(AssertionError.class)
                .hasMessage(
                        "Time can't advance at 2026-01-01T03:00:00Z, because running work did not end within 5 s. Does a"
                                + " job wait for something?");

        manual.kill("a");
        manual.jobs().advance(Duration.ofHours(1));

        assertThat(manual.executions()).extracting(Execution::state).containsExactly(Execution.State.INTERRUPTED);
    }

    @Test
    void theMachinesClockIsNotAdvanced() {
        assertThatThrownBy(() -> real.jobs().fireOnSchedule("stuck"))
                .isInstanceOf(IllegalStateException.class)
                .hasMessageContaining("use JobEnvironment.MANUAL_TIME");
    }
}
