package dev.elasticjob.samples.policies;

import org.springframework.boot.SpringApplication;
import org.springframework.boot.autoconfigure.SpringBootApplication;

/** An application whose jobs take long, or fall behind. */
@SpringBootApplication
public class PoliciesApplication {
    public static void main(String[] arguments) {
        SpringApplication.run(PoliciesApplication.class, arguments);
    }
}
