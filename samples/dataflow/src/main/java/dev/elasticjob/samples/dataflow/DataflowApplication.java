package dev.elasticjob.samples.dataflow;

import org.springframework.boot.ApplicationRunner;
import org.springframework.boot.SpringApplication;
import org.springframework.boot.autoconfigure.SpringBootApplication;
import org.springframework.context.annotation.Bean;

/** Creates a thousand open payments if the database is empty. */
@SpringBootApplication
public class DataflowApplication {
    static final int PAYMENTS = 1_000;

    public static void main(String[] arguments) {
        SpringApplication.run(DataflowApplication.class, arguments);
    }

    @Bean
    ApplicationRunner firstPayments(Payments payments) {
        return arguments -> payments.addMissing(PAYMENTS);
    }
}
