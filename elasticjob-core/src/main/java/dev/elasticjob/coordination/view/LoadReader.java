package dev.elasticjob.coordination.view;

import dev.elasticjob.coordination.session.Stages;
import dev.elasticjob.coordination.state.NodeCodec;
import dev.elasticjob.coordination.state.StateJson;
import dev.elasticjob.definition.ItemWeights;
import dev.elasticjob.registry.JobTree;
import dev.elasticjob.registry.Registry;
import dev.elasticjob.registry.RegistryAccessDeniedException;
import dev.elasticjob.registry.RegistryAnswer;
import dev.elasticjob.registry.RegistryNode;
import dev.elasticjob.registry.RegistryRead;
import java.util.Collection;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Optional;
import java.util.Set;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionStage;
import java.util.stream.Collectors;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;

/**
 * Reads who owns what in all jobs of the namespace, as far as it can be read: a job that may not, whose nodes are too large
 * for an answer, or whose plan can't be understood, counts nothing. Neither does a job without instances: its plan is what was
 * left of it, and an owner may have come back under the same id, without that job. Remembers what it has made of nodes that
 * haven't changed. Of one thread: that on which the registry completes its stages.
 */
public final class LoadReader {
    private final Registry registry;
    /** Jobs that the registry has refused to read. */
    private final Set<String> refused = new HashSet<>();

    private Map<String, Seen> seen = Map.of();

    public LoadReader(Registry registry) {
        this.registry = registry;
    }

    /** What was made of a job's nodes; the numbers of the transactions tell whether they have changed. */
    private record Seen(long plan, long extension, Map<String, Long> owned) {}

    private record StoredWeights(int weight, @Nullable String itemWeights) {}

    /** Reads the names of the jobs, and their loads: two requests, if they fit. */
    public CompletionStage<InstanceLoads> read() {
        return new NamespaceReader(registry).names().thenCompose(this::read);
    }

    /** @param names of jobs; others are left out */
    public CompletionStage<InstanceLoads> read(Collection<String> names) {
        List<JobTree> jobs = names.stream()
                .filter(NamespaceReader::isName)
                .filter(name -> !refused.contains(name))
                .map(JobTree::new)
                .toList();
        return seen(jobs).thenApply(now -> {
            seen = now;
            Map<String, Map<String, Long>> loads = new HashMap<>();
            now.forEach((job, one) -> loads.put(job, one.owned()));
            return new InstanceLoads(loads);
        });
    }

    /** Asks for jobs again that the registry has refused to read. */
    public void forgetRefused() {
        refused.clear();
    }

    /**
     * A request is refused because of some of the jobs, which are not asked for again: the refusal names those that may not be
     * read; one that is too large for an answer is found by halves.
     */
    private CompletionStage<Map<String, Seen>> seen(List<JobTree> jobs) {
        if (jobs.isEmpty()) {
            return CompletableFuture.completedFuture(Map.of());
        }
        List<RegistryRead> reads = jobs.stream()
                .flatMap(job -> Stream.of(
                        RegistryRead.children(job.instances()),
                        RegistryRead.data(job.sharding()),
                        RegistryRead.data(job.extension())))
                .toList();
        return registry.read(reads).thenApply(answer -> seen(jobs, answer)).exceptionallyCompose(error -> {
            Throwable cause = Stages.unwrap(error);
            if (!(cause instanceof RegistryAccessDeniedException) && !(cause instanceof IllegalArgumentException)) {
                return CompletableFuture.failedFuture(cause);
            }
            Set<String> denied = denied(cause);
            List<JobTree> others =
                    jobs.stream().filter(job -> !denied.contains(job.jobName())).toList();
            if (others.size() < jobs.size()) {
                refused.addAll(denied);
                return seen(others);
            }
            if (jobs.size() == 1) {
                refused.add(jobs.get(0).jobName());
                return CompletableFuture.completedFuture(Map.of());
            }
            int half = jobs.size() / 2;
            return seen(jobs.subList(0, half)).thenCombine(seen(jobs.subList(half, jobs.size())), (some, rest) -> {
                Map<String, Seen> all = new HashMap<>(some);
                all.putAll(rest);
                return all;
            });
        });
    }

    /** The jobs whose nodes a refusal names: all that is read is directly below a job's node. */
    private static Set<String> denied(Throwable cause) {
        return cause instanceof RegistryAccessDeniedException refusal
                ? refusal.paths().stream()
                        .map(path -> path.split("/"))
                        .filter(names -> names.length > 1)
                        .map(names -> names[names.length - 2])
                        .collect(Collectors.toSet())
                : Set.of();
    }

    private Map<String, Seen> seen(List<JobTree> jobs, RegistryAnswer answer) {
        Map<String, Seen> now = new HashMap<>();
        jobs.stream()
                .filter(job -> !answer.children(job.instances()).isEmpty())
                .forEach(job -> answer.node(job.sharding())
                        .ifPresent(plan -> now.put(job.jobName(), seen(job, plan, answer.node(job.extension())))));
        return now;
    }

    private Seen seen(JobTree job, RegistryNode plan, Optional<RegistryNode> extension) {
        long weights = extension.map(RegistryNode::mzxid).orElse(0L);
        Seen before = seen.get(job.jobName());
        return before != null && before.plan() == plan.mzxid() && before.extension() == weights
                ? before
                : new Seen(plan.mzxid(), weights, owned(job, plan, extension));
    }

    private static Map<String, Long> owned(JobTree job, RegistryNode plan, Optional<RegistryNode> extension) {
        try {
            Map<Integer, String> owners =
                    NodeCodec.readAssignment(job.sharding(), plan.data()).owners();
            StoredWeights stored = extension
                    .flatMap(node -> StateJson.read(node.data(), StoredWeights.class))
                    .orElse(new StoredWeights(1, null));
            Map<Integer, Integer> ofItems = ItemWeights.parse(Objects.requireNonNullElse(stored.itemWeights(), ""))
                    .byItem();
            return InstanceLoads.owned(owners, item -> Math.max(1, ofItems.getOrDefault(item, stored.weight())));
        } catch (RuntimeException unreadable) {
            // Whatever stands there must not stop the planning of other jobs. The job's own leader reports it.
            return Map.of();
        }
    }
}
