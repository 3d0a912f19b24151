package dev.elasticjob.spring.autoconfigure;

import static org.assertj.core.api.Assertions.assertThat;

import dev.elasticjob.job.DataflowJob;
import dev.elasticjob.job.JobErrorHandler;
import dev.elasticjob.job.ShardingContext;
import dev.elasticjob.job.SimpleJob;
import dev.elasticjob.spring.ElasticJob;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.ExtendWith;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;
import org.springframework.boot.diagnostics.FailureAnalyzedException;
import org.springframework.boot.test.context.runner.ApplicationContextRunner;
import org.springframework.boot.test.system.CapturedOutput;
import org.springframework.boot.test.system.OutputCaptureExtension;
import org.springframework.context.annotation.Bean;
import org.springframework.context.annotation.Configuration;
import org.springframework.context.annotation.Profile;
import org.springframework.core.NestedExceptionUtils;
import org.springframework.scheduling.annotation.Async;
import org.springframework.scheduling.annotation.EnableAsync;

/** Beans and settings that don't fit each other. */
@ExtendWith(OutputCaptureExtension.class)
class JobBeanChecksTest {
    private final ApplicationContextRunner runner =
            new ApplicationContextRunner().withUserConfiguration(JobBeanCollectorTest.Collecting.class);

    // ------------------------------------------------------------------ settings without a job

    @Test
    void settingsOfAJobThatAProfileLeavesOutAreAWarning(CapturedOutput output) {
        runner.withUserConfiguration(Nightly.class)
                .withPropertyValues("elasticjob.jobs.nightly.sharding-total-count=4")
                .run(context -> {
                    assertThat(context).hasNotFailed();
                    assertThat(output)
                            .containsPattern(
                                    "WARN .*Property \"elasticjob.jobs.nightly\" is for a job that no bean declares."
                                            + " The declared jobs are: none.");
                });
    }

    @Test
    void settingsOfAJobThatIsThereAreNone(CapturedOutput output) {
        runner.withUserConfiguration(Nightly.class)
                .withPropertyValues("spring.profiles.active=night", "elasticjob.jobs.nightly.sharding-total-count=4")
                .run(context -> assertThat(output).doesNotContain("no bean declares"));
    }

    @Test
    void theyFailStartupWhereTheApplicationWantsIt() {
        runner.withUserConfiguration(Nightly.class)
                .withPropertyValues(
                        "elasticjob.jobs.nightly.sharding-total-count=4", "elasticjob.fail-on-unknown-jobs=true")
                .run(context -> assertThat(failure(context.getStartupFailure()))
                        .contains("Property \"elasticjob.jobs.nightly\" is for a job that no bean declares."));
    }

    // ------------------------------------------------------------------ beans that nothing runs

    @Test
    void beanThatLooksLikeAJobAndIsNoneIsNamed(CapturedOutput output) {
        runner.withUserConfiguration(Forgotten.class)
                .run(context -> assertThat(output)
                        .containsPattern("WARN .*Bean \"plain\" is a SimpleJob without @ElasticJob, so nothing runs it")
                        .containsPattern(
                                "WARN .*Bean \"flow\" is a DataflowJob without @ElasticJob, so nothing runs it")
                        .doesNotContain("Bean \"declared\""));
    }

    @Test
    void errorHandlerThatNoJobSelectsIsNamed(CapturedOutput output) {
        runner.withUserConfiguration(Nightly.class)
                .withPropertyValues(
                        "spring.profiles.active=night", "elasticjob.jobs.nightly.job-exception-handler=selected")
                .withBean("selected", JobErrorHandler.class, () -> (job, cause) -> {})
                .withBean("forgotten", JobErrorHandler.class, () -> (job, cause) -> {})
                .run(context -> assertThat(output)
                        .containsPattern(
                                "WARN .*Bean \"forgotten\" is a JobErrorHandler that no job of this application"
                                        + " selects, so it is not called when one fails")
                        .doesNotContain("Bean \"selected\""));
    }

    // ------------------------------------------------------------------ asynchronous methods

    @ParameterizedTest
    @ValueSource(classes = {AsyncMethod.class, AsyncClass.class, AsyncFlow.class})
    void methodThatReturnsBeforeItsWorkIsDoneIsRefused(Class<?> job) {
        runner.withUserConfiguration(AsyncEnabled.class)
                .withBean("job", job)
                .run(context -> assertThat(failure(context.getStartupFailure()))
                        .containsPattern("Job \"async\": " + job.getName().replace("$", ".")
                                + "\\.(execute|processData) is @Async, so it would return before its work is done"));
    }

    @Test
    void otherMethodsMayBeAsynchronous() {
        runner.withUserConfiguration(AsyncEnabled.class)
                .withBean(AsyncHelperMethod.class)
                .run(context -> assertThat(context).hasNotFailed());
    }

    // ------------------------------------------------------------------ classes without a name of their own

    @Test
    void anonymousClassIsNamedAfterItsMethodAsALambdaIs() {
        runner.withUserConfiguration(Anonymous.class)
                .run(context -> assertThat(
                                context.getBean(JobBeanCollector.class).jobs())
                        .extracting(job -> job.definition().jobClass())
                        .containsExactly(Anonymous.class.getName() + ".anonymous"));
    }

    private static String failure(Throwable failure) {
        Throwable root = NestedExceptionUtils.getMostSpecificCause(failure);
        return ((FailureAnalyzedException) root).analysis().getDescription();
    }

    @Configuration(proxyBeanMethods = false)
    static class Nightly {
        @Bean
        @Profile("night")
        @ElasticJob(name = "nightly", cron = "0 0 3 * * ?")
        SimpleJob nightly() {
            return context -> {};
        }
    }

    @Configuration(proxyBeanMethods = false)
    static class Forgotten {
        @Bean
        SimpleJob plain() {
            return context -> {};
        }

        @Bean
        DataflowJob<String> flow() {
            return new Flow();
        }

        @Bean
        @ElasticJob(name = "declared", cron = "0 0 3 * * ?")
        SimpleJob declared() {
            return context -> {};
        }
    }

    @Configuration(proxyBeanMethods = false)
    static class Anonymous {
        @Bean
        @ElasticJob(name = "anonymous", cron = "0 0 3 * * ?")
        SimpleJob anonymous() {
            return new SimpleJob() {
                @Override
                public void execute(ShardingContext context) {}
            };
        }
    }

    @Configuration(proxyBeanMethods = false)
    @EnableAsync(proxyTargetClass = true)
    static class AsyncEnabled {}

    @ElasticJob(name = "async", cron = "0 0 3 * * ?")
    static class AsyncMethod implements SimpleJob {
        @Override
        @Async
        public void execute(ShardingContext context) {}
    }

    @Async
    @ElasticJob(name = "async", cron = "0 0 3 * * ?")
    static class AsyncClass implements SimpleJob {
        @Override
        public void execute(ShardingContext context) {}
    }

    @ElasticJob(name = "async", cron = "0 0 3 * * ?")
    static class AsyncFlow extends Flow {
        @Override
        @Async
        public void processData(ShardingContext context, List<String> data) {}
    }

    @ElasticJob(name = "helping", cron = "0 0 3 * * ?")
    static class AsyncHelperMethod implements SimpleJob {
        @Override
        public void execute(ShardingContext context) {}

        @Async
        public void help() {}
    }

    static class Flow implements DataflowJob<String> {
        @Override
        public List<String> fetchData(ShardingContext context) {
            return List.of();
        }

        @Override
        public void processData(ShardingContext context, List<String> data) {}
    }
}
