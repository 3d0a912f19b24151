package dev.elasticjob.admin.command;

import dev.elasticjob.admin.command.CommandLog.Command;
import dev.elasticjob.coordination.session.Stages;
import dev.elasticjob.coordination.state.CorruptNodeException;
import dev.elasticjob.coordination.state.ItemRecord;
import dev.elasticjob.coordination.state.ItemRecordCodec;
import dev.elasticjob.coordination.state.ItemState;
import dev.elasticjob.coordination.state.StoredDefinition;
import dev.elasticjob.coordination.view.PauseSwitch;
import dev.elasticjob.coordination.view.PauseSwitch.FailedItem;
import dev.elasticjob.coordination.view.PlanView;
import dev.elasticjob.definition.UnreadableDefinitionException;
import dev.elasticjob.registry.JobTree;
import dev.elasticjob.registry.Registry;
import dev.elasticjob.registry.RegistryAnswer;
import dev.elasticjob.registry.RegistryCommit;
import dev.elasticjob.registry.RegistryNode;
import dev.elasticjob.registry.RegistryRead;
import dev.elasticjob.registry.RegistryUnavailableException;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionStage;
import org.jspecify.annotations.Nullable;

/**
 * The setting {@code pauseAfterFailures}: the step "pause after failures" of {@code docs/internals/protocol-pause.md}. Each
 * call decides by what the registry says then. Not thread-safe.
 */
public final class FailureRule {
    private static final Actor ACTOR = Actor.named(PausedBy.AFTER_FAILURES);

    private final JobTree tree;
    private final ExistingJobs jobs;
    private final GuardedWrites writes;
    private final CommandLog commands;
    /** What was sent for items, and not answered. */
    private final Map<Integer, FailedItem> unanswered = new HashMap<>();

    /** @param commands reports the pauses, and keeps none */
    public FailureRule(String jobName, Registry registry, CommandLog commands) {
        this.tree = new JobTree(jobName);
        this.jobs = new ExistingJobs(registry);
        this.writes = new GuardedWrites(registry);
        this.commands = commands.keptIn(new CommandHistory(jobs, writes));
    }

    /**
     * Pauses the job if executions of the item have failed so often, one after the other.
     *
     * @return completes when the job is paused, or isn't to be
     */
    public CompletionStage<Void> look(int item) {
        return writes.repeat(tree.jobName(), () -> read(item).thenCompose(job -> paused(item, job)))
                .handle((paused, error) -> {
                    if (error == null) {
                        unanswered.remove(item);
                        return report(paused);
                    }
                    boolean removed = Stages.unwrap(error) instanceof UnknownTargetException;
                    return removed ? nothing() : CompletableFuture.<Void>failedFuture(Stages.unwrap(error));
                })
                .thenCompose(stage -> stage);
    }

    private CompletionStage<RegistryAnswer> read(int item) {
        List<RegistryRead> reads = new ArrayList<>(PauseCommands.reads(tree));
        reads.addAll(RegistryRead.allData(tree.sharding(), tree.item(item)));
        reads.addAll(CommandHistory.reads(tree));
        return jobs.read(tree.jobName(), reads);
    }

    /** The item whose failures have paused the job, by this call or by one before it that was not answered. */
    private CompletionStage<Optional<Optional<FailedItem>>> paused(int item, RegistryAnswer job) {
        Optional<RegistryNode> node = job.node(tree.paused());
        Optional<PauseSwitch> before = node.map(PauseSwitch::of);
        Optional<FailedItem> sent = Optional.ofNullable(unanswered.get(item))
                .filter(failed -> before.flatMap(PauseSwitch::failures)
                        .filter(failed::equals)
                        .isPresent());
        if (sent.isPresent()) {
            return CompletableFuture.completedFuture(Optional.of(sent));
        }
        Optional<FailedItem> failed = before.filter(PauseSwitch::paused).isPresent()
                ? Optional.empty()
                : failed(item, job, node.map(RegistryNode::mzxid).orElse(0L));
        if (failed.isEmpty()) {
            return CompletableFuture.completedFuture(Optional.of(failed));
        }
        String text = PauseSwitch.begun(before, ACTOR.name(), reason(failed.get()), failed.get());
        RegistryCommit commit = RegistryCommit.builder()
                .check(tree.sharding(), job.node(tree.sharding()).orElseThrow().version())
                .addAll(StoredDefinition.of(tree, job).unchanged())
                .check(tree.item(item), job.node(tree.item(item)).orElseThrow().version())
                .setOrCreate(tree.paused(), text, node.map(RegistryNode::version))
                .addAll(PauseCommands.signal(tree, job))
                .build();
        return writes.attempt(commit, failed).whenComplete((outcome, error) -> {
            if (error != null
                    && Stages.unwrap(error) instanceof RegistryUnavailableException unavailable
                    && unavailable.outcomeUnknown()) {
                unanswered.put(item, failed.get());
            }
        });
    }

    /** Only of an item that has an owner, and isn't running. */
    private Optional<FailedItem> failed(int item, RegistryAnswer job, long pause) {
        try {
            boolean owned = PlanView.of(tree, job)
                    .filter(plan -> plan.assignment().owners().containsKey(item))
                    .isPresent();
            Optional<RegistryNode> node = job.node(tree.item(item));
            if (!owned || node.isEmpty()) {
                return Optional.empty();
            }
            ItemRecord record = ItemRecordCodec.read(tree.item(item), node.get().data());
            int most = StoredDefinition.of(tree, job)
                    .decode(Optional.empty(), job.node(tree.sharding()))
                    .definition()
                    .pauseAfterFailures();
            int times = record.failuresIn(pause);
            return most == 0 || times < most || record.state() == ItemState.RUNNING
                    ? Optional.empty()
                    : Optional.of(new FailedItem(item, times, record.lastFailure()));
        } catch (CorruptNodeException | UnreadableDefinitionException e) {
            // Nothing is claimed until that is corrected, and then the item is looked at again.
            return Optional.empty();
        }
    }

    private static String reason(FailedItem failed) {
        return "item %d has failed %d times in a row%s"
                .formatted(
                        failed.item(),
                        failed.times(),
                        failed.failure().isEmpty() ? "" : ", at last with: " + failed.failure());
    }

    private CompletionStage<Void> report(Optional<FailedItem> paused) {
        return paused.map(failed -> {
                    Command command =
                            commands.by(ACTOR.because(reason(failed))).begin(tree.jobName(), PauseCommands.PAUSE);
                    command.found(PauseCommands.NOT_PAUSED);
                    return command.reporting(
                            CompletableFuture.completedFuture(failed),
                            done -> "nothing starts until the job is resumed");
                })
                .map(reported -> reported.<Void>thenApply(done -> null))
                .orElseGet(FailureRule::nothing);
    }

    private static CompletionStage<@Nullable Void> nothing() {
        return CompletableFuture.completedFuture(null);
    }
}
