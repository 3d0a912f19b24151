package dev.elasticjob.admin.command;

import java.util.SortedSet;

/**
 * The answer to a trigger.
 *
 * @param runId the run id of the executions
 * @param items the items that will run
 * @param disabled the disabled items, which do not run
 */
public record TriggerAnswer(String runId, SortedSet<Integer> items, SortedSet<Integer> disabled) {}
