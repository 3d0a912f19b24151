package dev.elasticjob.spring.autoconfigure;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatException;

import ch.qos.logback.classic.Level;
import ch.qos.logback.classic.Logger;
import ch.qos.logback.classic.spi.ILoggingEvent;
import ch.qos.logback.core.AppenderBase;
import dev.elasticjob.admin.JobAdmin;
import dev.elasticjob.admin.JobInspector;
import dev.elasticjob.job.ShardingContext;
import dev.elasticjob.job.SimpleJob;
import dev.elasticjob.job.event.JobEvent.ItemFinished;
import dev.elasticjob.registry.Registry;
import dev.elasticjob.registry.RegistryRead;
import dev.elasticjob.registry.RegistryUnavailableException;
import dev.elasticjob.spring.ElasticJob;
import dev.elasticjob.testing.Heard;
import dev.elasticjob.testing.ZooKeeperTestServer;
import java.io.IOException;
import java.net.URI;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpResponse;
import java.util.ArrayList;
import java.util.List;
import org.assertj.core.api.ThrowableAssert.ThrowingCallable;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.Timeout.ThreadMode;
import org.junit.jupiter.api.extension.ExtendWith;
import org.slf4j.LoggerFactory;
import org.springframework.boot.SpringApplication;
import org.springframework.boot.autoconfigure.EnableAutoConfiguration;
import org.springframework.boot.context.event.ApplicationPreparedEvent;
import org.springframework.boot.health.contributor.HealthIndicator;
import org.springframework.boot.health.contributor.Status;
import org.springframework.boot.test.system.CapturedOutput;
import org.springframework.boot.test.system.OutputCaptureExtension;
import org.springframework.context.ApplicationListener;
import org.springframework.context.ConfigurableApplicationContext;
import org.springframework.context.annotation.Configuration;
import org.springframework.context.annotation.Import;
import org.springframework.web.bind.annotation.GetMapping;
import org.springframework.web.bind.annotation.RestController;

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
    void aWebApplicationAnswersMeanwhileAndSaysWhatItWaitsFor() throws Exception {
        Heard<String> warnings = new Heard<>();
        try (var context = start(
                warnings, "--elasticjob.registry.connect-string=127.0.0.1:1", "--elasticjob.registry.namespace=shop")) {
            String port = port(context);
            warnings.await(
                    "a warning",
                    all -> all.stream()
                            .anyMatch(line -> line.startsWith("WARN Attempt 1 to connect to the registry failed")
                                    && line.contains("127.0.0.1:1")
                                    && line.contains("the next attempt follows in")));

            assertThat(get(port, "/greeting").body()).isEqualTo("hello");
            assertThat(get(port, "/actuator/elasticjob/orders").statusCode()).isEqualTo(503);
            HttpResponse<String> health = get(port, "/actuator/health");
            assertThat(health.statusCode()).isEqualTo(503);
            assertThat(health.body())
                    .contains("there is no connection to the registry yet: ", "was expected to answer", "127.0.0.1:1");
        }
    }

    @Test
    void aRegistryThatRefusesIsAnErrorInTheLogAndTheApplicationGoesOn() throws Exception {
        Heard<String> complaints = new Heard<>();
        try (ZooKeeperTestServer server = ZooKeeperTestServer.start();
                var context = start(
                        complaints,
                        "--elasticjob.registry.connect-string=" + server.connectString() + "/absent",
                        "--elasticjob.registry.namespace=shop")) {
            complaints.await(
                    "an error",
                    all -> all.stream()
                            .anyMatch(line -> line.startsWith("ERROR Attempt 1 to connect to the registry failed")
                                    && line.contains("/absent")));

            assertThat(get(port(context), "/greeting").body()).isEqualTo("hello");
        }
    }

    /** @param complaints hears what the attempts say at the levels WARN and ERROR */
    private static ConfigurableApplicationContext start(Heard<String> complaints, String... properties) {
        var spring = new SpringApplication(Web.class);
        // Not before: the start of the application resets what listens to the log.
        spring.addListeners((ApplicationListener<ApplicationPreparedEvent>) event -> listen(complaints));
        List<String> arguments = new ArrayList<>(List.of(
                PATIENT,
                "--server.port=0",
                "--elasticjob.registry.connection-timeout=500ms",
                "--management.endpoints.web.exposure.include=health,elasticjob",
                "--management.endpoint.health.show-details=always"));
        arguments.addAll(List.of(properties));
        return spring.run(arguments.toArray(String[]::new));
    }

    private static void listen(Heard<String> complaints) {
        var appender = new AppenderBase<ILoggingEvent>() {
            @Override
            protected void append(ILoggingEvent event) {
                if (event.getLevel().isGreaterOrEqual(Level.WARN)) {
                    complaints.add(event.getLevel() + " " + event.getFormattedMessage());
                }
            }
        };
        Logger logger = (Logger) LoggerFactory.getLogger(BackgroundConnection.class);
        appender.setContext(logger.getLoggerContext());
        appender.start();
        logger.addAppender(appender);
    }

    private static String port(ConfigurableApplicationContext context) {
        return context.getEnvironment().getRequiredProperty("local.server.port");
    }

    private static HttpResponse<String> get(String port, String path) throws IOException, InterruptedException {
        URI address = URI.create("http://localhost:" + port + path);
        return HttpClient.newHttpClient()
                .send(HttpRequest.newBuilder(address).build(), HttpResponse.BodyHandlers.ofString());
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

    @Configuration(proxyBeanMethods = false)
    @EnableAutoConfiguration
    @Import({OrdersJob.class, Greeting.class})
    static class Web {}

    @RestController
    static class Greeting {
        @GetMapping("/greeting")
        String greeting() {
            return "hello";
        }
    }

    @ElasticJob(name = "orders", cron = "* * * * * ?")
    static class OrdersJob implements SimpleJob {
        @Override
        public void execute(ShardingContext context) {}
    }
}
