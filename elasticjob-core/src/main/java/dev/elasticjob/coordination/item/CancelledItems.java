package dev.elasticjob.coordination.item;

import dev.elasticjob.coordination.session.JobScope;
import dev.elasticjob.coordination.session.Next;
import dev.elasticjob.coordination.session.ReconcileLoop;
import dev.elasticjob.coordination.state.Cancellation;
import dev.elasticjob.coordination.view.ItemView;
import dev.elasticjob.coordination.view.JobViewReader;
import dev.elasticjob.coordination.view.JobViewReader.ItemsView;
import java.util.Collection;
import java.util.List;
import java.util.concurrent.CompletionStage;
import java.util.function.BiConsumer;
import java.util.function.Supplier;

/**
 * Finds the executions of this instance that operators have cancelled. The records are read only when somebody has
 * touched the instance's own node, so that an execution that nobody cancels costs nothing.
 *
 * <p>Confined to the coordination executor.
 */
public final class CancelledItems {
    private final JobViewReader reader;
    private final Supplier<Collection<ClaimedItem>> executing;
    private final BiConsumer<ClaimedItem, Cancellation> found;
    private final ReconcileLoop loop;

    /**
     * @param executing the items that this instance executes
     * @param found receives cancelled ones, perhaps several times, while they are still executing
     */
    public CancelledItems(
            JobScope scope,
            JobViewReader reader,
            Supplier<Collection<ClaimedItem>> executing,
            BiConsumer<ClaimedItem, Cancellation> found) {
        this.reader = reader;
        this.executing = executing;
        this.found = found;
        this.loop = scope.loop("cancelled items", this::round);
    }

    /** An execution may have been cancelled. */
    public void look() {
        if (!executing.get().isEmpty()) {
            loop.again();
        }
    }

    private CompletionStage<Next> round() {
        List<ClaimedItem> claims =
                executing.get().stream().filter(ClaimedItem::isMonitored).toList();
        if (claims.isEmpty()) {
            return Next.WAIT.stage();
        }
        return reader.items(claims.stream().map(ClaimedItem::item).toList()).thenApply(view -> {
            claims.forEach(claim -> look(claim, view));
            return Next.WAIT;
        });
    }

    private void look(ClaimedItem claim, ItemsView view) {
        ItemView item = view.items().get(claim.item());
        if (item == null || !item.isReadable()) {
            return;
        }
        Cancellation cancellation = item.current().cancelled();
        if (cancellation != null && item.current().isSameExecution(claim.claimed())) {
            found.accept(claim, cancellation);
        }
    }
}
