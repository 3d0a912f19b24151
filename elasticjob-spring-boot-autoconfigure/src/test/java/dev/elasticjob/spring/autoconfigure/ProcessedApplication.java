package dev.elasticjob.spring.autoconfigure;

import dev.elasticjob.admin.JobAdmin;
import dev.elasticjob.admin.command.RunRequest;
import dev.elasticjob.job.SimpleJob;
import dev.elasticjob.spring.ElasticJob;
import dev.elasticjob.spring.OnMemory;
import org.springframework.boot.SpringApplication;
import org.springframework.boot.autoconfigure.EnableAutoConfiguration;
import org.springframework.context.ConfigurableApplicationContext;
import org.springframework.context.annotation.Bean;
import org.springframework.context.annotation.Configuration;
import org.springframework.context.annotation.Import;

/** An application in a JVM of its own, which is processed ahead of time, then runs a job and ends. */
@Configuration(proxyBeanMethods = false)
@EnableAutoConfiguration
@Import(OnMemory.class)
class ProcessedApplication {
    public static void main(String[] arguments) {
        try (ConfigurableApplicationContext context = SpringApplication.run(ProcessedApplication.class, arguments)) {
            OnMemory.get(context.getBean(JobAdmin.class).run("report", RunRequest.create()));
            OnMemory.get(context.getBean(JobAdmin.class).run("closing", RunRequest.create()));
        }
        System.exit(0);
    }

    @Bean
    @ElasticJob(name = "report", jobParameter = "${app.month}")
    SimpleJob report() {
        return context -> System.out.println("report of " + context.getJobParameter());
    }

    @ElasticJob(name = "closing", shardingItemParameters = "0=${app.month}")
    void close(String month) {
        System.out.println("closing of " + month);
    }
}
