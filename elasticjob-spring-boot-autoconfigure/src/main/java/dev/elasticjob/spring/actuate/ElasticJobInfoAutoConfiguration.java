package dev.elasticjob.spring.actuate;

import dev.elasticjob.spring.autoconfigure.ElasticJobAutoConfiguration;
import dev.elasticjob.spring.autoconfigure.EngineLifecycle;
import dev.elasticjob.spring.autoconfigure.JobBeanCollector;
import org.springframework.boot.actuate.autoconfigure.info.ConditionalOnEnabledInfoContributor;
import org.springframework.boot.actuate.info.InfoContributor;
import org.springframework.boot.autoconfigure.AutoConfiguration;
import org.springframework.boot.autoconfigure.condition.ConditionalOnBean;
import org.springframework.boot.autoconfigure.condition.ConditionalOnClass;
import org.springframework.boot.autoconfigure.condition.ConditionalOnMissingBean;
import org.springframework.boot.autoconfigure.condition.SearchStrategy;
import org.springframework.context.annotation.Bean;
import org.springframework.context.annotation.Configuration;

/** The section {@code elasticjob} of the endpoint {@code info}, where the Actuator is there. */
@AutoConfiguration(after = ElasticJobAutoConfiguration.class)
@ConditionalOnClass({InfoContributor.class, ConditionalOnEnabledInfoContributor.class})
@ConditionalOnBean(JobBeanCollector.class)
public final class ElasticJobInfoAutoConfiguration {
    /** Of its own, so that its condition is only looked at when the class of the condition is there. */
    @Configuration(proxyBeanMethods = false)
    @ConditionalOnEnabledInfoContributor("elasticjob")
    static class Enabled {
        @Bean
        @ConditionalOnMissingBean(search = SearchStrategy.CURRENT)
        ElasticJobInfoContributor elasticJobInfoContributor(JobBeanCollector collector, EngineLifecycle lifecycle) {
            return new ElasticJobInfoContributor(collector, lifecycle);
        }
    }
}
