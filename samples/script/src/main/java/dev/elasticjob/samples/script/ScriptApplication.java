package dev.elasticjob.samples.script;

import org.springframework.boot.SpringApplication;
import org.springframework.boot.autoconfigure.SpringBootApplication;

/** An application without job code: {@code application.yml} declares the job. */
@SpringBootApplication
public class ScriptApplication {
    public static void main(String[] arguments) {
        SpringApplication.run(ScriptApplication.class, arguments);
    }
}
