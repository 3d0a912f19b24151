package dev.elasticjob.samples.observability;

import org.slf4j.Logger;
import org.slf4j.LoggerFactory;
import org.springframework.web.bind.annotation.PostMapping;
import org.springframework.web.bind.annotation.RequestBody;
import org.springframework.web.bind.annotation.RestController;

/** Stands for your chat or your paging service: receives what the error handler WEBHOOK sends. */
@RestController
class AlertInbox {
    private static final Logger log = LoggerFactory.getLogger(AlertInbox.class);

    @PostMapping("/alerts")
    void receive(@RequestBody String alert) {
        log.info("Received an alert: {}", alert);
    }
}
