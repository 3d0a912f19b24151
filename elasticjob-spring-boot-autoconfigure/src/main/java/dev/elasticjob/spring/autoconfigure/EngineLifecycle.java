package dev.elasticjob.spring.autoconfigure;

import dev.elasticjob.engine.ElasticJobEngine;
import dev.elasticjob.time.DurationText;
import java.time.Duration;
import java.util.Optional;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.TimeoutException;
import java.util.function.Supplier;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;
import org.springframework.context.SmartLifecycle;
import org.springframework.core.metrics.ApplicationStartup;
import org.springframework.core.metrics.StartupStep;

/**
 * Starts the engine after all other beans, and stops it before them, so that jobs never see an incomplete application.
 * It can be stopped and started again, for example when the context is paused; the registry stays connected in between.
 *
 * <p>Without jobs, nothing is started and no registry is connected.
 */
public final class EngineLifecycle implements SmartLifecycle {
    private static final Logger log = LoggerFactory.getLogger(EngineLifecycle.class);

    private final JobBeanCollector collector;
    private final Supplier<ElasticJobEngine> connected;
    private final Duration startTimeout;
    private final Duration shutdownTimeout;
    private final ApplicationStartup startup;

    // All written under this object's monitor, because the threads that start and close the context may differ.
    private volatile @Nullable ElasticJobEngine engine;
    private @Nullable KeepAliveThread keepAlive;
    private boolean running;

    /**
     * @param connected returns the engine; called once, and only if there are jobs
     * @param startTimeout the maximum time that {@link #start()} waits for the jobs to be registered
     */
    EngineLifecycle(
            JobBeanCollector collector,
            Supplier<ElasticJobEngine> connected,
            Duration startTimeout,
            Duration shutdownTimeout,
            ApplicationStartup startup) {
        this.startup = startup;
        this.collector = collector;
        this.connected = connected;
        this.startTimeout = startTimeout;
        this.shutdownTimeout = shutdownTimeout;
    }

    @Override
    public synchronized void start() {
        if (running) {
            return;
        }
        if (!collector.hasJobs()) {
            log.info(
                    "This application declares no job, neither with @ElasticJob nor in its properties, and does not connect to"
                            + " a registry");
            return;
        }
        StartupStep step = startup.start("elasticjob.start")
                .tag("jobs", () -> String.valueOf(collector.jobNames().size()));
        try {
            ElasticJobEngine started = made();
            registerWithin(started);
        } finally {
            step.end();
        }
        keepAlive = new KeepAliveThread();
        keepAlive.start();
        running = true;
    }

    /** The engine that runs the application's jobs; empty before the first start. Doesn't wait for a start. */
    public Optional<ElasticJobEngine> engine() {
        return Optional.ofNullable(engine);
    }

    private ElasticJobEngine made() {
        ElasticJobEngine present = engine;
        if (present == null) {
            StartupStep step = startup.start("elasticjob.registry.connect");
            try {
                present = connected.get();
            } finally {
                step.end();
            }
            collector.registerWith(present);
            engine = present;
        }
        return present;
    }

    private void registerWithin(ElasticJobEngine started) {
        StartupStep step = startup.start("elasticjob.jobs.register");
        try {
            awaitRegistration(started.start().toCompletableFuture());
        } finally {
            step.end();
        }
    }

    private void awaitRegistration(CompletableFuture<Void> registered) {
        try {
            registered.get(startTimeout.toMillis(), TimeUnit.MILLISECONDS);
        } catch (TimeoutException e) {
            log.warn(
                    "The jobs were not registered within {}. Startup continues, and registration continues in the"
                            + " background",
                    DurationText.of(startTimeout));
            registered.whenComplete(EngineLifecycle::logLateFailure);
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
            throw new IllegalStateException("Interrupted while the jobs were being registered", e);
        } catch (ExecutionException e) {
            throw e.getCause() instanceof RuntimeException failure ? failure : new IllegalStateException(e.getCause());
        }
    }

    private static void logLateFailure(@Nullable Void done, @Nullable Throwable failure) {
        if (failure != null) {
            log.error("The jobs could not be registered after startup: they do not run on this instance", failure);
        }
    }

    @Override
    public void stop() {
        CompletableFuture<Void> stopped = new CompletableFuture<>();
        stop(() -> stopped.complete(null));
        try {
            stopped.get(shutdownTimeout.toMillis() + startTimeout.toMillis(), TimeUnit.MILLISECONDS);
        } catch (TimeoutException | ExecutionException e) {
            log.warn(
                    "The jobs did not stop within {}: items may still be running",
                    DurationText.of(shutdownTimeout.plus(startTimeout)));
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
        }
    }

    @Override
    public synchronized void stop(Runnable callback) {
        ElasticJobEngine present = engine;
        KeepAliveThread held = keepAlive;
        if (!running || present == null || held == null) {
            callback.run();
            return;
        }
        running = false;
        keepAlive = null;
        present.stop().whenComplete((stopped, failure) -> {
            held.close();
            callback.run();
        });
    }

    @Override
    public synchronized boolean isRunning() {
        return running;
    }

    /** Starts last and stops first: after, and before, the web server, executors and message listeners. */
    @Override
    public int getPhase() {
        return DEFAULT_PHASE;
    }
}
