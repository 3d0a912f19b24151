package dev.elasticjob.spring.actuate;

import static org.assertj.core.api.Assertions.assertThat;

import dev.elasticjob.spring.autoconfigure.ElasticJobAutoConfiguration;
import dev.elasticjob.spring.autoconfigure.ElasticJobProperties;
import java.util.Map;
import java.util.stream.Collectors;
import org.junit.jupiter.api.Test;
import org.springframework.boot.actuate.autoconfigure.context.properties.ConfigurationPropertiesReportEndpointAutoConfiguration;
import org.springframework.boot.actuate.autoconfigure.env.EnvironmentEndpointAutoConfiguration;
import org.springframework.boot.actuate.context.properties.ConfigurationPropertiesReportEndpoint;
import org.springframework.boot.actuate.context.properties.ConfigurationPropertiesReportEndpoint.ConfigurationPropertiesDescriptor;
import org.springframework.boot.actuate.env.EnvironmentEndpoint;
import org.springframework.boot.actuate.env.EnvironmentEndpoint.EnvironmentDescriptor;
import org.springframework.boot.autoconfigure.AutoConfigurations;
import org.springframework.boot.context.properties.EnableConfigurationProperties;
import org.springframework.boot.test.context.FilteredClassLoader;
import org.springframework.boot.test.context.runner.ApplicationContextRunner;
import org.springframework.context.annotation.Configuration;
import org.springframework.core.env.SystemEnvironmentPropertySource;

/** What the Actuator shows of our settings where it shows all values. */
class SecretSettingsTest {
    private static final String[] SETTINGS = {
        "elasticjob.registry.digest=shop:s3cret-digest",
        "elasticjob.registry.namespace=open-namespace",
        "elasticjob.jobs.orders.job-type=http",
        "elasticjob.jobs.orders.cron=0 0 3 * * ?",
        "elasticjob.jobs.orders.http.uri=http://open-host",
        "elasticjob.jobs.orders.http.body=s3cret-body",
        "elasticjob.jobs.orders.http.headers.Authorization=s3cret-header",
        "elasticjob.jobs.orders.job-properties.sql.statement=open-statement",
        "elasticjob.jobs.orders.job-properties.fax.api-key=s3cret-key",
        "elasticjob.alerts.mail.to=open-address",
        "elasticjob.alerts.slack.url=https://hooks/s3cret-token",
        "elasticjob.alerts.dingtalk.secret=s3cret-sign",
        "elasticjob.alerts.webhook.headers.Authorization=s3cret-header",
        "elasticjob.jobs[my job].job-type=http",
        "elasticjob.jobs[my job].http.headers[X-Key]=s3cret-header",
    };

    private final ApplicationContextRunner runner = new ApplicationContextRunner()
            .withConfiguration(AutoConfigurations.of(
                    ElasticJobAutoConfiguration.class,
                    SecretSettingsAutoConfiguration.class,
                    ConfigurationPropertiesReportEndpointAutoConfiguration.class,
                    EnvironmentEndpointAutoConfiguration.class))
            .withPropertyValues(
                    "management.endpoints.web.exposure.include=*",
                    "management.endpoint.env.show-values=always",
                    "management.endpoint.configprops.show-values=always",
                    "elasticjob.enabled=false")
            .withPropertyValues(SETTINGS);

    @Test
    void environmentShowsNone() {
        runner.withInitializer(context -> context.getEnvironment()
                        .getPropertySources()
                        .addFirst(new SystemEnvironmentPropertySource(
                                "test-systemEnvironment",
                                Map.of(
                                        "ELASTICJOB_REGISTRY_DIGEST",
                                        "shop:s3cret-digest",
                                        "ELASTICJOB_JOBS_ORDERS_HTTP_HEADERS_AUTHORIZATION",
                                        "s3cret-header"))))
                .run(context -> assertThat(
                                shown(context.getBean(EnvironmentEndpoint.class).environment(null)))
                        .contains("ELASTICJOB_REGISTRY_DIGEST", "open-namespace", "http://open-host", "open-statement")
                        .doesNotContain("s3cret"));
    }

    @Test
    void propertiesShowNone() {
        runner.withUserConfiguration(Bound.class)
                .run(context -> assertThat(shown(context.getBean(ConfigurationPropertiesReportEndpoint.class)
                                .configurationProperties()))
                        .contains("open-namespace", "http://open-host", "open-statement")
                        .doesNotContain("s3cret"));
    }

    @Test
    void applicationWithoutActuatorNeedsNone() {
        new ApplicationContextRunner()
                .withConfiguration(AutoConfigurations.of(SecretSettingsAutoConfiguration.class))
                .withClassLoader(new FilteredClassLoader("org.springframework.boot.actuate"))
                .run(context -> assertThat(context).hasNotFailed());
    }

    /** Jobs and their settings, without the engine. */
    @Configuration(proxyBeanMethods = false)
    @EnableConfigurationProperties(ElasticJobProperties.class)
    static class Bound {}

    private static String shown(EnvironmentDescriptor environment) {
        return environment.getPropertySources().stream()
                .flatMap(source -> source.getProperties().entrySet().stream())
                .map(property -> property.getKey() + "=" + property.getValue().getValue())
                .collect(Collectors.joining("\n"));
    }

    private static String shown(ConfigurationPropertiesDescriptor properties) {
        return properties.getContexts().values().stream()
                .flatMap(context -> context.getBeans().values().stream())
                .map(bean -> bean.getProperties() + "\n" + bean.getInputs())
                .collect(Collectors.joining("\n"));
    }
}
