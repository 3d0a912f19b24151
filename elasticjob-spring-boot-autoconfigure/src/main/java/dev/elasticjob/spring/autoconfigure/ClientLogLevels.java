package dev.elasticjob.spring.autoconfigure;

import java.util.LinkedHashMap;
import java.util.Map;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;
import org.springframework.boot.context.event.ApplicationEnvironmentPreparedEvent;
import org.springframework.boot.context.logging.LoggingApplicationListener;
import org.springframework.boot.logging.LogLevel;
import org.springframework.boot.logging.LoggerConfiguration;
import org.springframework.boot.logging.LoggingSystem;
import org.springframework.context.ApplicationListener;
import org.springframework.core.Ordered;

/**
 * Default log levels for ZooKeeper, its client and Curator. Their INFO is a hundred lines about their environment at each
 * start; and some of their loggers print a stack trace for each failed connection attempt, which would hide the startup
 * report, and continue every second while the registry is unavailable. This library's own log says what that means for
 * the jobs.
 *
 * <p>A level that the application has set for one of these loggers or for a package above it, by a property, a group or a
 * file of its logging system, replaces the default. Created by Spring Boot; acts once the logging system has been
 * configured.
 */
final class ClientLogLevels implements ApplicationListener<ApplicationEnvironmentPreparedEvent>, Ordered {
    private static final Map<String, LogLevel> DEFAULTS = Map.of(
            "org.apache.zookeeper", LogLevel.WARN,
            "org.apache.zookeeper.ClientCnxn", LogLevel.ERROR,
            "org.apache.zookeeper.client.StaticHostProvider", LogLevel.OFF,
            // Warns of each store that TLS does without, for each connection.
            "org.apache.zookeeper.common.ClientX509Util", LogLevel.ERROR,
            "org.apache.zookeeper.common.X509Util", LogLevel.ERROR,
            // Warns that an embedded server has the default number of connections, which is no bound.
            "org.apache.zookeeper.server.ServerCnxnFactory", LogLevel.ERROR,
            "org.apache.curator", LogLevel.WARN,
            "org.apache.curator.ConnectionState", LogLevel.OFF);

    @Override
    public void onApplicationEvent(ApplicationEnvironmentPreparedEvent event) {
        applyTo(LoggingSystem.get(event.getSpringApplication().getClassLoader()));
    }

    /** Right after Spring Boot, for the same event, has configured the logging system. */
    @Override
    public int getOrder() {
        return LoggingApplicationListener.DEFAULT_ORDER + 1;
    }

    static void applyTo(LoggingSystem logging) {
        try {
            Map<String, LogLevel> free = new LinkedHashMap<>();
            DEFAULTS.forEach((logger, level) -> {
                if (loggerAndPackages(logger).noneMatch(name -> isConfigured(logging.getLoggerConfiguration(name)))) {
                    free.put(logger, level);
                }
            });
            free.forEach(logging::setLogLevel);
        } catch (UnsupportedOperationException e) {
            // A logging system of the application's own, whose levels can't be read or set: they stay as they are.
            return;
        }
    }

    private static boolean isConfigured(@Nullable LoggerConfiguration logger) {
        return logger != null && logger.getLevelConfiguration(LoggerConfiguration.ConfigurationScope.DIRECT) != null;
    }

    private static Stream<String> loggerAndPackages(String logger) {
        return Stream.iterate(
                logger, name -> !name.isEmpty(), name -> name.substring(0, Math.max(0, name.lastIndexOf('.'))));
    }
}
