package dev.elasticjob.spring.autoconfigure;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatCode;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;
import org.slf4j.LoggerFactory;
import org.springframework.boot.SpringApplication;
import org.springframework.boot.WebApplicationType;
import org.springframework.boot.logging.LogLevel;
import org.springframework.boot.logging.LoggingInitializationContext;
import org.springframework.boot.logging.LoggingSystem;
import org.springframework.context.ConfigurableApplicationContext;
import org.springframework.context.annotation.Configuration;
import org.springframework.core.env.StandardEnvironment;

class ClientLogLevelsTest {
    private static final String CONNECTION = "org.apache.zookeeper.ClientCnxn";
    private static final String SERVER = "org.apache.zookeeper.server.ZooKeeperServer";
    private static final LoggingSystem LOGGING = LoggingSystem.get(ClientLogLevelsTest.class.getClassLoader());

    /** As in a new process: a context that another test has left open would keep its levels. */
    @BeforeEach
    void forgetLevels() {
        LOGGING.cleanUp();
    }

    /** The other tests of this process log as they did before, not by a file of this one. */
    @AfterEach
    void logAsBefore() {
        LOGGING.cleanUp();
        LOGGING.beforeInitialize();
        LOGGING.initialize(new LoggingInitializationContext(new StandardEnvironment()), null, null);
        LOGGING.cleanUp();
    }

    @Test
    void zooKeeperAndCuratorAreQuietByDefault() {
        assertThat(levelOf(CONNECTION)).isEqualTo(LogLevel.ERROR);
        assertThat(levelOf(SERVER)).isEqualTo(LogLevel.WARN);
        assertThat(levelOf("org.apache.curator.framework.imps.CuratorFrameworkImpl"))
                .isEqualTo(LogLevel.WARN);
        assertThat(levelOf("org.apache.curator.ConnectionState")).isEqualTo(LogLevel.OFF);
    }

    @ParameterizedTest
    @ValueSource(strings = {"org.apache.zookeeper", "org.apache", "org"})
    void aLevelForAPackageAboveIsTheApplications(String name) {
        String level = "--logging.level." + name + "=debug";

        assertThat(levelOf(CONNECTION, level)).isEqualTo(LogLevel.DEBUG);
        assertThat(levelOf(SERVER, level)).isEqualTo(LogLevel.DEBUG);
    }

    @Test
    void aLevelForOneLoggerIsTheApplicationsAndTheOthersStayQuiet() {
        String level = "--logging.level." + CONNECTION + "=info";

        assertThat(levelOf(CONNECTION, level)).isEqualTo(LogLevel.INFO);
        assertThat(levelOf(SERVER, level)).isEqualTo(LogLevel.WARN);
    }

    @Test
    void theLevelOfTheRootLoggerLeavesThemQuiet() {
        assertThat(levelOf(SERVER, "--logging.level.root=debug")).isEqualTo(LogLevel.WARN);
    }

    @Test
    void aLevelForAGroupIsTheApplications() {
        assertThat(levelOf(SERVER, "--logging.group.registry=org.apache.zookeeper", "--logging.level.registry=debug"))
                .isEqualTo(LogLevel.DEBUG);
    }

    @Test
    void aLevelInTheApplicationsFileIsTheApplications(@TempDir Path directory) throws IOException {
        Path file = directory.resolve("logback.xml");
        Files.writeString(file, """
                <configuration>
                  <logger name="org.apache.zookeeper" level="debug"/>
                  <root level="warn"/>
                </configuration>
                """);

        assertThat(levelOf(CONNECTION, "--logging.config=" + file)).isEqualTo(LogLevel.DEBUG);
    }

    @Test
    void aLoggingSystemWithoutLevelsIsLeftAlone() {
        var without = new LoggingSystem() {
            @Override
            public void beforeInitialize() {}
        };

        assertThatCode(() -> ClientLogLevels.applyTo(without)).doesNotThrowAnyException();
    }

    private static LogLevel levelOf(String logger, String... arguments) {
        var spring = new SpringApplication(Nothing.class);
        spring.setWebApplicationType(WebApplicationType.NONE);
        try (ConfigurableApplicationContext context = spring.run(arguments)) {
            assertThat(context.isActive()).isTrue();
            // Exists once its class has been loaded.
            LoggerFactory.getLogger(logger);
            return LOGGING.getLoggerConfiguration(logger)
                    .getLevelConfiguration()
                    .getLevel();
        }
    }

    @Configuration(proxyBeanMethods = false)
    static class Nothing {}
}
