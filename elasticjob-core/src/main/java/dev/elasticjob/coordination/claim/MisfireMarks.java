package dev.elasticjob.coordination.claim;

import dev.elasticjob.coordination.session.Batch;
import dev.elasticjob.coordination.session.JobScope;
import dev.elasticjob.coordination.session.SharedConnection;
import dev.elasticjob.coordination.state.ItemRanges;
import dev.elasticjob.registry.CommitOutcome;
import dev.elasticjob.registry.RegistryAccessDeniedException;
import dev.elasticjob.registry.RegistryCommit;
import dev.elasticjob.registry.RegistrySession;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.NavigableMap;
import java.util.Set;
import java.util.TreeMap;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Shows operators that a firing has met a running item and is kept. For display only: what is kept is told by the
 * record, so little is tried twice. A firing that meets many items marks them together. Confined to the coordination
 * executor.
 */
final class MisfireMarks {
    private static final Logger log = LoggerFactory.getLogger(MisfireMarks.class);
    private static final int ATTEMPTS = 3;

    private final JobScope scope;
    private final Set<Integer> marked = new HashSet<>();
    /** Items with the versions of their records, for the next transaction. */
    private NavigableMap<Integer, Integer> waiting = new TreeMap<>();

    MisfireMarks(JobScope scope) {
        this.scope = scope;
    }

    /**
     * Marks an item whose record stands at the version.
     *
     * @param version the mark is set only while the record says that very execution
     */
    void mark(RegistrySession session, int item, int version) {
        if (marked.add(item)) {
            if (waiting.isEmpty()) {
                scope.executor().execute(() -> send(session));
            }
            waiting.put(item, version);
        }
    }

    private void send(RegistrySession session) {
        NavigableMap<Integer, Integer> items = waiting;
        waiting = new TreeMap<>();
        send(session, items, 1);
    }

    private void send(RegistrySession session, NavigableMap<Integer, Integer> items, int attempt) {
        for (Batch<Map.Entry<Integer, Integer>> batch : marks(items)) {
            scope.connection()
                    .commit(session, batch.commit())
                    .whenCompleteAsync(
                            (outcome, error) -> {
                                tell(batch, error);
                                if (outcome instanceof CommitOutcome.Refused && attempt < ATTEMPTS) {
                                    send(session, stillRunning(batch), attempt + 1);
                                }
                            },
                            scope.executor());
        }
    }

    /** Each only while its record says that very execution. */
    private List<Batch<Map.Entry<Integer, Integer>>> marks(NavigableMap<Integer, Integer> versions) {
        return Batch.cut(
                RegistryCommit.builder().build(),
                List.copyOf(versions.entrySet()),
                item -> RegistryCommit.builder()
                        .check(scope.tree().item(item.getKey()), item.getValue())
                        .create(scope.tree().misfire(item.getKey()))
                        .build());
    }

    /** One item that has ended meanwhile has kept the others from being marked. */
    private NavigableMap<Integer, Integer> stillRunning(Batch<Map.Entry<Integer, Integer>> batch) {
        NavigableMap<Integer, Integer> items = new TreeMap<>();
        batch.parts().stream()
                .filter(item -> marked.contains(item.getKey()))
                .forEach(item -> items.put(item.getKey(), item.getValue()));
        return items;
    }

    /** What is forbidden has to be said by somebody: nothing follows from a mark that is missing. */
    private void tell(Batch<Map.Entry<Integer, Integer>> batch, @Nullable Throwable error) {
        if (error != null && SharedConnection.unwrap(error) instanceof RegistryAccessDeniedException denied) {
            log.warn(
                    "Job \"{}\": the misfires of items [{}] can't be displayed in the registry; execution is not"
                            + " affected. {}",
                    scope.jobName(),
                    ItemRanges.text(
                            batch.parts().stream().map(Map.Entry::getKey).toList()),
                    denied.getMessage());
        }
    }

    /** The item has ended: the next firing that meets it is marked again. */
    void forget(int item) {
        marked.remove(item);
        waiting.remove(item);
    }
}
