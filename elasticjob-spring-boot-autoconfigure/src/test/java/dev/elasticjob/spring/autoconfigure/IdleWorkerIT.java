package dev.elasticjob.spring.autoconfigure;

import static org.assertj.core.api.Assertions.assertThat;

import dev.elasticjob.job.SimpleJob;
import dev.elasticjob.registry.JobTree;
import dev.elasticjob.registry.RegistryRead;
import dev.elasticjob.registry.curator.CuratorRegistry;
import dev.elasticjob.registry.curator.RegistrySettings;
import dev.elasticjob.spring.ElasticJob;
import dev.elasticjob.testing.Heard;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.springframework.boot.autoconfigure.EnableAutoConfiguration;
import org.springframework.context.ConfigurableApplicationContext;
import org.springframework.context.annotation.Bean;
import org.springframework.context.annotation.Configuration;
import org.springframework.context.event.ContextClosedEvent;
import org.springframework.context.event.EventListener;

/** Applications that end when their jobs have nothing to do, or have ended their first items, on a real ZooKeeper. */
class IdleWorkerIT {
    private static final JobTree ORDERS = new JobTree("orders");

    private static final Heard<ContextClosedEvent> CLOSING = new Heard<>();

    private final OnZooKeeper zooKeeper = new OnZooKeeper();

    @AfterEach
    void close() {
        zooKeeper.close();
    }

    @Test
    void bothOfTwoIdleApplicationsCloseAndLeave() {
        String[] idleAfter = {"--elasticjob.worker.idle-after=1s"};
        ConfigurableApplicationContext a = zooKeeper.start("10.0.0.1@-@a", Idle.class, idleAfter);
        ConfigurableApplicationContext b = zooKeeper.start("10.0.0.1@-@b", Idle.class, idleAfter);

        CLOSING.await("both close", closing -> closing.size() == 2);
        // Waits until they are closed.
        a.close();
        b.close();

        try (var registry = CuratorRegistry.connect(RegistrySettings.of(zooKeeper.connectString(), "shop"))) {
            var answer = OnZooKeeper.get(registry.read(List.of(RegistryRead.children(ORDERS.instances()))));
            assertThat(answer.children(ORDERS.instances())).isEmpty();
        }
    }

    @Test
    void aProcessWithAWebServerEndsWithExitCode0() throws IOException {
        assertThat(printedByProcess("--elasticjob.worker.idle-after=1s"))
                .containsSubsequence("item runs", "idle", "context closes");
    }

    /** It would have nothing to do for a day. */
    @Test
    void aFreshProcessEndsAfterItsFirstItemWithExitCode0() throws IOException {
        assertThat(printedByProcess("--elasticjob.worker.fresh=true", "--elasticjob.worker.idle-after=1d"))
                .containsSubsequence("item runs", "finished", "context closes");

        try (var registry = CuratorRegistry.connect(RegistrySettings.of(zooKeeper.connectString(), "shop"))) {
            var answer = OnZooKeeper.get(registry.read(List.of(RegistryRead.children(ORDERS.instances()))));
            assertThat(answer.children(ORDERS.instances())).isEmpty();
        }
    }

    /** Of a process that ends with exit code 0. */
    private List<String> printedByProcess(String... settings) throws IOException {
        List<String> command = new ArrayList<>(List.of(
                Path.of(System.getProperty("java.home"), "bin", "java").toString(),
                "-Xmx256m",
                "-XX:TieredStopAtLevel=1",
                "-cp",
                System.getProperty("java.class.path"),
                IdleWorkerApplication.class.getName(),
                "--server.port=0",
                "--elasticjob.registry.connect-string=" + zooKeeper.connectString(),
                "--elasticjob.registry.namespace=shop"));
        command.addAll(List.of(settings));
        Process process = new ProcessBuilder(command).redirectErrorStream(true).start();
        try {
            process.getOutputStream().close();
            List<String> printed = new String(process.getInputStream().readAllBytes(), StandardCharsets.UTF_8)
                    .lines()
                    .toList();
            int exitCode =
                    process.onExit().orTimeout(60, TimeUnit.SECONDS).join().exitValue();

            assertThat(exitCode).as("exit code after %s", printed).isZero();
            return printed;
        } finally {
            process.destroyForcibly();
        }
    }

    @Configuration(proxyBeanMethods = false)
    @EnableAutoConfiguration
    static class Idle {
        @Bean
        @ElasticJob(name = "orders", cron = "0 0 0 1 1 ? 2099")
        SimpleJob orders() {
            return context -> {};
        }

        @EventListener
        void closing(ContextClosedEvent closed) {
            CLOSING.add(closed);
        }
    }
}
