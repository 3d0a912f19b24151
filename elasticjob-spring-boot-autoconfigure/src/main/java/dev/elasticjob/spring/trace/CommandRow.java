package dev.elasticjob.spring.trace;

import dev.elasticjob.definition.Secrets;
import dev.elasticjob.job.event.JobEvent.CommandEnded;
import java.time.Instant;

/**
 * A row of JOB_COMMAND_LOG.
 *
 * @param id the same whenever the row is written again
 */
record CommandRow(String id, Instant at, CommandEnded command) {
    /** What came of it, without the values of such properties: more people read the table than the log. */
    String outcome() {
        return Secrets.withoutValues(command.outcome());
    }
}
