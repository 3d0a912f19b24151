/**
 * Instances that share out work that is no job: see {@code docs/internals/protocol-groups.md}. The door is {@link
 * dev.elasticjob.coordination.group.GroupCoordination}, one group on this instance: a loop that reads where the instance
 * stands, holds an index or stops, and leads the group if it is elected. {@link
 * dev.elasticjob.coordination.group.GroupPlanner} decides what the leader does; {@link
 * dev.elasticjob.coordination.group.IndexHolder} calls the application.
 *
 * <p>Confined to the coordination executor, except for the application's own code.
 */
@NullMarked
package dev.elasticjob.coordination.group;

import org.jspecify.annotations.NullMarked;
