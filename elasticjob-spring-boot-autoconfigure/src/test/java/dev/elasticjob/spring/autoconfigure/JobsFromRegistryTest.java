package dev.elasticjob.spring.autoconfigure;

import static org.assertj.core.api.Assertions.assertThat;

import dev.elasticjob.admin.JobAdmin;
import dev.elasticjob.admin.command.RunRequest;
import dev.elasticjob.definition.JobDefinition;
import dev.elasticjob.engine.ElasticJobEngine;
import dev.elasticjob.job.ShardingContext;
import dev.elasticjob.job.SimpleJob;
import dev.elasticjob.job.event.JobEvent;
import dev.elasticjob.job.event.JobEventListener;
import dev.elasticjob.spring.OnMemory;
import dev.elasticjob.testing.Heard;
import java.util.List;
import java.util.concurrent.CopyOnWriteArrayList;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.ExtendWith;
import org.springframework.boot.autoconfigure.AutoConfigurations;
import org.springframework.boot.autoconfigure.context.PropertyPlaceholderAutoConfiguration;
import org.springframework.boot.diagnostics.FailureAnalyzedException;
import org.springframework.boot.test.context.runner.ApplicationContextRunner;
import org.springframework.boot.test.system.CapturedOutput;
import org.springframework.boot.test.system.OutputCaptureExtension;
import org.springframework.context.annotation.Bean;
import org.springframework.context.annotation.Configuration;
import org.springframework.context.annotation.Lazy;

/** Jobs that are kept in the registry, in an application that declares none. */
@ExtendWith(OutputCaptureExtension.class)
class JobsFromRegistryTest {
    private final ApplicationContextRunner runner = new ApplicationContextRunner()
            .withConfiguration(AutoConfigurations.of(
                    PropertyPlaceholderAutoConfiguration.class, ElasticJobAutoConfiguration.class))
            .withUserConfiguration(OnMemory.class, Nightly.class);
    private final ApplicationContextRunner taking = runner.withPropertyValues("elasticjob.jobs-from-registry=true");

    @Test
    void aListedBeanRunsAJobThatOnlyTheRegistryHas(CapturedOutput output) {
        taking.withPropertyValues("elasticjob.registry-jobs.allowed-beans=nightly")
                .run(context -> {
                    JobAdmin admin = context.getBean(JobAdmin.class);

                    OnMemory.get(admin.create(
                            JobDefinition.builder("tenant").jobClass("nightly").build()));
                    context.getBean(Nightly.class)
                            .events
                            .await(
                                    "its item",
                                    all -> all.stream()
                                            .anyMatch(event -> event instanceof JobEvent.AssignmentChanged plan
                                                    && plan.jobName().equals("tenant")
                                                    && !plan.items().isEmpty()));
                    OnMemory.get(admin.run("tenant", RunRequest.create()));

                    assertThat(context.getBean(Nightly.class).ran).containsExactly("tenant");
                    assertThat(context.getBean(ElasticJobEngine.class).jobNames())
                            .containsExactly("tenant");
                    assertThat(output).doesNotContain("is a SimpleJob without @ElasticJob");
                });
    }

    @Test
    void withoutTheSwitchNothingIsConnected() {
        runner.withPropertyValues("elasticjob.registry-jobs.allowed-beans=nightly")
                .run(context -> assertThat(
                                context.getBean(EngineLifecycle.class).engine())
                        .isEmpty());
    }

    @Test
    void anInstanceThatOnlySubmitsTakesNone() {
        taking.withPropertyValues("elasticjob.worker.enabled=false")
                .run(context -> assertThat(
                                context.getBean(EngineLifecycle.class).engine())
                        .isEmpty());
    }

    @Test
    void requestsNeedHosts() {
        taking.withPropertyValues("elasticjob.registry-jobs.http=true")
                .run(context -> assertFails(
                        context.getStartupFailure(), "\"elasticjob.registry-jobs.allowed-hosts\" is empty"));
    }

    @Test
    void aHostWithAWildcardIsRefused() {
        taking.withPropertyValues(
                        "elasticjob.registry-jobs.http=true",
                        "elasticjob.registry-jobs.allowed-hosts=billing.example.com,*.example.com")
                .run(context -> assertFails(
                        context.getStartupFailure(),
                        "\"elasticjob.registry-jobs.allowed-hosts\" can't be used",
                        "it was \"*.example.com\""));
    }

    @Test
    void aBeanThatIsNoJobIsNamed() {
        taking.withPropertyValues("elasticjob.registry-jobs.allowed-beans=nightlyy")
                .run(context -> assertFails(
                        context.getStartupFailure(),
                        "\"elasticjob.registry-jobs.allowed-beans\" contains \"nightlyy\", which is no bean"));
    }

    private static void assertFails(Throwable failure, String... parts) {
        Throwable cause = failure;
        while (!(cause instanceof FailureAnalyzedException) && cause.getCause() != null) {
            cause = cause.getCause();
        }
        assertThat(cause).isInstanceOf(FailureAnalyzedException.class);
        assertThat(((FailureAnalyzedException) cause).analysis().getDescription())
                .contains(parts);
    }

    @Configuration(proxyBeanMethods = false)
    static class Nightly {
        private final List<String> ran = new CopyOnWriteArrayList<>();
        private final Heard<JobEvent> events = new Heard<>();

        @Bean
        JobEventListener listener() {
            return events::add;
        }

        @Bean
        @Lazy
        SimpleJob nightly() {
            return (ShardingContext context) -> ran.add(context.getJobName());
        }
    }
}
