package dev.elasticjob.coordination.leader;

import dev.elasticjob.coordination.view.Leaver;
import dev.elasticjob.coordination.view.Members;
import dev.elasticjob.coordination.view.Members.Member;
import dev.elasticjob.coordination.view.Members.Shown;
import dev.elasticjob.definition.JobDefinition;
import dev.elasticjob.job.ShardingStrategy.Measured;
import java.time.Instant;
import java.util.ArrayList;
import java.util.Collection;
import java.util.Collections;
import java.util.Comparator;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.NavigableMap;
import java.util.Optional;
import java.util.Set;
import java.util.TreeMap;
import java.util.function.IntUnaryOperator;

/**
 * The instances among which a job's items are divided: those that may own items, and those that have left and are awaited.
 * Pure. The rules are those of "Awaiting a successor" in {@code docs/internals/protocol-placement.md}.
 *
 * @param present those that may own items, in descending string order of their ids, as strategies expect them
 * @param awaited those that have left, or are about to: they keep what they own, and get nothing more
 * @param successors who has come in place of whom, by the id of the instance that has left
 * @param over those that nobody awaits any more, whose marks may go once a plan is made
 */
public record Candidates(
        NavigableMap<String, Shown> present,
        NavigableMap<String, Leaver> awaited,
        Map<String, String> successors,
        List<Leaver> over) {
    public Candidates {
        present = Collections.unmodifiableNavigableMap(new TreeMap<>(present));
        awaited = Collections.unmodifiableNavigableMap(new TreeMap<>(awaited));
        successors = Map.copyOf(successors);
        over = List.copyOf(over);
    }

    /** These instances alone. */
    public static Candidates of(Map<String, Shown> present) {
        NavigableMap<String, Shown> ordered = new TreeMap<>(Comparator.reverseOrder());
        ordered.putAll(present);
        return new Candidates(ordered, new TreeMap<>(), Map.of(), List.of());
    }

    /**
     * @param owners the present owners of the job's items
     * @param registryNow who is awaited until then is not awaited any more
     */
    public static Candidates of(Members members, Map<Integer, String> owners, Instant registryNow) {
        return new Matching(members, members.eligibleAsShown(), Set.copyOf(owners.values()), registryNow).candidates();
    }

    /** No item may have an owner. So nothing is kept for anybody. */
    static Candidates nobody(Members members) {
        List<Leaver> gone = members.leavers().stream()
                .filter(leaver -> !leaver.isStopping())
                .toList();
        return new Candidates(new TreeMap<>(), new TreeMap<>(), Map.of(), gone);
    }

    /** The same with other instances that may own items. */
    public Candidates withPresent(NavigableMap<String, Shown> others) {
        Map<String, String> heirs = new HashMap<>(successors);
        heirs.values().retainAll(others.keySet());
        return new Candidates(others, awaited, heirs, over);
    }

    /** Whether an item may have an owner. */
    public boolean isEmpty() {
        return present.isEmpty() && awaited.isEmpty();
    }

    /** Whether there is nothing to choose. */
    boolean isOne() {
        return present.size() + awaited.size() == 1;
    }

    /** Whether it may own items, or keeps what it owns. */
    boolean has(String instance) {
        return present.containsKey(instance) || awaited.containsKey(instance);
    }

    /** The time when the first one is not awaited any more. */
    Optional<Instant> firstEnd() {
        return awaited.values().stream()
                .flatMap(leaver -> leaver.until().stream())
                .min(Comparator.naturalOrder());
    }

    // ------------------------------------------------------------------ for strategies

    /**
     * What a strategy is asked with.
     *
     * @param instances those that are only awaited included: it can't tell them apart
     * @param current the present owners, with the successors of those that have left
     * @param loads what each instance has of other jobs
     * @param measured how long the items take, and how many may move
     */
    public record Question(
            NavigableMap<String, Shown> instances,
            Map<Integer, String> current,
            Map<String, Long> loads,
            Measured measured) {
        /** The owners that the job's strategy answers with. */
        public NavigableMap<Integer, String> askedOf(ShardingStrategies strategies, JobDefinition definition) {
            return strategies.divide(definition, instances, current, loads, measured);
        }
    }

    /**
     * What to ask a strategy; its answer has to be {@linkplain #settled settled}.
     *
     * @param owners the present owners of the job's items
     */
    public Question question(Map<Integer, String> owners, Map<String, Long> loads, Measured measured) {
        return new Question(forStrategy(), inherited(owners), carried(loads), measured);
    }

    NavigableMap<String, Shown> forStrategy() {
        NavigableMap<String, Shown> all = new TreeMap<>(present);
        awaited.forEach((id, leaver) -> all.put(id, shown(leaver)));
        return all;
    }

    Map<Integer, String> inherited(Map<Integer, String> owners) {
        Map<Integer, String> heirs = new HashMap<>(owners);
        heirs.replaceAll((item, owner) -> successors.getOrDefault(owner, owner));
        return heirs;
    }

    /** What each instance has of other jobs: a successor has what its predecessor had, until these jobs are planned too. */
    Map<String, Long> carried(Map<String, Long> loads) {
        Map<String, Long> carried = new HashMap<>(loads);
        successors.forEach((left, heir) -> {
            Long load = carried.remove(left);
            if (load != null) {
                carried.merge(heir, load, Long::sum);
            }
        });
        return carried;
    }

    /**
     * The owners as they may be. An awaited instance keeps what it owns, whatever the strategy says, unless only others can
     * carry it. What the strategy gives to it besides stays with its present owner, or goes to the present instance that has
     * the least: of those that can carry it, if there are any. If nobody is present, the awaited ones share it as the
     * strategy says.
     *
     * @param inherited the owners that the strategy was asked with
     * @param weight of an item
     */
    public NavigableMap<Integer, String> settled(
            NavigableMap<Integer, String> divided, Map<Integer, String> inherited, IntUnaryOperator weight) {
        NavigableMap<Integer, String> settled = new TreeMap<>(divided);
        List<Integer> homeless = new ArrayList<>();
        divided.forEach((item, owner) -> {
            String before = inherited.get(item);
            if (before != null && keeps(before, weight.applyAsInt(item))) {
                settled.put(item, before);
            } else if (awaited.containsKey(owner) && !present.isEmpty()) {
                if (before != null && present.containsKey(before)) {
                    settled.put(item, before);
                } else {
                    homeless.add(item);
                }
            }
        });
        homeless.forEach(settled::remove);
        homeless.forEach(item -> settled.put(item, least(settled, weight, carriersOf(weight.applyAsInt(item)))));
        return settled;
    }

    /** An awaited instance, unless its item has become too heavy for it, and for its successor, and another one can carry it. */
    private boolean keeps(String owner, int weight) {
        Leaver leaver = awaited.get(owner);
        return leaver != null
                && (shown(leaver).carries(weight)
                        || present.values().stream().noneMatch(other -> other.carries(weight)));
    }

    private static Shown shown(Leaver leaver) {
        return leaver.was().origin().shown().orElse(Shown.NOTHING);
    }

    /** The present instances that can carry an item of this weight; all of them, if none can. In their order. */
    private NavigableMap<String, Shown> carriersOf(int weight) {
        NavigableMap<String, Shown> carriers = new TreeMap<>(present);
        carriers.values().removeIf(shown -> !shown.carries(weight));
        return carriers.isEmpty() ? present : carriers;
    }

    private static String least(
            NavigableMap<Integer, String> owners, IntUnaryOperator weight, NavigableMap<String, Shown> instances) {
        Map<String, Long> loads = new HashMap<>();
        owners.forEach((item, owner) -> loads.merge(owner, (long) weight.applyAsInt(item), Long::sum));
        return instances.keySet().stream()
                .min(Comparator.comparingLong(id -> loads.getOrDefault(id, 0L)))
                .orElseThrow();
    }

    // ------------------------------------------------------------------ who follows whom

    /**
     * Finds the successors, one for each instance that has left, in the order in which they left: of those first that own
     * items. The others tell whose load a newcomer has, as long as their time lasts.
     */
    private record Matching(
            Members members, NavigableMap<String, Shown> present, Set<String> owning, Instant registryNow) {
        Candidates candidates() {
            NavigableMap<String, Leaver> awaited = new TreeMap<>();
            Map<String, String> successors = new HashMap<>();
            List<Leaver> over = new ArrayList<>();
            members.leavers().stream().sorted(inOrder()).forEach(leaver -> {
                if (leaver.isOver(registryNow) || !members.admits(leaver)) {
                    if (!leaver.isStopping()) {
                        over.add(leaver);
                    }
                    return;
                }
                Optional<String> successor = successor(leaver, successors.values());
                successor.ifPresent(id -> successors.put(leaver.id(), id));
                if (successor.isEmpty() && owning.contains(leaver.id())) {
                    awaited.put(leaver.id(), leaver);
                }
            });
            return new Candidates(present, awaited, successors, over);
        }

        private Comparator<Leaver> inOrder() {
            return Comparator.<Leaver, Boolean>comparing(leaver -> !owning.contains(leaver.id()))
                    .thenComparing(Leaver::left);
        }

        /** One that may own items. If it does so already, it has come for another one. */
        private Optional<String> successor(Leaver leaver, Collection<String> taken) {
            return members.eligibleMembers().stream()
                    .filter(member -> leaver.isFollowedBy(member) && !taken.contains(member.id()))
                    .filter(member -> member.id().equals(leaver.id()) || !owning.contains(member.id()))
                    .min(Comparator.<Member, Boolean>comparing(
                                    member -> !member.id().equals(leaver.id()))
                            .thenComparing(Member::czxid))
                    .map(Member::id);
        }
    }
}
