/**
 * Several nodes read together, and what they say together: an instance's job, its items, and what operators keep from
 * starting. The door is {@link dev.elasticjob.coordination.view.JobViewReader}.
 * {@link dev.elasticjob.coordination.view.Ownership} is all that an instance needs to claim items.
 */
@NullMarked
package dev.elasticjob.coordination.view;

import org.jspecify.annotations.NullMarked;
