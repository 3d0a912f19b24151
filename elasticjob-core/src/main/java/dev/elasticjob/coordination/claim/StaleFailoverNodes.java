package dev.elasticjob.coordination.claim;

import dev.elasticjob.coordination.session.JobScope;
import dev.elasticjob.registry.JobTree;
import dev.elasticjob.registry.RegistryAnswer;
import dev.elasticjob.registry.RegistryRead;
import java.util.ArrayList;
import java.util.Collection;
import java.util.HashSet;
import java.util.List;
import java.util.Set;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Reports failover nodes without an interrupted execution: other software has created them, or they are left over.
 * Confined to the coordination executor.
 */
final class StaleFailoverNodes {
    private static final Logger log = LoggerFactory.getLogger(StaleFailoverNodes.class);
    private static final int REMEMBERED = 1_000;

    private final JobScope scope;
    private final Set<String> reported = new HashSet<>();

    public StaleFailoverNodes(JobScope scope) {
        this.scope = scope;
    }

    /** Reports that an item's node was deleted, because there was nothing to take over. */
    void reportDeleted(int item) {
        log.warn(
                "Job \"{}\": the failover node \"{}\" was deleted, because its item had no interrupted execution to"
                        + " take over",
                scope.jobName(),
                scope.tree().failoverItem(item));
    }

    /**
     * Reports, once each, the nodes that belong to no item. No instance processes or deletes them.
     *
     * @param names the names of all failover nodes
     * @param items the items of the assignment
     */
    void look(Collection<String> names, Set<Integer> items) {
        reported.retainAll(names);
        List<String> suspects = names.stream()
                .filter(name -> JobTree.itemNumber(name).stream().noneMatch(items::contains))
                .filter(name -> !reported.contains(name))
                .toList();
        if (!suspects.isEmpty()) {
            // Items first: the failover node of a retired item is deleted before the item.
            List<String> paths = new ArrayList<>();
            JobTree.itemNumbers(suspects).forEach(item -> paths.add(scope.tree().item(item)));
            suspects.forEach(name -> paths.add(scope.tree().failoverItem(name)));
            scope.registry()
                    .read(RegistryRead.allData(paths))
                    .thenAccept(answer -> suspects.stream()
                            .filter(name -> isStale(name, answer))
                            .forEach(this::reportIgnored));
        }
    }

    private boolean isStale(String name, RegistryAnswer answer) {
        boolean hasItem = JobTree.itemNumber(name).stream()
                .anyMatch(item -> answer.node(scope.tree().item(item)).isPresent());
        return !hasItem && answer.node(scope.tree().failoverItem(name)).isPresent();
    }

    private void reportIgnored(String name) {
        if (reported.size() < REMEMBERED && reported.add(name)) {
            log.error(
                    "Job \"{}\": expected the failover node \"{}\" to be named after one of the job's items, but"
                            + " there is no such item. No instance processes the node; delete it",
                    scope.jobName(),
                    scope.tree().failoverItem(name));
        }
    }
}
