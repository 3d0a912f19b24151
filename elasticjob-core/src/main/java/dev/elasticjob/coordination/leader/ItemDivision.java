package dev.elasticjob.coordination.leader;

import dev.elasticjob.coordination.session.SharedConnection;
import dev.elasticjob.definition.JobDefinition;
import dev.elasticjob.job.Failures;
import dev.elasticjob.time.TaskTimer;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.NavigableMap;
import java.util.TreeMap;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionStage;
import java.util.concurrent.Executor;
import java.util.concurrent.TimeoutException;
import java.util.function.Supplier;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Asks a job's strategy who is to own what. Foreign code can't hold up or harm the leader: it runs on a worker, and
 * where there is no such strategy, or it fails, or gives no answer in time, the default one divides and the log says
 * so.
 */
public final class ItemDivision {
    private static final Logger log = LoggerFactory.getLogger(ItemDivision.class);
    private static final Duration PATIENCE = Duration.ofSeconds(5);

    private final ShardingStrategies strategies;
    private final Executor workers;
    private final TaskTimer timer;

    public ItemDivision(ShardingStrategies strategies, Executor workers, TaskTimer timer) {
        this.strategies = strategies;
        this.workers = workers;
        this.timer = timer;
    }

    /**
     * Divides the items of a job.
     *
     * @param eligible the instances, in descending string order; where there is none, nobody owns anything
     * @param current who owns what now
     */
    CompletionStage<NavigableMap<Integer, String>> divide(
            JobDefinition definition, List<String> eligible, Map<Integer, String> current) {
        if (eligible.isEmpty()) {
            return CompletableFuture.completedFuture(new TreeMap<>());
        }
        if (strategies.isBuiltIn(definition.jobShardingStrategyClass())) {
            return CompletableFuture.completedFuture(strategies.divide(definition, eligible, current));
        }
        CompletableFuture<NavigableMap<Integer, String>> answer =
                onWorker(() -> strategies.divide(definition, eligible, current));
        TaskTimer.Cancellable patience = timer.after(
                PATIENCE,
                () -> answer.completeExceptionally(
                        new TimeoutException("no answer within " + PATIENCE.toSeconds() + " s")));
        return answer.handle((owners, error) -> {
            patience.cancel();
            if (error == null) {
                return owners;
            }
            log.warn(
                    "Job \"{}\": the sharding strategy \"{}\" failed, so the default strategy assigns the items",
                    definition.jobName(),
                    definition.jobShardingStrategyClass(),
                    SharedConnection.unwrap(error));
            return strategies.divide(byDefault(definition), eligible, current);
        });
    }

    /** Where no worker can be had, the answer is that failure. */
    private <T> CompletableFuture<T> onWorker(Supplier<T> work) {
        CompletableFuture<T> answer = new CompletableFuture<>();
        try {
            workers.execute(() -> answer(answer, work));
        } catch (Throwable e) {
            answer.completeExceptionally(Failures.printable(e));
        }
        return answer;
    }

    /** A stage that fails renders its failure: no stage but this may meet one that can't be rendered. */
    private static <T> void answer(CompletableFuture<T> answer, Supplier<T> work) {
        try {
            answer.complete(work.get());
        } catch (Throwable e) {
            answer.completeExceptionally(Failures.printable(e));
        }
    }

    private static JobDefinition byDefault(JobDefinition definition) {
        return definition.toBuilder().jobShardingStrategyClass("").build();
    }
}
