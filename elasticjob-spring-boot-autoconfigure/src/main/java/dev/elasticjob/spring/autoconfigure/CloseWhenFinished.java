package dev.elasticjob.spring.autoconfigure;

import dev.elasticjob.engine.ElasticJobEngine;
import java.time.Duration;
import java.util.Optional;
import java.util.concurrent.CompletionStage;
import java.util.function.Supplier;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;
import org.springframework.boot.context.event.ApplicationReadyEvent;
import org.springframework.context.ApplicationListener;
import org.springframework.context.ConfigurableApplicationContext;
import org.springframework.core.task.SimpleAsyncTaskExecutor;

/**
 * Closes the application when its jobs have nothing to do, or have ended their first items. The JVM then ends by itself,
 * with exit code 0, as no thread of ours is left; {@code System.exit} would also end what else lives in it.
 */
final class CloseWhenFinished implements ApplicationListener<ApplicationReadyEvent> {
    private static final Logger log = LoggerFactory.getLogger(CloseWhenFinished.class);

    private final Supplier<ElasticJobEngine> engine;
    private final ConfigurableApplicationContext context;
    private final Optional<Duration> idleAfter;
    private final boolean fresh;

    /** @param context whose readiness counts, and which is closed */
    CloseWhenFinished(
            Supplier<ElasticJobEngine> engine,
            ConfigurableApplicationContext context,
            ElasticJobProperties.Worker worker) {
        this.engine = engine;
        this.context = context;
        this.idleAfter = Optional.ofNullable(worker.idleAfter()).filter(any -> worker.enabled());
        this.fresh = worker.fresh() && worker.enabled();
    }

    @Override
    public void onApplicationEvent(ApplicationReadyEvent ready) {
        if (ready.getApplicationContext() == context) {
            idleAfter.ifPresent(this::closeWhenIdle);
            if (fresh) {
                // Fresh since before its start, by EngineLifecycle: this only asks for the end.
                closeAfter(engine.get().finishAfterFirstItems(), new WorkerFinishedEvent());
            }
        }
    }

    private void closeWhenIdle(Duration idle) {
        ElasticJobEngine present = engine.get();
        if (!present.groups().names().isEmpty()) {
            log.warn(
                    "\"elasticjob.worker.idle-after\" has no effect while this instance takes part in groups: their work has no end. Its groups are {}",
                    present.groups().names());
        }
        closeAfter(present.finishWhenIdle(idle), new WorkerIdleEvent(idle));
    }

    /** Not on the engine's thread, for which closing waits; and not on a daemon, so that the process lives until it is closed. */
    private void closeAfter(CompletionStage<Void> work, Record event) {
        var threads = new SimpleAsyncTaskExecutor("elasticjob-end-");
        threads.setDaemon(false);
        work.thenRun(() -> threads.execute(() -> close(event)));
    }

    private void close(Record event) {
        if (!context.isActive()) {
            return;
        }
        try {
            context.publishEvent(event);
        } catch (RuntimeException e) {
            log.error(
                    "A listener of the application's events failed to handle {}; the application ends",
                    event.getClass().getSimpleName(),
                    e);
        } finally {
            context.close();
        }
    }
}
