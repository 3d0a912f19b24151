package dev.elasticjob.coordination.membership;

import dev.elasticjob.coordination.session.JobScope;
import dev.elasticjob.coordination.session.Next;
import dev.elasticjob.coordination.state.Assignment;
import dev.elasticjob.coordination.state.NodeCodec;
import dev.elasticjob.coordination.state.Software;
import dev.elasticjob.coordination.view.JobView;
import dev.elasticjob.coordination.view.Members;
import dev.elasticjob.coordination.view.Members.Member;
import dev.elasticjob.coordination.view.Members.Origin;
import dev.elasticjob.coordination.view.Members.Shown;
import dev.elasticjob.definition.ForeignInstanceException;
import dev.elasticjob.definition.OnForeignInstance;
import dev.elasticjob.definition.text.NodeName;
import dev.elasticjob.job.event.JobEvent;
import dev.elasticjob.registry.JobTree;
import dev.elasticjob.registry.Registry.WatchScope;
import dev.elasticjob.registry.RegistryCommit;
import dev.elasticjob.registry.RegistryNode;
import dev.elasticjob.registry.RegistryRead;
import dev.elasticjob.registry.RegistrySession;
import dev.elasticjob.registry.Subscription;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.SortedMap;
import java.util.TreeMap;
import java.util.TreeSet;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionStage;
import java.util.stream.Collectors;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Finds instances of other software in a job, and keeps ours from claiming alongside them. They follow the displayed
 * owners or make their own assignment, and ignore our locks and records.
 *
 * <p>The leader reads all instances. A follower reads only the leader's node, when the leader's session is new to it:
 * an assignment made by other software is in none of our nodes, so the instance that finds such a leader removes all
 * owners.
 *
 * <p>Confined to the coordination executor.
 */
public final class ForeignInstanceGuard {
    private static final Logger log = LoggerFactory.getLogger(ForeignInstanceGuard.class);

    private final JobScope scope;
    private final OnForeignInstance policy;
    private final Runnable lookAgain;
    /** The software of each session: an operator's command hides the node's original content. */
    private final Map<Long, Software> known = new HashMap<>();
    /** What each node shows, by its {@code czxid}, for the same reason. */
    private final Map<Long, Shown> nodes = new HashMap<>();

    private SortedMap<String, Software> reported = new TreeMap<>();
    private Subscription leaderAppears = () -> {};

    public ForeignInstanceGuard(JobScope scope, OnForeignInstance policy, Runnable lookAgain) {
        this.scope = scope;
        this.policy = policy;
        this.lookAgain = lookAgain;
    }

    /** The first content of a node counts. */
    private Software learn(Origin origin) {
        Software before = known.get(origin.session());
        if (before == null && origin.software() != Software.UNTOLD) {
            known.put(origin.session(), origin.software());
        }
        return before == null ? origin.software() : before;
    }

    private Member learn(Member member) {
        Origin origin = member.origin();
        origin.shown().ifPresent(shown -> nodes.put(member.czxid(), shown));
        return new Member(
                member.id(),
                member.serverIp(),
                member.czxid(),
                new Origin(origin.session(), learn(origin), Optional.ofNullable(nodes.get(member.czxid()))));
    }

    // ------------------------------------------------------------------ before it joins

    /**
     * Checks the instances that joined before ours.
     *
     * @return what they show; fails with {@link ForeignInstanceException} if the job must not start alongside one of them
     */
    CompletionStage<List<Origin>> mayJoin(List<String> instances) {
        if (instances.isEmpty()) {
            return CompletableFuture.completedFuture(List.of());
        }
        JobTree tree = scope.tree();
        return scope.registry()
                .read(RegistryRead.allData(
                        instances.stream().map(tree::instance).toList()))
                .thenApply(answer -> {
                    SortedMap<String, Software> foreign = new TreeMap<>();
                    instances.forEach(id -> answer.node(tree.instance(id))
                            .map(node -> learn(Origin.of(node)))
                            .filter(Software::isForeign)
                            .ifPresent(software -> foreign.put(id, software)));
                    if (policy == OnForeignInstance.REFUSE && !foreign.isEmpty()) {
                        throw new ForeignInstanceException(scope.jobName(), described(foreign));
                    }
                    return instances.stream()
                            .map(id -> answer.node(tree.instance(id))
                                    .map(Origin::of)
                                    .orElse(Origin.UNKNOWN))
                            .toList();
                });
    }

    // ------------------------------------------------------------------ leading

    /** The members as the leader plans with them. */
    public Members judged(Members members) {
        SortedMap<String, Software> foreign = new TreeMap<>();
        known.keySet()
                .retainAll(members.all().stream()
                        .map(member -> member.origin().session())
                        .toList());
        nodes.keySet().retainAll(members.all().stream().map(Member::czxid).toList());
        Members shown = members.shownAs(this::learn);
        for (Member member : shown.all()) {
            if (member.origin().software().isForeign()) {
                foreign.put(member.id(), member.origin().software());
            }
        }
        report(foreign);
        return policy == OnForeignInstance.REFUSE ? shown.besides(new TreeSet<>(foreign.keySet())) : shown;
    }

    // ------------------------------------------------------------------ following

    /** Determines which software leads, unless it is known. */
    public CompletionStage<Next> follow(RegistrySession session, JobView view) {
        leaderAppears.close();
        RegistryNode leader = view.leaderNode().orElseThrow();
        if (known.get(leader.ephemeralOwner()) == Software.OURS) {
            reportHeld(view);
            return Next.WAIT.stage();
        }
        if (!NodeName.isUsable(leader.text())) {
            // Somebody has written into its node. The next leader shows its own.
            return Next.WAIT.stage();
        }
        String path = scope.tree().instance(leader.text());
        leaderAppears = scope.registry().watch(path, WatchScope.DATA, lookAgain);
        return scope.registry()
                .read(RegistryRead.allData(path))
                .thenCompose(answer -> judge(session, view, leader, answer.node(path)));
    }

    private CompletionStage<Next> judge(
            RegistrySession session, JobView view, RegistryNode leader, Optional<RegistryNode> instance) {
        Software software = instance.filter(node -> node.ephemeralOwner() == leader.ephemeralOwner())
                .map(node -> learn(Origin.of(node)))
                .orElse(Software.UNTOLD);
        if (software == Software.OURS) {
            leaderAppears.close();
            reportHeld(view);
        }
        if (!software.isForeign()) {
            return Next.WAIT.stage();
        }
        SortedMap<String, Software> foreign = new TreeMap<>(Map.of(leader.text(), software));
        report(foreign);
        Optional<Assignment> held = view.assignment()
                .filter(inForce -> policy == OnForeignInstance.REFUSE && !inForce.isHeld())
                .map(inForce -> inForce.held(new TreeSet<>(foreign.keySet())));
        return held.map(next -> hold(session, view, next)).orElse(Next.WAIT.stage());
    }

    /** A refusal means that another instance was faster. In both cases, there is something new to read. */
    private CompletionStage<Next> hold(RegistrySession session, JobView view, Assignment next) {
        RegistryCommit commit = RegistryCommit.builder()
                .set(scope.tree().sharding(), NodeCodec.write(next), view.epoch())
                .build();
        return scope.connection().commit(session, commit).thenApply(outcome -> Next.AGAIN);
    }

    /** The leader is an instance of ours and has read all instances. */
    private void reportHeld(JobView view) {
        if (view.problem().isPresent()) {
            return;
        }
        List<String> holding = view.assignment().map(Assignment::heldBy).orElse(List.of());
        SortedMap<String, Software> foreign = new TreeMap<>();
        holding.forEach(id -> foreign.put(id, reported.getOrDefault(id, Software.OTHER)));
        report(foreign);
    }

    // ------------------------------------------------------------------ reporting

    /** Reports foreign instances once when they appear, and once when they are gone. */
    private void report(SortedMap<String, Software> foreign) {
        if (foreign.keySet().equals(reported.keySet())) {
            return;
        }
        reported = foreign;
        if (foreign.isEmpty()) {
            log.warn(
                    "Job \"{}\": instances of other software no longer take part in the job, so this application"
                            + " runs it alone. Firings that were due in the meantime are not repeated",
                    scope.jobName());
            return;
        }
        String names = String.join(", ", described(foreign));
        if (policy == OnForeignInstance.REFUSE) {
            log.error(
                    "Job \"{}\": expected no instances of other software, but these take part in the job: {}. This"
                            + " instance starts nothing new until they are gone; running executions continue. Stop"
                            + " them, or set \"elasticjob.on-foreign-instance\" to \"warn\"",
                    scope.jobName(),
                    names);
        } else {
            log.warn(
                    "Job \"{}\": instances of other software take part in the job: {}. While they run, firings can be"
                            + " lost and items can run twice. Stop them",
                    scope.jobName(),
                    names);
        }
        scope.events().accept(new JobEvent.ForeignInstances(scope.jobName(), List.copyOf(foreign.keySet())));
    }

    private static List<String> described(SortedMap<String, Software> foreign) {
        return foreign.entrySet().stream()
                .map(one -> "\"%s\" (%s)".formatted(one.getKey(), one.getValue()))
                .collect(Collectors.toList());
    }

    public void close() {
        leaderAppears.close();
    }
}
