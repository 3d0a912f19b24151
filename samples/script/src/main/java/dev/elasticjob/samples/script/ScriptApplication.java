package dev.elasticjob.samples.script;

import org.springframework.boot.SpringApplication;
import org.springframework.boot.autoconfigure.SpringBootApplication;

/** An application without a line of code for its job, which {@code application.yml} declares. */
@SpringBootApplication
public class ScriptApplication {
    public static void main(String[] arguments) {
        SpringApplication.run(ScriptApplication.class, arguments);
    }
}
