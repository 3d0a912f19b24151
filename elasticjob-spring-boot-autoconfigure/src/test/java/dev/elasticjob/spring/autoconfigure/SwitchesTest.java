package dev.elasticjob.spring.autoconfigure;

import static org.assertj.core.api.Assertions.assertThat;

import dev.elasticjob.spring.OnMemory;
import dev.elasticjob.spring.trace.JobTraceAutoConfiguration;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.UUID;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.Arguments;
import org.junit.jupiter.params.provider.MethodSource;
import org.springframework.boot.autoconfigure.AutoConfigurations;
import org.springframework.boot.jdbc.autoconfigure.DataSourceAutoConfiguration;
import org.springframework.boot.test.context.runner.ApplicationContextRunner;

/** What switches a part of the starter on or off is read as Spring Boot binds it, and not by its text. */
class SwitchesTest {
    private static final Path ROOT = Path.of("..");
    private static final List<String> ON = List.of("true", "yes", "on", "1", "TRUE", "Yes", "ON", "on ");
    private static final List<String> OFF = List.of("false", "no", "off", "0", "FALSE", "No", "OFF", "off ");

    private final ApplicationContextRunner runner = new ApplicationContextRunner()
            .withConfiguration(AutoConfigurations.of(
                    ElasticJobAutoConfiguration.class,
                    JobTraceAutoConfiguration.class,
                    DataSourceAutoConfiguration.class))
            .withUserConfiguration(OnMemory.class)
            .withPropertyValues("spring.datasource.url=jdbc:h2:mem:" + UUID.randomUUID());

    /** A switch, and the bean that is there where it is on. */
    private enum Switch {
        ENABLED("elasticjob.enabled", "elasticJobBeanCollector"),
        EVENTS("elasticjob.events.publish", "elasticJobEventPublisher"),
        TRACING("elasticjob.tracing.enabled", "elasticJobEventTrace");

        private final String property;
        private final String bean;

        Switch(String property, String bean) {
            this.property = property;
            this.bean = bean;
        }
    }

    static Stream<Arguments> everyPosition() {
        return Stream.of(Switch.values())
                .flatMap(one -> Stream.concat(
                        ON.stream().map(text -> Arguments.of(one, text, true)),
                        OFF.stream().map(text -> Arguments.of(one, text, false))));
    }

    @ParameterizedTest
    @MethodSource("everyPosition")
    void switchIsReadAsBootBindsIt(Switch one, String text, boolean on) {
        runner.withPropertyValues(one.property + "=" + text).run(context -> {
            assertThat(context).hasNotFailed();
            assertThat(context.containsBean(one.bean)).isEqualTo(on);
        });
    }

    @ParameterizedTest
    @MethodSource
    void switchThatCannotBeReadEndsTheStart(Switch one) {
        runner.withPropertyValues(one.property + "=maybe")
                .run(context -> assertThat(context)
                        .getFailure()
                        .hasStackTraceContaining("\"%s\"".formatted(one.property))
                        .hasStackTraceContaining("is \"maybe\": expected true or false"));
    }

    static Stream<Switch> switchThatCannotBeReadEndsTheStart() {
        return Stream.of(Switch.values());
    }

    /** Spring Boot's own conditions compare texts: what is bound as "yes" would be off, and a list would not be there. */
    @Test
    void noConditionComparesTheTextOfAProperty() throws IOException {
        List<String> comparing;
        try (Stream<Path> modules = Files.list(ROOT)) {
            comparing = modules.map(module -> module.resolve("src/main/java"))
                    .filter(Files::isDirectory)
                    .flatMap(SwitchesTest::sources)
                    .filter(SwitchesTest::comparesATextOfAProperty)
                    .map(source -> source.getFileName().toString())
                    .toList();
        }

        assertThat(comparing).isEmpty();
    }

    private static Stream<Path> sources(Path main) {
        try (Stream<Path> files = Files.walk(main)) {
            return files.filter(file -> file.toString().endsWith(".java")).toList().stream();
        } catch (IOException e) {
            throw new AssertionError(e);
        }
    }

    private static boolean comparesATextOfAProperty(Path source) {
        try {
            return Files.readString(source).matches("(?s).*@ConditionalOn(Boolean)?Propert(y|ies)\\b.*");
        } catch (IOException e) {
            throw new AssertionError(e);
        }
    }
}
