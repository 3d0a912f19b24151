package dev.elasticjob.spring.missing;

import dev.elasticjob.admin.JobAdmin;
import dev.elasticjob.admin.command.RunRequest;
import dev.elasticjob.job.SimpleJob;
import dev.elasticjob.spring.ElasticJob;
import dev.elasticjob.spring.OnMemory;
import java.util.Set;
import java.util.TreeSet;
import java.util.function.Function;
import org.springframework.beans.factory.config.BeanDefinition;
import org.springframework.boot.SpringApplication;
import org.springframework.boot.autoconfigure.EnableAutoConfiguration;
import org.springframework.context.ConfigurableApplicationContext;
import org.springframework.context.annotation.Bean;
import org.springframework.context.annotation.Configuration;
import org.springframework.context.annotation.Import;

/**
 * Starts an application, with all auto-configurations that its class path has, and runs its job. Loaded by a class loader of
 * its own, so it speaks with its caller in types of the JDK.
 */
public final class SmallApplication implements Function<String[], Set<String>> {
    /** @return the names of our beans, and {@code job completed true} */
    @Override
    public Set<String> apply(String[] arguments) {
        try (ConfigurableApplicationContext context = SpringApplication.run(Jobs.class, arguments)) {
            Set<String> seen = new TreeSet<>();
            for (String name : context.getBeanDefinitionNames()) {
                BeanDefinition bean = context.getBeanFactory().getBeanDefinition(name);
                if (String.valueOf(bean.getFactoryBeanName()).startsWith("dev.elasticjob.spring.")) {
                    seen.add(name);
                }
            }
            JobAdmin admin = context.getBean(JobAdmin.class);
            seen.add("job completed "
                    + OnMemory.get(admin.run("orders", RunRequest.create())).isSuccessful());
            return seen;
        }
    }

    @Configuration(proxyBeanMethods = false)
    @EnableAutoConfiguration
    @Import(OnMemory.class)
    static class Jobs {
        @Bean
        @ElasticJob(name = "orders", shardingTotalCount = 2)
        SimpleJob orders() {
            return context -> {};
        }
    }
}
