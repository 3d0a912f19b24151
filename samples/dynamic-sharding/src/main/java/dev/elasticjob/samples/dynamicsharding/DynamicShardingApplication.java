package dev.elasticjob.samples.dynamicsharding;

import org.springframework.boot.SpringApplication;
import org.springframework.boot.autoconfigure.SpringBootApplication;

/** An application without a job: its instances share out the partitions of a table. */
@SpringBootApplication
public class DynamicShardingApplication {
    public static void main(String[] arguments) {
        SpringApplication.run(DynamicShardingApplication.class, arguments);
    }
}
