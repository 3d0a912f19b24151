/**
 * Commands that end what runs, and repeat what failed. Start at {@link dev.elasticjob.admin.run.CancelCommands}; {@link
 * dev.elasticjob.admin.run.CancelSteps} makes the decisions.
 */
@NullMarked
package dev.elasticjob.admin.run;

import org.jspecify.annotations.NullMarked;
