package dev.elasticjob.samples.placement;

import org.springframework.boot.SpringApplication;
import org.springframework.boot.autoconfigure.SpringBootApplication;

/** An application whose instances say in which zone they are, and which version they run. */
@SpringBootApplication
public class PlacementApplication {
    public static void main(String[] arguments) {
        SpringApplication.run(PlacementApplication.class, arguments);
    }
}
