package dev.elasticjob.spring.autoconfigure;

import static org.assertj.core.api.Assertions.assertThat;

import dev.elasticjob.definition.HttpRequestSettings;
import dev.elasticjob.definition.JobDefinition;
import dev.elasticjob.definition.JobType;
import dev.elasticjob.job.ShardingContext;
import dev.elasticjob.job.SimpleJob;
import dev.elasticjob.spring.ElasticJob;
import java.time.Clock;
import java.time.Duration;
import java.util.Map;
import org.junit.jupiter.api.Test;
import org.springframework.beans.factory.config.ConfigurableListableBeanFactory;
import org.springframework.boot.autoconfigure.AutoConfigurations;
import org.springframework.boot.autoconfigure.context.PropertyPlaceholderAutoConfiguration;
import org.springframework.boot.context.properties.EnableConfigurationProperties;
import org.springframework.boot.test.context.assertj.AssertableApplicationContext;
import org.springframework.boot.test.context.runner.ApplicationContextRunner;
import org.springframework.context.ApplicationContext;
import org.springframework.context.annotation.Bean;
import org.springframework.context.annotation.Configuration;
import org.springframework.core.NestedExceptionUtils;

/** Scripts and HTTP requests, which no bean has to do. */
class JobsWithoutCodeTest {
    private final ApplicationContextRunner runner = new ApplicationContextRunner()
            .withConfiguration(AutoConfigurations.of(PropertyPlaceholderAutoConfiguration.class))
            .withUserConfiguration(Collecting.class);
    private final ApplicationContextRunner withScript = runner.withPropertyValues(
            "elasticjob.jobs.cleanup.job-type=script",
            "elasticjob.jobs.cleanup.cron=0 * * * * ?",
            "elasticjob.jobs.cleanup.script-command-line=sh -c 'echo a'");
    private final ApplicationContextRunner withRequest = runner.withPropertyValues(
            "elasticjob.jobs.billing.job-type=HTTP",
            "elasticjob.jobs.billing.cron=0 * * * * ?",
            "elasticjob.jobs.billing.http.uri=https://billing.example.com/close-day");

    @Test
    void aScriptNeedsNothingButProperties() {
        withScript
                .withPropertyValues("elasticjob.jobs.cleanup.sharding-total-count=4")
                .run(context -> assertThat(job(context, "cleanup"))
                        .isEqualTo(new JobBean.WithoutCode(JobDefinition.builder("cleanup")
                                .jobType(JobType.SCRIPT)
                                .cron("0 * * * * ?")
                                .scriptCommandLine("sh -c 'echo a'")
                                .shardingTotalCount(4)
                                .build())));
    }

    @Test
    void anHttpJobNeedsNothingButProperties() {
        withRequest
                .withPropertyValues(
                        "elasticjob.jobs.billing.http.method=POST",
                        "elasticjob.jobs.billing.http.body={}",
                        "elasticjob.jobs.billing.http.content-type=application/json",
                        "elasticjob.jobs.billing.http.headers.X-Api-Key=${KEY}",
                        "elasticjob.jobs.billing.http.connect-timeout=1s",
                        "elasticjob.jobs.billing.http.response-timeout=10m",
                        "KEY=s3cret")
                .run(context -> assertThat(definition(context, "billing").http())
                        .contains(new HttpRequestSettings(
                                "https://billing.example.com/close-day",
                                "POST",
                                "{}",
                                "application/json",
                                Map.of("X-Api-Key", "s3cret"),
                                Duration.ofSeconds(1),
                                Duration.ofMinutes(10))));
    }

    @Test
    void whatIsNotGivenHasTheDefaults() {
        withRequest.run(context -> assertThat(definition(context, "billing"))
                .isEqualTo(JobDefinition.builder("billing")
                        .jobType(JobType.HTTP)
                        .cron("0 * * * * ?")
                        .http(HttpRequestSettings.of("https://billing.example.com/close-day"))
                        .build()));
    }

    @Test
    void aDefinitionThatIsABeanIsAJobAndPropertiesGoBeforeIt() {
        runner.withUserConfiguration(Definitions.class)
                .withPropertyValues(
                        "elasticjob.jobs.billing.sharding-total-count=5",
                        "elasticjob.jobs.billing.http.response-timeout=1m")
                .run(context -> {
                    assertThat(definition(context, "cleanup")).isEqualTo(new Definitions().cleanup());
                    assertThat(definition(context, "billing"))
                            .isEqualTo(new Definitions()
                                    .billing().toBuilder()
                                            .shardingTotalCount(5)
                                            .http(Definitions.REQUEST.withTimeouts(
                                                    Definitions.REQUEST.connectTimeout(), Duration.ofMinutes(1)))
                                            .build());
                    assertThat(context.getBean(JobBeanCollector.class).jobs())
                            .as("the definition of a simple job says nothing of who does its work")
                            .hasSize(2);
                });
    }

    @Test
    void everythingThatIsWrongIsSaidWithThePropertyToSet() {
        runner.withPropertyValues(
                        "elasticjob.jobs.cleanup.job-type=script",
                        "elasticjob.jobs.cleanup.cron=often",
                        "elasticjob.jobs.billing.job-type=http",
                        "elasticjob.jobs.billing.cron=0 * * * * ?",
                        "elasticjob.jobs.billing.http.method=post",
                        "elasticjob.jobs.billing.http.headers.Host=s3cret")
                .run(context -> assertThat(failure(context))
                        .contains("It comes from the property \"elasticjob.jobs.cleanup.cron\".")
                        .contains("a SCRIPT job needs a command line to run."
                                + " Set the property \"elasticjob.jobs.cleanup.script-command-line\".")
                        .contains("Set the property \"elasticjob.jobs.billing.http.uri\".")
                        .contains("It comes from the property \"elasticjob.jobs.billing.http.method\".")
                        .contains("It comes from the property \"elasticjob.jobs.billing.http.headers\".")
                        .doesNotContain("s3cret"));
    }

    @Test
    void aJobOfAnotherTypeStillNeedsABean() {
        runner.withPropertyValues(
                        "elasticjob.jobs.orders.job-type=simple",
                        "elasticjob.jobs.orders.cron=0 * * * * ?",
                        "elasticjob.fail-on-unknown-jobs=true")
                .run(context -> assertThat(failure(context))
                        .contains("Property \"elasticjob.jobs.orders\" is for a job that no bean declares.")
                        .contains("its \"job-type\" to script or http"));
    }

    @Test
    void aBeanIsNotMadeAScriptByAProperty() {
        runner.withBean(OrdersJob.class)
                .withPropertyValues(
                        "elasticjob.jobs.orders.job-type=script", "elasticjob.jobs.orders.script-command-line=true")
                .run(context -> assertThat(failure(context))
                        .contains("jobType is \"SCRIPT\": the bean that declares the job makes it a SIMPLE job")
                        .contains("scriptCommandLine is \"true\": only a script job has this setting"));
    }

    @Test
    void aBeanAndADefinitionOfOneNameAreNamesakes() {
        runner.withUserConfiguration(Definitions.class)
                .withBean("orders", CleanupJob.class)
                .run(context -> assertThat(failure(context))
                        .contains("Job \"cleanup\" is declared by 2 beans")
                        .contains("\"cleanup\" (a JobDefinition)"));
    }

    private static JobBean job(ApplicationContext context, String name) {
        return context.getBean(JobBeanCollector.class).jobs().stream()
                .filter(job -> job.definition().jobName().equals(name))
                .findFirst()
                .orElseThrow();
    }

    private static JobDefinition definition(ApplicationContext context, String name) {
        return job(context, name).definition();
    }

    private static String failure(AssertableApplicationContext context) {
        return NestedExceptionUtils.getMostSpecificCause(context.getStartupFailure())
                .getMessage();
    }

    @Configuration(proxyBeanMethods = false)
    @EnableConfigurationProperties(ElasticJobProperties.class)
    static class Collecting {
        @Bean
        JobBeanCollector collector(ConfigurableListableBeanFactory beans, ElasticJobProperties properties) {
            return new JobBeanCollector(beans, properties, KnownNames.ANY, Clock.systemUTC());
        }
    }

    @Configuration(proxyBeanMethods = false)
    static class Definitions {
        static final HttpRequestSettings REQUEST = HttpRequestSettings.of("http://billing/close-day");

        @Bean
        JobDefinition cleanup() {
            return JobDefinition.builder("cleanup")
                    .jobType(JobType.SCRIPT)
                    .cron("0 0 3 * * ?")
                    .scriptCommandLine("/opt/clean")
                    .description("nightly")
                    .build();
        }

        @Bean
        JobDefinition billing() {
            return JobDefinition.builder("billing")
                    .jobType(JobType.HTTP)
                    .cron("0 0 4 * * ?")
                    .http(REQUEST)
                    .build();
        }

        @Bean
        JobDefinition byHand() {
            return JobDefinition.builder("byHand").cron("0 0 5 * * ?").build();
        }
    }

    @ElasticJob(name = "orders", cron = "0 * * * * ?")
    static class OrdersJob implements SimpleJob {
        @Override
        public void execute(ShardingContext context) {}
    }

    @ElasticJob(name = "cleanup", cron = "0 * * * * ?")
    static class CleanupJob extends OrdersJob {}
}
