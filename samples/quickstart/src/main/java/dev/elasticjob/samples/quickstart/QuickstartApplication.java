package dev.elasticjob.samples.quickstart;

import org.springframework.boot.SpringApplication;
import org.springframework.boot.autoconfigure.SpringBootApplication;

/** An application with one job. */
@SpringBootApplication
public class QuickstartApplication {
    public static void main(String[] arguments) {
        SpringApplication.run(QuickstartApplication.class, arguments);
    }
}
