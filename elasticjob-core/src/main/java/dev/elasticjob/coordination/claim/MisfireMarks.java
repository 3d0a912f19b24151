package dev.elasticjob.coordination.claim;

import dev.elasticjob.coordination.session.Batch;
import dev.elasticjob.coordination.session.JobScope;
import dev.elasticjob.coordination.session.Stages;
import dev.elasticjob.registry.RegistryAccessDeniedException;
import dev.elasticjob.registry.RegistryCommit;
import dev.elasticjob.registry.RegistrySession;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.TreeMap;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Shows operators that a firing waits for running items. For display only: the record decides what is due, so the marks
 * of a firing are sent once, in one transaction, and the result is ignored. One request for each mark would dominate
 * the requests of a large job. Confined to the coordination executor.
 */
final class MisfireMarks {
    private static final Logger log = LoggerFactory.getLogger(MisfireMarks.class);
    private static final RegistryCommit NOTHING = RegistryCommit.builder().build();

    private final JobScope scope;
    private final Set<Integer> marked = new HashSet<>();
    /** Items to mark in the next transaction, with the versions of their records. */
    private Map<Integer, Integer> waiting = new TreeMap<>();

    private boolean denied;

    MisfireMarks(JobScope scope) {
        this.scope = scope;
    }

    /**
     * @param version the version of the item's record; if it has changed, that execution has ended, and nothing is
     *     marked
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
        List<Map.Entry<Integer, Integer>> items = List.copyOf(waiting.entrySet());
        waiting = new TreeMap<>();
        Batch.cut(NOTHING, items, item -> mark(item.getKey(), item.getValue()))
                .forEach(batch -> scope.connection()
                        .commit(session, batch.commit())
                        .whenComplete((outcome, error) -> {
                            if (error != null) {
                                report(Stages.unwrap(error));
                            } else if (!outcome.isCommitted()) {
                                // One of the executions has ended. The next firing that finds the others running marks
                                // them.
                                batch.parts().forEach(item -> marked.remove(item.getKey()));
                            }
                        }));
    }

    private RegistryCommit mark(int item, int version) {
        return RegistryCommit.builder()
                .check(scope.tree().item(item), version)
                .create(scope.tree().misfire(item))
                .build();
    }

    private void report(Throwable error) {
        if (!denied && error instanceof RegistryAccessDeniedException cause) {
            denied = true;
            log.warn(
                    "Job \"{}\": misfires can't be displayed in the registry; execution is not affected. {}",
                    scope.jobName(),
                    cause.getMessage());
        }
    }

    /** The execution has ended. The next one that a firing finds running is marked again. */
    void forget(int item) {
        marked.remove(item);
        waiting.remove(item);
    }
}
