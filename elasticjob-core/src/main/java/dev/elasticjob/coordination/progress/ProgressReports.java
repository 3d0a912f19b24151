package dev.elasticjob.coordination.progress;

import dev.elasticjob.coordination.item.ClaimedItem;
import dev.elasticjob.coordination.progress.ProgressNode.Entry;
import dev.elasticjob.coordination.session.JobScope;
import dev.elasticjob.coordination.session.Next;
import dev.elasticjob.coordination.session.ReconcileLoop;
import dev.elasticjob.registry.RegistrySession;
import java.time.Duration;
import java.util.Map;
import java.util.Optional;
import java.util.SortedMap;
import java.util.TreeMap;
import java.util.concurrent.CompletionStage;
import java.util.function.Supplier;

/**
 * Shows how far the executions of this instance have come: all those of a job in one node, which is written if something has
 * changed, 1 s after the first report and every 5 s at most. A job that reports nothing costs nothing, and neither does an
 * execution that ends within that second. The node is deleted when nothing that has reported executes any more.
 *
 * <p>Nothing depends on it. What was claimed in a former session isn't written: the item may be another instance's by now.
 *
 * <p>Confined to the coordination executor.
 */
public final class ProgressReports {
    private static final Duration FIRST = Duration.ofSeconds(1);
    private static final Duration REST = Duration.ofSeconds(5);

    private final JobScope scope;
    private final OwnNode node;
    private final ReconcileLoop loop;
    private final Map<Integer, Reporting> reporting = new TreeMap<>();
    private boolean asleep;

    public ProgressReports(JobScope scope) {
        this.scope = scope;
        this.node = new OwnNode(scope);
        this.loop = scope.loop("what executions report", this::round);
    }

    private record Reporting(ClaimedItem claim, Supplier<ItemProgress> latest) {}

    /**
     * An execution has reported for the first time. A scheduled one of a job that doesn't monitor its executions isn't
     * shown: no lock says that it executes.
     *
     * @param latest its latest report; called on the coordination executor until the execution has ended
     */
    public void reports(ClaimedItem item, Supplier<ItemProgress> latest) {
        if (item.isMonitored()) {
            reporting.put(item.item(), new Reporting(item, latest));
            sleep(FIRST);
        }
    }

    /** An execution has ended here, or will never begin. */
    public void ended(ClaimedItem item) {
        reporting.computeIfPresent(item.item(), (any, known) -> known.claim().equals(item) ? null : known);
    }

    /** This instance leaves the job, and reports nothing more. */
    public void close() {
        loop.stop().thenRun(() -> scope.connection().session().ifPresent(node::remove));
    }

    private void sleep(Duration pause) {
        if (!asleep) {
            asleep = true;
            scope.connection().later(pause, () -> {
                asleep = false;
                loop.again();
            });
        }
    }

    private CompletionStage<Next> round() {
        Optional<RegistrySession> session = scope.connection().session();
        if (session.isEmpty()) {
            return scope.connection().whenConnected().thenApply(connected -> Next.AGAIN);
        }
        if (!reporting.isEmpty()) {
            sleep(REST);
        }
        SortedMap<Integer, Entry> items = new TreeMap<>();
        String instance = "";
        for (Reporting each : reporting.values()) {
            if (each.claim().sessionId() == session.get().id()) {
                instance = each.claim().instance();
                items.put(
                        each.claim().item(),
                        new Entry(each.claim().token(), each.latest().get()));
            }
        }
        return items.isEmpty()
                ? node.remove(session.get())
                : node.write(session.get(), instance, new ProgressNode(items).write());
    }
}
