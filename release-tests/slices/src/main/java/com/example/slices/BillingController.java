package com.example.slices;

import dev.elasticjob.admin.JobAdmin;
import org.springframework.web.bind.annotation.PostMapping;
import org.springframework.web.bind.annotation.RestController;

@RestController
class BillingController {
    private final JobAdmin admin;

    BillingController(JobAdmin admin) {
        this.admin = admin;
    }

    @PostMapping("/billing")
    void bill() {
        admin.trigger("billing").toCompletableFuture().join();
    }
}
