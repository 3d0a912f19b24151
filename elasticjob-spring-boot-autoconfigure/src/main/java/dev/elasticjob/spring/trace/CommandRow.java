package dev.elasticjob.spring.trace;

import dev.elasticjob.job.event.JobEvent.CommandEnded;
import java.time.Instant;
import java.util.regex.Pattern;

/**
 * A row of JOB_COMMAND_LOG.
 *
 * @param id the same whenever the row is written again
 */
record CommandRow(String id, Instant at, CommandEnded command) {
    /** A property whose name suggests a secret, as JSON or as a map prints it, and its value. */
    private static final Pattern SECRET = Pattern.compile(
            "(\"?[\\w.-]*(?:password|passwd|pwd|secret|token|credential|api-?key)[\\w.-]*\"?\\s*[=:]\\s*)(\"[^\"]*\"|[^,}\"\\s]+)",
            Pattern.CASE_INSENSITIVE);

    /** What came of it, without the values of such properties: more people read the table than the log. */
    String outcome() {
        return SECRET.matcher(command.outcome()).replaceAll("$1******");
    }
}
