package dev.elasticjob.admin.command;

import java.time.Instant;

/**
 * A command that was carried out on a job, as the job's tree remembers it. Its texts are cut to 120 bytes of UTF-8, on one
 * line.
 *
 * @param at by the registry's clock
 * @param reason empty if none was given
 * @param command for example {@code disable item 3}
 * @param before what the command was about to change, as it was read; may be empty
 * @param outcome what came of it
 */
public record CommandEntry(
        Instant at, String actor, String reason, String command, String before, String outcome) {}
