package dev.elasticjob.spring.autoconfigure;

import java.time.Duration;

/**
 * The application's jobs have nothing to do, so it ends by {@code elasticjob.worker.idle-after}: they claim nothing more,
 * and when all listeners of this event have returned, the context is closed. Published as an application event, once.
 *
 * @param idleAfter the time for which there was nothing to do
 */
public record WorkerIdleEvent(Duration idleAfter) {}
