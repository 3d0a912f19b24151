package dev.elasticjob.spring.autoconfigure;

import static org.assertj.core.api.Assertions.assertThat;

import dev.elasticjob.job.SimpleJob;
import dev.elasticjob.spring.ElasticJob;
import dev.elasticjob.testing.ChildJvm;
import java.util.List;
import java.util.regex.Pattern;
import org.junit.jupiter.api.Test;
import org.springframework.boot.SpringApplication;
import org.springframework.boot.SpringBootConfiguration;
import org.springframework.boot.autoconfigure.EnableAutoConfiguration;
import org.springframework.context.annotation.Bean;

/** What an application prints that starts with a job and an embedded server, in a process of its own. */
class StartupLinesIT {
    private static final int MOST_LINES = 8;
    /** What Spring Boot does without a file. */
    private static final String BOOTS_LOG = "--logging.config=classpath:log-of-spring-boot.xml";
    // Abbreviated as in "d.e.c.JobCoordination" or "o.a.z.s.e.ZooKeeperServerEmbeddedImpl".
    private static final Pattern OURS_OR_THE_CLIENTS = Pattern.compile(
            "] (d\\.e\\.|dev\\.elasticjob\\.|o\\.a(pache)?\\.[cz][a-z]*\\.|org\\.apache\\.(zookeeper|curator))");
    private static final String STARTED = "Started StartupLinesIT";
    private static final String STOPPED = "has stopped";

    @Test
    void anApplicationPrintsFewLinesUntilItHasStarted() {
        List<String> lines = printed();

        int started = indexOf(lines, STARTED);
        assertThat(lines.subList(0, started).stream()
                        .filter(line -> OURS_OR_THE_CLIENTS.matcher(line).find())
                        .filter(line -> !line.contains("StartupLinesIT")))
                .hasSizeLessThanOrEqualTo(MOST_LINES)
                .anySatisfy(line -> assertThat(line).contains("An embedded ZooKeeper listens"))
                .anySatisfy(line -> assertThat(line).contains("CONNECTED"))
                .anySatisfy(line -> assertThat(line).contains("owns 2 of 2 items"));
        assertThat(lines).noneMatch(line -> line.contains("less than connection timeout"));
        assertThat(lines.subList(started, lines.size()))
                .as("the lines of a stop")
                .noneMatch(line -> line.contains("o.a.z") || line.contains("died") || line.contains(" ERROR "));
    }

    private static List<String> printed() {
        try (ChildJvm application = ChildJvm.start(
                "application",
                line -> {},
                List.of("-Xmx256m", "-XX:TieredStopAtLevel=1", "-XX:+UseSerialGC"),
                Application.class,
                List.of(
                        BOOTS_LOG,
                        "--spring.main.web-application-type=none",
                        "--spring.docker.compose.enabled=false",
                        "--elasticjob.registry.embedded.enabled=true",
                        "--elasticjob.registry.embedded.port=0",
                        // Shorter than the connection timeout.
                        "--elasticjob.registry.session-timeout=6s",
                        "--management.endpoints.access.default=none"))) {
            application.await("its end", line -> line.contains(STOPPED));
            return application.printed().all();
        }
    }

    private static int indexOf(List<String> lines, String text) {
        for (int i = 0; i < lines.size(); i++) {
            if (lines.get(i).contains(text)) {
                return i;
            }
        }
        throw new AssertionError("\"%s\" was not printed:%n%s".formatted(text, String.join("\n", lines)));
    }

    @SpringBootConfiguration(proxyBeanMethods = false)
    @EnableAutoConfiguration
    static class Application {
        @Bean
        @ElasticJob(cron = "0 0 0 1 1 ?", shardingTotalCount = 2)
        SimpleJob orders() {
            return context -> {};
        }

        public static void main(String[] arguments) {
            SpringApplication.run(Application.class, arguments).close();
            System.out.println("The application " + STOPPED);
        }
    }
}
