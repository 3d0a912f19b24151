package dev.elasticjob.spring.history;

import java.time.Instant;
import java.util.Optional;

/**
 * A command of an operator.
 *
 * @param id unique for each entry
 * @param at when it ended, by the clock of the process that carried it out
 * @param jobName {@code *} for a command that concerns all jobs of the namespace
 * @param command for example {@code disable item 3}
 * @param reason empty if none was given
 * @param before what the command was about to change; may be empty
 * @param succeeded false if it was refused, or failed
 * @param outcome what came of it, or why it was refused
 * @param hostname of the machine whose process carried it out; may be empty
 */
public record CommandEntry(
        String id,
        Instant at,
        String jobName,
        String command,
        String actor,
        Optional<String> reason,
        String before,
        boolean succeeded,
        String outcome,
        String hostname) {}
