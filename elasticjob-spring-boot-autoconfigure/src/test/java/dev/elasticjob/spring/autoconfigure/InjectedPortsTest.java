package dev.elasticjob.spring.autoconfigure;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.elasticjob.admin.JobAdmin;
import dev.elasticjob.admin.JobInspector;
import dev.elasticjob.coordination.FailoverLatch;
import dev.elasticjob.coordination.LeaderElection;
import dev.elasticjob.coordination.ReshardingFlags;
import dev.elasticjob.engine.ElasticJobEngine;
import dev.elasticjob.job.ElasticJobListener;
import dev.elasticjob.job.ItemOutcome;
import dev.elasticjob.job.JobErrorHandler;
import dev.elasticjob.job.ShardingContexts;
import dev.elasticjob.job.ShardingStrategy;
import dev.elasticjob.job.SimpleJob;
import dev.elasticjob.job.event.JobEvent;
import dev.elasticjob.job.event.JobEventListener;
import dev.elasticjob.registry.Registry;
import dev.elasticjob.spring.ElasticJob;
import dev.elasticjob.spring.embedded.EmbeddedZooKeeper;
import dev.elasticjob.testing.Heard;
import java.io.IOException;
import java.net.ConnectException;
import java.net.Socket;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.TreeSet;
import java.util.concurrent.TimeUnit;
import java.util.stream.IntStream;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.springframework.beans.factory.InitializingBean;
import org.springframework.beans.factory.SmartInitializingSingleton;
import org.springframework.beans.factory.config.ConfigurableListableBeanFactory;
import org.springframework.beans.factory.config.DestructionAwareBeanPostProcessor;
import org.springframework.boot.autoconfigure.AutoConfigurations;
import org.springframework.boot.test.context.runner.ApplicationContextRunner;
import org.springframework.context.ApplicationContext;
import org.springframework.context.annotation.Bean;
import org.springframework.context.annotation.Configuration;

/** What the engine calls may use the engine, and injecting it asks nothing of ZooKeeper. */
class InjectedPortsTest {
    private final ApplicationContextRunner unconnected =
            new ApplicationContextRunner().withConfiguration(AutoConfigurations.of(ElasticJobAutoConfiguration.class));
    private final ApplicationContextRunner onMemory =
            unconnected.withUserConfiguration(EngineLifecycleTest.OnMemory.class, Shop.class);

    @Test
    void listenerTriggersAnotherJobAfterTheFirst() {
        onMemory.withUserConfiguration(ListenerThatTriggers.class).run(context -> awaitCalls(context, "job b"));
    }

    @Test
    void eventListenerTriggersAnotherJobAfterTheFirst() {
        onMemory.withUserConfiguration(EventListenerThatTriggers.class).run(context -> awaitCalls(context, "job b"));
    }

    @Test
    void customizerMayAddAListenerThatTriggers() {
        onMemory.withUserConfiguration(CustomizerThatTriggers.class).run(context -> awaitCalls(context, "job b"));
    }

    @Test
    void jobTriggersAnother() {
        onMemory.withUserConfiguration(JobThatTriggers.class).run(context -> awaitCalls(context, "job b"));
    }

    @Test
    void errorHandlerIsFoundByItsNameThoughItUsesTheEngine() {
        onMemory.withUserConfiguration(HandlerThatTriggers.class)
                .run(context -> awaitCalls(context, "handler: provoked by this test", "job b"));
    }

    @Test
    void strategyIsFoundByItsNameThoughItUsesTheEngine() {
        onMemory.withUserConfiguration(StrategyThatKnowsTheLeader.class)
                .run(context -> awaitCalls(context, "strategy"));
    }

    @Test
    void everyPortMayBeInjectedIntoAListener() {
        onMemory.withUserConfiguration(ListenerWithAllPorts.class)
                .run(context ->
                        awaitCalls(context, "leads: true", "engine: [a, b]", "waiting: []", "epoch: 1", "jobs: 2"));
    }

    @Test
    void engineOfTheApplicationsOwnMayHaveListenersThatTrigger() {
        onMemory.withUserConfiguration(ListenerThatTriggers.class, OwnEngine.class)
                .run(context -> awaitCalls(context, "job b"));
    }

    @Test
    void applicationThatOnlyInjectsThemStartsWithoutZooKeeper() {
        unconnected
                .withUserConfiguration(EverythingInjected.class)
                .run(context -> assertThat(context).hasNotFailed());
    }

    /** As CDS training needs it, which ends after the beans are made: spring.context.exit=onRefresh. */
    @Test
    void nothingIsConnectedWhileBeansAreMade() {
        unconnected
                .withPropertyValues("elasticjob.registry.embedded.enabled=true", "elasticjob.registry.embedded.port=0")
                .withUserConfiguration(Shop.class, EverythingInjected.class, WhenBeansAreMade.class)
                .run(context -> {
                    assertThat(context.getBean(WhenBeansAreMade.class).embedded).isEmpty();
                    awaitCalls(context, "job a");
                });
    }

    @Test
    void engineAndRegistryAreClosedBeforeTheEmbeddedServerWhichListensNoMore() {
        var closed = new Closed();
        List<HostAndPort> servers = new ArrayList<>();

        unconnected
                .withPropertyValues("elasticjob.registry.embedded.enabled=true", "elasticjob.registry.embedded.port=0")
                .withUserConfiguration(Shop.class, EverythingInjected.class)
                .withInitializer(context -> context.getBeanFactory().addBeanPostProcessor(closed))
                .run(context -> {
                    awaitCalls(context, "job a");
                    servers.add(HostAndPort.of(context.getBean(EmbeddedZooKeeper.class)));
                });

        assertThat(closed.types)
                .containsSubsequence(ElasticJobEngine.class, LateRegistry.class, EmbeddedZooKeeper.class);
        assertThat(servers)
                .singleElement()
                .satisfies(server -> assertThatThrownBy(server::connect).isInstanceOf(ConnectException.class));
    }

    @Test
    void commandWithoutARegistryFailsItsStageAndIsTriedAgainTheNextTime() {
        unconnected.withUserConfiguration(EverythingInjected.class).run(context -> {
            JobAdmin admin = context.getBean(JobAdmin.class);

            for (int attempt = 0; attempt < 2; attempt++) {
                assertThat(admin.trigger("orders"))
                        .isCompletedExceptionally()
                        .failsWithin(Duration.ZERO)
                        .withThrowableThat()
                        .withStackTraceContaining("elasticjob.registry.connect-string");
            }
        });
    }

    @Test
    void commandMayBeUsedWhileBeansAreMade() {
        onMemory.withUserConfiguration(AskingEarly.class)
                .run(context -> assertThat(context.getBean(AskingEarly.Early.class).known)
                        .isFalse());
    }

    private static void awaitCalls(ApplicationContext context, String... expected) {
        context.getBean(Calls.class)
                .heard
                .await(String.join(", ", expected), all -> new TreeSet<Object>(all).containsAll(Set.of(expected)));
    }

    private record HostAndPort(String host, int port) {
        static HostAndPort of(EmbeddedZooKeeper server) {
            String[] parts = server.connectString().split(":");
            return new HostAndPort(parts[0], Integer.parseInt(parts[1]));
        }

        void connect() throws IOException {
            new Socket(host, port).close();
        }
    }

    /** What has happened. */
    static class Calls {
        private final Heard<String> heard = new Heard<>();
    }

    /** Job a runs each second, b when it is asked for. */
    @Configuration(proxyBeanMethods = false)
    static class Shop {
        @Bean
        Calls calls() {
            return new Calls();
        }

        @Bean
        @ElasticJob(name = "a", cron = "* * * * * ?")
        SimpleJob a(Calls calls) {
            return context -> calls.heard.add("job a");
        }

        @Bean
        @ElasticJob(name = "b")
        SimpleJob b(Calls calls) {
            return context -> calls.heard.add("job b");
        }
    }

    @Configuration(proxyBeanMethods = false)
    static class ListenerThatTriggers {
        @Bean
        ElasticJobListener chain(JobAdmin admin) {
            return new ElasticJobListener() {
                @Override
                public boolean appliesTo(String jobName) {
                    return jobName.equals("a");
                }

                @Override
                public void afterJobExecuted(ShardingContexts contexts, Map<Integer, ItemOutcome> outcomes) {
                    admin.trigger("b");
                }
            };
        }
    }

    @Configuration(proxyBeanMethods = false)
    static class EventListenerThatTriggers {
        @Bean
        JobEventListener chain(JobAdmin admin) {
            return triggering(admin);
        }
    }

    @Configuration(proxyBeanMethods = false)
    static class CustomizerThatTriggers {
        @Bean
        ElasticJobEngineBuilderCustomizer chain(JobAdmin admin) {
            return builder -> builder.listener(triggering(admin));
        }
    }

    private static JobEventListener triggering(JobAdmin admin) {
        return event -> {
            if (event instanceof JobEvent.ItemFinished finished
                    && finished.jobName().equals("a")) {
                admin.trigger("b");
            }
        };
    }

    @Configuration(proxyBeanMethods = false)
    static class JobThatTriggers {
        @Bean
        @ElasticJob(name = "first", runAtStart = true)
        SimpleJob first(JobAdmin admin) {
            return context -> admin.trigger("b");
        }
    }

    @Configuration(proxyBeanMethods = false)
    static class HandlerThatTriggers {
        @Bean
        @ElasticJob(name = "failing", cron = "* * * * * ?", jobExceptionHandler = "telling")
        SimpleJob failing() {
            return context -> {
                throw new IllegalStateException("provoked by this test");
            };
        }

        @Bean
        JobErrorHandler telling(JobAdmin admin, Calls calls) {
            return (job, cause) -> {
                calls.heard.add("handler: " + cause.getMessage());
                admin.trigger("b");
            };
        }
    }

    @Configuration(proxyBeanMethods = false)
    static class StrategyThatKnowsTheLeader {
        @Bean
        @ElasticJob(name = "divided", cron = "0 0 0 1 1 ?", jobShardingStrategyClass = "knowing")
        SimpleJob divided() {
            return context -> {};
        }

        @Bean
        ShardingStrategy knowing(JobInspector inspector, ElasticJobEngine engine, Calls calls) {
            return request -> {
                calls.heard.add("strategy");
                return Map.of(
                        request.instances().get(0),
                        IntStream.range(0, request.shardingTotalCount()).boxed().toList());
            };
        }
    }

    @Configuration(proxyBeanMethods = false)
    static class ListenerWithAllPorts {
        @Bean
        ElasticJobListener asking(
                JobInspector inspector,
                LeaderElection leaders,
                ReshardingFlags flags,
                FailoverLatch failover,
                ElasticJobEngine engine,
                Calls calls) {
            return new ElasticJobListener() {
                @Override
                public void afterJobExecuted(ShardingContexts contexts, Map<Integer, ItemOutcome> outcomes) {
                    calls.heard.add("leads: " + leaders.isLeader("a"));
                    calls.heard.add("engine: "
                            + engine.jobNames().stream()
                                    .sorted(Comparator.naturalOrder())
                                    .toList());
                    failover.waitingItems("a").thenAccept(items -> calls.heard.add("waiting: " + items));
                    flags.status("a").thenAccept(status -> calls.heard.add("epoch: " + status.epoch()));
                    inspector.jobs().thenAccept(jobs -> calls.heard.add("jobs: " + jobs.size()));
                }
            };
        }
    }

    @Configuration(proxyBeanMethods = false)
    static class OwnEngine {
        @Bean
        ElasticJobEngine own(Registry registry, List<ElasticJobListener> listeners) {
            return ElasticJobEngine.builder(registry).jobListeners(listeners).build();
        }
    }

    @Configuration(proxyBeanMethods = false)
    static class EverythingInjected {
        @Bean
        Object user(
                JobAdmin admin,
                JobInspector inspector,
                LeaderElection leaders,
                ReshardingFlags flags,
                FailoverLatch failover,
                ElasticJobEngine engine,
                Registry registry) {
            return List.of(admin, inspector, leaders, flags, failover, engine, registry);
        }
    }

    /** Notes in which order beans are closed. */
    static class Closed implements DestructionAwareBeanPostProcessor {
        private final List<Class<?>> types = new ArrayList<>();

        @Override
        public void postProcessBeforeDestruction(Object bean, String beanName) {
            types.add(bean.getClass());
        }
    }

    /** Notes which embedded server there is once all beans are made. */
    static class WhenBeansAreMade implements SmartInitializingSingleton {
        private final ConfigurableListableBeanFactory beans;
        private List<String> embedded = List.of("not asked");

        WhenBeansAreMade(ConfigurableListableBeanFactory beans) {
            this.beans = beans;
        }

        @Override
        public void afterSingletonsInstantiated() {
            embedded = Stream.of(beans.getBeanNamesForType(EmbeddedZooKeeper.class))
                    .filter(beans::containsSingleton)
                    .toList();
        }
    }

    @Configuration(proxyBeanMethods = false)
    static class AskingEarly {
        @Bean
        Early early(JobAdmin admin) {
            return new Early(admin);
        }

        @Bean
        ElasticJobListener needsEarly(Early early) {
            return new ElasticJobListener() {};
        }

        static class Early implements InitializingBean {
            private final JobAdmin admin;
            private boolean known = true;

            Early(JobAdmin admin) {
                this.admin = admin;
            }

            @Override
            public void afterPropertiesSet() {
                known = admin.definition("nobody")
                        .handle((definition, error) -> error == null)
                        .toCompletableFuture()
                        .orTimeout(20, TimeUnit.SECONDS)
                        .join();
            }
        }
    }
}
