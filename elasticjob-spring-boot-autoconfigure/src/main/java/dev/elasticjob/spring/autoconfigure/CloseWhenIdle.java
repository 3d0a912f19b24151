package dev.elasticjob.spring.autoconfigure;

import dev.elasticjob.engine.ElasticJobEngine;
import java.time.Duration;
import java.util.Optional;
import java.util.function.Supplier;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;
import org.springframework.boot.context.event.ApplicationReadyEvent;
import org.springframework.context.ApplicationListener;
import org.springframework.context.ConfigurableApplicationContext;
import org.springframework.core.task.SimpleAsyncTaskExecutor;

/**
 * Closes the application when its jobs have nothing to do. The JVM then ends by itself, with exit code 0, as no thread of
 * ours is left; {@code System.exit} would also end what else lives in it.
 */
final class CloseWhenIdle implements ApplicationListener<ApplicationReadyEvent> {
    private static final Logger log = LoggerFactory.getLogger(CloseWhenIdle.class);

    private final Supplier<ElasticJobEngine> engine;
    private final ConfigurableApplicationContext context;
    private final Optional<Duration> idleAfter;

    /** @param context whose readiness counts, and which is closed */
    CloseWhenIdle(
            Supplier<ElasticJobEngine> engine,
            ConfigurableApplicationContext context,
            ElasticJobProperties.Worker worker) {
        this.engine = engine;
        this.context = context;
        this.idleAfter = Optional.ofNullable(worker.idleAfter()).filter(any -> worker.enabled());
    }

    @Override
    public void onApplicationEvent(ApplicationReadyEvent ready) {
        if (ready.getApplicationContext() == context) {
            idleAfter.ifPresent(this::begin);
        }
    }

    private void begin(Duration idle) {
        ElasticJobEngine present = engine.get();
        if (!present.groups().names().isEmpty()) {
            log.warn(
                    "\"elasticjob.worker.idle-after\" has no effect while this instance takes part in groups: their work has no end. Its groups are {}",
                    present.groups().names());
        }
        present.finishWhenIdle(idle).thenRun(() -> closeOnThreadOfItsOwn(idle));
    }

    /** Not on the engine's, for which closing waits; and not on a daemon, so that the process lives until it is closed. */
    private void closeOnThreadOfItsOwn(Duration idle) {
        var threads = new SimpleAsyncTaskExecutor("elasticjob-idle-");
        threads.setDaemon(false);
        threads.execute(() -> close(idle));
    }

    private void close(Duration idle) {
        if (!context.isActive()) {
            return;
        }
        try {
            context.publishEvent(new WorkerIdleEvent(idle));
        } catch (RuntimeException e) {
            log.error(
                    "A listener of the application's events failed to handle WorkerIdleEvent; the application ends", e);
        } finally {
            context.close();
        }
    }
}
