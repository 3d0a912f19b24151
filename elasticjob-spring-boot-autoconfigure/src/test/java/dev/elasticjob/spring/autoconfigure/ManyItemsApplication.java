package dev.elasticjob.spring.autoconfigure;

import dev.elasticjob.admin.JobAdmin;
import dev.elasticjob.admin.RunRequest;
import dev.elasticjob.job.SimpleJob;
import dev.elasticjob.spring.ElasticJob;
import dev.elasticjob.spring.OnMemory;
import java.util.concurrent.CountDownLatch;
import org.springframework.boot.SpringApplication;
import org.springframework.boot.WebApplicationType;
import org.springframework.boot.autoconfigure.EnableAutoConfiguration;
import org.springframework.context.ConfigurableApplicationContext;
import org.springframework.context.annotation.Bean;
import org.springframework.context.annotation.Configuration;
import org.springframework.context.annotation.Import;

/**
 * An application in a JVM of its own, whose one job has as many items as it has blocking calls to make: none ends before
 * all of them run. It says so, and ends.
 */
@Configuration(proxyBeanMethods = false)
@EnableAutoConfiguration
@Import(OnMemory.class)
class ManyItemsApplication {
    static final int ITEMS = 10_000;

    public static void main(String[] arguments) {
        var spring = new SpringApplication(ManyItemsApplication.class);
        spring.setWebApplicationType(WebApplicationType.NONE);
        try (ConfigurableApplicationContext context = spring.run(arguments)) {
            context.getBean(JobAdmin.class).run("calls", RunRequest.create()).join();
            System.out.println("all items have ended");
        }
        System.exit(0);
    }

    @Bean
    @ElasticJob(name = "calls", shardingTotalCount = ITEMS)
    SimpleJob calls() {
        var running = new CountDownLatch(ITEMS);
        return context -> {
            running.countDown();
            running.await();
        };
    }
}
