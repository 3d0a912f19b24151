package dev.elasticjob.coordination.leader;

import dev.elasticjob.coordination.item.AbandonedExecutions;
import dev.elasticjob.coordination.item.ItemChange.Abandon;
import dev.elasticjob.coordination.item.LossReporter;
import dev.elasticjob.coordination.session.Batch;
import dev.elasticjob.coordination.session.DeletionWaiter;
import dev.elasticjob.coordination.session.JobScope;
import dev.elasticjob.coordination.session.Next;
import dev.elasticjob.coordination.state.Assignment;
import dev.elasticjob.coordination.state.ItemState;
import dev.elasticjob.coordination.state.NodeCodec;
import dev.elasticjob.coordination.view.ItemView;
import dev.elasticjob.coordination.view.JobViewReader;
import dev.elasticjob.coordination.view.JobViewReader.LeaderView;
import dev.elasticjob.registry.RegistryNode;
import dev.elasticjob.registry.RegistryRead;
import dev.elasticjob.registry.RegistrySession;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import java.util.NavigableMap;
import java.util.Optional;
import java.util.TreeMap;
import java.util.concurrent.CompletionStage;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Removes the items beyond a job's total once they don't run. Their interrupted executions are abandoned first.
 * Confined to the coordination executor.
 */
final class ItemRetirement {
    private static final Logger log = LoggerFactory.getLogger(ItemRetirement.class);
    private static final String BEYOND_TOTAL = "the item is beyond the job's total of items";

    private final JobScope scope;
    private final JobTransactions transactions;
    private final AbandonedExecutions abandoned;
    private final LossReporter losses;
    private final DeletionWaiter deletionWaiter;

    ItemRetirement(JobScope scope, AbandonedExecutions abandoned, Runnable lookAgain) {
        this.scope = scope;
        this.transactions = new JobTransactions(scope.tree());
        this.abandoned = abandoned;
        this.losses = new LossReporter(scope);
        this.deletionWaiter = new DeletionWaiter(scope, item -> lookAgain.run());
    }

    void stop() {
        deletionWaiter.close();
    }

    CompletionStage<Next> retire(RegistrySession session, LeaderView view, int total) {
        List<Abandon> lost = new ArrayList<>();
        List<ItemView> idle = new ArrayList<>();
        for (ItemView item : view.itemsBeyond(total).values()) {
            if (item.children().running()) {
                deletionWaiter.ofLock(item.item());
            } else if (item.current().state() == ItemState.INTERRUPTED) {
                lost.add(Abandon.by(view.job().instance(), item, BEYOND_TOTAL));
            } else if (item.isReadable()) {
                idle.add(item);
            }
        }
        if (!lost.isEmpty()) {
            return abandoned.commit(session, view.job(), lost).thenApply(done -> Next.AGAIN);
        }
        return idle.isEmpty()
                ? Next.WAIT.stage()
                : remove(session, view, idle.subList(0, Math.min(idle.size(), JobViewReader.ITEMS_PER_READ)));
    }

    private CompletionStage<Next> remove(RegistrySession session, LeaderView view, List<ItemView> items) {
        List<String> paths = items.stream()
                .flatMap(item -> scope.tree().below(item.item(), item.children()).stream())
                .toList();
        return scope.registry().read(RegistryRead.allData(paths)).thenCompose(answer -> {
            NavigableMap<String, RegistryNode> children = new TreeMap<>();
            paths.forEach(path -> answer.node(path).ifPresent(node -> children.put(path, node)));
            Batch<ItemView> retired = transactions.retire(view.job().epoch(), withFloor(view, items), items, children);
            return scope.connection().commit(session, retired.commit()).thenApply(outcome -> {
                if (outcome.isCommitted()) {
                    report(retired.parts(), children);
                }
                return Next.AGAIN;
            });
        });
    }

    /** The assignment in force, with a floor at the latest firing that the removed items have seen. */
    private Assignment withFloor(LeaderView view, List<ItemView> items) {
        Assignment next = view.job().assignment().orElseThrow();
        Instant registryNow = scope.registryTime().now();
        for (ItemView item : items) {
            Instant seen = item.current().scheduledAt();
            next = seen != null && Assignment.mayBeClaimed(seen, registryNow) ? next.withFloor(seen) : next;
        }
        return next;
    }

    private void report(List<ItemView> items, NavigableMap<String, RegistryNode> children) {
        log.info("Job \"{}\": removed {} items beyond the job's total of items", scope.jobName(), items.size());
        items.forEach(item -> Optional.ofNullable(children.get(scope.tree().trigger(item.item())))
                .ifPresent(waiting -> losses.tellDropped(
                        item.item(), NodeCodec.readRuns(waiting).runIds(), BEYOND_TOTAL)));
    }
}
