package dev.elasticjob.spring.trace;

import java.nio.charset.StandardCharsets;
import java.time.Instant;
import java.util.UUID;

/**
 * Which execution a row is about, or which firings that did not run.
 *
 * @param instance empty if no instance ran it
 * @param attempt 0 for firings that did not run
 */
record TaskKey(String jobName, int item, String runId, Instant scheduledTime, int attempt, String instance) {
    private static final String JOINT = "@-@";

    /**
     * The same wherever and however often the execution is reported: what is written twice is stored once.
     *
     * @param kind tells rows about the same execution apart; empty for the execution itself
     */
    String id(String kind) {
        String all = String.join("\n", jobName, String.valueOf(item), runId, String.valueOf(attempt), instance, kind);
        return UUID.nameUUIDFromBytes(all.getBytes(StandardCharsets.UTF_8)).toString();
    }

    String id() {
        return id("");
    }

    /** As the execution's own context has it. */
    String taskId() {
        boolean ofSchedule = runId.equals(scheduledRun(jobName, scheduledTime));
        String run = ofSchedule ? scheduledTime.toString() : runId;
        return String.join(JOINT, jobName, String.valueOf(item), run, String.valueOf(attempt), instance);
    }

    /** The run id of a firing. */
    static String scheduledRun(String jobName, Instant firing) {
        return jobName + "@" + firing;
    }

    /** The address that an instance's id begins with, unless it has a name of the application's own. */
    String ip() {
        int joint = instance.indexOf(JOINT);
        return joint < 0 ? "" : instance.substring(0, joint);
    }
}
