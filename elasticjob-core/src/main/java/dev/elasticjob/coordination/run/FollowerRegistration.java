package dev.elasticjob.coordination.run;

import dev.elasticjob.coordination.session.JobScope;
import dev.elasticjob.coordination.view.ParentJob;
import dev.elasticjob.coordination.view.ReshardingRequest;
import dev.elasticjob.definition.JobDefinition;
import dev.elasticjob.job.event.JobEvent;
import dev.elasticjob.registry.CommitOutcome;
import dev.elasticjob.registry.JobTree;
import dev.elasticjob.registry.RegistryAnswer;
import dev.elasticjob.registry.RegistryCommit;
import dev.elasticjob.registry.RegistryNode;
import dev.elasticjob.registry.RegistryRead;
import dev.elasticjob.registry.RegistrySession;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.SortedMap;
import java.util.TreeMap;
import java.util.TreeSet;
import java.util.concurrent.CompletionStage;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Lists a job among the followers of its parents, and no longer among those of its former ones: the step "follow" of
 * {@code docs/internals/protocol-firings.md}, in one transaction. The parents' leaders copy their lists into their plans.
 *
 * <p>Confined to the coordination executor.
 */
final class FollowerRegistration {
    /** The end of a firing writes an entry for each of them in one transaction. */
    static final int MAX_FOLLOWERS = 64;

    private static final Logger log = LoggerFactory.getLogger(FollowerRegistration.class);

    private final JobScope scope;
    /** What this instance has reported of one version of the node: the transaction that says so may be repeated. */
    private final SortedMap<String, String> reported = new TreeMap<>();

    private Optional<Integer> reportedOf = Optional.empty();

    FollowerRegistration(JobScope scope) {
        this.scope = scope;
    }

    /** What has to be known of a parent. */
    static List<RegistryRead> reads(String jobName, List<String> parents) {
        List<RegistryRead> reads = new ArrayList<>();
        for (String parent : parents) {
            JobTree tree = new JobTree(parent);
            reads.addAll(RegistryRead.allData(tree.followers(), tree.follower(jobName), tree.necessary()));
            reads.add(RegistryRead.children(tree.followers()));
            reads.addAll(ParentJob.reads(parent));
        }
        return reads;
    }

    /**
     * Whether the job is registered for this version of its definition: with each of the jobs that it names, unless it may
     * not follow that one, and with no other. A parent that isn't there yet is waited for.
     */
    static boolean isCurrent(
            String jobName, FollowerState following, int version, List<String> wanted, RegistryAnswer parents) {
        return following.definition() == version
                && wanted.containsAll(following.parents())
                && wanted.stream()
                        .allMatch(parent -> following.parents().contains(parent)
                                || following.notFollowed().containsKey(parent))
                && following.parents().stream()
                        .allMatch(parent -> !exists(parent, parents)
                                || parents.node(new JobTree(parent).follower(jobName))
                                        .isPresent());
    }

    /** Whether it has been initialized, so that its leader can be told. */
    private static boolean exists(String parent, RegistryAnswer answer) {
        return ParentJob.exists(parent, answer);
    }

    /**
     * One attempt.
     *
     * @param parents answers {@link #reads} for the present and the former parents
     * @return whether it was carried out; if not, what was read is out of date
     */
    CompletionStage<Boolean> register(
            RegistrySession session,
            FollowerState following,
            Optional<RegistryNode> node,
            JobDefinition definition,
            int version,
            RegistryAnswer parents) {
        return FollowerWalk.from(scope.jobName(), scope.registry()).thenCompose(walk -> {
            FollowerState next = registered(following, node, definition.after().jobs(), version, walk, parents);
            List<String> allowed = next.parents();
            RegistryCommit.Builder commit = RegistryCommit.builder()
                    .check(scope.tree().extension(), version)
                    .addAll(walk.checks())
                    .setOrCreate(scope.tree().after(), next.write(), node.map(RegistryNode::version));
            var all = new TreeSet<>(following.parents());
            all.addAll(definition.after().jobs());
            all.stream()
                    .filter(parent -> exists(parent, parents))
                    .forEach(parent -> commit.addAll(change(parent, allowed.contains(parent), parents)));
            return scope.connection().commit(session, commit.build()).thenApply(outcome -> {
                if (outcome.isCommitted()) {
                    report(following, allowed, parents);
                }
                return outcome.isCommitted();
            });
        });
    }

    /** The list is set although it holds nothing: so that a walk that has read it is refused. */
    private RegistryCommit change(String parent, boolean follows, RegistryAnswer answer) {
        JobTree tree = new JobTree(parent);
        Optional<RegistryNode> listed = answer.node(tree.follower(scope.jobName()));
        RegistryCommit.Builder commit = RegistryCommit.builder();
        if (follows || listed.isPresent()) {
            commit.setOrCreate(
                    tree.followers(), "", answer.node(tree.followers()).map(RegistryNode::version));
        }
        if (follows == listed.isPresent()) {
            return commit.build();
        }
        if (follows) {
            commit.create(tree.follower(scope.jobName()));
        } else {
            commit.delete(tree.follower(scope.jobName()), listed.orElseThrow().version());
        }
        return commit.addAll(ReshardingRequest.of(tree, answer).raised()).build();
    }

    /** With the parents that the job may follow. */
    private FollowerState registered(
            FollowerState before,
            Optional<RegistryNode> node,
            List<String> wanted,
            int version,
            FollowerWalk walk,
            RegistryAnswer parents) {
        SortedMap<String, String> notFollowed = new TreeMap<>(before.notFollowed());
        notFollowed.keySet().retainAll(before.parents());
        notFollowed.keySet().retainAll(wanted);
        List<String> allowed = new ArrayList<>();
        for (String parent : wanted) {
            Optional<String> refusal = refusal(parent, walk, parents);
            if (refusal.isEmpty()) {
                allowed.add(parent);
            } else {
                notFollowed.put(parent, refusal.get());
                if (isNew(before, node, parent, refusal.get())) {
                    log.error("Job \"{}\" does not run after \"{}\": {}", scope.jobName(), parent, refusal.get());
                    scope.events().accept(new JobEvent.ParentNotFollowed(scope.jobName(), parent, refusal.get()));
                }
            }
        }
        return before.registered(allowed, version, notFollowed);
    }

    /** Empty if the job may follow it. */
    private Optional<String> refusal(String parent, FollowerWalk walk, RegistryAnswer parents) {
        if (walk.isTooLong()) {
            return Optional.of("more than 1,000 jobs run after it; let fewer jobs follow each other");
        }
        List<String> path = walk.pathTo(parent);
        if (!path.isEmpty()) {
            return Optional.of(("that would be a cycle, because these jobs run after each other: %s. Remove one of them"
                            + " from another's \"after\"")
                    .formatted(path));
        }
        List<String> listed = parents.children(new JobTree(parent).followers());
        return listed.contains(scope.jobName()) || listed.size() < MAX_FOLLOWERS
                ? Optional.empty()
                : Optional.of(
                        ("at most %d jobs may run after it, and %d do already. Let this job run after one of those"
                                        + " instead, or remove \"after\" from one of them, and restart this job")
                                .formatted(MAX_FOLLOWERS, listed.size()));
    }

    /**
     * Reports the parents whose firings can't be followed at present, and those that can again, and writes down what was
     * reported: the next leader reports only what is new.
     *
     * @return empty if nothing has changed; otherwise whether it was written
     */
    Optional<CompletionStage<Boolean>> reportParents(
            RegistrySession session, FollowerState following, Optional<RegistryNode> node, RegistryAnswer parents) {
        SortedMap<String, String> now = new TreeMap<>(following.notFollowed());
        for (String parent : following.parents()) {
            now.remove(parent);
            ParentJob.problem(parent, parents).ifPresent(problem -> now.put(parent, problem.text()));
        }
        if (node.isEmpty() || now.equals(following.notFollowed())) {
            return Optional.empty();
        }
        for (String parent : following.parents()) {
            String reason = now.getOrDefault(parent, "");
            if (!isNew(following, node, parent, reason)) {
                continue;
            }
            if (reason.isEmpty()) {
                log.info("Job \"{}\" runs after \"{}\" again", scope.jobName(), parent);
            } else {
                log.warn("Job \"{}\" does not run after \"{}\" at present: {}", scope.jobName(), parent, reason);
                scope.events().accept(new JobEvent.ParentNotFollowed(scope.jobName(), parent, reason));
            }
        }
        RegistryCommit told = RegistryCommit.builder()
                .set(
                        scope.tree().after(),
                        following.notFollowing(now).write(),
                        node.get().version())
                .build();
        return Optional.of(scope.connection().commit(session, told).thenApply(CommitOutcome::isCommitted));
    }

    /**
     * Reported before it is written: a leader that dies in between leaves the report to the next one.
     *
     * @param reason empty if the parent can be followed
     */
    private boolean isNew(FollowerState following, Optional<RegistryNode> node, String parent, String reason) {
        Optional<Integer> version = node.map(RegistryNode::version);
        if (!reportedOf.equals(version)) {
            reported.clear();
            reportedOf = version;
        }
        return !reason.equals(following.notFollowed().getOrDefault(parent, ""))
                && !reason.equals(reported.put(parent, reason));
    }

    private void report(FollowerState before, List<String> allowed, RegistryAnswer parents) {
        allowed.stream()
                .filter(parent -> exists(parent, parents) && !before.parents().contains(parent))
                .forEach(parent -> log.info("Job \"{}\" runs after \"{}\"", scope.jobName(), parent));
    }
}
