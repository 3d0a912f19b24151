package dev.elasticjob.spring.autoconfigure;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.elasticjob.admin.JobAdmin;
import dev.elasticjob.admin.JobInspector;
import dev.elasticjob.admin.JobPage;
import dev.elasticjob.admin.JobReport;
import dev.elasticjob.definition.JobDefinition;
import dev.elasticjob.engine.ElasticJobEngine;
import dev.elasticjob.job.ShardingContext;
import dev.elasticjob.job.SimpleJob;
import dev.elasticjob.registry.Registry;
import dev.elasticjob.registry.memory.InMemoryEnsemble;
import dev.elasticjob.registry.memory.InMemoryRegistry;
import dev.elasticjob.spring.ElasticJob;
import dev.elasticjob.spring.OnMemory;
import dev.elasticjob.spring.actuate.ElasticJobEndpoint;
import dev.elasticjob.spring.actuate.ElasticJobEndpointAutoConfiguration;
import dev.elasticjob.spring.actuate.ElasticJobHealthAutoConfiguration;
import java.time.Clock;
import java.util.Optional;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.ExtendWith;
import org.springframework.boot.autoconfigure.AutoConfigurations;
import org.springframework.boot.health.contributor.HealthIndicator;
import org.springframework.boot.test.context.runner.ApplicationContextRunner;
import org.springframework.boot.test.system.CapturedOutput;
import org.springframework.boot.test.system.OutputCaptureExtension;
import org.springframework.core.task.SimpleAsyncTaskExecutor;

/** An instance that only submits, beside one that works. */
@ExtendWith(OutputCaptureExtension.class)
class WorkerSwitchTest {
    private final InMemoryEnsemble ensemble = new InMemoryEnsemble(Clock.systemUTC());
    private final ApplicationContextRunner working = new ApplicationContextRunner()
            .withConfiguration(
                    AutoConfigurations.of(ElasticJobAutoConfiguration.class, ElasticJobEndpointAutoConfiguration.class))
            .withBean(Registry.class, () -> new InMemoryRegistry(ensemble, new SimpleAsyncTaskExecutor("registry-")))
            .withPropertyValues("management.endpoints.web.exposure.include=*");
    private final ApplicationContextRunner submitting =
            working.withPropertyValues("elasticjob.worker.enabled=false", "elasticjob.jobs.orders.cron=-");

    @Test
    void instanceThatOnlySubmitsTriggersAndShowsTheJobsOfOthers() {
        working.withBean(ReportJob.class)
                .run(worker -> submitting.run(submitter -> {
                    OnMemory.get(submitter.getBean(JobAdmin.class).trigger("report"));

                    worker.getBean(ReportJob.class).ran.get(60, TimeUnit.SECONDS);
                    JobInspector inspector = submitter.getBean(JobInspector.class);
                    assertThat(OnMemory.get(inspector.page(JobPage.Query.all())).jobs())
                            .hasSize(1);
                    assertThat(OnMemory.get(inspector.job("report")))
                            .get()
                            .returns("report", JobReport::name)
                            .returns(Optional.empty(), JobReport::state)
                            .satisfies(report -> assertThat(report.instances()).hasSize(1));
                    ElasticJobEndpoint endpoint = submitter.getBean(ElasticJobEndpoint.class);
                    assertThat(endpoint.job("report")).isNotNull();
                    assertThat(endpoint.jobs(null, null, null, null, null).toString())
                            .contains("report");
                }));
    }

    @Test
    void instanceThatOnlySubmitsMakesNoJobBeanAndRunsNone(CapturedOutput output) {
        submitting
                .withBean(
                        "orders",
                        OrdersJob.class,
                        () -> {
                            throw new NoClassDefFoundError("what the job needs is not on this class path");
                        },
                        definition -> definition.setLazyInit(true))
                .run(context -> {
                    assertThat(context).hasNotFailed();
                    assertThat(context.getBean(EngineLifecycle.class).engine()).isEmpty();
                    assertThat(output)
                            .contains("This instance runs no jobs and only submits")
                            .doesNotContain("is for a job that no bean declares");
                });
    }

    @Test
    void whatHasNoEffectWhereNothingRunsIsNamed(CapturedOutput output) {
        submitting
                .withPropertyValues("elasticjob.worker.idle-after=5m", "elasticjob.metrics.demand-interval=30s")
                .run(context -> assertThat(output)
                        .contains("is false. These properties have no effect on it: \"elasticjob.worker.idle-after\","
                                + " \"elasticjob.metrics.demand-interval\""));
    }

    @Test
    void healthSaysThatTheInstanceOnlySubmits() {
        submitting
                .withConfiguration(AutoConfigurations.of(ElasticJobHealthAutoConfiguration.class))
                .run(context -> assertThat(context.getBean("elasticjobHealthIndicator", HealthIndicator.class)
                                .health()
                                .getDetails())
                        .hasEntrySatisfying(
                                "worker",
                                detail -> assertThat(detail.toString()).contains("only submits")));
    }

    @Test
    void jobCanNotBeRegisteredWithAnInstanceThatOnlySubmits() {
        submitting.run(context -> {
            ElasticJobEngine engine = context.getBean(ElasticJobEngine.class);
            JobDefinition definition = JobDefinition.builder("orders").build();

            assertThatThrownBy(() -> engine.register(definition, new OrdersJob()))
                    .isInstanceOf(IllegalStateException.class)
                    .hasMessageContaining("\"elasticjob.worker.enabled\" is false");
            assertThat(engine.jobNames()).isEmpty();
        });
    }

    @ElasticJob(name = "report")
    static class ReportJob implements SimpleJob {
        private final CompletableFuture<Void> ran = new CompletableFuture<>();

        @Override
        public void execute(ShardingContext context) {
            ran.complete(null);
        }
    }

    @ElasticJob(name = "orders", cron = "* * * * * ?")
    static class OrdersJob implements SimpleJob {
        @Override
        public void execute(ShardingContext context) {}
    }
}
