package dev.elasticjob.coordination.leader;

import dev.elasticjob.coordination.state.Assignment;
import dev.elasticjob.coordination.view.JobView;
import dev.elasticjob.coordination.view.Members;
import dev.elasticjob.coordination.view.Pause;
import dev.elasticjob.coordination.view.Pauses;
import dev.elasticjob.definition.JobDefinition;
import dev.elasticjob.registry.RegistryMoment;
import java.nio.charset.StandardCharsets;
import java.security.MessageDigest;
import java.security.NoSuchAlgorithmException;
import java.time.Instant;
import java.util.ArrayList;
import java.util.Collections;
import java.util.HexFormat;
import java.util.List;
import java.util.Map;
import java.util.SortedSet;
import java.util.TreeMap;
import java.util.TreeSet;

/**
 * The input of an assignment. When the leader reads another one, the assignment is out of date.
 *
 * @param members as the job chooses them by their labels
 * @param followers the jobs that run after this one
 * @param pauses of the job and of its namespace, over or not. They are no part of the digest: a plan shows by itself
 *     whether it follows them
 * @param candidates among whom the items are divided
 */
record PlanBasis(
        Members members,
        JobDefinition definition,
        SortedSet<String> followers,
        List<Pause> pauses,
        Candidates candidates) {
    private static final int SHOWN_BYTES = 8;

    PlanBasis {
        followers = Collections.unmodifiableSortedSet(new TreeSet<>(followers));
        pauses = List.copyOf(pauses);
    }

    /** As it was read; a pause that ends in the future is corrected before it is applied. */
    static PlanBasis of(JobView view, Members members, JobDefinition definition, Instant registryNow) {
        RegistryMoment present = new RegistryMoment(registryNow);
        List<Pause> pauses = view.pauses().stream()
                .filter(pause -> !pause.endsAheadOf(present))
                .toList();
        Map<Integer, String> owners = view.assignment().map(Assignment::owners).orElseGet(TreeMap::new);
        return new PlanBasis(
                members, definition, view.followers(), pauses, candidates(members, pauses, owners, registryNow));
    }

    /** The input for a job without followers. */
    PlanBasis(Members members, JobDefinition definition) {
        this(members, definition, new TreeSet<>());
    }

    /** The input for a job that was never paused. */
    PlanBasis(Members members, JobDefinition definition, SortedSet<String> followers) {
        this(members, definition, followers, List.of());
    }

    /** The input for a job for whose instances nobody waits. */
    PlanBasis(Members members, JobDefinition definition, SortedSet<String> followers, List<Pause> pauses) {
        this(members, definition, followers, pauses, candidates(members, pauses, Map.of(), Instant.MAX));
    }

    private static Candidates candidates(
            Members members, List<Pause> pauses, Map<Integer, String> owners, Instant registryNow) {
        return Pauses.of(pauses).lasts() ? Candidates.nobody(members) : Candidates.of(members, owners, registryNow);
    }

    /** Whether the job or its namespace is paused now. */
    boolean isPaused() {
        return Pauses.of(pauses).lasts();
    }

    /**
     * The same as if operators had disabled no servers at or after a time.
     *
     * @param registryNow the registry's time, by which it is told whose wait is over
     */
    PlanBasis beforeDisabling(Instant since, Assignment inForce, Instant registryNow) {
        Members before = members.beforeDisabling(since);
        SortedSet<String> followed = inForce.firings() == null
                ? new TreeSet<>()
                : inForce.firings().followers().navigableKeySet();
        return new PlanBasis(
                before, definition, followed, List.of(), Candidates.of(before, inForce.owners(), registryNow));
    }

    /** Whether an item may have an owner now. */
    boolean allowsOwners() {
        return !candidates.isEmpty();
    }

    /** A digest of the input, stored with the assignment. */
    String digest() {
        if (!members.foreign().isEmpty()) {
            return Assignment.heldBy(members.foreign());
        }
        List<String> lines = new ArrayList<>();
        members.eligibleMembers().forEach(member -> lines.add(member.id() + '#' + member.czxid()));
        // They own nothing; but whether a server was disabled by people or has no instance depends on who came and
        // went.
        members.unchosenMembers().forEach(member -> lines.add('-' + member.id() + '#' + member.czxid()));
        candidates
                .awaited()
                .values()
                .forEach(leaver ->
                        lines.add('~' + leaver.id() + '#' + leaver.was().czxid()));
        lines.add(String.valueOf(definition.shardingTotalCount()));
        lines.add(definition.jobShardingStrategyClass());
        lines.add(definition.schedule().text());
        lines.add(definition.timeZone().getId());
        lines.add(String.valueOf(definition.monitorExecution()));
        lines.addAll(followers);
        if (definition.isWeighted()) {
            lines.add("weight=" + definition.weight() + ';' + definition.itemWeights());
        }
        if (definition.clusterListener()) {
            lines.add("listener=true");
        }
        byte[] text = String.join("\n", lines).getBytes(StandardCharsets.UTF_8);
        try {
            byte[] digest = MessageDigest.getInstance("SHA-256").digest(text);
            return HexFormat.of().formatHex(digest, 0, SHOWN_BYTES);
        } catch (NoSuchAlgorithmException e) {
            throw new IllegalStateException("Every Java platform has SHA-256", e);
        }
    }
}
