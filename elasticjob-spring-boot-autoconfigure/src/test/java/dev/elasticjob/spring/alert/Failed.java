package dev.elasticjob.spring.alert;

import dev.elasticjob.job.ShardingContext;
import java.time.Instant;
import java.util.Optional;

/** The context of an execution that has failed. */
record Failed(String jobName, int item) implements ShardingContext {
    static final Instant NOON = Instant.parse("2026-03-01T12:00:00Z");

    static Alert alert(String message) {
        return Alert.of(new Failed("orders", 3), new IllegalStateException(message), NOON);
    }

    @Override
    public String getJobName() {
        return jobName;
    }

    @Override
    public String getTaskId() {
        return "task";
    }

    @Override
    public String getRunId() {
        return jobName + "@" + NOON;
    }

    @Override
    public int getShardingTotalCount() {
        return 4;
    }

    @Override
    public String getJobParameter() {
        return "";
    }

    @Override
    public int getShardingItem() {
        return item;
    }

    @Override
    public String getShardingParameter() {
        return "";
    }

    @Override
    public String getRunParameter() {
        return "";
    }

    @Override
    public Instant getScheduledTime() {
        return NOON;
    }

    @Override
    public int getAttempt() {
        return 2;
    }

    @Override
    public long getFencingToken() {
        return 1;
    }

    @Override
    public boolean isLeaseLost() {
        return false;
    }

    @Override
    public Optional<String> getLastCheckpoint() {
        return Optional.empty();
    }

    @Override
    public void checkpoint(String text) {}
}
