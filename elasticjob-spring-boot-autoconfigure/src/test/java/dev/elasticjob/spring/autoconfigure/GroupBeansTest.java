package dev.elasticjob.spring.autoconfigure;

import static org.assertj.core.api.Assertions.assertThat;

import dev.elasticjob.admin.GroupAttention.GroupFinding.Kind;
import dev.elasticjob.engine.ElasticJobEngine;
import dev.elasticjob.group.GroupEvent;
import dev.elasticjob.group.GroupEvent.IndexAssigned;
import dev.elasticjob.group.GroupEventListener;
import dev.elasticjob.group.GroupInspector;
import dev.elasticjob.group.GroupReport;
import dev.elasticjob.group.OnStopTimeout;
import dev.elasticjob.group.ShardAssignment;
import dev.elasticjob.group.ShardingNotice;
import dev.elasticjob.registry.Registry;
import dev.elasticjob.registry.RegistryCommit;
import dev.elasticjob.spring.DynamicSharding;
import dev.elasticjob.spring.actuate.ElasticJobEndpoint;
import dev.elasticjob.spring.actuate.ElasticJobEndpointAutoConfiguration;
import dev.elasticjob.testing.Heard;
import java.time.Duration;
import java.util.List;
import java.util.concurrent.TimeUnit;
import org.assertj.core.api.InstanceOfAssertFactories;
import org.junit.jupiter.api.Test;
import org.springframework.beans.factory.support.BeanDefinitionRegistry;
import org.springframework.boot.autoconfigure.AutoConfigurations;
import org.springframework.boot.diagnostics.FailureAnalyzedException;
import org.springframework.boot.test.context.runner.ApplicationContextRunner;
import org.springframework.context.ApplicationContext;
import org.springframework.context.ConfigurableApplicationContext;
import org.springframework.context.annotation.AnnotatedBeanDefinitionReader;
import org.springframework.context.annotation.Bean;
import org.springframework.context.annotation.Configuration;

/** Beans that take part in groups, in applications without any job, on a registry in memory. */
class GroupBeansTest {
    private final ApplicationContextRunner runner = new ApplicationContextRunner()
            .withConfiguration(
                    AutoConfigurations.of(ElasticJobAutoConfiguration.class, ElasticJobEndpointAutoConfiguration.class))
            .withUserConfiguration(EngineLifecycleTest.OnMemory.class)
            .withPropertyValues("management.endpoints.web.exposure.include=elasticjob");

    @Test
    void annotatedBeanGetsAnIndexWithoutAnyJobAndIsToldToStopAtTheEnd() {
        Heard<String> told = new Heard<>();
        runner.withBean(Partitions.class, () -> new Partitions(told)).run(context -> {
            told.await("an index", all -> all.equals(List.of("0/1")));

            ((ConfigurableApplicationContext) context.getSourceApplicationContext()).close();

            told.await("the stop", all -> all.equals(List.of("0/1", "stop")));
        });
    }

    @Test
    void applicationThatOnlySubmitsTakesNoPart() {
        Heard<String> told = new Heard<>();
        runner.withBean(Partitions.class, () -> new Partitions(told))
                .withPropertyValues("elasticjob.worker.enabled=false")
                .run(context -> {
                    assertThat(context).hasNotFailed();
                    assertThat(context.getBean(EngineLifecycle.class).engine()).isEmpty();
                    assertThat(told.all()).isEmpty();
                });
    }

    @Test
    void groupsOfAnApplicationAreShownByTheInspectorAndTheEndpoint() {
        Heard<String> told = new Heard<>();
        runner.withBean(Partitions.class, () -> new Partitions(told))
                .withPropertyValues("elasticjob.dynamic-sharding.namespace=shop/shares")
                .run(context -> {
                    told.await("an index", all -> all.equals(List.of("0/1")));

                    GroupReport group = groups(context).get(0);

                    assertThat(group.node()).isEqualTo("/shop/shares/partitions");
                    assertThat(group.shares())
                            .containsExactly(
                                    new GroupReport.Share(0, group.instance().orElseThrow(), true));
                    assertThat(context.getBean(ElasticJobEndpoint.class).jobs().groups())
                            .singleElement()
                            .satisfies(body -> {
                                assertThat(body.group()).isEqualTo("partitions");
                                assertThat(body.epoch()).isEqualTo(group.epoch());
                                assertThat(body.leader())
                                        .isEqualTo(group.leader().orElseThrow());
                            });
                });
    }

    @Test
    void attentionNamesAGroupOfTheNamespaceThatNobodyTakesPartIn() {
        Heard<String> told = new Heard<>();
        runner.withBean(Partitions.class, () -> new Partitions(told)).run(context -> {
            told.await("an index", all -> all.equals(List.of("0/1")));
            context.getBean(Registry.class)
                    .commit(RegistryCommit.builder()
                            .create("//dynamic-sharding/retired", "")
                            .create("//dynamic-sharding/retired/sharding", "")
                            .build())
                    .toCompletableFuture()
                    .get();

            assertThat(context.getBean(ElasticJobEndpoint.class).jobs("attention", null, null, null, null))
                    .hasFieldOrPropertyWithValue("attention", List.of())
                    .extracting("groups", InstanceOfAssertFactories.LIST)
                    .singleElement()
                    .hasFieldOrPropertyWithValue("group", "retired")
                    .hasFieldOrPropertyWithValue("kind", Kind.GROUP_WITHOUT_INSTANCE)
                    .hasFieldOrPropertyWithValue(
                            "remedy",
                            "Start an application that declares the group. If there is none any more, delete the node"
                                    + " /dynamic-sharding/retired");
        });
    }

    @Test
    void beanWithoutAnAnnotationAndOneOnItsMethodTakePartToo() {
        runner.withUserConfiguration(Declared.class)
                .withPropertyValues("shares=by-method")
                .run(context -> assertThat(
                                context.getBean(ElasticJobEngine.class).groups().names())
                        .containsExactlyInAnyOrder("", "by-method"));
    }

    @Test
    void groupIsNotTheNameOfItsBeanAndMayBeGivenAsAnAttribute() {
        runner.withInitializer(context ->
                        new AnnotatedBeanDefinitionReader((BeanDefinitionRegistry) context).register(Scanned.class))
                .run(context -> {
                    assertThat(context).hasBean("groupBeansTest.Scanned");
                    assertThat(context.getBean(ElasticJobEngine.class).groups().names())
                            .containsExactly("scanned");
                });
    }

    @Test
    void listenerReceivesTheEvents() {
        Heard<GroupEvent> events = new Heard<>();
        runner.withBean(Partitions.class, () -> new Partitions(new Heard<>()))
                .withBean(GroupEventListener.class, () -> events::add)
                .run(context -> events.await(
                        "the event",
                        all -> all.stream()
                                .anyMatch(one -> one instanceof IndexAssigned assigned
                                        && assigned.group().equals("partitions"))));
    }

    @Test
    void propertiesSayWhatHappensAfterTheStopTimeout() {
        runner.withPropertyValues(
                        "elasticjob.dynamic-sharding.stop-timeout=5s",
                        "elasticjob.dynamic-sharding.on-stop-timeout=proceed",
                        "elasticjob.dynamic-sharding.join-delay=0s")
                .run(context -> assertThat(
                                context.getBean(ElasticJobProperties.class).dynamicSharding())
                        .isEqualTo(new ElasticJobProperties.DynamicSharding(
                                "dynamic-sharding", Duration.ofSeconds(5), OnStopTimeout.PROCEED, Duration.ZERO)));
    }

    @Test
    void everythingThatIsWrongIsReportedAtOnce() {
        runner.withBean("one", Partitions.class, () -> new Partitions(new Heard<>()))
                .withBean("two", Partitions.class, () -> new Partitions(new Heard<>()))
                .withBean("three", NoNotice.class)
                .withBean("four", BadName.class)
                .run(context -> assertThat(context)
                        .getFailure()
                        .isInstanceOf(FailureAnalyzedException.class)
                        .hasMessageContaining("Group \"partitions\" is declared by 2 beans: \"one\" and \"two\"")
                        .hasMessageContaining(
                                "Bean \"three\" has @DynamicSharding, so it must implement ShardingNotice")
                        .hasMessageContaining("Bean \"four\" can't take part in the group \"a/b\""));
    }

    @Test
    void namespaceThatCanNotBeUsedKeepsTheApplicationFromStarting() {
        runner.withBean(Partitions.class, () -> new Partitions(new Heard<>()))
                .withPropertyValues("elasticjob.dynamic-sharding.namespace=/shares/")
                .run(context -> assertThat(context)
                        .getFailure()
                        .hasStackTraceContaining("\"elasticjob.dynamic-sharding.namespace\" can't be \"/shares/\""));
    }

    private static List<GroupReport> groups(ApplicationContext context) throws Exception {
        return context.getBean(GroupInspector.class)
                .groups()
                .toCompletableFuture()
                .get(20, TimeUnit.SECONDS);
    }

    @DynamicSharding("partitions")
    static class Partitions implements ShardingNotice {
        private final Heard<String> told;

        Partitions(Heard<String> told) {
            this.told = told;
        }

        @Override
        public void startSharding() {
            told.add("stop");
        }

        @Override
        public void shardingCompleted(ShardAssignment assignment) {
            told.add(assignment.index() + "/" + assignment.total());
        }
    }

    static class Quiet implements ShardingNotice {
        @Override
        public void startSharding() {
            // Nothing to stop.
        }

        @Override
        public void shardingCompleted(ShardAssignment assignment) {
            // Nothing to do.
        }
    }

    @DynamicSharding(group = "scanned")
    static class Scanned extends Quiet {}

    @DynamicSharding("a/b")
    static class BadName extends Quiet {}

    @DynamicSharding("nothing")
    static class NoNotice {}

    @Configuration(proxyBeanMethods = false)
    static class Declared {
        @Bean
        Quiet nameless() {
            return new Quiet();
        }

        @Bean
        @DynamicSharding("${shares}")
        Quiet named() {
            return new Quiet();
        }
    }
}
