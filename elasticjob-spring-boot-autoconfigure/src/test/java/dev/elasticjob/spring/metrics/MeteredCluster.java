package dev.elasticjob.spring.metrics;

import static org.assertj.core.api.Assertions.assertThat;

import dev.elasticjob.engine.ElasticJobEngine;
import dev.elasticjob.engine.ElasticJobEngineBuilder;
import dev.elasticjob.engine.SimulatedCluster;
import dev.elasticjob.registry.Registry;
import dev.elasticjob.spring.trace.EventTrace;
import dev.elasticjob.testing.prometheus.Promtool;
import dev.elasticjob.testing.prometheus.Recording;
import dev.elasticjob.testing.prometheus.Recording.Alert;
import io.micrometer.core.instrument.Clock;
import io.micrometer.prometheusmetrics.PrometheusConfig;
import io.micrometer.prometheusmetrics.PrometheusMeterRegistry;
import io.prometheus.metrics.model.registry.PrometheusRegistry;
import java.nio.file.Path;
import java.time.Duration;
import java.util.HashMap;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.concurrent.atomic.AtomicReference;
import java.util.function.Consumer;
import java.util.function.UnaryOperator;
import org.jspecify.annotations.Nullable;

/**
 * Engines in virtual time with the meters that they have in applications, which Prometheus scrapes for as long as their
 * process is there. An instance's address for Prometheus is its name with a port.
 */
final class MeteredCluster {
    private static final Path RULES = Path.of("..", "docs", "monitoring", "alerts.yml");

    private final SimulatedCluster cluster = new SimulatedCluster(3);
    private final Recording recording = new Recording(RULES);
    private final Map<String, PrometheusMeterRegistry> targets = new LinkedHashMap<>();
    private final Map<String, String> addresses = new HashMap<>();

    MeteredCluster() {
        scrape();
    }

    private void scrape() {
        Map<String, String> exported = new LinkedHashMap<>();
        targets.forEach((name, meters) -> exported.put(name + ":8080", meters.scrape()));
        recording.scrape(exported);
        cluster.timer().after(Recording.INTERVAL, this::scrape);
    }

    /** Starts an instance; it joins as time passes. */
    void start(String name, Consumer<ElasticJobEngine> jobs) {
        start(name, jobs, UnaryOperator.identity());
    }

    /** @param settings of its engine */
    void start(String name, Consumer<ElasticJobEngine> jobs, UnaryOperator<ElasticJobEngineBuilder> settings) {
        start(name, jobs, settings, UnaryOperator.identity(), List.of());
    }

    /**
     * @param changed what the engine has in place of the registry
     * @param traces what records its events
     */
    void start(
            String name,
            Consumer<ElasticJobEngine> jobs,
            UnaryOperator<ElasticJobEngineBuilder> settings,
            UnaryOperator<Registry> changed,
            List<EventTrace> traces) {
        var registry =
                new PrometheusMeterRegistry(PrometheusConfig.DEFAULT, new PrometheusRegistry(), new VirtualClock());
        AtomicReference<@Nullable ElasticJobEngine> started = new AtomicReference<>();
        var meters = new JobMeters(registry, List.of(), () -> Optional.ofNullable(started.get()), traces, traces);
        cluster.start(
                name,
                engine -> {
                    started.set(engine);
                    jobs.accept(engine);
                },
                builder -> settings.apply(builder.ip(address(name))
                        .listener(meters)
                        .listeners(() -> traces)
                        .requestListeners(() -> List.of(meters))
                        .demandInterval(Duration.ofSeconds(30))),
                changed);
        targets.put(name, registry);
    }

    /** One that starts again under its name has the address that it had. */
    private String address(String name) {
        return addresses.computeIfAbsent(name, any -> "10.0.0." + (addresses.size() + 1));
    }

    /** Ends an instance in good order; it can be scraped until it has left. */
    void stop(String name) {
        PrometheusMeterRegistry leaving = targets.get(name);
        cluster.stop(name, () -> targets.remove(name, leaving));
    }

    /** Ends its process at once. */
    void kill(String name) {
        cluster.kill(name);
        targets.remove(name);
    }

    /** Lets time pass. A job's code lasts for as long as it calls this. */
    void pass(Duration duration) {
        cluster.pass(duration);
    }

    /** For what operators and servers do. */
    SimulatedCluster cluster() {
        return cluster;
    }

    /** That these alerts fired at some time until now, and no others. */
    void assertFired(Alert... alerts) {
        Promtool promtool = Promtool.find().orElseThrow();

        assertThat(recording.complaint(promtool, Set.of(alerts))).isEmpty();
    }

    /** Virtual time, for what decays in a meter. */
    private final class VirtualClock implements Clock {
        @Override
        public long wallTime() {
            return cluster.now().toEpochMilli();
        }

        @Override
        public long monotonicTime() {
            return cluster.timer().nanoTime();
        }
    }
}
