package dev.elasticjob.spring.actuate;

import static dev.elasticjob.spring.OnMemory.get;
import static org.assertj.core.api.Assertions.assertThat;

import dev.elasticjob.admin.JobAdmin;
import dev.elasticjob.engine.ElasticJobEngine;
import dev.elasticjob.job.ShardingContext;
import dev.elasticjob.job.SimpleJob;
import dev.elasticjob.job.event.JobEvent;
import dev.elasticjob.job.event.JobEvent.StateChanged;
import dev.elasticjob.job.event.JobEventListener;
import dev.elasticjob.job.event.JobState;
import dev.elasticjob.registry.Registry;
import dev.elasticjob.registry.RegistryCommit;
import dev.elasticjob.registry.memory.InMemoryEnsemble;
import dev.elasticjob.registry.memory.InMemoryRegistry;
import dev.elasticjob.spring.ElasticJob;
import dev.elasticjob.spring.OnMemory;
import dev.elasticjob.spring.autoconfigure.ElasticJobAutoConfiguration;
import dev.elasticjob.spring.autoconfigure.ElasticJobEngineBuilderCustomizer;
import dev.elasticjob.testing.Heard;
import java.time.Clock;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.Set;
import org.junit.jupiter.api.Test;
import org.springframework.boot.actuate.info.Info;
import org.springframework.boot.actuate.info.InfoContributor;
import org.springframework.boot.autoconfigure.AutoConfigurations;
import org.springframework.boot.availability.ApplicationAvailabilityBean;
import org.springframework.boot.health.actuate.endpoint.HealthEndpoint;
import org.springframework.boot.health.actuate.endpoint.HealthEndpointGroups;
import org.springframework.boot.health.autoconfigure.actuate.endpoint.HealthEndpointAutoConfiguration;
import org.springframework.boot.health.autoconfigure.contributor.HealthContributorAutoConfiguration;
import org.springframework.boot.health.autoconfigure.registry.HealthContributorRegistryAutoConfiguration;
import org.springframework.boot.health.contributor.Health;
import org.springframework.boot.health.contributor.HealthIndicator;
import org.springframework.boot.health.contributor.Status;
import org.springframework.boot.test.context.FilteredClassLoader;
import org.springframework.boot.test.context.assertj.AssertableApplicationContext;
import org.springframework.boot.test.context.runner.ApplicationContextRunner;

/** The health of an application with a job, on a registry in memory. */
class JobHealthTest {
    private final Heard<JobEvent> events = new Heard<>();
    private final ApplicationContextRunner withoutJobs = new ApplicationContextRunner()
            .withConfiguration(AutoConfigurations.of(
                    ElasticJobAutoConfiguration.class,
                    ElasticJobHealthAutoConfiguration.class,
                    ElasticJobInfoAutoConfiguration.class))
            .withUserConfiguration(OnMemory.class)
            .withBean("heard", JobEventListener.class, () -> events::add);
    private final ApplicationContextRunner runner = withoutJobs.withBean(Orders.class);

    @Test
    void anInstanceWhoseJobsAreActiveIsUp() {
        runner.withPropertyValues("elasticjob.instance.id=10.0.0.1@-@7").run(context -> {
            Health health = health(context);

            assertThat(health.getStatus()).isEqualTo(Status.UP);
            assertThat(health.getDetails())
                    .containsEntry("instance", "10.0.0.1@-@7")
                    .doesNotContainKey("clock")
                    .containsEntry(
                            "jobs",
                            Map.of("orders", Map.of("state", JobState.ACTIVE, "itemsOwned", 2, "itemsRunning", 0)));
        });
    }

    @Test
    void aClockThatDiffersFromTheRegistrysIsADetail() {
        Clock behind = Clock.offset(Clock.systemUTC(), Duration.ofMinutes(-5));
        runner.withBean(ElasticJobEngineBuilderCustomizer.class, () -> builder -> builder.clock(behind))
                .run(context -> {
                    Health health = health(context);

                    assertThat(health.getStatus()).isEqualTo(Status.UP);
                    assertThat(health.getDetails().get("clock"))
                            .asString()
                            .containsPattern("(299|300|301) s behind the registry's");
                });
    }

    @Test
    void withoutAConnectionItIsDownUntilThereIsOneAgain() {
        runner.run(context -> {
            InMemoryRegistry registry = (InMemoryRegistry) context.getBean(Registry.class);

            registry.disconnect();
            awaitState(JobState.SUSPENDED);
            Health without = health(context);
            events.clear();
            registry.reconnect();
            awaitState(JobState.ACTIVE);

            assertThat(without.getStatus()).isEqualTo(Status.DOWN);
            assertThat(without.getDetails().get("reason")).asString().contains("no connection to the registry");
            assertThat(health(context).getStatus()).isEqualTo(Status.UP);
        });
    }

    @Test
    void aLossOfTheRegistrysDataIsADetail() {
        runner.run(context -> {
            events.clear();
            context.getBean(InMemoryEnsemble.class).empty();
            awaitState(JobState.ACTIVE);

            assertThat(health(context).getStatus()).isEqualTo(Status.UP);
            assertThat(health(context).getDetails().get("dataLoss"))
                    .asString()
                    .startsWith("The registry has lost its data");
        });
    }

    @Test
    void aLossThatHoldsTheJobsTakesItOutOfServiceUntilItIsConfirmed() {
        runner.withPropertyValues("elasticjob.registry.on-data-loss=hold").run(context -> {
            context.getBean(InMemoryEnsemble.class).empty();
            events.await("a loss of data", all -> all.stream().anyMatch(JobEvent.RegistryDataLost.class::isInstance));
            Health held = health(context);
            events.clear();
            get(context.getBean(JobAdmin.class).confirmDataLoss());
            awaitState(JobState.ACTIVE);

            assertThat(held.getStatus()).isEqualTo(Status.OUT_OF_SERVICE);
            assertThat(held.getDetails().get("reason")).asString().contains("until an operator confirms");
            assertThat(health(context).getStatus()).isEqualTo(Status.UP);
        });
    }

    @Test
    void aSuspendedJobTakesItOutOfService() {
        runner.run(context -> {
            store(context, RegistryCommit.builder().set("/orders/extension", "garbage", 0));
            awaitState(JobState.SUSPENDED);

            assertThat(health(context).getStatus()).isEqualTo(Status.OUT_OF_SERVICE);
            assertThat(health(context).getDetails().get("jobs")).asString().contains("SUSPENDED", "problem=");
        });
    }

    @Test
    void aRefusedJobTakesItOutOfService() {
        withoutJobs.withBean(Refused.class).run(context -> {
            Health health = health(context);

            assertThat(health.getStatus()).isEqualTo(Status.OUT_OF_SERVICE);
            assertThat(health.getDetails().get("jobs")).asString().contains("STOPPED", "problem=");
        });
    }

    /** Its definition is unreadable before it starts. */
    @ElasticJob(name = "refused")
    static class Refused implements SimpleJob {
        Refused(InMemoryEnsemble ensemble) {
            try (InMemoryRegistry tool = new InMemoryRegistry(ensemble, Runnable::run)) {
                get(tool.commit(RegistryCommit.builder()
                        .create("/refused")
                        .create("/refused/config", "garbage")
                        .build()));
            }
        }

        @Override
        public void execute(ShardingContext context) {
            // It never does.
        }
    }

    @Test
    void jobsThatAreStoppedTakeItOutOfService() {
        runner.run(context -> {
            get(context.getBean(ElasticJobEngine.class).stop());

            assertThat(health(context).getStatus()).isEqualTo(Status.OUT_OF_SERVICE);
        });
    }

    @Test
    void anApplicationWithoutJobsIsUp() {
        withoutJobs.run(context -> assertThat(health(context).getStatus()).isEqualTo(Status.UP));
    }

    @Test
    void readinessDependsOnItOnlyIfItIsAskedTo() {
        ApplicationContextRunner web = runner.withConfiguration(AutoConfigurations.of(
                        HealthContributorAutoConfiguration.class,
                        HealthContributorRegistryAutoConfiguration.class,
                        HealthEndpointAutoConfiguration.class))
                .withBean(ApplicationAvailabilityBean.class);

        web.run(context -> {
            assertThat(context.getBean(HealthEndpoint.class).health().getStatus())
                    .isEqualTo(Status.UP);
            HealthEndpointGroups groups = context.getBean(HealthEndpointGroups.class);
            assertThat(groups.getNames().stream().map(groups::get))
                    .noneMatch(group -> group != null && group.isMember("elasticjob"));
        });
        web.withPropertyValues("management.endpoint.health.group.readiness.include=elasticjob")
                .run(context -> {
                    HealthEndpointGroups groups = context.getBean(HealthEndpointGroups.class);
                    assertThat(groups.getNames()).isEqualTo(Set.of("readiness"));
                    assertThat(context.getBean(HealthEndpoint.class)
                                    .healthForPath("readiness", "elasticjob")
                                    .getStatus())
                            .isEqualTo(Status.UP);
                });
    }

    @Test
    void itCanBeSwitchedOff() {
        runner.withPropertyValues("management.health.elasticjob.enabled=false")
                .run(context -> assertThat(context).hasNotFailed().doesNotHaveBean(HealthIndicator.class));
    }

    @Test
    void withoutHealthNothingOfItIsLoaded() {
        runner.withClassLoader(new FilteredClassLoader("org.springframework.boot.health"))
                .run(context -> assertThat(context)
                        .hasNotFailed()
                        .doesNotHaveBean(ElasticJobHealthAutoConfiguration.class)
                        .doesNotHaveBean(ReportedProblems.class));
    }

    // ------------------------------------------------------------------ info

    @Test
    void infoNamesTheInstanceAndItsJobs() {
        runner.withPropertyValues("elasticjob.instance.id=10.0.0.1@-@7").run(context -> {
            Info.Builder info = new Info.Builder();
            context.getBean(InfoContributor.class).contribute(info);

            assertThat(info.build().get("elasticjob", Map.class))
                    .containsEntry("instance", "10.0.0.1@-@7")
                    .containsEntry("jobs", List.of("orders"));
        });
    }

    @Test
    void infoCanBeSwitchedOff() {
        runner.withPropertyValues("management.info.elasticjob.enabled=false")
                .run(context -> assertThat(context).hasNotFailed().doesNotHaveBean(InfoContributor.class));
    }

    @Test
    void withoutTheActuatorNothingOfInfoIsLoaded() {
        runner.withClassLoader(new FilteredClassLoader("org.springframework.boot.actuate"))
                .run(context ->
                        assertThat(context).hasNotFailed().doesNotHaveBean(ElasticJobInfoAutoConfiguration.class));
    }

    // ------------------------------------------------------------------ helpers

    private static Health health(AssertableApplicationContext context) {
        return context.getBean("elasticjobHealthIndicator", HealthIndicator.class)
                .health();
    }

    private void awaitState(JobState state) {
        events.await(
                state.name(),
                all -> all.stream().anyMatch(event -> event instanceof StateChanged changed && changed.to() == state));
    }

    private static void store(AssertableApplicationContext context, RegistryCommit.Builder commit) {
        try (InMemoryRegistry tool = new InMemoryRegistry(context.getBean(InMemoryEnsemble.class), Runnable::run)) {
            get(tool.commit(commit.build()));
        }
    }

    @ElasticJob(name = "orders", shardingTotalCount = 2)
    static class Orders implements SimpleJob {
        @Override
        public void execute(ShardingContext context) {
            // Nothing to do.
        }
    }
}
