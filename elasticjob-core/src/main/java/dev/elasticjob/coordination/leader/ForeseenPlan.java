package dev.elasticjob.coordination.leader;

import dev.elasticjob.coordination.leader.DisplayedOwners.Comparison;
import dev.elasticjob.coordination.state.Software;
import dev.elasticjob.coordination.view.JobViewReader.LeaderView;
import dev.elasticjob.coordination.view.Members;
import dev.elasticjob.coordination.view.Members.Member;
import dev.elasticjob.coordination.view.Members.Origin;
import dev.elasticjob.definition.JobDefinition;
import java.time.Instant;
import java.util.NavigableMap;
import java.util.Optional;
import java.util.TreeMap;

/**
 * The plan that a leader would make if one more instance came now, which the job chooses, on a server of its own. It owns
 * everything in that plan, because who owns what makes no difference to what is due. Pure: the leader's planner decides.
 */
public final class ForeseenPlan {
    /** No instance can have this id, nor a server this address. */
    public static final String COMING = "+";

    /** No mark of a drain names it, not even one that can't be read. */
    private static final long NO_TRANSACTION = Long.MIN_VALUE;

    private ForeseenPlan() {}

    /**
     * @param view covers the members, and the items that have a node
     * @return empty if that instance would own nothing: the job or its namespace is paused, instances of other software
     *     take part, the job's new servers are disabled, its plan can't be read, or no instance of ours has ever had it
     */
    public static Optional<Resharding> of(LeaderView view, JobDefinition definition, Instant registryNow) {
        boolean foreign = view.members().all().stream()
                .anyMatch(member -> member.origin().software().isForeign());
        boolean disabled = definition.disabled() && !view.members().isAnyEnabled();
        boolean unknown = view.job().problem().isPresent()
                || view.job().definition().extension().isEmpty();
        if (foreign || disabled || unknown) {
            return Optional.empty();
        }
        Members members = view.members()
                .chosenBy(definition.instances())
                .joinedBy(new Member(COMING, COMING, NO_TRANSACTION, new Origin(0, Software.OURS)));
        PlanBasis basis = PlanBasis.of(view.job(), members, definition, registryNow);
        if (!basis.allowsOwners()) {
            return Optional.empty();
        }
        NavigableMap<Integer, String> owners = new TreeMap<>();
        for (int item = 0; item < definition.shardingTotalCount(); item++) {
            owners.put(item, COMING);
        }
        return Optional.of(ShardingPlanner.plan(view, basis, owners, Comparison.EQUAL, registryNow, registryNow));
    }
}
