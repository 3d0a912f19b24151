package dev.elasticjob.coordination.run;

import dev.elasticjob.coordination.state.StoredDefinition;
import dev.elasticjob.definition.UnreadableDefinitionException;
import dev.elasticjob.registry.JobTree;
import dev.elasticjob.registry.Registry;
import dev.elasticjob.registry.RegistryAnswer;
import dev.elasticjob.registry.RegistryCommit;
import dev.elasticjob.registry.RegistryNode;
import dev.elasticjob.registry.RegistryRead;
import java.util.ArrayList;
import java.util.Collection;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionStage;

/**
 * Reads which jobs run after a job, and after those, level by level. What was read is checked by the transaction that
 * relies on it: of two registrations that would close a cycle together, each writes a node that the other checks.
 */
public final class FollowerWalk {
    private static final int MAX_JOBS = 1_000;

    private final Registry registry;
    private final RegistryCommit.Builder checks = RegistryCommit.builder();
    /** Each job that was met, with the one after which it runs. */
    private final Map<String, String> met = new LinkedHashMap<>();

    private FollowerWalk(Registry registry) {
        this.registry = registry;
    }

    static CompletionStage<FollowerWalk> from(String jobName, Registry registry) {
        FollowerWalk walk = new FollowerWalk(registry);
        return walk.level(List.of(jobName)).thenApply(done -> walk);
    }

    /** Asserts what was read. */
    RegistryCommit checks() {
        return checks.build();
    }

    /** Whether the walk was given up, so that nothing is known. */
    boolean isTooLong() {
        return met.size() > MAX_JOBS;
    }

    /** The jobs from the beginning of the walk to this one, each of which runs after the one before; empty if it wasn't met. */
    List<String> pathTo(String jobName) {
        List<String> path = new ArrayList<>();
        for (String job = met.containsKey(jobName) ? jobName : null; job != null; job = met.get(job)) {
            path.add(0, job);
        }
        return path;
    }

    private CompletionStage<?> level(List<String> jobs) {
        if (jobs.isEmpty() || isTooLong()) {
            return CompletableFuture.completedFuture(null);
        }
        List<RegistryRead> reads = new ArrayList<>();
        for (JobTree tree : trees(jobs)) {
            reads.addAll(RegistryRead.allData(tree.root(), tree.followers()));
            reads.add(RegistryRead.children(tree.followers()));
        }
        return registry.read(reads).thenCompose(answer -> {
            List<String> next = new ArrayList<>();
            for (JobTree tree : trees(jobs)) {
                check(tree, answer);
                for (String follower : answer.children(tree.followers())) {
                    if (!met.containsKey(follower)) {
                        met.put(follower, tree.jobName());
                        next.add(follower);
                    }
                }
            }
            return stillFollowing(next).thenCompose(this::level);
        });
    }

    private static List<JobTree> trees(Collection<String> jobs) {
        return jobs.stream().map(JobTree::new).toList();
    }

    private void check(JobTree tree, RegistryAnswer answer) {
        Optional<RegistryNode> followers = answer.node(tree.followers());
        if (followers.isPresent()) {
            checks.check(tree.followers(), followers.get().version());
        } else if (answer.node(tree.root()).isPresent()) {
            checks.assertAbsent(tree.followers());
        }
    }

    /** A job that was removed, or has another definition by now, is listed until the next end of a firing. */
    private CompletionStage<List<String>> stillFollowing(List<String> jobs) {
        if (jobs.isEmpty()) {
            return CompletableFuture.completedFuture(jobs);
        }
        List<RegistryRead> reads = new ArrayList<>();
        trees(jobs).forEach(tree -> reads.addAll(StoredDefinition.reads(tree)));
        return registry.read(reads).thenApply(answer -> {
            List<String> following = new ArrayList<>(jobs);
            following.removeIf(job -> !mayFollow(job, answer));
            met.keySet().removeIf(job -> jobs.contains(job) && !following.contains(job));
            return following;
        });
    }

    private boolean mayFollow(String job, RegistryAnswer answer) {
        return follows(StoredDefinition.of(new JobTree(job), answer), met.getOrDefault(job, ""));
    }

    /** Whether a job's definition names the other one. One that can't be read counts as before. */
    public static boolean follows(StoredDefinition stored, String parent) {
        try {
            return stored.isPresent()
                    && stored.decode().definition().after().jobs().contains(parent);
        } catch (UnreadableDefinitionException untilItIsCorrected) {
            return true;
        }
    }
}
