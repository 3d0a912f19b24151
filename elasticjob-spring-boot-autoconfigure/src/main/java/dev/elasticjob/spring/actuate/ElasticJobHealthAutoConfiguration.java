package dev.elasticjob.spring.actuate;

import dev.elasticjob.spring.autoconfigure.ElasticJobAutoConfiguration;
import dev.elasticjob.spring.autoconfigure.ElasticJobProperties;
import dev.elasticjob.spring.autoconfigure.EngineLifecycle;
import dev.elasticjob.spring.autoconfigure.JobBeanCollector;
import org.springframework.boot.autoconfigure.AutoConfiguration;
import org.springframework.boot.autoconfigure.condition.ConditionalOnBean;
import org.springframework.boot.autoconfigure.condition.ConditionalOnClass;
import org.springframework.boot.autoconfigure.condition.ConditionalOnMissingBean;
import org.springframework.boot.autoconfigure.condition.SearchStrategy;
import org.springframework.boot.health.autoconfigure.contributor.ConditionalOnEnabledHealthIndicator;
import org.springframework.boot.health.contributor.HealthIndicator;
import org.springframework.context.annotation.Bean;
import org.springframework.context.annotation.Configuration;

/** The health indicator {@code elasticjob}, where there is health. It belongs to no group unless one includes it. */
@AutoConfiguration(after = ElasticJobAutoConfiguration.class)
@ConditionalOnClass(HealthIndicator.class)
@ConditionalOnBean(JobBeanCollector.class)
public final class ElasticJobHealthAutoConfiguration {
    /** Of its own, so that its condition is only looked at when the class of the condition is there. */
    @Configuration(proxyBeanMethods = false)
    @ConditionalOnEnabledHealthIndicator("elasticjob")
    static class Enabled {
        @Bean
        @ConditionalOnMissingBean(search = SearchStrategy.CURRENT)
        ReportedProblems elasticJobReportedProblems() {
            return new ReportedProblems();
        }

        /** The component's name is the bean's, without "HealthIndicator". */
        @Bean
        @ConditionalOnMissingBean(name = "elasticjobHealthIndicator", search = SearchStrategy.CURRENT)
        ElasticJobHealthIndicator elasticjobHealthIndicator(
                JobBeanCollector collector,
                EngineLifecycle lifecycle,
                ReportedProblems problems,
                ElasticJobProperties properties) {
            return new ElasticJobHealthIndicator(collector, lifecycle, problems, properties.worker());
        }
    }
}
