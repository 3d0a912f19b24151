package dev.elasticjob.spring.autoconfigure;

import dev.elasticjob.job.SimpleJob;
import dev.elasticjob.spring.ElasticJob;
import org.springframework.boot.SpringApplication;
import org.springframework.boot.WebApplicationType;
import org.springframework.boot.autoconfigure.EnableAutoConfiguration;
import org.springframework.context.annotation.Bean;
import org.springframework.context.annotation.Configuration;
import org.springframework.context.event.ContextClosedEvent;
import org.springframework.context.event.EventListener;

/** An application with a web server, in a JVM of its own, that runs an item at its start. It prints what happens. */
@Configuration(proxyBeanMethods = false)
@EnableAutoConfiguration
class IdleWorkerApplication {
    public static void main(String[] arguments) {
        var spring = new SpringApplication(IdleWorkerApplication.class);
        spring.setWebApplicationType(WebApplicationType.SERVLET);
        spring.run(arguments);
    }

    @Bean
    @ElasticJob(name = "orders", cron = "", runAtStart = true)
    SimpleJob orders() {
        return context -> System.out.println("item runs");
    }

    @EventListener
    void idle(WorkerIdleEvent idle) {
        System.out.println("idle");
    }

    @EventListener
    void finished(WorkerFinishedEvent finished) {
        System.out.println("finished");
    }

    @EventListener
    void closing(ContextClosedEvent closed) {
        System.out.println("context closes");
    }
}
