package dev.elasticjob.spring.autoconfigure;

import static org.assertj.core.api.Assertions.assertThat;

import dev.elasticjob.definition.JobDefinition;
import dev.elasticjob.job.ShardingContext;
import dev.elasticjob.job.SimpleJob;
import dev.elasticjob.spring.ElasticJob;
import dev.elasticjob.spring.OnMemory;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.ExtendWith;
import org.springframework.boot.autoconfigure.AutoConfigurations;
import org.springframework.boot.test.context.runner.ApplicationContextRunner;
import org.springframework.boot.test.system.CapturedOutput;
import org.springframework.boot.test.system.OutputCaptureExtension;

/** What switches one job off, or only its schedule. */
@ExtendWith(OutputCaptureExtension.class)
class JobSwitchesTest {
    private final ApplicationContextRunner runner = new ApplicationContextRunner()
            .withConfiguration(AutoConfigurations.of(ElasticJobAutoConfiguration.class))
            .withBean(OrdersJob.class);

    @Test
    void jobThatIsNotEnabledIsLeftOut(CapturedOutput output) {
        runner.withPropertyValues("elasticjob.jobs.orders.enabled=false").run(context -> {
            assertThat(context).hasNotFailed();
            assertThat(context.getBean(JobBeanCollector.class).hasJobs()).isFalse();
            assertThat(output)
                    .contains("Job \"orders\": this application leaves it out")
                    .doesNotContain("is for a job that no bean declares")
                    .doesNotContain("so nothing runs it");
        });
    }

    @Test
    void jobWhoseCronIsADashHasNoSchedule() {
        new ApplicationContextRunner()
                .withConfiguration(AutoConfigurations.of(ElasticJobAutoConfiguration.class))
                .withUserConfiguration(OnMemory.class)
                .withBean(OrdersJob.class)
                .withPropertyValues("elasticjob.jobs.orders.cron=-")
                .run(context -> assertThat(
                                context.getBean(JobBeanCollector.class).jobs())
                        .extracting(JobBean::definition)
                        .extracting(JobDefinition::cron)
                        .containsExactly(""));
    }

    @ElasticJob(name = "orders", cron = "0 0 1 * * ?")
    static class OrdersJob implements SimpleJob {
        @Override
        public void execute(ShardingContext context) {}
    }
}
