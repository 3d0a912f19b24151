package dev.elasticjob.spring.autoconfigure;

import dev.elasticjob.admin.JobAdmin;
import dev.elasticjob.engine.ElasticJobEngine;
import dev.elasticjob.job.ElasticJobListener;
import dev.elasticjob.job.ItemOutcome;
import dev.elasticjob.job.ShardingContexts;
import dev.elasticjob.job.SimpleJob;
import dev.elasticjob.spring.ElasticJob;
import java.util.Map;
import org.springframework.beans.factory.SmartInitializingSingleton;
import org.springframework.boot.SpringApplication;
import org.springframework.boot.WebApplicationType;
import org.springframework.boot.autoconfigure.EnableAutoConfiguration;
import org.springframework.context.annotation.Bean;
import org.springframework.context.annotation.Configuration;

/** An application whose beans have commands and the engine injected, in a JVM of its own. */
@Configuration(proxyBeanMethods = false)
@EnableAutoConfiguration
class TrainedApplication {
    public static void main(String[] arguments) {
        var spring = new SpringApplication(TrainedApplication.class);
        spring.setWebApplicationType(WebApplicationType.NONE);
        spring.run(arguments);
    }

    @Bean
    @ElasticJob(name = "orders", cron = "* * * * * ?")
    SimpleJob orders(ElasticJobEngine engine) {
        return context -> System.out.println(engine.jobNames());
    }

    @Bean
    ElasticJobListener chain(JobAdmin admin) {
        return new ElasticJobListener() {
            @Override
            public void afterJobExecuted(ShardingContexts contexts, Map<Integer, ItemOutcome> outcomes) {
                admin.trigger("billing");
            }
        };
    }

    @Bean
    SmartInitializingSingleton last() {
        return () -> System.out.println("beans are made");
    }
}
