package dev.elasticjob.spring.autoconfigure;

import static org.assertj.core.api.Assertions.assertThat;

import dev.elasticjob.admin.JobInspector;
import dev.elasticjob.coordination.FailoverLatch;
import dev.elasticjob.coordination.LeaderElection;
import dev.elasticjob.coordination.ReshardingFlags;
import dev.elasticjob.definition.OnDataLoss;
import dev.elasticjob.definition.OnForeignInstance;
import dev.elasticjob.engine.ElasticJobEngine;
import dev.elasticjob.engine.SessionLoss;
import dev.elasticjob.group.OnStopTimeout;
import dev.elasticjob.job.JobErrorHandler;
import dev.elasticjob.registry.Registry;
import dev.elasticjob.registry.curator.ClientOptions;
import dev.elasticjob.spring.actuate.ElasticJobEndpoint;
import dev.elasticjob.spring.actuate.ElasticJobEndpointAutoConfiguration;
import dev.elasticjob.spring.embedded.EmbeddedZooKeeper;
import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.condition.EnabledForJreRange;
import org.junit.jupiter.api.condition.JRE;
import org.junit.jupiter.api.extension.ExtendWith;
import org.springframework.beans.factory.config.BeanDefinition;
import org.springframework.boot.autoconfigure.AutoConfiguration;
import org.springframework.boot.autoconfigure.AutoConfigurations;
import org.springframework.boot.autoconfigure.task.TaskExecutionAutoConfiguration;
import org.springframework.boot.context.annotation.ImportCandidates;
import org.springframework.boot.test.context.FilteredClassLoader;
import org.springframework.boot.test.context.runner.ApplicationContextRunner;
import org.springframework.boot.test.context.runner.WebApplicationContextRunner;
import org.springframework.boot.test.system.CapturedOutput;
import org.springframework.boot.test.system.OutputCaptureExtension;
import org.springframework.context.annotation.Bean;
import org.springframework.context.annotation.Configuration;
import org.springframework.mock.env.MockEnvironment;
import org.springframework.util.ClassUtils;

@ExtendWith(OutputCaptureExtension.class)
class ElasticJobAutoConfigurationTest {
    private static final AutoConfigurations OURS =
            AutoConfigurations.of(ElasticJobAutoConfiguration.class, ElasticJobEndpointAutoConfiguration.class);

    private final ApplicationContextRunner runner = new ApplicationContextRunner().withConfiguration(OURS);
    private final WebApplicationContextRunner web = new WebApplicationContextRunner().withConfiguration(OURS);

    @Test
    void applicationWithoutJobsNeedsNoRegistry(CapturedOutput output) {
        runner.run(context -> {
            assertThat(context).hasNotFailed();
            assertThat(context.getBean(EngineLifecycle.class).engine()).isEmpty();
            assertThat(output).containsOnlyOnce("does not connect to a registry");
        });
    }

    @Test
    void beansThatAskTheRegistryAreThereToBeInjected() {
        runner.run(context -> {
            assertThat(context.getBeanNamesForType(ElasticJobEngine.class)).hasSize(1);
            assertThat(context.getBeanNamesForType(Registry.class)).hasSize(1);
            assertThat(context.getBeanNamesForType(LeaderElection.class)).hasSize(1);
            assertThat(context.getBeanNamesForType(ReshardingFlags.class)).hasSize(1);
            assertThat(context.getBeanNamesForType(FailoverLatch.class)).hasSize(1);
            assertThat(context.getBeanNamesForType(JobInspector.class)).hasSize(1);
        });
    }

    /** Any other name may be that of a bean of the user's, as {@code jobAdmin} or {@code leaderElection}. */
    @Test
    void allNamesOfBeansBeginWithOurs() {
        web.withPropertyValues(
                        "management.endpoints.web.exposure.include=elasticjob", "spring.threads.virtual.enabled=true")
                .run(context -> assertThat(context.getBeanFactory().getBeanDefinitionNames())
                        .filteredOn(name -> isOurs(context.getBeanFactory().getMergedBeanDefinition(name)))
                        .isNotEmpty()
                        .allMatch(name -> name.startsWith("elasticJob") || name.contains("elasticjob")));
    }

    /** Those whose conditions are not met here, too. Error handlers have the names by which jobs select them. */
    @Test
    void soDoTheNamesOfAllBeanMethods() {
        assertThat(ImportCandidates.load(AutoConfiguration.class, null))
                .filteredOn(name -> name.startsWith("dev.elasticjob."))
                .map(name -> ClassUtils.resolveClassName(name, null))
                .flatMap(type -> Stream.concat(Stream.of(type), Stream.of(type.getDeclaredClasses()))
                        .toList())
                .flatMap(type -> List.of(type.getDeclaredMethods()))
                .filteredOn(method -> method.isAnnotationPresent(Bean.class)
                        && !JobErrorHandler.class.isAssignableFrom(method.getReturnType()))
                .map(method -> {
                    String[] names = method.getAnnotation(Bean.class).value();
                    return names.length == 0 ? method.getName() : names[0];
                })
                .contains("elasticJobSecretSettings", "elasticJobItemsOnVirtualThreads")
                .allMatch(name -> name.startsWith("elasticJob") || name.contains("elasticjob"));
    }

    private static boolean isOurs(BeanDefinition bean) {
        return bean.getFactoryBeanName() != null && bean.getFactoryBeanName().contains("dev.elasticjob.spring.");
    }

    @Test
    void nothingIsThereWhenSwitchedOff() {
        web.withPropertyValues("elasticjob.enabled=false", "management.endpoints.web.exposure.include=*")
                .run(context -> {
                    assertThat(context).doesNotHaveBean(JobBeanCollector.class);
                    assertThat(context).doesNotHaveBean(EngineLifecycle.class);
                    assertThat(context.getBeanNamesForType(Registry.class)).isEmpty();
                    assertThat(context).doesNotHaveBean(ElasticJobEndpoint.class);
                });
    }

    @Test
    void beansOfTheUserReplaceOurs() {
        runner.withUserConfiguration(OwnBeans.class).run(context -> {
            assertThat(context.getBeanNamesForType(LeaderElection.class)).containsExactly("own");
            assertThat(context.getBean(ZooKeeperConnectionDetails.class).getConnectString())
                    .isEqualTo("own:2181");
        });
    }

    @Test
    void endpointIsThereWhenExposed() {
        web.withPropertyValues("management.endpoints.web.exposure.include=elasticjob")
                .run(context -> assertThat(context).hasSingleBean(ElasticJobEndpoint.class));
    }

    @Test
    void endpointIsNotThereWhenNotExposed() {
        web.run(context -> assertThat(context).doesNotHaveBean(ElasticJobEndpoint.class));
    }

    @Test
    void applicationWithoutActuatorHasNoEndpoint() {
        web.withClassLoader(new FilteredClassLoader("org.springframework.boot.actuate"))
                .withPropertyValues("management.endpoints.web.exposure.include=elasticjob")
                .run(context -> {
                    assertThat(context).hasNotFailed();
                    assertThat(context).doesNotHaveBean("elasticJobEndpoint");
                });
    }

    @Test
    void propertiesHaveTheirDefaults() {
        runner.run(context -> {
            ElasticJobProperties properties = context.getBean(ElasticJobProperties.class);

            assertThat(properties.enabled()).isTrue();
            assertThat(properties.shutdownTimeout()).isEqualTo(Duration.ofSeconds(24));
            assertThat(properties.rebalanceDelay()).isZero();
            assertThat(properties.onSessionLoss()).isEqualTo(SessionLoss.INTERRUPT);
            assertThat(properties.failOnUnknownJobs()).isFalse();
            assertThat(properties.jobs()).isEmpty();
            assertThat(properties.instance()).isEqualTo(new ElasticJobProperties.Instance(null, null, null));
            assertThat(properties.executor().maxThreads()).isNull();
            assertThat(properties.registry())
                    .isEqualTo(new ElasticJobProperties.Registry(
                            null,
                            null,
                            Duration.ofSeconds(20),
                            Duration.ofSeconds(2),
                            Duration.ofSeconds(10),
                            true,
                            null,
                            ClientOptions.Acl.AUTOMATIC,
                            OnDataLoss.CONTINUE,
                            new ElasticJobProperties.Ssl(null, null),
                            new ElasticJobProperties.Retry(Duration.ofSeconds(1), Duration.ofSeconds(3), 3),
                            new ElasticJobProperties.Embedded(false, 2181, "127.0.0.1", null)));
        });
    }

    @Test
    void propertiesAreBound() {
        runner.withPropertyValues(
                        "elasticjob.registry.connect-string=zk1:2181,zk2:2181",
                        "elasticjob.registry.namespace=shop",
                        "elasticjob.registry.on-data-loss=hold",
                        "elasticjob.registry.session-timeout=30s",
                        "elasticjob.registry.server-tick=3s",
                        "elasticjob.registry.connection-timeout=5s",
                        "elasticjob.registry.digest=shop:secret",
                        "elasticjob.registry.fail-fast=false",
                        "elasticjob.registry.acl=creator",
                        "elasticjob.registry.ssl.enabled=false",
                        "elasticjob.registry.ssl.bundle=zk",
                        "elasticjob.registry.retry.base-sleep=2s",
                        "elasticjob.registry.retry.max-sleep=4s",
                        "elasticjob.registry.retry.max-retries=5",
                        "elasticjob.registry.embedded.enabled=true",
                        "elasticjob.registry.embedded.port=0",
                        "elasticjob.registry.embedded.address=0.0.0.0",
                        "elasticjob.registry.embedded.data-directory=data",
                        "elasticjob.instance.id=a",
                        "elasticjob.instance.ip=10.0.0.1",
                        "elasticjob.instance.preferred-network=10.0.0.0/8",
                        "elasticjob.executor.max-threads=64",
                        "elasticjob.dynamic-sharding.namespace=shop/shares",
                        "elasticjob.dynamic-sharding.stop-timeout=7s",
                        "elasticjob.dynamic-sharding.on-stop-timeout=proceed",
                        "elasticjob.dynamic-sharding.join-delay=2s",
                        "elasticjob.shutdown-timeout=10s",
                        "elasticjob.rebalance-delay=90s",
                        "elasticjob.worker.enabled=false",
                        "elasticjob.start=ready",
                        "elasticjob.on-session-loss=continue",
                        "elasticjob.on-foreign-instance=warn",
                        "elasticjob.fail-on-unknown-jobs=true",
                        "elasticjob.events.publish=false",
                        "elasticjob.events.queue-capacity=5",
                        "elasticjob.jobs-from-registry=true",
                        "elasticjob.registry-jobs.http=true",
                        "elasticjob.registry-jobs.allowed-hosts=billing.example.com,http://localhost:8080",
                        "elasticjob.registry-jobs.allowed-beans=nightly",
                        "elasticjob.registry-jobs.scripts=true",
                        "elasticjob.secrets.billing-token=s3cret",
                        "elasticjob.calendars.workdays=SAT,SUN",
                        "elasticjob.worker.labels.zone=a",
                        "elasticjob.worker.capacity=8",
                        "elasticjob.worker.jobs=report*, bill-?",
                        "elasticjob.worker.except=report-old",
                        "elasticjob.worker.idle-after=5m",
                        "elasticjob.worker.fresh=true",
                        "elasticjob.metrics.demand-interval=30s")
                .run(context -> assertThat(context.getBean(ElasticJobProperties.class))
                        .usingRecursiveComparison()
                        .isEqualTo(new ElasticJobProperties(
                                true,
                                new ElasticJobProperties.Worker(
                                        false,
                                        Map.of("zone", "a"),
                                        8,
                                        List.of("report*", "bill-?"),
                                        List.of("report-old"),
                                        Duration.ofMinutes(5),
                                        true),
                                ElasticJobProperties.StartAt.READY,
                                new ElasticJobProperties.Registry(
                                        "zk1:2181,zk2:2181",
                                        "shop",
                                        Duration.ofSeconds(30),
                                        Duration.ofSeconds(3),
                                        Duration.ofSeconds(5),
                                        false,
                                        "shop:secret",
                                        ClientOptions.Acl.CREATOR,
                                        OnDataLoss.HOLD,
                                        new ElasticJobProperties.Ssl(false, "zk"),
                                        new ElasticJobProperties.Retry(Duration.ofSeconds(2), Duration.ofSeconds(4), 5),
                                        new ElasticJobProperties.Embedded(true, 0, "0.0.0.0", Path.of("data"))),
                                new ElasticJobProperties.Instance("a", "10.0.0.1", "10.0.0.0/8"),
                                new ElasticJobProperties.Executor(64),
                                new ElasticJobProperties.DynamicSharding(
                                        "shop/shares",
                                        Duration.ofSeconds(7),
                                        OnStopTimeout.PROCEED,
                                        Duration.ofSeconds(2)),
                                Duration.ofSeconds(10),
                                Duration.ofSeconds(90),
                                SessionLoss.CONTINUE,
                                OnForeignInstance.WARN,
                                true,
                                new ElasticJobProperties.Events(false, 5),
                                context.getBean(ElasticJobProperties.class).alerts(),
                                context.getBean(ElasticJobProperties.class).tracing(),
                                new ElasticJobProperties.Metrics(Duration.ofSeconds(30)),
                                true,
                                new ElasticJobProperties.RegistryJobs(
                                        true,
                                        List.of("billing.example.com", "http://localhost:8080"),
                                        List.of("nightly"),
                                        true,
                                        List.of()),
                                Map.of("billing-token", "s3cret"),
                                Map.of("workdays", List.of("SAT", "SUN")),
                                Map.of())));
    }

    @Test
    void namespaceIsTheApplicationsNameByDefault() {
        assertThat(RegistryConnection.namespace(registry(null, false), new MockEnvironment()))
                .isEqualTo("elasticjob");
        assertThat(RegistryConnection.namespace(
                        registry(null, false), new MockEnvironment().withProperty("spring.application.name", "shop")))
                .isEqualTo("shop");
    }

    @Test
    void connectStringGoesBeforeTheEmbeddedServer(CapturedOutput output) {
        var address = new PropertiesZooKeeperConnectionDetails(
                registry("zk1:2181", true),
                () -> {
                    throw new AssertionError("The embedded server must not be started");
                },
                () -> null);

        assertThat(address.getConnectString()).isEqualTo("zk1:2181");
        assertThat(output).contains("Joining the registry at \"zk1:2181\"; the embedded ZooKeeper is not started");
    }

    @Test
    void embeddedServerIsTheRegistryWhereItIsEnabled() {
        runner.withPropertyValues("elasticjob.registry.embedded.enabled=true", "elasticjob.registry.embedded.port=0")
                .run(context -> assertThat(context.getBean(ZooKeeperConnectionDetails.class)
                                .getConnectString())
                        .isEqualTo(context.getBean(EmbeddedZooKeeper.class).connectString()));
    }

    @Test
    @EnabledForJreRange(min = JRE.JAVA_21)
    void itemsRunOnVirtualThreadsWhereTheApplicationWantsThem() {
        runner.withPropertyValues("spring.threads.virtual.enabled=true")
                .run(context -> assertThat(context).hasBean("elasticJobItemsOnVirtualThreads"));
    }

    @Test
    void itemsRunOnPlatformThreadsOtherwise() {
        runner.run(context -> assertThat(context).doesNotHaveBean("elasticJobItemsOnVirtualThreads"));
    }

    @Test
    void executorOfTheApplicationIsLeftAlone() {
        runner.withConfiguration(AutoConfigurations.of(TaskExecutionAutoConfiguration.class))
                .run(context -> assertThat(context).hasBean("applicationTaskExecutor"));
    }

    private static ElasticJobProperties.Registry registry(String connectString, boolean embedded) {
        return new ElasticJobProperties.Registry(
                connectString,
                null,
                Duration.ofSeconds(20),
                Duration.ofSeconds(2),
                Duration.ofSeconds(10),
                true,
                null,
                ClientOptions.Acl.AUTOMATIC,
                OnDataLoss.CONTINUE,
                new ElasticJobProperties.Ssl(null, null),
                new ElasticJobProperties.Retry(Duration.ofSeconds(1), Duration.ofSeconds(3), 3),
                new ElasticJobProperties.Embedded(embedded, 2181, "127.0.0.1", null));
    }

    @Configuration(proxyBeanMethods = false)
    static class OwnBeans {
        @Bean
        LeaderElection own() {
            return new LeaderElection() {
                @Override
                public Optional<String> leader(String jobName) {
                    return Optional.empty();
                }

                @Override
                public boolean isLeader(String jobName) {
                    return false;
                }
            };
        }

        @Bean
        ZooKeeperConnectionDetails ownServers() {
            return () -> "own:2181";
        }
    }
}
