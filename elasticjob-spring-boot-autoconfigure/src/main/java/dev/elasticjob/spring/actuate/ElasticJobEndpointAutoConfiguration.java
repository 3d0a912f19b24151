package dev.elasticjob.spring.actuate;

import dev.elasticjob.admin.JobInspector;
import dev.elasticjob.spring.autoconfigure.ElasticJobAutoConfiguration;
import dev.elasticjob.spring.autoconfigure.ElasticJobProperties;
import dev.elasticjob.spring.autoconfigure.JobBeanCollector;
import java.util.Optional;
import org.springframework.beans.factory.ObjectProvider;
import org.springframework.boot.actuate.autoconfigure.endpoint.condition.ConditionalOnAvailableEndpoint;
import org.springframework.boot.actuate.endpoint.annotation.Endpoint;
import org.springframework.boot.autoconfigure.AutoConfiguration;
import org.springframework.boot.autoconfigure.condition.ConditionalOnBean;
import org.springframework.boot.autoconfigure.condition.ConditionalOnClass;
import org.springframework.boot.autoconfigure.condition.ConditionalOnMissingBean;
import org.springframework.context.annotation.Bean;
import org.springframework.context.annotation.Configuration;

/** The endpoint, where the Actuator is there and exposes it. */
@AutoConfiguration(after = ElasticJobAutoConfiguration.class)
@ConditionalOnClass({Endpoint.class, ConditionalOnAvailableEndpoint.class})
@ConditionalOnBean(JobBeanCollector.class)
public final class ElasticJobEndpointAutoConfiguration {
    /** Of its own, so that its condition is only looked at when the class of the condition is there. */
    @Configuration(proxyBeanMethods = false)
    @ConditionalOnAvailableEndpoint(endpoint = ElasticJobEndpoint.class)
    static class Exposed {
        @Bean
        @ConditionalOnMissingBean
        ElasticJobEndpoint elasticJobEndpoint(
                JobBeanCollector collector, ObjectProvider<JobInspector> inspector, ElasticJobProperties properties) {
            // Without jobs nothing may ask for the inspector: it would connect the registry.
            return new ElasticJobEndpoint(
                    () -> collector.hasJobs() ? Optional.of(inspector.getObject()) : Optional.empty(),
                    properties.registry().connectionTimeout());
        }

        @Bean
        @ConditionalOnMissingBean
        ElasticJobEndpointWebExtension elasticJobEndpointWebExtension(ElasticJobEndpoint endpoint) {
            return new ElasticJobEndpointWebExtension(endpoint);
        }
    }
}
