/** The texts of the files that are produced. */
@NullMarked
package dev.elasticjob.migration.output;

import org.jspecify.annotations.NullMarked;
