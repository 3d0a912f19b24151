/** What operators ask of executions, as values that stand in records and with waiting runs. */
@NullMarked
package dev.elasticjob.coordination.request;

import org.jspecify.annotations.NullMarked;
