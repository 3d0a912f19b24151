package dev.elasticjob.samples.observability;

import io.opentelemetry.exporter.logging.LoggingSpanExporter;
import io.opentelemetry.sdk.trace.export.SpanExporter;
import org.springframework.boot.SpringApplication;
import org.springframework.boot.autoconfigure.SpringBootApplication;
import org.springframework.context.annotation.Bean;

/** The only code that observability needs here is the exporter, which writes spans to the log. */
@SpringBootApplication
public class ObservabilityApplication {
    public static void main(String[] arguments) {
        SpringApplication.run(ObservabilityApplication.class, arguments);
    }

    @Bean
    SpanExporter spansInTheLog() {
        return LoggingSpanExporter.create();
    }
}
