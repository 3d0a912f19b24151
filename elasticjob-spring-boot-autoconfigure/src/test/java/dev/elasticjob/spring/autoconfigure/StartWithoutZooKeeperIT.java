package dev.elasticjob.spring.autoconfigure;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatException;

import dev.elasticjob.admin.JobAdmin;
import dev.elasticjob.admin.JobInspector;
import dev.elasticjob.job.ShardingContext;
import dev.elasticjob.job.SimpleJob;
import dev.elasticjob.job.event.JobEvent.ItemFinished;
import dev.elasticjob.registry.Registry;
import dev.elasticjob.registry.RegistryRead;
import dev.elasticjob.registry.RegistryUnavailableException;
import dev.elasticjob.spring.ElasticJob;
import dev.elasticjob.testing.ZooKeeperTestServer;
import java.util.List;
import org.assertj.core.api.ThrowableAssert.ThrowingCallable;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.Timeout.ThreadMode;
import org.junit.jupiter.api.extension.ExtendWith;
import org.springframework.boot.SpringApplication;
import org.springframework.boot.autoconfigure.EnableAutoConfiguration;
import org.springframework.boot.health.contributor.HealthIndicator;
import org.springframework.boot.health.contributor.Status;
import org.springframework.boot.test.system.CapturedOutput;
import org.springframework.boot.test.system.OutputCaptureExtension;
import org.springframework.context.ConfigurableApplicationContext;
import org.springframework.context.annotation.Configuration;
import org.springframework.context.annotation.Import;

/** An application with {@code elasticjob.registry.fail-fast=false}, and a real server that is late or never comes. */
@ExtendWith(OutputCaptureExtension.class)
class StartWithoutZooKeeperIT {
    private static final String PATIENT = "--elasticjob.registry.fail-fast=false";

    @Test
    void jobsRunWhenZooKeeperAppears(CapturedOutput output) {
        ZooKeeperTestServer server = ZooKeeperTestServer.start();
        server.stop();
        try (var zooKeeper = new OnZooKeeper(server.connectString(), server)) {
            ConfigurableApplicationContext application =
                    zooKeeper.start("a", Orders.class, PATIENT, "--elasticjob.registry.connection-timeout=500ms");
            HealthIndicator health = application.getBean("elasticjobHealthIndicator", HealthIndicator.class);
            Status before = health.health().getStatus();

            server.restart();

            zooKeeper.await(ItemFinished.class, run -> run.instance().equals("a"));
            assertThat(before).isEqualTo(Status.DOWN);
            assertThat(health.health().getStatus()).isEqualTo(Status.UP);
            assertThat(output).containsPattern("INFO .*Connected to the registry at attempt \\d+: the jobs start");
        }
    }

    @Test
    @Timeout(value = 60, threadMode = ThreadMode.SEPARATE_THREAD)
    void nothingWaitsForTheConnection() {
        try (var zooKeeper = new OnZooKeeper("127.0.0.1:1", () -> {})) {
            ConfigurableApplicationContext application =
                    zooKeeper.start("a", Orders.class, PATIENT, "--elasticjob.registry.connection-timeout=10m");

            Registry registry = application.getBean(Registry.class);
            assertThat(registry.session()).isEmpty();
            assertUnavailable(() -> OnZooKeeper.get(registry.read(List.of(RegistryRead.data("/orders")))));
            JobInspector inspector = application.getBean(JobInspector.class);
            assertUnavailable(() -> OnZooKeeper.get(inspector.jobs()));
            assertUnavailable(() -> OnZooKeeper.get(inspector.job("orders")));
            JobAdmin admin = application.getBean(JobAdmin.class);
            assertUnavailable(() -> OnZooKeeper.get(admin.trigger("orders")));
            application.close();
        }
    }

    private static void assertUnavailable(ThrowingCallable asked) {
        assertThatException().isThrownBy(asked).withRootCauseInstanceOf(RegistryUnavailableException.class);
    }

    @Test
    void applicationThatIsPausedBeforeItsFirstConnectionCanGoOn() {
        try (var zooKeeper = new OnZooKeeper("127.0.0.1:1", () -> {})) {
            ConfigurableApplicationContext application =
                    zooKeeper.start("a", Orders.class, PATIENT, "--elasticjob.registry.connection-timeout=10m");
            EngineLifecycle lifecycle = application.getBean(EngineLifecycle.class);

            application.stop();
            application.start();

            assertThat(lifecycle.connecting()).isPresent();
            application.close();
        }
    }

    @Test
    void mistakeInTheSettingsStillFailsStartup(CapturedOutput output) {
        assertThatException().isThrownBy(() -> SpringApplication.run(Orders.class, PATIENT, "--server.port=0"));

        assertThat(output)
                .contains("APPLICATION FAILED TO START")
                .contains("the property \"elasticjob.registry.connect-string\" is not set");
    }

    @Configuration(proxyBeanMethods = false)
    @EnableAutoConfiguration
    @Import(OrdersJob.class)
    static class Orders {}

    @ElasticJob(name = "orders", cron = "* * * * * ?")
    static class OrdersJob implements SimpleJob {
        @Override
        public void execute(ShardingContext context) {}
    }
}
