package dev.elasticjob.coordination.leader;

import dev.elasticjob.coordination.session.Stages;
import dev.elasticjob.definition.JobDefinition;
import dev.elasticjob.job.FailureLogs;
import dev.elasticjob.job.Failures;
import dev.elasticjob.job.ShardingStrategy.Measured;
import dev.elasticjob.time.DurationText;
import dev.elasticjob.time.TaskTimer;
import java.time.Duration;
import java.util.Map;
import java.util.NavigableMap;
import java.util.Set;
import java.util.TreeMap;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionStage;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.Executor;
import java.util.concurrent.TimeoutException;
import java.util.function.Consumer;
import java.util.function.Supplier;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Assigns the items to instances by the job's strategy. The strategy is foreign code, which must not block or harm the
 * leader: it runs on a worker. If there is no such strategy, or if it fails or takes too long, the default strategy is
 * used, with a warning.
 */
public final class ItemDivision {
    private static final Logger log = LoggerFactory.getLogger(ItemDivision.class);
    private static final Duration PATIENCE = Duration.ofSeconds(5);

    private final ShardingStrategies strategies;
    private final Executor workers;
    private final TaskTimer timer;
    private final FailureLogs failures;

    public ItemDivision(ShardingStrategies strategies, Executor workers, TaskTimer timer) {
        this.strategies = strategies;
        this.workers = workers;
        this.timer = timer;
        this.failures = new FailureLogs(log, timer::nanoTime);
    }

    /** Whether the job's strategy is to know what the instances have of other jobs. */
    boolean needsLoads(JobDefinition definition) {
        return strategies.needsLoads(definition);
    }

    /** Whether the job's strategy is to know how long the items take. */
    boolean needsDurations(JobDefinition definition) {
        return strategies.needsDurations(definition);
    }

    /** Whether foreign code is asked, which may take its time. */
    boolean asksOwn(JobDefinition definition) {
        return !strategies.isBuiltIn(definition);
    }

    /** One job's items, for which the strategy has all its time. */
    CompletionStage<NavigableMap<Integer, String>> divide(
            JobDefinition definition,
            Candidates candidates,
            Map<Integer, String> current,
            Map<String, Long> loads,
            Measured measured) {
        return divide(definition, candidates, current, loads, measured, ConcurrentHashMap.newKeySet());
    }

    /**
     * @param candidates if there is none, no item has an owner
     * @param current the present owners
     * @param loads what each instance has of other jobs, if the strategy needs it
     * @param measured how long the items take, if the strategy needs it
     * @param slow the names of strategies that have taken too long and aren't asked again; one that does is added. Written
     *     by any thread
     * @return completes on any thread
     */
    CompletionStage<NavigableMap<Integer, String>> divide(
            JobDefinition definition,
            Candidates candidates,
            Map<Integer, String> current,
            Map<String, Long> loads,
            Measured measured,
            Set<String> slow) {
        if (candidates.isEmpty()) {
            return CompletableFuture.completedFuture(new TreeMap<>());
        }
        Candidates.Question question = candidates.question(current, loads, measured);
        return asked(definition, question, slow)
                .thenApply(owners -> candidates.settled(owners, question.current(), definition::weightOf));
    }

    private CompletionStage<NavigableMap<Integer, String>> asked(
            JobDefinition definition, Candidates.Question question, Set<String> slow) {
        if (!asksOwn(definition)) {
            return CompletableFuture.completedFuture(question.askedOf(strategies, definition));
        }
        String name = definition.jobShardingStrategyClass();
        CompletableFuture<NavigableMap<Integer, String>> answer = slow.contains(name)
                ? CompletableFuture.failedFuture(
                        new TimeoutException("the strategy did not return in time for another job"))
                : onWorker(() -> question.askedOf(strategies, definition));
        TaskTimer.Cancellable patience = timer.after(
                PATIENCE,
                () -> answer.completeExceptionally(
                        new TimeoutException("the strategy did not return within " + DurationText.of(PATIENCE))));
        return answer.handle((owners, error) -> {
            patience.cancel();
            if (error == null) {
                return owners;
            }
            if (Stages.unwrap(error) instanceof TimeoutException) {
                slow.add(name);
            }
            failures.of(definition.jobName())
                    .warn(
                            "Job \"%s\": the sharding strategy \"%s\" failed, so the default strategy assigns the items"
                                    .formatted(definition.jobName(), name),
                            Stages.unwrap(error));
            return question.askedOf(
                    strategies,
                    definition.toBuilder().jobShardingStrategyClass("").build());
        });
    }

    /** Fails if there is no worker. Failures are made printable, because a failed stage renders them. */
    private <T> CompletableFuture<T> onWorker(Supplier<T> work) {
        CompletableFuture<T> answer = new CompletableFuture<>();
        Consumer<Throwable> failed = error -> answer.completeExceptionally(Failures.printable(error));
        try {
            workers.execute(() -> {
                try {
                    answer.complete(work.get());
                } catch (Throwable e) {
                    failed.accept(e);
                }
            });
        } catch (Throwable e) {
            failed.accept(e);
        }
        return answer;
    }
}
