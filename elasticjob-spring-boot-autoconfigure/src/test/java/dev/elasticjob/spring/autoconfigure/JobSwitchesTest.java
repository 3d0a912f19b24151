package dev.elasticjob.spring.autoconfigure;

import static org.assertj.core.api.Assertions.assertThat;

import dev.elasticjob.definition.JobDefinition;
import dev.elasticjob.job.ShardingContext;
import dev.elasticjob.job.SimpleJob;
import dev.elasticjob.spring.ElasticJob;
import dev.elasticjob.spring.OnMemory;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.ExtendWith;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
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

    @ParameterizedTest
    @CsvSource({
        "bean=report, concurrency=1",
        "job-type=script, script-command-line=report.sh",
        "job-type=http, http.uri=http://localhost/report"
    })
    void jobThatOnlyPropertiesDeclareCanBeLeftOutToo(String type, String work, CapturedOutput output) {
        ApplicationContextRunner declared = new ApplicationContextRunner()
                .withConfiguration(AutoConfigurations.of(ElasticJobAutoConfiguration.class))
                .withUserConfiguration(OnMemory.class)
                .withBean("report", SimpleJob.class, () -> context -> {})
                .withPropertyValues("elasticjob.jobs.report." + type, "elasticjob.jobs.report." + work);

        declared.run(context ->
                assertThat(context.getBean(JobBeanCollector.class).jobs()).hasSize(1));
        declared.withPropertyValues("elasticjob.jobs.report.enabled=false").run(context -> {
            assertThat(context.getBean(JobBeanCollector.class).hasJobs()).isFalse();
            assertThat(output).contains("Job \"report\": this application leaves it out");
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
