package dev.elasticjob.spring.metrics;

import dev.elasticjob.spring.autoconfigure.DroppedEvents;
import dev.elasticjob.spring.autoconfigure.ElasticJobAutoConfiguration;
import dev.elasticjob.spring.autoconfigure.ElasticJobProperties;
import dev.elasticjob.spring.autoconfigure.EngineLifecycle;
import dev.elasticjob.spring.autoconfigure.JobBeanCollector;
import dev.elasticjob.spring.autoconfigure.WaitingWrites;
import io.micrometer.core.instrument.MeterRegistry;
import java.util.List;
import org.springframework.beans.factory.ObjectProvider;
import org.springframework.boot.autoconfigure.AutoConfiguration;
import org.springframework.boot.autoconfigure.condition.ConditionalOnBean;
import org.springframework.boot.autoconfigure.condition.ConditionalOnClass;
import org.springframework.boot.autoconfigure.condition.ConditionalOnMissingBean;
import org.springframework.boot.autoconfigure.condition.ConditionalOnSingleCandidate;
import org.springframework.boot.autoconfigure.condition.SearchStrategy;
import org.springframework.context.annotation.Bean;

/** Meters of jobs in the application's meter registry, if it has one. */
@AutoConfiguration(
        after = ElasticJobAutoConfiguration.class,
        afterName = "org.springframework.boot.micrometer.metrics.autoconfigure.CompositeMeterRegistryAutoConfiguration")
@ConditionalOnClass(MeterRegistry.class)
@ConditionalOnBean(JobBeanCollector.class)
@ConditionalOnSingleCandidate(MeterRegistry.class)
public final class ElasticJobMetricsAutoConfiguration {
    @Bean
    @ConditionalOnMissingBean(search = SearchStrategy.CURRENT)
    JobMeters elasticJobMeters(
            MeterRegistry registry,
            JobBeanCollector collector,
            EngineLifecycle lifecycle,
            ElasticJobProperties properties,
            ObjectProvider<DroppedEvents> dropping,
            ObjectProvider<WaitingWrites> writing) {
        return new JobMeters(
                registry,
                properties.worker().enabled() ? collector.jobNames() : List.of(),
                lifecycle::engine,
                dropping.orderedStream().toList(),
                writing.orderedStream().toList());
    }
}
