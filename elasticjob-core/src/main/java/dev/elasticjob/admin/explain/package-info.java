/**
 * Why an item doesn't run, and who would own which items under other conditions. The doors are
 * {@link dev.elasticjob.admin.explain.ItemConditions}, which decides from values what an
 * {@link dev.elasticjob.admin.explain.Explanation} says, and {@link dev.elasticjob.admin.explain.ReshardPreview}. The
 * rules are the planners' own; only texts are added here.
 */
@NullMarked
package dev.elasticjob.admin.explain;

import org.jspecify.annotations.NullMarked;
