package dev.elasticjob.spring.autoconfigure;

import static org.assertj.core.api.Assertions.assertThat;

import dev.elasticjob.definition.JobDefinition;
import dev.elasticjob.job.SimpleJob;
import dev.elasticjob.spring.ElasticJob;
import java.time.Clock;
import java.util.Map;
import org.junit.jupiter.api.Test;
import org.springframework.beans.factory.config.ConfigurableListableBeanFactory;
import org.springframework.boot.autoconfigure.AutoConfigurations;
import org.springframework.boot.autoconfigure.context.PropertyPlaceholderAutoConfiguration;
import org.springframework.boot.context.properties.EnableConfigurationProperties;
import org.springframework.boot.diagnostics.FailureAnalyzedException;
import org.springframework.boot.test.context.runner.ApplicationContextRunner;
import org.springframework.context.ApplicationContext;
import org.springframework.context.ApplicationContextInitializer;
import org.springframework.context.ConfigurableApplicationContext;
import org.springframework.context.annotation.Bean;
import org.springframework.context.annotation.Configuration;
import org.springframework.core.NestedExceptionUtils;
import org.springframework.core.env.StandardEnvironment;
import org.springframework.core.env.SystemEnvironmentPropertySource;

/** How properties and environment variables address jobs by their names. */
class JobNamesReportTest {
    private final ApplicationContextRunner runner = new ApplicationContextRunner()
            .withConfiguration(AutoConfigurations.of(PropertyPlaceholderAutoConfiguration.class))
            .withUserConfiguration(Collecting.class);

    @Test
    void environmentVariablesAddressJobsWhateverTheirNames() {
        runner.withUserConfiguration(Named.class)
                .withInitializer(variables(Map.of(
                        "ELASTICJOB_JOBS_MYJOB_CRON", "0 0 1 * * ?",
                        "ELASTICJOB_JOBS_ORDERS_CRON", "0 0 2 * * ?",
                        "ELASTICJOB_JOBS_CLEAN_UP_CRON", "0 0 3 * * ?",
                        "ELASTICJOB_JOBS_DAILYREPORT_CRON", "0 0 4 * * ?")))
                .run(context -> {
                    assertThat(job(context, "my-job").cron()).isEqualTo("0 0 1 * * ?");
                    assertThat(job(context, "ORDERS").cron()).isEqualTo("0 0 2 * * ?");
                    assertThat(job(context, "clean_up").cron()).isEqualTo("0 0 3 * * ?");
                    assertThat(job(context, "daily.report").cron()).isEqualTo("0 0 4 * * ?");
                });
    }

    @Test
    void aVariableCompletesAScriptThatTheFileDeclares() {
        runner.withPropertyValues(
                        "elasticjob.jobs.clean-logs.job-type=script", "elasticjob.jobs.clean-logs.cron=0 0 1 * * ?")
                .withInitializer(variables(Map.of("ELASTICJOB_JOBS_CLEANLOGS_SCRIPTCOMMANDLINE", "/opt/clean")))
                .run(context -> {
                    assertThat(context.getBean(JobBeanCollector.class).jobs()).hasSize(1);
                    assertThat(job(context, "clean-logs").scriptCommandLine()).isEqualTo("/opt/clean");
                });
    }

    @Test
    void aPropertyThatCouldBeForTwoJobsIsReported() {
        runner.withUserConfiguration(Alike.class)
                .withPropertyValues("elasticjob.jobs.my-job.cron=0 0 1 * * ?")
                .run(context -> assertThat(report(context.getStartupFailure()))
                        .contains(
                                "Property \"elasticjob.jobs.my-job\" could be for any of the jobs my-job, my_job, whose"
                                        + " names have the same letters and digits. Write the name in brackets, for example"
                                        + " \"elasticjob.jobs[my-job]\", or rename a job."));
    }

    @Test
    void bracketsTellJobsApart() {
        runner.withUserConfiguration(Alike.class)
                .withPropertyValues(
                        "elasticjob.jobs[my-job].cron=0 0 1 * * ?", "elasticjob.jobs[my_job].cron=0 0 2 * * ?")
                .run(context -> {
                    assertThat(job(context, "my-job").cron()).isEqualTo("0 0 1 * * ?");
                    assertThat(job(context, "my_job").cron()).isEqualTo("0 0 2 * * ?");
                });
    }

    private static ApplicationContextInitializer<ConfigurableApplicationContext> variables(
            Map<String, Object> variables) {
        String name = StandardEnvironment.SYSTEM_ENVIRONMENT_PROPERTY_SOURCE_NAME;
        return context -> context.getEnvironment()
                .getPropertySources()
                .replace(name, new SystemEnvironmentPropertySource(name, variables));
    }

    private static JobDefinition job(ApplicationContext context, String name) {
        return context.getBean(JobBeanCollector.class).jobs().stream()
                .map(JobBean::definition)
                .filter(definition -> definition.jobName().equals(name))
                .findFirst()
                .orElseThrow();
    }

    private static String report(Throwable failure) {
        Throwable root = NestedExceptionUtils.getMostSpecificCause(failure);
        return ((FailureAnalyzedException) root).analysis().getDescription();
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
    static class Named {
        @Bean
        @ElasticJob(name = "my-job")
        SimpleJob dashed() {
            return context -> {};
        }

        @Bean
        @ElasticJob(name = "ORDERS")
        SimpleJob upperCase() {
            return context -> {};
        }

        @Bean
        @ElasticJob(name = "clean_up")
        SimpleJob underscored() {
            return context -> {};
        }

        @Bean
        @ElasticJob(name = "daily.report")
        SimpleJob dotted() {
            return context -> {};
        }
    }

    @Configuration(proxyBeanMethods = false)
    static class Alike {
        @Bean
        @ElasticJob(name = "my-job")
        SimpleJob dashed() {
            return context -> {};
        }

        @Bean
        @ElasticJob(name = "my_job")
        SimpleJob underscored() {
            return context -> {};
        }
    }
}
