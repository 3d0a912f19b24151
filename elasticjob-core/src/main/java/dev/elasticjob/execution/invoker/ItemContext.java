package dev.elasticjob.execution.invoker;

import dev.elasticjob.coordination.completion.ClaimedItem;
import dev.elasticjob.coordination.state.ManualRun;
import dev.elasticjob.definition.JobDefinition;
import dev.elasticjob.job.ShardingContext;
import java.time.Instant;
import java.util.Optional;
import java.util.function.BooleanSupplier;

/** The context of one execution of one item. */
public final class ItemContext implements ShardingContext {
    private static final String JOINT = "@-@";

    private final ClaimedItem claim;
    private final String parameter;
    private final Progress progress;
    private final BooleanSupplier leaseLost;
    private final BooleanSupplier wanted;

    /** @param wanted whether the item is still this instance's to go on with */
    public ItemContext(
            ClaimedItem claim, String parameter, Progress progress, BooleanSupplier leaseLost, BooleanSupplier wanted) {
        this.claim = claim;
        this.parameter = parameter;
        this.progress = progress;
        this.leaseLost = leaseLost;
        this.wanted = wanted;
    }

    /** Whether another batch is to follow the one that is done. */
    boolean streamsOn() {
        return claim.definition().streamingProcess() && wanted.getAsBoolean();
    }

    /** As it stood when the item was claimed: kinds without code read what they do from it. */
    JobDefinition definition() {
        return claim.definition();
    }

    @Override
    public String getJobName() {
        return claim.jobName();
    }

    @Override
    public String getTaskId() {
        String run = claim.claimed().runId();
        return String.join(
                JOINT,
                claim.jobName(),
                String.valueOf(claim.item()),
                run == null ? claim.scheduledAt().toString() : run,
                String.valueOf(claim.attempt()),
                claim.instance());
    }

    @Override
    public String getRunId() {
        return claim.runId();
    }

    @Override
    public int getShardingTotalCount() {
        return claim.total();
    }

    @Override
    public String getJobParameter() {
        return claim.definition().jobParameter();
    }

    @Override
    public int getShardingItem() {
        return claim.item();
    }

    @Override
    public String getShardingParameter() {
        return parameter;
    }

    @Override
    public String getRunParameter() {
        ManualRun run = claim.claimed().run();
        return run == null ? "" : run.parameter();
    }

    @Override
    public Instant getScheduledTime() {
        return claim.scheduledAt();
    }

    @Override
    public int getAttempt() {
        return claim.attempt();
    }

    @Override
    public long getFencingToken() {
        return claim.token();
    }

    @Override
    public boolean isLeaseLost() {
        return leaseLost.getAsBoolean();
    }

    @Override
    public Optional<String> getLastCheckpoint() {
        return progress.last();
    }

    @Override
    public void checkpoint(String text) {
        progress.checkpoint(text);
    }

    @Override
    public String toString() {
        return getTaskId();
    }
}
