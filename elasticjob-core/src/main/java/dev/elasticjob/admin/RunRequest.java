package dev.elasticjob.admin;

import dev.elasticjob.coordination.state.ManualRun;
import java.util.UUID;

/**
 * A request for a run of a job beside its schedule.
 *
 * @param runId 1 to 64 letters, digits, or any of {@code ._:-}; executions carry it in their task id. Repeated with the
 *     same one, a request asks for nothing new
 * @param parameter what {@link dev.elasticjob.job.ShardingContext#getRunParameter()} gives to every item of this run: at
 *     most 512 bytes of UTF-8, without control characters; empty when there is none
 */
public record RunRequest(String runId, String parameter) {
    /** @throws IllegalArgumentException naming what is wrong */
    public RunRequest {
        ManualRun.of(runId, parameter);
    }

    /** A new run. */
    public static RunRequest create() {
        return withParameter("");
    }

    /** A new run with a parameter. */
    public static RunRequest withParameter(String parameter) {
        return new RunRequest(UUID.randomUUID().toString(), parameter);
    }

    ManualRun run() {
        return ManualRun.of(runId, parameter);
    }
}
