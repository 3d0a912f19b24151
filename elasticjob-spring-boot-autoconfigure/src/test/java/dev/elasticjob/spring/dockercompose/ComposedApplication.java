package dev.elasticjob.spring.dockercompose;

import dev.elasticjob.job.SimpleJob;
import dev.elasticjob.spring.ElasticJob;
import org.springframework.boot.SpringApplication;
import org.springframework.boot.WebApplicationType;
import org.springframework.boot.autoconfigure.EnableAutoConfiguration;
import org.springframework.context.annotation.Bean;
import org.springframework.context.annotation.Configuration;

/** An application without the address of a registry, in a JVM of its own: one that is no test to Spring Boot. */
@Configuration(proxyBeanMethods = false)
@EnableAutoConfiguration
class ComposedApplication {
    public static void main(String[] arguments) {
        var spring = new SpringApplication(ComposedApplication.class);
        spring.setWebApplicationType(WebApplicationType.NONE);
        spring.run(arguments);
    }

    @Bean
    @ElasticJob(name = "orders", cron = "* * * * * ?")
    SimpleJob orders() {
        // On another thread: the end of the application waits for the item.
        return context -> new Thread(() -> System.exit(0), "exit").start();
    }
}
