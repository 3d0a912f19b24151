package dev.elasticjob.spring.trace;

import java.nio.charset.StandardCharsets;
import java.time.Instant;
import java.util.UUID;
import org.jspecify.annotations.Nullable;

/**
 * Which execution a row is about, or which firings that did not run. Immutable; what several rows need of it is computed
 * once.
 */
final class TaskKey {
    private static final String JOINT = "@-@";

    private final String jobName;
    private final int item;
    private final String runId;
    private final Instant scheduledTime;
    private final int attempt;
    private final String instance;
    private final String id;
    private final String taskId;

    /**
     * @param instance empty if no instance ran it
     * @param attempt 0 for firings that did not run
     */
    TaskKey(String jobName, int item, String runId, Instant scheduledTime, int attempt, String instance) {
        this.jobName = jobName;
        this.item = item;
        this.runId = runId;
        this.scheduledTime = scheduledTime;
        this.attempt = attempt;
        this.instance = instance;
        this.id = id("");
        String time = scheduledTime.toString();
        String run = runId.equals(scheduledRun(jobName, time)) ? time : runId;
        this.taskId = String.join(JOINT, jobName, String.valueOf(item), run, String.valueOf(attempt), instance);
    }

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
        return id;
    }

    /** As the execution's own context has it. */
    String taskId() {
        return taskId;
    }

    /** The run id of a firing. */
    static String scheduledRun(String jobName, Instant firing) {
        return scheduledRun(jobName, firing.toString());
    }

    private static String scheduledRun(String jobName, String firing) {
        return jobName + "@" + firing;
    }

    /** The address that an instance's id begins with, unless it has a name of the application's own. */
    String ip() {
        int joint = instance.indexOf(JOINT);
        return joint < 0 ? "" : instance.substring(0, joint);
    }

    String jobName() {
        return jobName;
    }

    int item() {
        return item;
    }

    String runId() {
        return runId;
    }

    Instant scheduledTime() {
        return scheduledTime;
    }

    int attempt() {
        return attempt;
    }

    String instance() {
        return instance;
    }

    @Override
    public boolean equals(@Nullable Object other) {
        return other instanceof TaskKey key && key.id.equals(id) && key.scheduledTime.equals(scheduledTime);
    }

    @Override
    public int hashCode() {
        return id.hashCode();
    }

    @Override
    public String toString() {
        return taskId;
    }
}
