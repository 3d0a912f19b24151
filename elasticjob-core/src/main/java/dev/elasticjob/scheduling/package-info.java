/**
 * When a job fires on this instance, and what state it is in. The doors are {@link
 * dev.elasticjob.scheduling.JobTrigger} (one timer, armed for the next due time) and {@link
 * dev.elasticjob.scheduling.JobLifecycle} (the only owner of a job's state).
 *
 * <p>Confined to the coordination executor unless a type says otherwise. May import {@code time}, {@code job},
 * {@code definition} and {@code coordination}.
 */
@NullMarked
package dev.elasticjob.scheduling;

import org.jspecify.annotations.NullMarked;
