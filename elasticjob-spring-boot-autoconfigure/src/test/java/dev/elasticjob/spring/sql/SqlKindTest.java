package dev.elasticjob.spring.sql;

import static org.assertj.core.api.Assertions.assertThat;

import dev.elasticjob.definition.InvalidJobDefinitionException.Violation;
import dev.elasticjob.definition.JobDefinition;
import dev.elasticjob.definition.kind.JobKind;
import dev.elasticjob.definition.kind.KindProperty;
import dev.elasticjob.job.ShardingContext;
import dev.elasticjob.spring.OnMemory;
import dev.elasticjob.spring.autoconfigure.ElasticJobAutoConfiguration;
import dev.elasticjob.spring.autoconfigure.JobBeanCollector;
import java.util.List;
import java.util.UUID;
import javax.sql.DataSource;
import org.junit.jupiter.api.Test;
import org.springframework.boot.autoconfigure.AutoConfigurations;
import org.springframework.boot.test.context.assertj.AssertableApplicationContext;
import org.springframework.boot.test.context.runner.ApplicationContextRunner;
import org.springframework.context.annotation.Bean;
import org.springframework.context.annotation.Configuration;
import org.springframework.core.NestedExceptionUtils;
import org.springframework.jdbc.datasource.DriverManagerDataSource;

/** What is refused at startup of jobs of kinds that applications bring, and of SQL jobs. */
class SqlKindTest {
    private static final String PURGE = "elasticjob.jobs.purge.";

    private final ApplicationContextRunner runner = new ApplicationContextRunner()
            .withConfiguration(AutoConfigurations.of(ElasticJobAutoConfiguration.class, SqlJobAutoConfiguration.class))
            .withUserConfiguration(OnMemory.class);
    private final ApplicationContextRunner withDatabase = runner.withBean(
            "shop", DataSource.class, () -> new DriverManagerDataSource("jdbc:h2:mem:" + UUID.randomUUID()));

    @Test
    void aSqlJobNeedsNothingButItsStatement() {
        withDatabase
                .withPropertyValues(
                        PURGE + "job-type=sql",
                        PURGE + "job-properties.sql.statement=DELETE FROM a WHERE b = :item AND c = '?:x' -- :y")
                .run(context -> assertThat(
                                context.getBean(JobBeanCollector.class).jobNames())
                        .containsExactly("purge"));
    }

    @Test
    void everythingThatIsWrongIsSaidAtOnce() {
        withDatabase
                .withPropertyValues(
                        PURGE + "job-type=sql",
                        PURGE + "cron=often",
                        PURGE + "job-properties.sql.statment=DELETE FROM a",
                        PURGE + "job-properties.sql.data-source=shpo",
                        "elasticjob.jobs.copy.job-type=SQL",
                        "elasticjob.jobs.copy.job-properties.sql.statement=UPDATE a SET b = :items, c = :secret",
                        "elasticjob.jobs.marks.job-type=sql",
                        "elasticjob.jobs.marks.job-properties.sql.statement=UPDATE a SET b = ?",
                        "elasticjob.jobs.other.job-type=sqll",
                        "elasticjob.jobs.other.cron=never")
                .run(context -> assertThat(failure(context))
                        .contains("Job \"purge\": cron is \"often\"")
                        .contains("SQL jobs have no such property (did you mean \"sql.statement\"?)")
                        .contains("a SQL job needs the property \"sql.statement\"")
                        .contains("there is no such DataSource bean (did you mean \"shop\"?); expected one of shop")
                        .contains("there is no placeholder \":items\" (did you mean \":item\"?)")
                        .contains("there is no placeholder \":secret\"; expected one of :item, :itemParameter")
                        .contains("a \"?\" has no value")
                        .contains("Job \"other\": jobType is \"sqll\": expected one of simple, dataflow, script, http,"
                                + " sql (did you mean \"sql\"?)")
                        .contains("It comes from the property \"elasticjob.jobs.other.job-type\".")
                        .contains("Job \"other\": cron is \"never\""));
    }

    @Test
    void aNameThatIsUnknownHidesNothingThatTheKindSays() {
        withDatabase
                .withPropertyValues(
                        PURGE + "job-type=sql",
                        PURGE + "job-exception-handler=nobody",
                        PURGE + "job-properties.sql.statement=DELETE FROM a",
                        PURGE + "job-properties.sql.data-source=shpo")
                .run(context -> assertThat(failure(context))
                        .contains("jobExceptionHandler is \"nobody\"")
                        .contains("there is no such DataSource bean (did you mean \"shop\"?)"));
    }

    @Test
    void aKindSeesAllSettingsThatAreRightAlsoIfAnotherIsWrong() {
        runner.withBean("patient", JobKind.class, Patient::new)
                .withPropertyValues(
                        PURGE + "job-type=patient", PURGE + "cron=often", PURGE + "timeout=5s", PURGE + "failover=true")
                .run(context -> assertThat(failure(context))
                        .contains("cron is \"often\"")
                        .contains("it sees PT5S and true")
                        .doesNotContain("it sees PT0S"));
    }

    /** Says what it sees. */
    private static final class Patient implements JobKind {
        @Override
        public String name() {
            return "PATIENT";
        }

        @Override
        public List<KindProperty> properties() {
            return List.of();
        }

        @Override
        public List<Violation> check(JobDefinition definition) {
            return List.of(new Violation(
                    "jobProperties", "", "it sees %s and %s".formatted(definition.timeout(), definition.failover())));
        }

        @Override
        public void execute(JobDefinition definition, ShardingContext context) {}
    }

    @Test
    void aDataSourceIsNeededAndNamedWhereThereAreSeveral() {
        ApplicationContextRunner purge =
                runner.withPropertyValues(PURGE + "job-type=sql", PURGE + "job-properties.sql.statement=DELETE FROM a");

        purge.run(context -> assertThat(failure(context)).contains("there is no DataSource bean"));
        purge.withUserConfiguration(Two.class)
                .run(context -> assertThat(failure(context))
                        .contains("there are several DataSource beans, and none is primary; expected one of one, two"));
        purge.withUserConfiguration(Two.class)
                .withPropertyValues(PURGE + "job-properties.sql.data-source=two")
                .run(context -> assertThat(context).hasNotFailed());
    }

    @Test
    void twoKindsOfOneNameAreRefusedWithTheOtherProblems() {
        withDatabase
                .withBean("mine", JobKind.class, OwnSql::new)
                .withPropertyValues("elasticjob.shutdown-timeout=-1s")
                .run(context -> assertThat(failure(context))
                        .contains("Two kinds of jobs have the name \"SQL\"", "elasticjob.shutdown-timeout"));
    }

    @Test
    void anApplicationsBeanOfTheNameReplacesOurs() {
        withDatabase
                .withBean("elasticJobSqlKind", JobKind.class, OwnSql::new)
                .withPropertyValues(PURGE + "job-type=sql")
                .run(context -> assertThat(context).hasNotFailed());
    }

    @Test
    void onlyKindsOfTheApplicationCanBeTrusted() {
        runner.withPropertyValues("elasticjob.registry-jobs.kinds=sql")
                .run(context -> assertThat(context).hasNotFailed());
        runner.withPropertyValues("elasticjob.registry-jobs.kinds=sqll,script")
                .run(context -> assertThat(failure(context))
                        .contains("\"elasticjob.registry-jobs.kinds\" contains \"sqll\"", "Did you mean \"SQL\"?"));
    }

    private static String failure(AssertableApplicationContext context) {
        return String.valueOf(NestedExceptionUtils.getMostSpecificCause(context.getStartupFailure())
                .getMessage());
    }

    @Configuration(proxyBeanMethods = false)
    static class Two {
        @Bean
        DataSource one() {
            return new DriverManagerDataSource("jdbc:h2:mem:one");
        }

        @Bean
        DataSource two() {
            return new DriverManagerDataSource("jdbc:h2:mem:two");
        }
    }

    private static final class OwnSql implements JobKind {
        @Override
        public String name() {
            return "SQL";
        }

        @Override
        public List<KindProperty> properties() {
            return List.of();
        }

        @Override
        public void execute(JobDefinition definition, ShardingContext context) {}
    }
}
