package dev.elasticjob.coordination.failover;

import dev.elasticjob.coordination.session.JobScope;
import dev.elasticjob.registry.JobTree;
import dev.elasticjob.registry.RegistryRead;
import java.util.ArrayList;
import java.util.Collection;
import java.util.HashSet;
import java.util.List;
import java.util.OptionalInt;
import java.util.Set;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Says which failover items stand for no interrupted execution: somebody else has made them, or they are left from
 * before. Confined to the coordination executor.
 */
public final class StaleFailoverNodes {
    private static final Logger log = LoggerFactory.getLogger(StaleFailoverNodes.class);
    private static final int REMEMBERED = 1_000;

    private final JobScope scope;
    private final Set<String> told = new HashSet<>();

    public StaleFailoverNodes(JobScope scope) {
        this.scope = scope;
    }

    /** One for an item that had nothing to take over was deleted. */
    public void tellDeleted(int item) {
        log.warn(
                "Job \"{}\": the failover node \"{}\" was deleted, because its item had no interrupted execution to"
                        + " take over",
                scope.jobName(),
                scope.tree().failoverItem(item));
    }

    /**
     * Looks for those that belong to no item at all, which nobody takes or deletes, and tells each once.
     *
     * @param names of all failover items
     * @param known items that there are
     */
    void look(Collection<String> names, Set<Integer> known) {
        told.retainAll(names);
        List<String> suspects = names.stream()
                .filter(name -> JobTree.itemNumber(name).stream().noneMatch(known::contains))
                .filter(name -> !told.contains(name))
                .toList();
        if (!suspects.isEmpty()) {
            scope.registry()
                    .read(reads(suspects))
                    .thenAcceptAsync(
                            answer -> suspects.stream()
                                    .filter(name -> JobTree.itemNumber(name).stream()
                                            .noneMatch(item -> answer.node(
                                                            scope.tree().item(item))
                                                    .isPresent()))
                                    .filter(name -> answer.node(scope.tree().failoverItem(name))
                                            .isPresent())
                                    .forEach(this::tellIgnored),
                            scope.executor());
        }
    }

    /** Items first: whoever retires one has deleted its failover item before. */
    private List<RegistryRead> reads(List<String> names) {
        List<RegistryRead> reads = new ArrayList<>();
        for (String name : names) {
            OptionalInt item = JobTree.itemNumber(name);
            item.ifPresent(number -> reads.add(RegistryRead.data(scope.tree().item(number))));
        }
        names.forEach(name -> reads.add(RegistryRead.data(scope.tree().failoverItem(name))));
        return reads;
    }

    private void tellIgnored(String name) {
        if (told.size() < REMEMBERED && told.add(name)) {
            log.error(
                    "Job \"{}\": expected the failover node \"{}\" to be named after one of the job's items, but"
                            + " there is no such item. No instance processes the node; delete it",
                    scope.jobName(),
                    scope.tree().failoverItem(name));
        }
    }
}
