package dev.elasticjob.samples.after;

import static org.assertj.core.api.Assertions.assertThat;

import dev.elasticjob.spring.test.ElasticJobCluster;
import dev.elasticjob.spring.test.ElasticJobTest;
import dev.elasticjob.spring.test.Jobs;
import java.time.Duration;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.ExtendWith;
import org.springframework.boot.test.system.CapturedOutput;
import org.springframework.boot.test.system.OutputCaptureExtension;

@ElasticJobTest
@ExtendWith(OutputCaptureExtension.class)
class AfterApplicationTest {
    @Test
    void eachImportIsFollowedByTheTwoJobsAndThenByOneReport(
            Jobs jobs, ElasticJobCluster cluster, CapturedOutput output) {
        cluster.start("b");
        jobs.advance(Duration.ofSeconds(2));

        jobs.fireOnSchedule("import");
        jobs.advance(Duration.ofSeconds(5));
        jobs.fireOnSchedule("import");
        jobs.advance(Duration.ofSeconds(5));

        List<String> reports = output.getOut()
                .lines()
                .filter(line -> line.startsWith("report for"))
                .toList();
        assertThat(reports)
                .hasSize(2)
                .doesNotHaveDuplicates()
                .allSatisfy(report -> assertThat(report).endsWith("prices succeeded, stock succeeded"));
        assertThat(output.getOut().lines().filter(line -> line.startsWith("stock item")))
                .hasSize(4)
                .doesNotHaveDuplicates();
    }

    @Test
    void reportCanBeRequestedToo(Jobs jobs, CapturedOutput output) {
        assertThat(jobs.run("report").isSuccessful()).isTrue();

        assertThat(output).contains("report, requested as run");
    }
}
