/** Instances that share out the partitions of a table, without any job. */
@NullMarked
package dev.elasticjob.samples.dynamicsharding;

import org.jspecify.annotations.NullMarked;
