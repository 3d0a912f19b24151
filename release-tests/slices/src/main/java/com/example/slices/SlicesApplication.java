package com.example.slices;

import org.springframework.boot.SpringApplication;
import org.springframework.boot.autoconfigure.SpringBootApplication;
import org.springframework.context.annotation.Bean;

@SpringBootApplication
public class SlicesApplication {
    public static void main(String[] arguments) {
        SpringApplication.run(SlicesApplication.class, arguments);
    }

    @Bean
    Clerk clerk(Bills bills) {
        return new Clerk(bills);
    }
}
