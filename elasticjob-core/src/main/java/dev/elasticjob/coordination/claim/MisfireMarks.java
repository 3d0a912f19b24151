package dev.elasticjob.coordination.claim;

import dev.elasticjob.coordination.session.JobScope;
import dev.elasticjob.coordination.session.SharedConnection;
import dev.elasticjob.registry.RegistryAccessDeniedException;
import dev.elasticjob.registry.RegistryCommit;
import dev.elasticjob.registry.RegistrySession;
import java.util.HashSet;
import java.util.Set;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Shows operators that a firing has met a running item and waits for it. For display only: the record says what is due,
 * so a mark is sent once, whatever becomes of it. Confined to the coordination executor.
 */
final class MisfireMarks {
    private static final Logger log = LoggerFactory.getLogger(MisfireMarks.class);

    private final JobScope scope;
    private final Set<Integer> marked = new HashSet<>();
    private boolean denied;

    MisfireMarks(JobScope scope) {
        this.scope = scope;
    }

    /** @param version of the item's record; if another one is there, that execution has ended, and nothing is marked */
    void mark(RegistrySession session, int item, int version) {
        if (!marked.add(item)) {
            return;
        }
        RegistryCommit mark = RegistryCommit.builder()
                .check(scope.tree().item(item), version)
                .create(scope.tree().misfire(item))
                .build();
        scope.connection().commit(session, mark).whenComplete((outcome, error) -> {
            if (!denied
                    && error != null
                    && SharedConnection.unwrap(error) instanceof RegistryAccessDeniedException cause) {
                denied = true;
                log.warn(
                        "Job \"{}\": misfires can't be displayed in the registry; execution is not affected. {}",
                        scope.jobName(),
                        cause.getMessage());
            }
        });
    }

    /** The execution has ended. The next one that a firing meets is marked again. */
    void forget(int item) {
        marked.remove(item);
    }
}
