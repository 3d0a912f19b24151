package dev.elasticjob.execution.invoker;

import dev.elasticjob.coordination.item.Checkpoints;
import dev.elasticjob.coordination.item.ClaimedItem;
import dev.elasticjob.coordination.progress.ItemProgress;
import dev.elasticjob.coordination.run.ParentFirings;
import dev.elasticjob.coordination.state.ManualRun;
import dev.elasticjob.definition.JobDefinition;
import dev.elasticjob.job.ShardingContext;
import dev.elasticjob.job.ShardingContext.Requester;
import dev.elasticjob.job.after.ParentFiring;
import java.nio.charset.StandardCharsets;
import java.time.Instant;
import java.util.List;
import java.util.Objects;
import java.util.Optional;
import java.util.concurrent.Executor;
import java.util.function.BooleanSupplier;
import java.util.function.Supplier;
import org.jspecify.annotations.Nullable;

/**
 * The context of one execution of one item. If the job sets several checkpoints before the coordination executor
 * processes the first, only the newest is passed on. Thread-safe.
 */
public final class ItemContext implements ShardingContext {
    private static final String JOINT = "@-@";

    private final ClaimedItem claim;
    private final String parameter;
    private final Executor coordination;
    private final Reports reports;
    private final BooleanSupplier leaseLost;
    private final BooleanSupplier wanted;
    /** Not this object's monitor, which the job's code might hold for any time. */
    private final Object lock = new Object();

    private String checkpoint;
    private boolean passingOn;
    /** Null until the first report. */
    private @Nullable ItemProgress progress;

    private boolean ended;

    /** Receives what the job says of its execution, on the coordination executor. */
    public interface Reports {
        /** A new checkpoint. */
        void checkpoint(String text);

        /**
         * The first report of progress.
         *
         * @param latest the latest one, on any thread
         */
        void progress(Supplier<ItemProgress> latest);
    }

    /**
     * @param wanted whether this instance should continue with the item
     */
    public ItemContext(
            ClaimedItem claim,
            String parameter,
            Executor coordination,
            Reports reports,
            BooleanSupplier leaseLost,
            BooleanSupplier wanted) {
        this.claim = claim;
        this.parameter = parameter;
        this.coordination = coordination;
        this.reports = reports;
        this.leaseLost = leaseLost;
        this.wanted = wanted;
        this.checkpoint = claim.checkpoint().orElse("");
    }

    /** Whether another batch follows the present one. */
    boolean streamsOn() {
        return claim.definition().streamingProcess() && wanted.getAsBoolean();
    }

    /** The definition at the time of the claim. */
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
        return getParents().isEmpty() ? storedParameter() : "";
    }

    @Override
    public Optional<Requester> getRequester() {
        return claim.requester();
    }

    /** A run that follows other jobs has their firings as its parameter. */
    @Override
    public List<ParentFiring> getParents() {
        return ParentFirings.read(storedParameter());
    }

    private String storedParameter() {
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
        return claim.fencingToken();
    }

    @Override
    public boolean isLeaseLost() {
        return leaseLost.getAsBoolean();
    }

    @Override
    public Optional<String> getLastCheckpoint() {
        synchronized (lock) {
            return Optional.of(checkpoint).filter(text -> !text.isEmpty());
        }
    }

    @Override
    public void checkpoint(String text) {
        check(text);
        synchronized (lock) {
            if (ended) {
                throw new IllegalStateException(
                        "Job \"%s\": the execution of item %d has ended, so its checkpoint can't be set. Set it before the job returns"
                                .formatted(claim.jobName(), claim.item()));
            }
            checkpoint = text;
            if (!passingOn) {
                passingOn = true;
                coordination.execute(this::passOn);
            }
        }
    }

    private void check(String text) {
        if (!claim.isMonitored()) {
            throw new IllegalStateException(
                    "Job \"%s\" has monitorExecution=false, so the checkpoints of its firings are not stored: set it to true, or store them yourself"
                            .formatted(claim.jobName()));
        }
        int bytes = text.getBytes(StandardCharsets.UTF_8).length;
        if (bytes > Checkpoints.MAX_BYTES) {
            throw new IllegalArgumentException(
                    "A checkpoint may have at most %d bytes of UTF-8, but has %d: store large data elsewhere, and its key here"
                            .formatted(Checkpoints.MAX_BYTES, bytes));
        }
    }

    private void passOn() {
        String text;
        synchronized (lock) {
            passingOn = false;
            text = checkpoint;
        }
        reports.checkpoint(text);
    }

    /** Only the first report costs a task: those who show the progress ask for the latest one when they need it. */
    @Override
    public void progress(long done, long total, String text) {
        // One more than fits, so that the cut to bytes, when it is written, cuts between two characters.
        String head = text.substring(0, Math.min(text.length(), ItemProgress.MAX_BYTES_OF_TEXT + 1));
        ItemProgress next = new ItemProgress(done, total, head);
        synchronized (lock) {
            boolean first = progress == null;
            if (!ended) {
                progress = next;
            }
            if (first && !ended) {
                coordination.execute(() -> reports.progress(this::latestProgress));
            }
        }
    }

    private ItemProgress latestProgress() {
        synchronized (lock) {
            return Objects.requireNonNull(progress);
        }
    }

    /**
     * Accepts no more checkpoints, and no more reports of progress. The last one is passed on before any task that the caller submits to the executor
     * after this call.
     */
    public void end() {
        synchronized (lock) {
            ended = true;
        }
    }

    @Override
    public String toString() {
        return getTaskId();
    }
}
