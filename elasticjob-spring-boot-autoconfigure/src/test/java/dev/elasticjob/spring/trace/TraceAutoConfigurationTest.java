package dev.elasticjob.spring.trace;

import static org.assertj.core.api.Assertions.assertThat;

import dev.elasticjob.spring.autoconfigure.ElasticJobAutoConfiguration;
import dev.elasticjob.spring.autoconfigure.ElasticJobProperties;
import dev.elasticjob.spring.history.JobHistory;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.util.List;
import java.util.UUID;
import javax.sql.DataSource;
import org.assertj.core.api.ThrowingConsumer;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;
import org.springframework.aot.hint.RuntimeHints;
import org.springframework.aot.hint.predicate.RuntimeHintsPredicates;
import org.springframework.boot.autoconfigure.AutoConfigurations;
import org.springframework.boot.diagnostics.FailureAnalyzedException;
import org.springframework.boot.jdbc.autoconfigure.DataSourceAutoConfiguration;
import org.springframework.boot.jdbc.init.DataSourceScriptDatabaseInitializer;
import org.springframework.boot.test.context.FilteredClassLoader;
import org.springframework.boot.test.context.runner.ApplicationContextRunner;
import org.springframework.context.annotation.Bean;
import org.springframework.context.annotation.Configuration;
import org.springframework.core.io.ClassPathResource;
import org.springframework.jdbc.core.JdbcTemplate;
import org.springframework.jdbc.core.simple.JdbcClient;
import org.springframework.jdbc.datasource.DriverManagerDataSource;

class TraceAutoConfigurationTest {
    private final ApplicationContextRunner without = new ApplicationContextRunner()
            .withConfiguration(AutoConfigurations.of(
                    ElasticJobAutoConfiguration.class,
                    JobTraceAutoConfiguration.class,
                    DataSourceAutoConfiguration.class));
    private final ApplicationContextRunner runner = without.withPropertyValues(
            "elasticjob.tracing.enabled=true", "spring.datasource.url=jdbc:h2:mem:" + UUID.randomUUID());

    @Test
    void createsTablesInAnEmbeddedDatabaseAndOffersTheHistory() {
        runner.run(context -> {
            assertThat(context).hasNotFailed().hasSingleBean(EventTrace.class).hasSingleBean(JobHistory.class);
            assertThat(context.getBean(EventTrace.class).isRunning()).isTrue();
            assertThat(new JdbcTemplate(context.getBean(DataSource.class))
                            .queryForObject("SELECT COUNT(*) FROM JOB_EXECUTION_LOG", Integer.class))
                    .isZero();
        });
    }

    @ParameterizedTest
    @ValueSource(strings = {"h2", "postgresql", "mariadb", "mysql"})
    void aNativeImageHasTheScriptsOfEachDatabase(String database) {
        var hints = new RuntimeHints();
        new JobTraceAutoConfiguration.Scripts().registerHints(hints, getClass().getClassLoader());

        assertThat(List.of("schema-%s.sql", "upgrade-elastic-job-%s.sql"))
                .allSatisfy(script -> assertThat(RuntimeHintsPredicates.resource()
                                .forResource("dev/elasticjob/spring/trace/" + script.formatted(database)))
                        .accepts(hints));
    }

    /** Only MariaDB is tested: MySQL has its scripts, under the name that Spring Boot looks for. */
    @ParameterizedTest
    @ValueSource(strings = {"schema-%s.sql", "upgrade-elastic-job-%s.sql"})
    void mySqlHasTheScriptsOfMariaDb(String script) {
        assertThat(text(script.formatted("mysql"))).isEqualTo(text(script.formatted("mariadb")));
    }

    @Test
    void settingsAreBound() {
        runner.withPropertyValues(
                        "elasticjob.tracing.retention=7d",
                        "elasticjob.tracing.buffer-size=5",
                        "elasticjob.tracing.include-jobs=orders,billing",
                        "elasticjob.tracing.exclude-jobs=billing")
                .run(context -> {
                    ElasticJobProperties.Tracing bound =
                            context.getBean(ElasticJobProperties.class).tracing();
                    assertThat(bound.retention()).isEqualTo(Duration.ofDays(7));
                    assertThat(bound.bufferSize()).isEqualTo(5);
                    assertThat(bound.batchSize()).isEqualTo(500);
                    assertThat(bound.traces("orders")).isTrue();
                    assertThat(bound.traces("billing")).isFalse();
                    assertThat(bound.traces("reports")).isFalse();
                });
    }

    @Test
    void isOffUnlessSwitchedOn() {
        without.withPropertyValues("spring.datasource.url=jdbc:h2:mem:" + UUID.randomUUID())
                .run(context -> assertThat(context).hasNotFailed().doesNotHaveBean(EventTrace.class));
        runner.withPropertyValues("elasticjob.enabled=false")
                .run(context -> assertThat(context).hasNotFailed().doesNotHaveBean(EventTrace.class));
    }

    @Test
    void nothingOfItIsLoadedWithoutJdbc() {
        without.withClassLoader(new FilteredClassLoader(JdbcClient.class, DataSourceScriptDatabaseInitializer.class))
                .run(context -> assertThat(context).hasNotFailed().doesNotHaveBean(EventTrace.class));
    }

    @Test
    void switchedOnWithoutJdbcItSaysWhatIsMissing() {
        new ApplicationContextRunner()
                .withConfiguration(
                        AutoConfigurations.of(ElasticJobAutoConfiguration.class, JobTraceAutoConfiguration.class))
                .withPropertyValues("elasticjob.tracing.enabled=true")
                .withClassLoader(new FilteredClassLoader("org.springframework.jdbc", "org.springframework.boot.jdbc"))
                .run(context -> assertThat(context).getFailure().satisfies(saying("spring-boot-starter-jdbc")));
    }

    @Test
    void switchedOnWithoutADataSourceItSaysWhatIsMissing() {
        new ApplicationContextRunner()
                .withConfiguration(
                        AutoConfigurations.of(ElasticJobAutoConfiguration.class, JobTraceAutoConfiguration.class))
                .withPropertyValues("elasticjob.tracing.enabled=true")
                .run(context -> assertThat(context).getFailure().satisfies(saying("spring.datasource.url")));
    }

    @Test
    void ofSeveralDataSourcesTheOneThatIsNamedIsUsed() {
        var several = new ApplicationContextRunner()
                .withConfiguration(
                        AutoConfigurations.of(ElasticJobAutoConfiguration.class, JobTraceAutoConfiguration.class))
                .withUserConfiguration(Several.class)
                .withPropertyValues("elasticjob.tracing.enabled=true");

        several.withPropertyValues("elasticjob.tracing.datasource=reports").run(context -> {
            assertThat(context).hasNotFailed();
            assertThat(TraceTables.isThere(
                            new JdbcTemplate(context.getBean("reports", DataSource.class)), "JOB_EXECUTION_LOG"))
                    .isTrue();
            assertThat(TraceTables.isThere(
                            new JdbcTemplate(context.getBean("shop", DataSource.class)), "JOB_EXECUTION_LOG"))
                    .isFalse();
        });
        several.run(
                context -> assertThat(context).getFailure().satisfies(saying("Set \"elasticjob.tracing.datasource\"")));
        several.withPropertyValues("elasticjob.tracing.datasource=other")
                .run(context -> assertThat(context).getFailure().satisfies(saying("Set the property to the name")));
    }

    @Test
    void missingTablesFailTheStartWithTheScriptToRun() {
        runner.withPropertyValues("elasticjob.tracing.initialize-schema=never")
                .run(context -> assertThat(context).getFailure().satisfies(saying("schema-h2.sql")));
    }

    @Test
    void aDatabaseThatIsAwayDoesNotStopTheApplication() {
        new ApplicationContextRunner()
                .withConfiguration(
                        AutoConfigurations.of(ElasticJobAutoConfiguration.class, JobTraceAutoConfiguration.class))
                .withBean(DataSource.class, () -> new DriverManagerDataSource("jdbc:postgresql://127.0.0.1:1/none"))
                .withPropertyValues("elasticjob.tracing.enabled=true", "elasticjob.tracing.initialize-schema=never")
                .run(context -> assertThat(context).hasNotFailed().hasSingleBean(EventTrace.class));
    }

    private static ThrowingConsumer<Throwable> saying(String action) {
        return failure -> {
            Throwable cause = failure;
            while (!(cause instanceof FailureAnalyzedException) && cause.getCause() != null) {
                cause = cause.getCause();
            }
            assertThat(cause)
                    .isInstanceOfSatisfying(
                            FailureAnalyzedException.class,
                            analyzed ->
                                    assertThat(analyzed.analysis().getAction()).contains(action));
        };
    }

    @Configuration(proxyBeanMethods = false)
    static class Several {
        @Bean
        DataSource shop() {
            return new DriverManagerDataSource("jdbc:h2:mem:" + UUID.randomUUID() + ";DB_CLOSE_DELAY=-1");
        }

        @Bean
        DataSource reports() {
            return new DriverManagerDataSource("jdbc:h2:mem:" + UUID.randomUUID() + ";DB_CLOSE_DELAY=-1");
        }
    }

    private static String text(String script) {
        try {
            return new ClassPathResource(script, EventTrace.class).getContentAsString(StandardCharsets.UTF_8);
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }
}
