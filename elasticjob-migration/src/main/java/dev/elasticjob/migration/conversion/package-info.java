/** What becomes of each setting: one table of rules, applied to values. No I/O. */
@NullMarked
package dev.elasticjob.migration.conversion;

import org.jspecify.annotations.NullMarked;
