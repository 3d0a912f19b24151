package dev.elasticjob.samples.script;

import static org.assertj.core.api.Assertions.assertThat;

import dev.elasticjob.spring.test.ElasticJobTest;
import dev.elasticjob.spring.test.Jobs;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.ExtendWith;
import org.springframework.boot.test.system.CapturedOutput;
import org.springframework.boot.test.system.OutputCaptureExtension;

@ElasticJobTest
@ExtendWith(OutputCaptureExtension.class)
class CleanupJobTest {
    @Test
    void theScriptRunsForEachItemAndItsOutputIsInTheLog(Jobs jobs, CapturedOutput output) {
        assertThat(jobs.fireOnSchedule("cleanup")).succeeded();

        assertThat(output)
                .contains("item 0: cleaning up Berlin, item 0 of 2")
                .contains("item 1: cleaning up Hamburg, item 1 of 2")
                .contains("\"shardingParameter\":\"Berlin\"");
    }
}
