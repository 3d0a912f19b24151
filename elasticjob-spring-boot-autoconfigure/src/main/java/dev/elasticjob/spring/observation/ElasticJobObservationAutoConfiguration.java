package dev.elasticjob.spring.observation;

import dev.elasticjob.job.event.ExecutionObserver;
import dev.elasticjob.spring.autoconfigure.ElasticJobAutoConfiguration;
import dev.elasticjob.spring.autoconfigure.JobBeanCollector;
import io.micrometer.observation.ObservationRegistry;
import org.springframework.beans.factory.ObjectProvider;
import org.springframework.boot.autoconfigure.AutoConfiguration;
import org.springframework.boot.autoconfigure.condition.ConditionalOnBean;
import org.springframework.boot.autoconfigure.condition.ConditionalOnClass;
import org.springframework.boot.autoconfigure.condition.ConditionalOnMissingBean;
import org.springframework.boot.autoconfigure.condition.SearchStrategy;
import org.springframework.context.annotation.Bean;

/** Observations of firings, items and calls of cluster listeners, where the application has a registry for observations. */
@AutoConfiguration(
        after = ElasticJobAutoConfiguration.class,
        afterName = "org.springframework.boot.micrometer.observation.autoconfigure.ObservationAutoConfiguration")
@ConditionalOnClass(ObservationRegistry.class)
@ConditionalOnBean({JobBeanCollector.class, ObservationRegistry.class})
public final class ElasticJobObservationAutoConfiguration {
    @Bean
    @ConditionalOnMissingBean(value = ExecutionObserver.class, search = SearchStrategy.CURRENT)
    ObservedExecutions elasticJobObservedExecutions(
            ObservationRegistry registry,
            ObjectProvider<FiringObservationConvention> firingConvention,
            ObjectProvider<ItemObservationConvention> itemConvention,
            ObjectProvider<HookObservationConvention> hookConvention) {
        return new ObservedExecutions(
                registry,
                firingConvention.getIfAvailable(),
                itemConvention.getIfAvailable(),
                hookConvention.getIfAvailable());
    }
}
