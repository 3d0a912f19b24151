package dev.elasticjob.coordination.claim;

import dev.elasticjob.coordination.view.Ownership;
import java.util.Collection;
import java.util.HashSet;
import java.util.List;
import java.util.Set;
import java.util.TreeSet;

/** The order in which instances may start what another one can't. */
final class Ranks {
    private Ranks() {}

    /**
     * Those that may start items. Of a job that chooses its instances, those known to be chosen: the owners, and this one.
     *
     * @param instances all that there are
     */
    static List<String> of(Ownership own, Collection<String> instances) {
        Set<String> there = new TreeSet<>(instances);
        if (!own.definition().instances().isAny()) {
            Set<String> chosen = new HashSet<>(own.assignment().owners().values());
            chosen.add(own.instance());
            there.retainAll(chosen);
        }
        return List.copyOf(there);
    }

    /** How many may start the item before this instance, if its owner is none of them. */
    static int before(List<String> ranks, Ownership own, int item) {
        String owner = own.assignment().owners().get(item);
        List<String> others = ranks.stream().filter(id -> !id.equals(owner)).toList();
        int mine = others.indexOf(own.instance());
        return mine < 0 ? others.size() : Math.floorMod(mine - item, others.size());
    }
}
