package dev.elasticjob.spring.autoconfigure;

import java.util.LinkedHashMap;
import java.util.Map;
import java.util.stream.Stream;
import org.springframework.boot.EnvironmentPostProcessor;
import org.springframework.boot.SpringApplication;
import org.springframework.core.Ordered;
import org.springframework.core.env.ConfigurableEnvironment;
import org.springframework.core.env.MapPropertySource;

/**
 * Default log levels for the loggers of ZooKeeper's client that print a stack trace for each failed connection attempt.
 * They would hide the startup report, and would continue every second while the registry is unavailable. This library's
 * own log says what that means for the jobs.
 *
 * <p>A {@code logging.level} of the application for one of these loggers, or a package above it, replaces the default.
 * Created by Spring Boot before it configures logging.
 */
final class ClientLogLevels implements EnvironmentPostProcessor, Ordered {
    private static final String PROPERTY = "logging.level.";
    private static final Map<String, String> DEFAULTS = Map.of(
            "org.apache.zookeeper.ClientCnxn", "error",
            "org.apache.zookeeper.client.StaticHostProvider", "off",
            // Warns of each store that TLS does without, for each connection.
            "org.apache.zookeeper.common.ClientX509Util", "error",
            "org.apache.zookeeper.common.X509Util", "error",
            "org.apache.curator.ConnectionState", "off");

    /** Runs last, after the application's files have been read. */
    @Override
    public void postProcessEnvironment(ConfigurableEnvironment environment, SpringApplication application) {
        Map<String, Object> levels = new LinkedHashMap<>();
        DEFAULTS.forEach((logger, level) -> {
            if (loggerAndPackages(logger).noneMatch(name -> environment.containsProperty(PROPERTY + name))) {
                levels.put(PROPERTY + logger, level);
            }
        });
        environment.getPropertySources().addLast(new MapPropertySource("elasticJobLogLevels", levels));
    }

    @Override
    public int getOrder() {
        return LOWEST_PRECEDENCE;
    }

    private static Stream<String> loggerAndPackages(String logger) {
        return Stream.iterate(
                logger, name -> !name.isEmpty(), name -> name.substring(0, Math.max(0, name.lastIndexOf('.'))));
    }
}
