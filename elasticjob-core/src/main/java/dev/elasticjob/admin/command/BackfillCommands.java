package dev.elasticjob.admin.command;

import dev.elasticjob.coordination.run.Backfill;
import dev.elasticjob.coordination.run.Backfill.FailedTimes;
import dev.elasticjob.coordination.session.Stages;
import dev.elasticjob.coordination.state.Assignment;
import dev.elasticjob.coordination.state.Cancellation;
import dev.elasticjob.coordination.state.NodeCodec;
import dev.elasticjob.coordination.state.RequestedBy;
import dev.elasticjob.coordination.view.ReshardingRequest;
import dev.elasticjob.definition.schedule.Schedule;
import dev.elasticjob.definition.schedule.ScheduleKind;
import dev.elasticjob.registry.JobTree;
import dev.elasticjob.registry.Registry;
import dev.elasticjob.registry.RegistryAnswer;
import dev.elasticjob.registry.RegistryCommit;
import dev.elasticjob.registry.RegistryNode;
import dev.elasticjob.registry.RegistryRead;
import java.time.Instant;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionStage;

/**
 * Begins and stops backfills, which the leader of the job carries out: {@code docs/internals/protocol-backfill.md}.
 * Thread-safe.
 */
final class BackfillCommands {
    private final Registry registry;
    private final JobTree tree;

    public BackfillCommands(Registry registry, JobTree tree) {
        this.registry = registry;
        this.tree = tree;
    }

    /**
     * Makes one attempt to begin a backfill.
     *
     * @param id of the new backfill, which makes a repetition harmless
     * @return empty if other writers came in between: try again. Fails with {@link IllegalArgumentException} if the range
     *     has no scheduled time or too many, and with {@link IllegalStateException} while another backfill goes on
     */
    public CompletionStage<Optional<BackfillAnswer>> begin(String id, BackfillRequest request, RequestedBy by) {
        return registry.read(RegistryRead.allData(tree.sharding(), tree.necessary(), tree.backfill()))
                .thenCompose(nodes -> {
                    RegistryNode sharding = nodes.node(tree.sharding())
                            .filter(node -> node.data().length > 0)
                            .orElseThrow(() ->
                                    new IllegalStateException("Job \"%s\" has never run: no instance has joined it yet"
                                            .formatted(tree.jobName())));
                    Assignment plan = NodeCodec.readAssignment(tree.sharding(), sharding.data());
                    Instant first = first(plan.schedule(), request);
                    BackfillAnswer answer = new BackfillAnswer(id, count(plan.schedule(), request), first);
                    Optional<Backfill> there = nodes.node(tree.backfill()).flatMap(Backfill::read);
                    if (there.filter(known -> known.id().equals(id)).isPresent()) {
                        return CompletableFuture.completedFuture(Optional.of(answer));
                    }
                    there.ifPresent(known -> {
                        throw new IllegalStateException(
                                "Job \"%s\" has a backfill until %s, which \"%s\" began: stop it, or wait for its end"
                                        .formatted(
                                                tree.jobName(),
                                                known.until(),
                                                known.by().actor()));
                    });
                    Backfill next = new Backfill(
                            id,
                            by,
                            plan.schedule(),
                            Optional.of(first),
                            request.until(),
                            request.atOnce(),
                            Optional.empty(),
                            List.of(),
                            FailedTimes.NONE);
                    return registry.commit(begin(sharding, nodes, next))
                            .thenApply(outcome -> outcome.isCommitted() ? Optional.of(answer) : Optional.empty());
                });
    }

    private RegistryCommit begin(RegistryNode sharding, RegistryAnswer nodes, Backfill next) {
        return RegistryCommit.builder()
                .check(tree.sharding(), sharding.version())
                .setOrCreate(
                        tree.backfill(),
                        next.write(),
                        nodes.node(tree.backfill()).map(RegistryNode::version))
                .addAll(ReshardingRequest.of(tree, nodes).raised())
                .build();
    }

    private Instant first(Schedule schedule, BackfillRequest request) {
        if (!schedule.kind().hasTimes()) {
            throw new IllegalArgumentException(
                    "Job \"%s\" has no scheduled time to run once more, because %s. Trigger the job instead: each run does its work once"
                            .formatted(
                                    tree.jobName(),
                                    schedule.kind() == ScheduleKind.ON_REQUEST
                                            ? "it has no schedule"
                                            : "with fixedDelay, each firing follows from the end of the one before"));
        }
        return schedule.nextAfter(request.from().minusNanos(1))
                .filter(time -> !time.isAfter(request.until()))
                .orElseThrow(() -> new IllegalArgumentException(
                        "Job \"%s\" has no scheduled time from %s until %s: check the range, and the job's schedule"
                                .formatted(tree.jobName(), request.from(), request.until())));
    }

    private int count(Schedule schedule, BackfillRequest request) {
        long times = Backfill.times(schedule, request.from(), request.until());
        if (times > Backfill.MOST_TIMES) {
            throw new IllegalArgumentException(
                    "Expected at most %,d scheduled times of job \"%s\" from %s until %s: choose a shorter range"
                            .formatted(Backfill.MOST_TIMES, tree.jobName(), request.from(), request.until()));
        }
        return (int) times;
    }

    /**
     * Makes one attempt to stop the backfill: no further time begins. What executes goes on.
     *
     * @return how many of its times were asked for and had not ended; empty if other writers came in between. Fails with
     *     {@link IllegalStateException} if there is none
     */
    public CompletionStage<Optional<Integer>> stop(Cancellation by) {
        return registry.read(RegistryRead.allData(tree.backfill())).thenCompose(nodes -> {
            RegistryNode node = nodes.node(tree.backfill()).orElseThrow(this::none);
            if (node.data().length == 0) {
                throw none();
            }
            // One that can't be read has no times that are known to wait.
            Optional<Backfill> there = Backfill.read(node);
            RegistryCommit emptied = RegistryCommit.builder()
                    .set(tree.backfill(), new byte[0], node.version())
                    .build();
            return registry.commit(emptied)
                    .thenCompose(outcome -> outcome.isCommitted()
                            ? dropWaiting(there, by)
                                    .thenApply(done -> Optional.of(there.stream()
                                            .mapToInt(known -> known.open().size())
                                            .sum()))
                            : CompletableFuture.completedFuture(Optional.<Integer>empty()));
        });
    }

    private CompletionStage<?> dropWaiting(Optional<Backfill> there, Cancellation by) {
        CancelCommands cancels = new CancelCommands(registry, tree);
        List<String> waiting = there.stream()
                .flatMap(known -> known.open().stream().map(known::runIdOf))
                .toList();
        return Stages.inOrder(waiting, runId -> cancels.dropWaiting(runId, by));
    }

    private IllegalStateException none() {
        return new IllegalStateException(
                "Job \"%s\" has no backfill: it has ended, or was stopped before".formatted(tree.jobName()));
    }
}
