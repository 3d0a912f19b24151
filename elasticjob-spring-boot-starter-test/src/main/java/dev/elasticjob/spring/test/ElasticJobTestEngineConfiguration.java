package dev.elasticjob.spring.test;

import dev.elasticjob.spring.autoconfigure.ElasticJobEngineBuilderCustomizer;
import dev.elasticjob.spring.autoconfigure.EngineLifecycle;
import org.springframework.beans.factory.config.ConfigurableListableBeanFactory;
import org.springframework.context.annotation.Bean;
import org.springframework.context.annotation.Configuration;
import org.springframework.context.annotation.DeferredImportSelector;
import org.springframework.core.Ordered;
import org.springframework.core.annotation.Order;
import org.springframework.core.type.AnnotationMetadata;

/** Makes the application's engine the kit's: the last word on clock, timer and threads, and its end. */
@Configuration(proxyBeanMethods = false)
class ElasticJobTestEngineConfiguration {
    /** Among customizers without an order, those that are registered later have the last word. */
    static final class AfterTheApplications implements DeferredImportSelector {
        @Override
        public String[] selectImports(AnnotationMetadata importing) {
            return new String[] {ElasticJobTestEngineConfiguration.class.getName()};
        }
    }

    @Bean
    @Order(Ordered.LOWEST_PRECEDENCE)
    ElasticJobEngineBuilderCustomizer elasticJobTestEngine(Instances instances) {
        return new ApplicationWorkload.OwnInstance(instances);
    }

    @Bean
    EndOfTime elasticJobTestEnd(ClusterResources world, ConfigurableListableBeanFactory beans) {
        for (String engine : beans.getBeanNamesForType(EngineLifecycle.class, true, false)) {
            // What a bean depends on is stopped after it.
            beans.registerDependentBean("elasticJobTestEnd", engine);
        }
        return new EndOfTime(world);
    }
}
