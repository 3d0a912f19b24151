/**
 * Pictures of several nodes, read together. The door is {@link dev.elasticjob.coordination.view.JobViewReader}. {@link
 * dev.elasticjob.coordination.view.Ownership} is all that an instance needs to know to claim items.
 */
@NullMarked
package dev.elasticjob.coordination.view;

import org.jspecify.annotations.NullMarked;
