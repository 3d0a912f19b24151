package dev.elasticjob.samples.oneoff;

import static org.assertj.core.api.Assertions.assertThat;

import dev.elasticjob.admin.command.RunOutcome;
import dev.elasticjob.job.RunEnd;
import dev.elasticjob.spring.test.ElasticJobCluster;
import dev.elasticjob.spring.test.ElasticJobTest;
import dev.elasticjob.spring.test.Jobs;
import java.time.Duration;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.ExtendWith;
import org.springframework.boot.test.system.CapturedOutput;
import org.springframework.boot.test.system.OutputCaptureExtension;

@ElasticJobTest
@ExtendWith(OutputCaptureExtension.class)
class ReportJobTest {
    @Test
    void itIsWrittenForTheMonthThatIsAskedForByAllInstances(
            Jobs jobs, ElasticJobCluster cluster, CapturedOutput output) {
        cluster.start("b");

        RunOutcome outcome = jobs.run("report", "2026-10");

        assertThat(outcome.isSuccessful()).isTrue();
        assertThat(cluster).everyItemOf("report").ranOnce();
        assertThat(output)
                .contains("report on Beijing for 2026-10", "report on Shanghai for 2026-10")
                .contains("report on Guangzhou for 2026-10");
    }

    @Test
    void aMonthThatIsNoneIsAFailureThatTheCallerSees(Jobs jobs) {
        RunOutcome outcome = jobs.run("report", "October");

        assertThat(outcome.items().values()).allSatisfy(item -> {
            assertThat(item.end()).isEqualTo(RunEnd.FAILED);
            assertThat(item.failure())
                    .hasValueSatisfying(text -> assertThat(text).contains("October"));
        });
    }

    @Test
    void nobodyWritesItByHimself(Jobs jobs, ElasticJobCluster cluster) {
        jobs.advance(Duration.ofDays(1));

        assertThat(cluster).everyItemOf("report").neverRan();
    }
}
