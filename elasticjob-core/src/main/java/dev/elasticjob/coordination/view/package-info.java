/**
 * Several nodes read together. Start at {@link dev.elasticjob.coordination.view.JobViewReader}. {@link
 * dev.elasticjob.coordination.view.Ownership} is all that an instance needs to claim items.
 */
@NullMarked
package dev.elasticjob.coordination.view;

import org.jspecify.annotations.NullMarked;
