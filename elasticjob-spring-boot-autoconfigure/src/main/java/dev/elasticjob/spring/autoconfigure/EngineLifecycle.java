package dev.elasticjob.spring.autoconfigure;

import dev.elasticjob.engine.ElasticJobEngine;
import dev.elasticjob.spring.autoconfigure.ElasticJobProperties.StartAt;
import dev.elasticjob.time.DurationText;
import java.time.Duration;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionStage;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.TimeoutException;
import java.util.function.Consumer;
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
 * <p>Without jobs and groups, no engine is started and no registry is connected, until the application registers a job
 * itself. An instance that only submits starts none at all.
 */
public final class EngineLifecycle implements SmartLifecycle {
    private static final Logger log = LoggerFactory.getLogger(EngineLifecycle.class);

    private final JobBeanCollector collector;
    private final GroupBeans groups;
    private final EngineAccess access;
    private final boolean works;
    private final List<String> withoutEffect;
    private final boolean fresh;
    private final StartAt startAt;
    private final boolean failFast;
    private final Duration startTimeout;
    private final Duration shutdownTimeout;
    private final ApplicationStartup startup;

    // All written under this object's monitor, because the threads that start and close the context may differ.
    private volatile @Nullable ElasticJobEngine engine;
    private volatile @Nullable BackgroundConnection connecting;
    private @Nullable KeepAliveThread keepAlive;
    /** Whether this was started, and not stopped since. */
    private boolean running;
    /** Whether the application has registered a job itself, with an engine that was not started. */
    private boolean registeredByHand;
    /** Whether the engine is being started, or is started. */
    private boolean engineStarted;

    /** @param access is used only if there are jobs or groups */
    EngineLifecycle(
            JobBeanCollector collector,
            GroupBeans groups,
            EngineAccess access,
            ElasticJobProperties properties,
            ApplicationStartup startup) {
        this.startup = startup;
        this.works = properties.worker().enabled();
        this.withoutEffect = properties.withoutEffectWhereNothingRuns();
        this.fresh = properties.worker().fresh();
        this.startAt = properties.start();
        this.collector = collector;
        this.groups = groups;
        this.access = access;
        this.failFast = properties.registry().failFast();
        this.startTimeout = properties.registry().connectionTimeout();
        this.shutdownTimeout = properties.shutdownTimeout();
    }

    @Override
    public synchronized void start() {
        if (running) {
            return;
        }
        if (!works) {
            log.info(
                    "This instance runs no jobs and only submits, because \"elasticjob.worker.enabled\" is false{}",
                    withoutEffect.isEmpty()
                            ? ""
                            : ". These properties have no effect on it: " + String.join(", ", withoutEffect));
        } else if (collector.hasJobs() || groups.hasGroups() || registeredByHand) {
            StartupStep step = startup.start("elasticjob.start")
                    .tag("jobs", () -> String.valueOf(collector.jobNames().size()));
            try {
                startEngine(this::awaitRegistration);
            } finally {
                step.end();
            }
        } else {
            log.info(
                    "This application declares no job, neither with @ElasticJob nor in its properties, and does not connect to"
                            + " a registry");
        }
        running = true;
    }

    /**
     * Starts the engine, because the application has registered a job with it. Before this was started itself, only
     * remembers that.
     *
     * @return completes when the job follows its assignment, or at once if the engine starts later
     * @throws IllegalStateException if this instance only submits
     */
    synchronized CompletionStage<Void> startByRegistration() {
        if (!works) {
            throw new IllegalStateException(
                    "Expected an instance that runs jobs, but \"elasticjob.worker.enabled\" is false. Remove this property, or"
                            + " register the job in an application that runs it");
        }
        registeredByHand = true;
        return running && !engineStarted ? startEngine(registered -> {}) : CompletableFuture.completedFuture(null);
    }

    /** @param waiting is given what completes when all jobs are registered */
    private CompletionStage<Void> startEngine(Consumer<CompletableFuture<Void>> waiting) {
        engineStarted = true;
        try {
            CompletionStage<Void> registered = startOrConnect(access.engine());
            waiting.accept(registered.toCompletableFuture());
            keepAlive = new KeepAliveThread();
            keepAlive.start();
            return registered;
        } catch (RuntimeException e) {
            engineStarted = false;
            throw e;
        }
    }

    /** Completes when all jobs are registered, or at once if they will be when there is a connection. */
    private CompletionStage<Void> startOrConnect(ElasticJobEngine present) {
        Optional<LateRegistry> registry = access.registry();
        if (failFast || registry.isEmpty()) {
            connect(registry);
            return withJobs(present).start();
        }
        connectInBackground(present, registry.get());
        return CompletableFuture.completedFuture(null);
    }

    private void connect(Optional<LateRegistry> registry) {
        StartupStep step = startup.start("elasticjob.registry.connect");
        try {
            registry.ifPresent(LateRegistry::connect);
        } finally {
            step.end();
        }
    }

    private void connectInBackground(ElasticJobEngine present, LateRegistry registry) {
        registry.leaveConnectingToTheBackground();
        // The jobs are known from now on, so that a question about one fails, instead of finding no such job.
        withJobs(present);
        var background = new BackgroundConnection(registry::connect, () -> startConnected(present));
        connecting = background;
        background.start();
        log.info("Startup doesn't wait for the registry, because \"elasticjob.registry.fail-fast\" is false");
    }

    private synchronized void startConnected(ElasticJobEngine present) {
        if (engineStarted) {
            connecting = null;
            present.start().whenComplete(EngineLifecycle::logLateFailure);
        }
    }

    /** Why the jobs are not started yet, if startup doesn't wait for the registry; empty once it is connected. */
    public Optional<String> connecting() {
        return Optional.ofNullable(connecting).map(BackgroundConnection::reason);
    }

    /** The engine that runs the application's jobs; empty before the first start. Doesn't wait for a start. */
    public Optional<ElasticJobEngine> engine() {
        return Optional.ofNullable(engine);
    }

    private ElasticJobEngine withJobs(ElasticJobEngine present) {
        if (engine == null) {
            collector.registerWith(present);
            groups.joinWith(present);
            if (fresh) {
                present.finishAfterFirstItems();
            }
            engine = present;
        }
        return present;
    }

    private void awaitRegistration(CompletableFuture<Void> registered) {
        StartupStep step = startup.start("elasticjob.jobs.register");
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
        } finally {
            step.end();
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
        KeepAliveThread held = keepAlive;
        running = false;
        engineStarted = false;
        keepAlive = null;
        if (held == null) {
            callback.run();
            return;
        }
        BackgroundConnection unfinished = connecting;
        connecting = null;
        if (unfinished != null) {
            unfinished.close();
        }
        ElasticJobEngine present = engine;
        if (present == null) {
            held.close();
            callback.run();
            return;
        }
        present.stop().whenComplete((stopped, failure) -> {
            held.close();
            callback.run();
        });
    }

    @Override
    public synchronized boolean isRunning() {
        return running;
    }

    /** Whether the context starts this. Otherwise, {@link StartWhenReady} does. */
    @Override
    public boolean isAutoStartup() {
        return startAt == StartAt.LIFECYCLE;
    }

    /** Whether there is anything that a question about jobs could be about. If not, asking would only connect. */
    public boolean knowsJobs() {
        return !works || collector.hasJobs() || engine != null;
    }

    /** Starts last and stops first: after, and before, the web server, executors and message listeners. */
    @Override
    public int getPhase() {
        return DEFAULT_PHASE;
    }
}
