/**
 * Converts configurations of Elastic-Job 2.x and ElasticJob 3.x. {@link dev.elasticjob.migration.Main} is the command
 * line, {@link dev.elasticjob.migration.Migration} the class to call. {@code source} reads, {@code conversion} decides what
 * becomes of each setting, {@code output} writes texts.
 */
@NullMarked
package dev.elasticjob.migration;

import org.jspecify.annotations.NullMarked;
