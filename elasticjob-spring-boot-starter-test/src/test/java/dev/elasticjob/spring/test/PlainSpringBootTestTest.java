package dev.elasticjob.spring.test;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatIllegalStateException;
import static org.assertj.core.api.Assertions.assertThatNoException;

import dev.elasticjob.admin.JobAdmin;
import dev.elasticjob.admin.command.Actor;
import dev.elasticjob.job.ShardingContext;
import dev.elasticjob.job.SimpleJob;
import dev.elasticjob.spring.ElasticJob;
import dev.elasticjob.spring.autoconfigure.EngineLifecycle;
import java.util.List;
import java.util.Optional;
import org.junit.jupiter.api.Nested;
import org.junit.jupiter.api.Test;
import org.springframework.beans.factory.annotation.Autowired;
import org.springframework.boot.ApplicationArguments;
import org.springframework.boot.autoconfigure.EnableAutoConfiguration;
import org.springframework.boot.test.context.SpringBootTest;
import org.springframework.boot.test.context.SpringBootTest.WebEnvironment;
import org.springframework.context.ApplicationContext;
import org.springframework.context.annotation.Configuration;
import org.springframework.context.annotation.Import;
import org.springframework.test.context.TestPropertySource;

/** A test that asks for no jobs, in an application whose registry is not there: its jobs would end the start. */
@SpringBootTest(
        classes = PlainSpringBootTestTest.Application.class,
        properties = {"elasticjob.registry.connect-string=127.0.0.1:1", "elasticjob.registry.connection-timeout=200ms"})
class PlainSpringBootTestTest {
    @Autowired
    private EngineLifecycle lifecycle;

    @Test
    void applicationRunsNoJobs() {
        assertThat(lifecycle.engine()).isEmpty();
    }

    @Test
    void commandsAreRefusedWithWhatToDo(@Autowired JobAdmin admin) {
        assertThatIllegalStateException()
                .isThrownBy(() -> admin.trigger("orders"))
                .withMessageContaining("\"JobAdmin.trigger\"")
                .withMessageContaining("@ElasticJobTest")
                .withMessageContaining("\"elasticjob.worker.enabled\"");
        assertThatIllegalStateException()
                .isThrownBy(() -> admin.by(new Actor("ann", Optional.empty())).trigger("orders"));
    }

    @Nested
    @TestPropertySource(properties = "elasticjob.worker.enabled=false")
    class ThatSubmits {
        @Test
        void commandsAreNotRefused(@Autowired JobAdmin admin) {
            assertThatNoException().isThrownBy(() -> admin.trigger("orders"));
        }
    }

    @Nested
    @TestPropertySource(properties = {"elasticjob.worker.enabled=true", "elasticjob.registry.fail-fast=false"})
    class ThatAsksForThem {
        @Autowired
        private EngineLifecycle own;

        @Test
        void applicationRunsThem() {
            assertThat(own.engine()).isPresent();
        }
    }

    /** The attributes of {@code @SpringBootTest}. */
    @Nested
    @ElasticJobTest(classes = Application.class, args = "--of=the-test", webEnvironment = WebEnvironment.NONE)
    class WithTheKit {
        @Test
        void argumentsReachTheApplication(@Autowired ApplicationArguments arguments) {
            assertThat(arguments.getOptionValues("of")).isEqualTo(List.of("the-test"));
        }

        @Test
        void jobsRun(Jobs jobs, @Autowired ApplicationContext context) {
            assertThat(jobs.fire("orders")).succeeded();
            assertThat(context.getEnvironment().getProperty("spring.main.web-application-type"))
                    .isEqualTo("none");
        }
    }

    @Configuration(proxyBeanMethods = false)
    @EnableAutoConfiguration
    @Import(OrdersJob.class)
    static class Application {}

    @ElasticJob(name = "orders", cron = "0 0 3 * * ?")
    static class OrdersJob implements SimpleJob {
        @Override
        public void execute(ShardingContext context) {}
    }
}
