package dev.elasticjob.coordination;

import dev.elasticjob.registry.RegistryAccessDeniedException;
import dev.elasticjob.registry.RegistryCommit;
import dev.elasticjob.registry.RegistrySession;
import java.util.HashSet;
import java.util.Set;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Shows operators that a firing has met a running item and is kept. For display only: what is kept is told by the
 * record, so nothing is tried twice. Confined to the coordination executor.
 */
final class MisfireMarks {
    private static final Logger log = LoggerFactory.getLogger(MisfireMarks.class);

    private final JobScope scope;
    private final Set<Integer> marked = new HashSet<>();

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
            scope.connection()
                    .commit(
                            session,
                            RegistryCommit.builder()
                                    .check(scope.tree().item(item), version)
                                    .create(scope.tree().misfire(item))
                                    .build())
                    .whenCompleteAsync((shown, error) -> tell(item, error), scope.executor());
        }
    }

    /** What is forbidden has to be said by somebody: nothing follows from a mark that is missing. */
    private void tell(int item, @Nullable Throwable error) {
        if (error != null && RegistryConnection.unwrap(error) instanceof RegistryAccessDeniedException denied) {
            log.warn(
                    "Job \"{}\": the misfire of item {} can't be shown. {}",
                    scope.jobName(),
                    item,
                    denied.getMessage());
        }
    }

    /** The item has ended: the next firing that meets it is marked again. */
    void forget(int item) {
        marked.remove(item);
    }
}
