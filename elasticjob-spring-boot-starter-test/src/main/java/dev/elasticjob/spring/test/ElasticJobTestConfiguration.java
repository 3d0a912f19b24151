package dev.elasticjob.spring.test;

import dev.elasticjob.engine.ElasticJobEngine;
import dev.elasticjob.registry.Registry;
import dev.elasticjob.spring.autoconfigure.ElasticJobEngineBuilderCustomizer;
import dev.elasticjob.spring.autoconfigure.JobBeanCollector;
import org.springframework.beans.factory.ObjectProvider;
import org.springframework.context.annotation.Bean;
import org.springframework.context.annotation.Configuration;
import org.springframework.context.annotation.Primary;
import org.springframework.core.Ordered;
import org.springframework.core.annotation.Order;

/** The beans of an {@link ElasticJobTest}. Before them, those of the auto-configuration step back. */
@Configuration(proxyBeanMethods = false)
class ElasticJobTestConfiguration {
    @Bean
    World elasticJobTestWorld(ElasticJobContextCustomizer settings) {
        return new World(settings.environment(), settings.startTime(), settings.timeout());
    }

    @Bean
    @Primary
    Registry elasticJobTestRegistry(World world) {
        return world.connect();
    }

    @Bean
    Instances elasticJobTestInstances(World world, ObjectProvider<JobBeanCollector> jobs) {
        return Instances.besideApplication(
                ElasticJobCluster.APPLICATION,
                world,
                (ElasticJobEngine engine) -> jobs.getObject().registerWith(engine));
    }

    @Bean
    @Order(Ordered.LOWEST_PRECEDENCE)
    ElasticJobEngineBuilderCustomizer elasticJobTestEngine(Instances instances) {
        return instances::settleApplication;
    }

    @Bean
    ElasticJobCluster elasticJobTestCluster(Instances instances) {
        return ElasticJobCluster.over(instances);
    }

    @Bean
    Jobs elasticJobTestJobs(Instances instances) {
        return instances.jobs();
    }
}
