package dev.elasticjob.coordination.view;

import dev.elasticjob.coordination.session.Stages;
import dev.elasticjob.coordination.state.CorruptNodeException;
import dev.elasticjob.coordination.state.NodeCodec;
import dev.elasticjob.coordination.state.StateJson;
import dev.elasticjob.definition.JobDefinition;
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
import java.util.Optional;
import java.util.Set;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionStage;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;

/**
 * Reads who owns what in all jobs of the namespace, as far as it may be read: a job that may not, or whose plan can't be
 * read, counts nothing. Remembers what it has made of nodes that haven't changed. Of one thread: that on which the registry
 * completes its stages.
 */
public final class LoadReader {
    private final Registry registry;
    /** Jobs of others, whose nodes may not be read. */
    private final Set<String> denied = new HashSet<>();

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
                .filter(name -> !denied.contains(name))
                .map(JobTree::new)
                .toList();
        List<RegistryRead> reads = jobs.stream()
                .flatMap(job -> Stream.of(job.sharding(), job.extension()))
                .map(RegistryRead::data)
                .toList();
        if (reads.isEmpty()) {
            return CompletableFuture.completedFuture(InstanceLoads.NONE);
        }
        return registry.read(reads)
                .thenApply(answer -> loads(jobs, answer))
                .exceptionallyCompose(error -> isOfOne(jobs, Stages.unwrap(error))
                        ? read(names)
                        : CompletableFuture.failedFuture(Stages.unwrap(error)));
    }

    /** Whether the read has failed because of one job, which is left out from now on. */
    private boolean isOfOne(List<JobTree> jobs, Throwable error) {
        return error instanceof RegistryAccessDeniedException refusal
                && jobs.stream()
                        .filter(job -> refusal.path().endsWith(job.sharding())
                                || refusal.path().endsWith(job.extension()))
                        .anyMatch(job -> denied.add(job.jobName()));
    }

    private InstanceLoads loads(List<JobTree> jobs, RegistryAnswer answer) {
        Map<String, Seen> now = new HashMap<>();
        Map<String, Map<String, Long>> loads = new HashMap<>();
        jobs.forEach(job -> answer.node(job.sharding()).ifPresent(plan -> {
            Seen owned = seen(job, plan, answer.node(job.extension()));
            now.put(job.jobName(), owned);
            loads.put(job.jobName(), owned.owned());
        }));
        seen = now;
        return new InstanceLoads(loads);
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
            JobDefinition weighted = JobDefinition.builder(job.jobName())
                    .weight(Math.max(1, stored.weight()))
                    .itemWeights(stored.itemWeights() == null ? "" : stored.itemWeights())
                    .build();
            return InstanceLoads.owned(weighted, owners);
        } catch (CorruptNodeException unreadable) {
            // The job's own leader reports it; what was never planned, by us or by other software, is empty.
            return Map.of();
        }
    }
}
