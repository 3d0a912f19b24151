package dev.elasticjob.spring.autoconfigure;

import org.springframework.boot.context.event.ApplicationReadyEvent;
import org.springframework.context.ApplicationContext;
import org.springframework.context.ApplicationListener;

/**
 * Starts the jobs when the application is ready, after its runners, unless its context starts them. If that fails, so does
 * the application's start.
 */
final class StartWhenReady implements ApplicationListener<ApplicationReadyEvent> {
    private final EngineLifecycle lifecycle;
    private final ApplicationContext context;

    /** @param context whose readiness counts; a child context's event arrives here too */
    StartWhenReady(EngineLifecycle lifecycle, ApplicationContext context) {
        this.lifecycle = lifecycle;
        this.context = context;
    }

    @Override
    public void onApplicationEvent(ApplicationReadyEvent ready) {
        if (ready.getApplicationContext() == context && !lifecycle.isAutoStartup()) {
            lifecycle.start();
        }
    }
}
