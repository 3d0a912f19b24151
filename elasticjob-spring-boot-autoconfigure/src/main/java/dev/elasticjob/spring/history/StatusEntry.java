package dev.elasticjob.spring.history;

import java.time.Instant;

/**
 * Something that happened to an execution.
 *
 * @param state as Elastic-Job names it: TASK_RUNNING, TASK_FINISHED, TASK_ERROR, TASK_KILLED, TASK_LOST or TASK_DROPPED
 * @param message empty if there is nothing to add
 */
public record StatusEntry(Instant time, String state, String message) {}
