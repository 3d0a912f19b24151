package dev.elasticjob.spring.autoconfigure;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.elasticjob.coordination.LeaderElection;
import dev.elasticjob.engine.ElasticJobEngine;
import dev.elasticjob.job.SimpleJob;
import dev.elasticjob.registry.Registry;
import dev.elasticjob.registry.memory.InMemoryRegistry;
import dev.elasticjob.spring.ElasticJob;
import dev.elasticjob.spring.actuate.ElasticJobEndpoint;
import dev.elasticjob.spring.actuate.ElasticJobEndpointAutoConfiguration;
import dev.elasticjob.spring.actuate.JobsBody;
import dev.elasticjob.spring.embedded.EmbeddedZooKeeper;
import dev.elasticjob.testing.Heard;
import java.util.Objects;
import java.util.Set;
import java.util.TreeSet;
import java.util.function.Consumer;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.ExtendWith;
import org.springframework.boot.autoconfigure.AutoConfigurations;
import org.springframework.boot.test.context.runner.ApplicationContextRunner;
import org.springframework.boot.test.system.CapturedOutput;
import org.springframework.boot.test.system.OutputCaptureExtension;
import org.springframework.context.ApplicationContext;
import org.springframework.context.annotation.Bean;
import org.springframework.context.annotation.Configuration;

/** An application whose context has a parent with the same auto-configuration. */
@ExtendWith(OutputCaptureExtension.class)
class ChildContextTest {
    private static final String[] EMBEDDED = {
        "elasticjob.registry.embedded.enabled=true", "elasticjob.registry.embedded.port=0"
    };

    private final ApplicationContextRunner each = new ApplicationContextRunner()
            .withConfiguration(
                    AutoConfigurations.of(ElasticJobAutoConfiguration.class, ElasticJobEndpointAutoConfiguration.class))
            .withPropertyValues("management.endpoints.web.exposure.include=elasticjob")
            .withPropertyValues(EMBEDDED);

    @Test
    void jobsOfTheChildRunBesideThoseOfTheParent() {
        family(
                each.withUserConfiguration(Calls.class, Orders.class),
                each.withUserConfiguration(Billing.class),
                child -> {
                    awaitCalls(child, "orders", "billing");
                    assertThat(child.getBean(ElasticJobEngine.class).jobNames()).containsExactly("billing");
                    assertThat(parentOf(child).getBean(ElasticJobEngine.class).jobNames())
                            .containsExactly("orders");
                });
    }

    @Test
    void jobsOfTheChildRunWhereTheParentHasNone() {
        family(each.withUserConfiguration(Calls.class), each.withUserConfiguration(Billing.class), child -> {
            awaitCalls(child, "billing");
            assertThat(parentOf(child).getBean(EngineLifecycle.class).engine()).isEmpty();
        });
    }

    @Test
    void eachHasASessionOfItsOwnOnOneEmbeddedServer() {
        family(
                each.withUserConfiguration(Calls.class, Orders.class),
                each.withUserConfiguration(Billing.class),
                child -> {
                    Registry inChild = child.getBean(Registry.class);
                    Registry inParent = parentOf(child).getBean(Registry.class);

                    assertThat(inChild.session()).isPresent().isNotEqualTo(inParent.session());
                    assertThat(child.getBean(ZooKeeperConnectionDetails.class).getConnectString())
                            .isEqualTo(parentOf(child)
                                    .getBean(EmbeddedZooKeeper.class)
                                    .connectString());
                });
    }

    @Test
    void registryOfTheApplicationsOwnIsThatOfTheChildToo() {
        family(
                each.withUserConfiguration(EngineLifecycleTest.OnMemory.class, Calls.class, Orders.class),
                each.withUserConfiguration(Billing.class),
                child -> {
                    awaitCalls(child, "orders", "billing");
                    assertThat(child.getBean(Registry.class))
                            .isSameAs(parentOf(child).getBean(Registry.class))
                            .isInstanceOf(InMemoryRegistry.class);
                });
    }

    @Test
    void portsOfTheChildAreThoseOfItsJobs() {
        family(
                each.withUserConfiguration(Calls.class, Orders.class),
                each.withUserConfiguration(Billing.class),
                child -> {
                    awaitCalls(child, "billing");
                    assertThat(child.getBean(LeaderElection.class).isLeader("billing"))
                            .isTrue();
                    assertThat(parentOf(child).getBean(LeaderElection.class).isLeader("orders"))
                            .isTrue();
                });
    }

    @Test
    void endpointOfTheChildShowsTheJobsOfBoth() {
        family(
                each.withUserConfiguration(Calls.class, Orders.class),
                each.withUserConfiguration(Billing.class),
                child -> {
                    ElasticJobEndpoint endpoint = child.getBean(ElasticJobEndpoint.class);

                    assertThat(endpoint.jobs().jobs())
                            .extracting(JobsBody.JobBody::name)
                            .containsExactly("billing", "orders");
                    assertThat(endpoint.job("orders")).isNotNull();
                    assertThat(endpoint.job("billing")).isNotNull();
                    assertThatThrownBy(() -> endpoint.job("other")).hasMessageContaining("no job \"other\"");
                });
    }

    @Test
    void jobThatBothDeclareRunsInTheParent(CapturedOutput output) {
        family(
                each.withUserConfiguration(Calls.class, Orders.class),
                each.withUserConfiguration(Orders.class, Billing.class),
                child -> {
                    assertThat(child.getBean(ElasticJobEngine.class).jobNames()).containsExactly("billing");
                    assertThat(output)
                            .containsPattern(
                                    "WARN .*Job \"orders\" already runs in the parent context, so bean \"orders\"");
                });
    }

    @Test
    void settingsOfTheParentsJobsAreNotStrangeToTheChild(CapturedOutput output) {
        family(
                each.withUserConfiguration(Calls.class, Orders.class),
                each.withUserConfiguration(Billing.class)
                        .withPropertyValues(
                                "elasticjob.jobs.orders.job-parameter=x",
                                "elasticjob.jobs.billing.job-parameter=europe",
                                "elasticjob.fail-on-unknown-jobs=true"),
                child -> awaitCalls(child, "orders", "billing europe"));
    }

    private static void awaitCalls(ApplicationContext context, String... expected) {
        context.getBean(Calls.class)
                .heard
                .await(String.join(", ", expected), all -> new TreeSet<Object>(all).containsAll(Set.of(expected)));
    }

    private static ApplicationContext parentOf(ApplicationContext child) {
        return Objects.requireNonNull(child.getParent());
    }

    private static void family(
            ApplicationContextRunner parents, ApplicationContextRunner children, Consumer<ApplicationContext> test) {
        parents.run(parent -> {
            assertThat(parent).hasNotFailed();
            children.withParent(parent).run(child -> {
                assertThat(child).hasNotFailed();
                test.accept(child);
            });
        });
    }

    static class Calls {
        private final Heard<String> heard = new Heard<>();
    }

    @Configuration(proxyBeanMethods = false)
    static class Orders {
        @Bean
        @ElasticJob(name = "orders", cron = "* * * * * ?")
        SimpleJob orders(Calls calls) {
            return context -> calls.heard.add("orders");
        }
    }

    @Configuration(proxyBeanMethods = false)
    static class Billing {
        @Bean
        @ElasticJob(name = "billing", cron = "* * * * * ?")
        SimpleJob billing(Calls calls) {
            return context -> calls.heard.add(("billing " + context.getJobParameter()).strip());
        }
    }
}
