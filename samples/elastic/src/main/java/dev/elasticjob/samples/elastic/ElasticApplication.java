package dev.elasticjob.samples.elastic;

import org.springframework.boot.SpringApplication;
import org.springframework.boot.autoconfigure.SpringBootApplication;

/** The worker: what a pod runs. How many there are, and when one leaves, is no matter of the application. */
@SpringBootApplication
public class ElasticApplication {
    public static void main(String[] arguments) {
        SpringApplication.run(ElasticApplication.class, arguments);
    }
}
