package dev.elasticjob.spring.autoconfigure;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.HashMap;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.springframework.core.env.MapPropertySource;
import org.springframework.core.env.MutablePropertySources;
import org.springframework.core.env.StandardEnvironment;
import org.springframework.core.env.SystemEnvironmentPropertySource;

class JobPropertiesTest {
    private final Map<String, Object> commandLine = new HashMap<>();
    private final Map<String, Object> variables = new HashMap<>();
    private final Map<String, Object> file = new HashMap<>();

    @ParameterizedTest
    @CsvSource({
        "orders, ELASTICJOB_JOBS_ORDERS_CRON",
        "ORDERS, ELASTICJOB_JOBS_ORDERS_CRON",
        "my-job, ELASTICJOB_JOBS_MYJOB_CRON",
        "my-job, ELASTICJOB_JOBS_MY_JOB_CRON",
        "myJob, ELASTICJOB_JOBS_MYJOB_CRON",
        "my_job, ELASTICJOB_JOBS_MYJOB_CRON",
        "my_job, ELASTICJOB_JOBS_MY_JOB_CRON",
        "my.job, ELASTICJOB_JOBS_MYJOB_CRON",
        "job 7, ELASTICJOB_JOBS_JOB7_CRON"
    })
    void anEnvironmentVariableAddressesAJobByItsLettersAndDigits(String job, String variable) {
        variables.put(variable, "0 0 1 * * ?");

        assertThat(settings().of(job).cron()).isEqualTo("0 0 1 * * ?");
    }

    @ParameterizedTest
    @CsvSource({
        "orders, elasticjob.jobs.orders",
        "ORDERS, elasticjob.jobs.ORDERS",
        "my-job, elasticjob.jobs.my-job",
        "my-job, elasticjob.jobs[my-job]",
        "myJob, elasticjob.jobs.myJob",
        "my_job, elasticjob.jobs.my_job",
        "my_job, elasticjob.jobs[my_job]",
        "my.job, elasticjob.jobs[my.job]",
        "订单, elasticjob.jobs[订单]"
    })
    void aVariableAndTheFileAreMergedPropertyByProperty(String job, String key) {
        file.put(key + ".cron", "0 0 1 * * ?");
        file.put(key + ".sharding-total-count", "3");
        file.put(key + ".retry.max-attempts", "2");
        file.put(key + ".job-properties.Some_Key", "value");
        variables.put("ELASTICJOB_JOBS_MYJOB_SHARDINGTOTALCOUNT", "5");
        variables.put("ELASTICJOB_JOBS_ORDERS_SHARDINGTOTALCOUNT", "5");

        ElasticJobProperties.Job settings = settings().of(job);

        assertThat(settings.cron()).isEqualTo("0 0 1 * * ?");
        assertThat(settings.shardingTotalCount()).isEqualTo(job.equals("订单") ? 3 : 5);
        assertThat(settings.retry()).extracting("maxAttempts").isEqualTo(2);
        assertThat(settings.jobProperties()).containsOnly(Map.entry("Some_Key", "value"));
    }

    @Test
    void anArgumentInBracketsGoesBeforeAVariable() {
        commandLine.put("elasticjob.jobs[my.job].cron", "0 0 1 * * ?");
        variables.put("ELASTICJOB_JOBS_MYJOB_CRON", "0 0 2 * * ?");
        file.put("elasticjob.jobs[my.job].cron", "0 0 3 * * ?");

        assertThat(settings().of("my.job").cron()).isEqualTo("0 0 1 * * ?");
    }

    @Test
    void theSettingsOfAJobAreBoundOnce() {
        file.put("elasticjob.jobs.orders.cron", "0 0 1 * * ?");
        JobProperties settings = settings();

        assertThat(settings.of("orders")).isSameAs(settings.of("orders"));
        assertThat(settings.of("without-any")).isSameAs(settings.of("without-any"));
    }

    @Test
    void aVariableAddsNoJobBesideTheFiles() {
        file.put("elasticjob.jobs.clean-up.job-type", "script");
        variables.put("ELASTICJOB_JOBS_CLEANUP_CRON", "0 0 2 * * ?");
        variables.put("ELASTICJOB_JOBS_ALONE_CRON", "0 0 2 * * ?");

        assertThat(settings().namesBeside(List.of())).containsExactly("alone", "clean-up");
        assertThat(settings().namesBeside(List.of("alone", "cleanUp"))).isEmpty();
    }

    @Test
    void aKeyInBracketsIsForTheJobOfExactlyThatName() {
        file.put("elasticjob.jobs[my-job].cron", "0 0 1 * * ?");
        file.put("elasticjob.jobs[my_job].cron", "0 0 2 * * ?");

        assertThat(settings().of("my-job").cron()).isEqualTo("0 0 1 * * ?");
        assertThat(settings().of("my_job").cron()).isEqualTo("0 0 2 * * ?");
        assertThat(settings().of("myJob").cron()).isNull();
        assertThat(settings().ambiguous(List.of("my-job", "my_job"))).isEmpty();
    }

    @Test
    void aKeyWithoutBracketsIsAmbiguousForTwoJobsThatAreAlike() {
        file.put("elasticjob.jobs.my-job.cron", "0 0 1 * * ?");
        file.put("elasticjob.jobs.orders.cron", "0 0 1 * * ?");

        assertThat(settings().ambiguous(List.of("my-job", "my_job", "orders")))
                .extracting(JobProperties.Key::property)
                .containsExactly("elasticjob.jobs.my-job");
    }

    private JobProperties settings() {
        var environment = new StandardEnvironment();
        MutablePropertySources sources = environment.getPropertySources();
        sources.addFirst(new MapPropertySource("commandLineArgs", commandLine));
        sources.replace(
                StandardEnvironment.SYSTEM_ENVIRONMENT_PROPERTY_SOURCE_NAME,
                new SystemEnvironmentPropertySource(
                        StandardEnvironment.SYSTEM_ENVIRONMENT_PROPERTY_SOURCE_NAME, variables));
        sources.addLast(new MapPropertySource("application.yml", file));
        return new JobProperties(environment);
    }
}
