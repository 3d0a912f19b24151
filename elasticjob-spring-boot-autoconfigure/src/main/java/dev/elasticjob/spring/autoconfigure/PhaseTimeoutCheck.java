package dev.elasticjob.spring.autoconfigure;

import dev.elasticjob.time.DurationText;
import java.time.Duration;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;
import org.springframework.beans.factory.SmartInitializingSingleton;
import org.springframework.boot.context.properties.bind.Binder;
import org.springframework.core.env.Environment;

/** Warns if Spring would stop waiting for running items before the engine does. */
final class PhaseTimeoutCheck implements SmartInitializingSingleton {
    private static final Logger log = LoggerFactory.getLogger(EngineLifecycle.class);
    private static final String PROPERTY = "spring.lifecycle.timeout-per-shutdown-phase";
    /** Spring Boot's default. */
    private static final Duration DEFAULT = Duration.ofSeconds(30);
    /** What the engine may take after the timeout: to interrupt items, and to leave a registry that doesn't answer. */
    private static final Duration REST = Duration.ofSeconds(6);

    private final JobBeanCollector collector;
    private final Duration shutdownTimeout;
    private final Environment environment;

    /** @param collector has collected the jobs before this check */
    PhaseTimeoutCheck(JobBeanCollector collector, Duration shutdownTimeout, Environment environment) {
        this.collector = collector;
        this.shutdownTimeout = shutdownTimeout;
        this.environment = environment;
    }

    @Override
    public void afterSingletonsInstantiated() {
        Duration phase = Binder.get(environment).bind(PROPERTY, Duration.class).orElse(DEFAULT);
        if (collector.hasJobs() && phase.compareTo(shutdownTimeout) < 0) {
            log.warn(
                    "\"{}\" is {}, which is shorter than \"elasticjob.shutdown-timeout\" of {}: when the application stops, it"
                            + " closes the beans that running items still use. Raise the first to {}, or lower the second",
                    PROPERTY,
                    DurationText.of(phase),
                    DurationText.of(shutdownTimeout),
                    DurationText.of(shutdownTimeout.plus(REST)));
        }
    }
}
