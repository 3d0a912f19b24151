package dev.elasticjob.samples.console;

import org.springframework.boot.SpringApplication;
import org.springframework.boot.autoconfigure.SpringBootApplication;

/** Open http://127.0.0.1:8080/elasticjob/ and sign in as "ops" with the password "ops". */
@SpringBootApplication
public class ConsoleSampleApplication {
    public static void main(String[] arguments) {
        SpringApplication.run(ConsoleSampleApplication.class, arguments);
    }
}
