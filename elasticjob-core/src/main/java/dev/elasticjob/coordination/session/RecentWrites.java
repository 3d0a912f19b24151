package dev.elasticjob.coordination.session;

import dev.elasticjob.registry.RegistryAnswer;
import dev.elasticjob.registry.RegistryCommit;
import dev.elasticjob.registry.RegistryCommit.Operation;
import dev.elasticjob.registry.RegistryNode;
import dev.elasticjob.registry.RegistryRead;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;

/**
 * The nodes that this process has set last, and when. A registry that shows one of them as it was before has gone back. The
 * numbers of transactions alone don't show it: the servers of an ensemble begin again above all earlier ones.
 *
 * <p>Confined to the coordination executor.
 */
final class RecentWrites {
    /** Several, because a node may have been deleted since. */
    private static final int REMEMBERED = 8;

    /** The number of the transaction that has set the node, by its path; the one that was set first is first. */
    private final Map<String, Long> set = new LinkedHashMap<>();

    void add(RegistryCommit commit, long number) {
        List<Operation> operations = commit.operations();
        for (int i = operations.size() - 1; i >= 0; i--) {
            if (operations.get(i) instanceof Operation.Set last) {
                set.remove(last.path());
                set.put(last.path(), number);
                forgetFirst();
                return;
            }
        }
    }

    private void forgetFirst() {
        if (set.size() > REMEMBERED) {
            set.remove(set.keySet().iterator().next());
        }
    }

    void clear() {
        set.clear();
    }

    /** As they are now: what is read from now on shows them all, which need not hold for those that are added meanwhile. */
    RecentWrites copy() {
        RecentWrites copy = new RecentWrites();
        copy.set.putAll(set);
        return copy;
    }

    List<RegistryRead> reads() {
        return RegistryRead.allData(set.keySet());
    }

    /** Whether one of the nodes was there when it was set, and doesn't show it. A node that was created since says nothing. */
    boolean areMissingIn(RegistryAnswer answer) {
        return set.entrySet().stream()
                .anyMatch(footprint -> answer.node(footprint.getKey())
                        .filter(node -> isOlder(node, footprint.getValue()))
                        .isPresent());
    }

    private static boolean isOlder(RegistryNode node, long number) {
        return node.czxid() <= number && node.mzxid() < number;
    }
}
