package dev.elasticjob.spring.autoconfigure;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatException;

import dev.elasticjob.job.ShardingContext;
import dev.elasticjob.job.SimpleJob;
import dev.elasticjob.job.event.JobEvent;
import dev.elasticjob.job.event.JobEvent.ItemFinished;
import dev.elasticjob.job.event.JobEventListener;
import dev.elasticjob.registry.JobTree;
import dev.elasticjob.registry.Registry;
import dev.elasticjob.spring.ElasticJob;
import dev.elasticjob.testing.Heard;
import dev.elasticjob.testing.ZooKeeperTestServer;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.concurrent.TimeUnit;
import org.apache.curator.framework.CuratorFramework;
import org.apache.curator.framework.CuratorFrameworkFactory;
import org.apache.curator.framework.imps.CuratorFrameworkState;
import org.apache.curator.retry.RetryForever;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.ExtendWith;
import org.springframework.boot.SpringApplication;
import org.springframework.boot.WebApplicationType;
import org.springframework.boot.autoconfigure.EnableAutoConfiguration;
import org.springframework.boot.test.system.CapturedOutput;
import org.springframework.boot.test.system.OutputCaptureExtension;
import org.springframework.context.ConfigurableApplicationContext;
import org.springframework.context.annotation.Bean;
import org.springframework.context.annotation.Configuration;
import org.springframework.context.annotation.Import;

/** Jobs on the application's own Curator client, and what an application may change about ours; on a real server. */
@ExtendWith(OutputCaptureExtension.class)
class OwnClientIT {
    private static final JobTree ORDERS = new JobTree("orders");

    private final ZooKeeperTestServer server = ZooKeeperTestServer.start();
    private final CuratorFramework client = CuratorFrameworkFactory.builder()
            .connectString(server.connectString())
            .namespace("cloud")
            .sessionTimeoutMs(6000)
            .retryPolicy(new RetryForever(100))
            .build();
    private final Heard<JobEvent> events = new Heard<>();

    @AfterEach
    void close() {
        client.close();
        server.close();
    }

    @Test
    void jobsUseTheApplicationsClientAndLeaveItOpen() throws Exception {
        client.start();
        assertThat(client.blockUntilConnected(60, TimeUnit.SECONDS)).isTrue();
        ConfigurableApplicationContext application = start(Orders.class);
        awaitRun();
        long session =
                application.getBean(Registry.class).session().orElseThrow().id();

        application.close();

        assertThat(session).isEqualTo(client.getZookeeperClient().getZooKeeper().getSessionId());
        assertThat(client.getState()).isEqualTo(CuratorFrameworkState.STARTED);
        CuratorFramework whole = client.usingNamespace(null);
        assertThat(whole.checkExists().forPath("/shop" + ORDERS.config())).isNotNull();
        assertThat(whole.getChildren().forPath("/shop" + ORDERS.instances()))
                .as("the instance has left, although the session goes on")
                .isEmpty();
    }

    @Test
    void nothingIsSaidOfATimeoutThatTheApplicationHasRequestedItself(CapturedOutput output) {
        try (var curators = CuratorFrameworkFactory.builder()
                .connectString(server.connectString())
                .sessionTimeoutMs(60_000)
                .retryPolicy(new RetryForever(100))
                .build()) {
            curators.start();

            try (ConfigurableApplicationContext application = start(Orders.class, curators)) {
                awaitRun();
                assertThat(application
                                .getBean(Registry.class)
                                .session()
                                .orElseThrow()
                                .timeout())
                        .as("what Curator requests by default, as far as the server grants it")
                        .isGreaterThan(Duration.ofSeconds(20));
            }
        }

        assertThat(output).doesNotContain("requested a session timeout");
    }

    @Test
    void jobsGoOnWhenTheServerIsBack() throws Exception {
        client.start();
        try (ConfigurableApplicationContext application = start(Orders.class)) {
            awaitRun();

            server.stop();
            events.clear();
            server.restart();

            awaitRun();
        }
    }

    @Test
    void clientThatIsNotStartedIsReported(CapturedOutput output) {
        assertThatException().isThrownBy(() -> start(Orders.class));

        assertThat(output)
                .contains("APPLICATION FAILED TO START")
                .contains("The CuratorFramework was expected to be started, but is LATENT.")
                .contains("Correct the CuratorFramework bean, or set \"elasticjob.registry.connect-string\"");
    }

    @Test
    void digestCannotBeAddedToAClientOfTheApplication(CapturedOutput output) {
        client.start();

        assertThatException().isThrownBy(() -> start(Orders.class, "--elasticjob.registry.digest=shop:secret"));

        assertThat(output)
                .contains("APPLICATION FAILED TO START")
                .contains("can't be added to the application's own CuratorFramework bean")
                .doesNotContain("shop:secret");
    }

    @Test
    void connectStringGoesBeforeTheApplicationsClient() {
        try (ConfigurableApplicationContext application =
                start(Orders.class, "--elasticjob.registry.connect-string=" + server.connectString())) {
            awaitRun();
        }

        assertThat(client.getState()).isEqualTo(CuratorFrameworkState.LATENT);
    }

    @Test
    void builderCanBeCustomized() {
        try (ConfigurableApplicationContext application =
                start(Customized.class, "--elasticjob.registry.connect-string=127.0.0.1:1")) {
            awaitRun();
        }
    }

    private void awaitRun() {
        events.await("an item", all -> all.stream().anyMatch(ItemFinished.class::isInstance));
    }

    private ConfigurableApplicationContext start(Class<?> application, String... properties) {
        return start(application, client, properties);
    }

    private ConfigurableApplicationContext start(
            Class<?> application, CuratorFramework cloudClient, String... properties) {
        var spring = new SpringApplication(application);
        spring.setWebApplicationType(WebApplicationType.NONE);
        spring.addInitializers(
                context -> context.getBeanFactory().registerSingleton("cloudClient", cloudClient),
                context -> context.getBeanFactory().registerSingleton("heard", (JobEventListener) events::add),
                context -> context.getBeanFactory().registerSingleton("server", server));
        List<String> arguments =
                new ArrayList<>(List.of("--elasticjob.registry.namespace=shop", "--elasticjob.shutdown-timeout=2s"));
        arguments.addAll(Arrays.asList(properties));
        return spring.run(arguments.toArray(String[]::new));
    }

    @Configuration(proxyBeanMethods = false)
    @EnableAutoConfiguration
    @Import(OrdersJob.class)
    static class Orders {}

    @Configuration(proxyBeanMethods = false)
    @EnableAutoConfiguration
    @Import(OrdersJob.class)
    static class Customized {
        @Bean
        ElasticJobCuratorBuilderCustomizer whereItReallyIs(ZooKeeperTestServer server) {
            return builder -> builder.connectString(server.connectString()).namespace("ignored");
        }
    }

    @ElasticJob(name = "orders", cron = "* * * * * ?")
    static class OrdersJob implements SimpleJob {
        @Override
        public void execute(ShardingContext context) {}
    }
}
