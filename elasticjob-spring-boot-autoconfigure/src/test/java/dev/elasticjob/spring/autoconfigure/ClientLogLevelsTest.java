package dev.elasticjob.spring.autoconfigure;

import static org.assertj.core.api.Assertions.assertThat;

import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;
import org.springframework.boot.SpringApplication;
import org.springframework.boot.WebApplicationType;
import org.springframework.context.ConfigurableApplicationContext;
import org.springframework.context.annotation.Configuration;

class ClientLogLevelsTest {
    private static final String CONNECTION = "logging.level.org.apache.zookeeper.ClientCnxn";

    @Test
    void zooKeepersClientIsQuietByDefault() {
        assertThat(levelWith()).isEqualTo("error");
    }

    @ParameterizedTest
    @ValueSource(strings = {"org.apache.zookeeper", "org.apache", "org"})
    void aLevelForAPackageAboveIsTheApplications(String name) {
        assertThat(levelWith("--logging.level." + name + "=debug")).isNull();
    }

    @Test
    void aLevelForTheLoggerItselfIsTheApplications() {
        assertThat(levelWith("--" + CONNECTION + "=info")).isEqualTo("info");
    }

    private static String levelWith(String... arguments) {
        var spring = new SpringApplication(Nothing.class);
        spring.setWebApplicationType(WebApplicationType.NONE);
        try (ConfigurableApplicationContext context = spring.run(arguments)) {
            return context.getEnvironment().getProperty(CONNECTION);
        }
    }

    @Configuration(proxyBeanMethods = false)
    static class Nothing {}
}
