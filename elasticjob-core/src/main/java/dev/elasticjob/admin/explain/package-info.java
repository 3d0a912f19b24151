/**
 * Why an item doesn't run: {@link dev.elasticjob.admin.explain.Explanation}, decided from values by {@link
 * dev.elasticjob.admin.explain.ItemConditions}. The rules are the planner's own; only texts are added here.
 */
@NullMarked
package dev.elasticjob.admin.explain;

import org.jspecify.annotations.NullMarked;
