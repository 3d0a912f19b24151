package dev.elasticjob.samples.observability;

import io.micrometer.observation.Observation;
import io.micrometer.observation.ObservationRegistry;
import java.net.SocketTimeoutException;
import java.util.concurrent.atomic.AtomicInteger;
import org.springframework.beans.factory.annotation.Value;
import org.springframework.stereotype.Component;

/** Stands for a remote service that doesn't answer now and then: here, one request of several for Asia. */
@Component
class TaxService {
    private static final double RATE = 0.19;

    private final ObservationRegistry observations;
    private final int requestsPerFailure;
    private final AtomicInteger requestsForAsia = new AtomicInteger();

    /** @param requestsPerFailure how many requests for Asia there are for each that fails */
    TaxService(ObservationRegistry observations, @Value("${tax-service.requests-per-failure}") int requestsPerFailure) {
        this.observations = observations;
        this.requestsPerFailure = requestsPerFailure;
    }

    double rateOf(String region) {
        return Observation.createNotStarted("tax.rate", observations)
                .lowCardinalityKeyValue("region", region)
                .observe(() -> ask(region));
    }

    private double ask(String region) {
        if (region.equals("ASIA") && requestsForAsia.incrementAndGet() % requestsPerFailure == 0) {
            throw new TaxServiceException(
                    "Expected the tax rate of %s within 2 s, but the tax service did not answer".formatted(region),
                    new SocketTimeoutException("Read timed out"));
        }
        return RATE;
    }

    /** A request was not answered. */
    static final class TaxServiceException extends RuntimeException {
        private static final long serialVersionUID = 1L;

        TaxServiceException(String message, Throwable cause) {
            super(message, cause);
        }
    }
}
