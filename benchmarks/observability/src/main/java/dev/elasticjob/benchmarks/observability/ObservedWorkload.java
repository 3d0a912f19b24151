package dev.elasticjob.benchmarks.observability;

import dev.elasticjob.benchmarks.boot.SpringBootWorkload;
import dev.elasticjob.benchmarks.workload.WorkloadProcess;
import dev.elasticjob.job.event.JobEvent;
import io.micrometer.prometheusmetrics.PrometheusMeterRegistry;
import io.opentelemetry.sdk.common.CompletableResultCode;
import io.opentelemetry.sdk.trace.data.SpanData;
import io.opentelemetry.sdk.trace.export.SpanExporter;
import java.util.Collection;
import java.util.concurrent.atomic.LongAdder;
import org.springframework.boot.health.actuate.endpoint.HealthEndpoint;
import org.springframework.context.annotation.Bean;
import org.springframework.context.annotation.Configuration;
import org.springframework.context.event.EventListener;
import org.springframework.scheduling.annotation.EnableScheduling;
import org.springframework.scheduling.annotation.Scheduled;

/**
 * The jobs of {@link SpringBootWorkload} with everything on that observes them. Metrics and health are read as often as
 * Prometheus and Kubernetes do by default. Where spans go is another process's work: here they are only made, for one trace
 * of ten, which is Spring Boot's default.
 */
public final class ObservedWorkload {
    private ObservedWorkload() {}

    public static void main(String... arguments) {
        WorkloadProcess.run(new SpringBootWorkload(Observed.class), arguments);
    }

    @Configuration(proxyBeanMethods = false)
    @EnableScheduling
    static class Observed {
        private final LongAdder ended = new LongAdder();

        @Bean
        SpanExporter nowhere() {
            return new Nowhere();
        }

        @Bean
        Readers readers(PrometheusMeterRegistry metrics, HealthEndpoint health) {
            return new Readers(metrics, health);
        }

        @EventListener
        void ended(JobEvent.ItemFinished execution) {
            ended.increment();
        }
    }

    record Readers(PrometheusMeterRegistry metrics, HealthEndpoint health) {
        @Scheduled(fixedRateString = "60s")
        void scrape() {
            metrics.scrape();
        }

        @Scheduled(fixedRateString = "10s")
        void probe() {
            health.health();
        }
    }

    private static final class Nowhere implements SpanExporter {
        @Override
        public CompletableResultCode export(Collection<SpanData> spans) {
            return CompletableResultCode.ofSuccess();
        }

        @Override
        public CompletableResultCode flush() {
            return CompletableResultCode.ofSuccess();
        }

        @Override
        public CompletableResultCode shutdown() {
            return CompletableResultCode.ofSuccess();
        }
    }
}
