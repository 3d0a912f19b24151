package dev.elasticjob.spring.autoconfigure;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.Map;
import java.util.TreeMap;
import org.junit.jupiter.api.Test;
import org.springframework.boot.SpringApplication;
import org.springframework.boot.autoconfigure.AutoConfigurations;
import org.springframework.boot.support.SpringApplicationJsonEnvironmentPostProcessor;
import org.springframework.boot.test.context.runner.ApplicationContextRunner;
import org.springframework.context.ApplicationContext;
import org.springframework.core.env.ConfigurableEnvironment;
import org.springframework.core.env.StandardEnvironment;
import org.springframework.core.env.SystemEnvironmentPropertySource;

/** The labels of an instance by the variables of its process, where a deployment knows its zone. */
class WorkerLabelsTest {
    private final ApplicationContextRunner runner =
            new ApplicationContextRunner().withConfiguration(AutoConfigurations.of(ElasticJobAutoConfiguration.class));

    @Test
    void aVariableIsALabelWhoseNameIsInLowerCase() {
        assertThat(labels(Map.of("ELASTICJOB_WORKER_LABELS_ZONE", "a", "ELASTICJOB_WORKER_LABELS_VERSION", "1.4")))
                .isEqualTo(Map.of("zone", "a", "version", "1.4"));
    }

    /** As docs/guide/placement.md says. */
    @Test
    void anUnderlineOfAVariableIsADotOfTheName() {
        assertThat(labels(Map.of("ELASTICJOB_WORKER_LABELS_DISK_TYPE", "ssd"))).isEqualTo(Map.of("disk.type", "ssd"));
    }

    @Test
    void namesOfAnyOtherFormAreWrittenInJson() {
        assertThat(
                        labels(
                                Map.of(
                                        "SPRING_APPLICATION_JSON",
                                        "{\"elasticjob.worker.labels.[topology.kubernetes.io/zone]\": \"a\", \"elasticjob.worker.labels.[Disk_Type]\": \"ssd\"}")))
                .isEqualTo(Map.of("topology.kubernetes.io/zone", "a", "Disk_Type", "ssd"));
    }

    private Map<String, String> labels(Map<String, Object> variables) {
        Map<String, String> labels = new TreeMap<>();
        runner.withInitializer(context -> setVariables(context.getEnvironment(), variables))
                .run(context -> labels.putAll(labelsOf(context)));
        return labels;
    }

    private static Map<String, String> labelsOf(ApplicationContext context) {
        return context.getBean(ElasticJobProperties.class).worker().labels();
    }

    private static void setVariables(ConfigurableEnvironment environment, Map<String, Object> variables) {
        String name = StandardEnvironment.SYSTEM_ENVIRONMENT_PROPERTY_SOURCE_NAME;
        environment.getPropertySources().replace(name, new SystemEnvironmentPropertySource(name, variables));
        new SpringApplicationJsonEnvironmentPostProcessor()
                .postProcessEnvironment(environment, new SpringApplication());
    }
}
