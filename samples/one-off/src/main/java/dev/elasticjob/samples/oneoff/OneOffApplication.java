package dev.elasticjob.samples.oneoff;

import org.springframework.boot.SpringApplication;
import org.springframework.boot.autoconfigure.SpringBootApplication;
import org.springframework.context.ConfigurableApplicationContext;

/** An application with one job and no schedule. */
@SpringBootApplication
public class OneOffApplication {
    public static void main(String[] arguments) {
        ConfigurableApplicationContext context = SpringApplication.run(OneOffApplication.class, arguments);
        if (context.getBean(ReportRequest.class).isDone()) {
            System.exit(SpringApplication.exit(context));
        }
    }
}
