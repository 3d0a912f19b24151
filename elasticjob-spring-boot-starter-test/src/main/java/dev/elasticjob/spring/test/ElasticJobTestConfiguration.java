package dev.elasticjob.spring.test;

import dev.elasticjob.registry.Registry;
import org.springframework.beans.factory.ListableBeanFactory;
import org.springframework.context.annotation.Bean;
import org.springframework.context.annotation.Configuration;
import org.springframework.context.annotation.Import;
import org.springframework.context.annotation.Primary;

/** The beans of an {@link ElasticJobTest}. Before them, those of the auto-configuration step back. */
@Configuration(proxyBeanMethods = false)
@Import(ElasticJobTestEngineConfiguration.AfterTheApplications.class)
class ElasticJobTestConfiguration {
    @Bean
    ClusterResources elasticJobTestWorld(ElasticJobContextCustomizer settings) {
        return new ClusterResources(settings.environment(), settings.startTime(), settings.timeout());
    }

    @Bean
    @Primary
    Registry elasticJobTestRegistry(ClusterResources world) {
        return world.connect();
    }

    @Bean
    Instances elasticJobTestInstances(ClusterResources world, ListableBeanFactory beans) {
        return Instances.besideApplication(ElasticJobCluster.APPLICATION, world, new ApplicationWorkload(beans));
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
