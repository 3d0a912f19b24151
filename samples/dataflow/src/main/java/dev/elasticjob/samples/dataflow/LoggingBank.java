package dev.elasticjob.samples.dataflow;

import org.slf4j.Logger;
import org.slf4j.LoggerFactory;
import org.springframework.stereotype.Component;

/** Stands in for a real bank: logs each payment instead of sending it. */
@Component
class LoggingBank implements Bank {
    private static final Logger log = LoggerFactory.getLogger(LoggingBank.class);

    @Override
    public void send(Payment payment) {
        log.info("Sending {} cents to {} (payment {})", payment.cents(), payment.receiver(), payment.id());
    }
}
