package dev.elasticjob.coordination.follow;

import dev.elasticjob.coordination.session.JobScope;
import dev.elasticjob.coordination.view.ParentJob;
import dev.elasticjob.coordination.view.ReshardingRequest;
import dev.elasticjob.definition.JobDefinition;
import dev.elasticjob.job.event.JobEvent;
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
    private static final Logger log = LoggerFactory.getLogger(FollowerRegistration.class);

    private final JobScope scope;
    /** What was reported, so that it is reported once. */
    private final SortedMap<String, String> refused = new TreeMap<>();

    private final SortedMap<String, String> missing = new TreeMap<>();

    FollowerRegistration(JobScope scope) {
        this.scope = scope;
    }

    /** What has to be known of a parent. */
    static List<RegistryRead> reads(String jobName, List<String> parents) {
        List<RegistryRead> reads = new ArrayList<>();
        for (String parent : parents) {
            JobTree tree = new JobTree(parent);
            reads.addAll(RegistryRead.allData(tree.followers(), tree.follower(jobName), tree.necessary()));
            reads.addAll(ParentJob.reads(parent));
        }
        return reads;
    }

    /** Whether the job is registered for this version of its definition. A parent that isn't there yet is waited for. */
    static boolean isCurrent(String jobName, Following following, int version, RegistryAnswer parents) {
        return following.definition() == version
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
            Following following,
            Optional<RegistryNode> node,
            JobDefinition definition,
            int version,
            RegistryAnswer parents) {
        return FollowerWalk.from(scope.jobName(), scope.registry()).thenCompose(walk -> {
            List<String> allowed = definition.after().jobs().stream()
                    .filter(parent -> isAllowed(parent, walk))
                    .toList();
            Following next = following.registered(allowed, version);
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

    private boolean isAllowed(String parent, FollowerWalk walk) {
        List<String> path = walk.pathTo(parent);
        if (path.isEmpty() && !walk.isTooLong()) {
            refused.remove(parent);
            return true;
        }
        String reason = walk.isTooLong()
                ? "more than 1,000 jobs run after it; let fewer jobs follow each other"
                : "that would be a cycle, because these jobs run after each other: %s. Remove one of them from"
                                .formatted(path)
                        + " another's \"after\"";
        if (!reason.equals(refused.put(parent, reason))) {
            log.error("Job \"{}\" does not run after \"{}\": {}", scope.jobName(), parent, reason);
            scope.events().accept(new JobEvent.ParentNotFollowed(scope.jobName(), parent, reason));
        }
        return false;
    }

    /** Reports the parents whose firings can't be followed at present, and those that can again. */
    void reportParents(Following following, RegistryAnswer parents) {
        missing.keySet().retainAll(following.parents());
        for (String parent : following.parents()) {
            Optional<String> reason = ParentJob.problem(parent, parents);
            if (reason.isEmpty()) {
                if (missing.remove(parent) != null) {
                    log.info("Job \"{}\" runs after \"{}\" again", scope.jobName(), parent);
                }
            } else if (!reason.get().equals(missing.put(parent, reason.get()))) {
                log.warn("Job \"{}\" does not run after \"{}\" at present: {}", scope.jobName(), parent, reason.get());
                scope.events().accept(new JobEvent.ParentNotFollowed(scope.jobName(), parent, reason.get()));
            }
        }
    }

    private void report(Following before, List<String> allowed, RegistryAnswer parents) {
        allowed.stream()
                .filter(parent -> exists(parent, parents) && !before.parents().contains(parent))
                .forEach(parent -> log.info("Job \"{}\" runs after \"{}\"", scope.jobName(), parent));
    }
}
