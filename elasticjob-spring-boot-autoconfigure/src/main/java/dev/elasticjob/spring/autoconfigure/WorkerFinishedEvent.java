package dev.elasticjob.spring.autoconfigure;

/**
 * The application has ended its first items, so it ends by {@code elasticjob.worker.fresh}: its jobs claim nothing more, and
 * when all listeners of this event have returned, the context is closed. Published as an application event, once.
 */
public record WorkerFinishedEvent() {}
