package dev.elasticjob.samples.after;

import org.springframework.boot.SpringApplication;
import org.springframework.boot.autoconfigure.SpringBootApplication;

/** Each import is followed by two jobs, and these by a report. */
@SpringBootApplication
public class AfterApplication {
    public static void main(String[] arguments) {
        SpringApplication.run(AfterApplication.class, arguments);
    }
}
