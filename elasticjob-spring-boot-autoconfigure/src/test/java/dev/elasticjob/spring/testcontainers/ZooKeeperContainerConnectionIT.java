package dev.elasticjob.spring.testcontainers;

import static org.assertj.core.api.Assertions.assertThat;
import static org.junit.jupiter.api.Assumptions.assumeTrue;

import dev.elasticjob.job.ShardingContext;
import dev.elasticjob.job.SimpleJob;
import dev.elasticjob.spring.ElasticJob;
import dev.elasticjob.spring.autoconfigure.ZooKeeperConnectionDetails;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;
import org.springframework.boot.SpringApplication;
import org.springframework.boot.WebApplicationType;
import org.springframework.boot.autoconfigure.EnableAutoConfiguration;
import org.springframework.boot.testcontainers.context.ImportTestcontainers;
import org.springframework.boot.testcontainers.service.connection.ServiceConnection;
import org.springframework.context.ConfigurableApplicationContext;
import org.springframework.context.annotation.Bean;
import org.springframework.context.annotation.Configuration;
import org.springframework.context.annotation.Import;
import org.testcontainers.DockerClientFactory;
import org.testcontainers.containers.GenericContainer;
import org.testcontainers.containers.wait.strategy.Wait;
import org.testcontainers.utility.DockerImageName;

/** {@code @ServiceConnection} with a real container. CI, which has an engine, fails if it was skipped. */
class ZooKeeperContainerConnectionIT {
    @BeforeAll
    static void engineIsThere() {
        if (!"container".equals(System.getenv("ELASTICJOB_TEST_ZOOKEEPER"))) {
            assumeTrue(DockerClientFactory.instance().isDockerAvailable(), "no Docker engine answers");
        }
    }

    @ParameterizedTest
    @ValueSource(classes = {OnContainer.class, OnContainerOfAField.class})
    void jobRunsOnTheContainerWithoutAnyProperty(Class<?> declared) {
        var spring = new SpringApplication(declared);
        spring.setWebApplicationType(WebApplicationType.NONE);

        try (ConfigurableApplicationContext application = spring.run()) {
            GenericContainer<?> container = application.getBean(GenericContainer.class);
            assertThat(application.getBean(ZooKeeperConnectionDetails.class).getConnectString())
                    .isEqualTo(container.getHost() + ":" + container.getMappedPort(2181));
            application
                    .getBean(OrdersJob.class)
                    .ran
                    .orTimeout(60, TimeUnit.SECONDS)
                    .join();
        }
    }

    @Configuration(proxyBeanMethods = false)
    @EnableAutoConfiguration
    @Import(OrdersJob.class)
    static class OnContainer {
        @Bean
        @ServiceConnection("zookeeper")
        GenericContainer<?> zooKeeper() {
            return new GenericContainer<>(DockerImageName.parse("zookeeper:3.9"))
                    .withExposedPorts(2181)
                    .waitingFor(Wait.forLogMessage(".*ZooKeeper audit is.*", 1));
        }
    }

    @Configuration(proxyBeanMethods = false)
    @EnableAutoConfiguration
    @Import(OrdersJob.class)
    @ImportTestcontainers(Containers.class)
    static class OnContainerOfAField {}

    /** Found by the image: no name, and no condition to wait for. */
    interface Containers {
        @ServiceConnection
        GenericContainer<?> ZOOKEEPER =
                new GenericContainer<>(DockerImageName.parse("zookeeper:3.9")).withExposedPorts(2181);
    }

    @ElasticJob(name = "orders", cron = "* * * * * ?")
    static class OrdersJob implements SimpleJob {
        final CompletableFuture<Void> ran = new CompletableFuture<>();

        @Override
        public void execute(ShardingContext context) {
            ran.complete(null);
        }
    }
}
