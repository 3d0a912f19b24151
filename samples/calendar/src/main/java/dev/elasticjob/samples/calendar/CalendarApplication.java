package dev.elasticjob.samples.calendar;

import org.springframework.boot.SpringApplication;
import org.springframework.boot.autoconfigure.SpringBootApplication;

/** An application whose jobs fire on workdays. */
@SpringBootApplication
public class CalendarApplication {
    public static void main(String[] arguments) {
        SpringApplication.run(CalendarApplication.class, arguments);
    }
}
