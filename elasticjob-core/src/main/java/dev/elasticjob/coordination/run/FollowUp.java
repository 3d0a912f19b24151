package dev.elasticjob.coordination.run;

import dev.elasticjob.coordination.state.ManualRun;
import dev.elasticjob.coordination.state.OpenFiring;
import dev.elasticjob.job.after.ParentFiring;
import dev.elasticjob.registry.RegistryNode;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;

/**
 * A firing of its parents that a follower has still to run for: a node below its {@code after}. The follower's run has the
 * same text as its parameter, so each item's record says what the run was for.
 *
 * @param id of the firing that began the chain: its scheduled time in milliseconds, or {@code run-} and a run id
 * @param parents those that have ended it
 * @param version of its node
 * @param order grows with the creation of such nodes
 * @param created when the first of the parents had ended it, by the registry's clock
 */
public record FollowUp(String id, List<ParentFiring> parents, int version, long order, Instant created) {
    private static final String RUN = "after-";

    public FollowUp {
        parents = List.copyOf(parents);
    }

    public static FollowUp of(String id, RegistryNode node) {
        return new FollowUp(id, ParentFirings.read(node.text()), node.version(), node.czxid(), node.created());
    }

    /** The id of a manual run; for a follower's run, that of the firing that began the chain. */
    public static String idOf(String runId) {
        return runId.startsWith(RUN) ? runId.substring(RUN.length()) : OpenFiring.idOf(runId);
    }

    /** The scheduled time in an id; empty if a manual run began the chain. */
    public static Optional<Instant> scheduledTimeOf(String id) {
        return id.matches("-?\\d{1,18}") ? Optional.of(Instant.ofEpochMilli(Long.parseLong(id))) : Optional.empty();
    }

    /** Whether its node says which firings it is for, and its name can be a part of a run id. */
    boolean isReadable() {
        return !parents.isEmpty() && ManualRun.isRunId(runId());
    }

    public List<String> names() {
        return parents.stream().map(ParentFiring::jobName).toList();
    }

    /** The parents' firings with one more. One that is there already is replaced. */
    public List<ParentFiring> with(ParentFiring parent) {
        List<ParentFiring> all = new ArrayList<>(parents);
        all.removeIf(known -> known.jobName().equals(parent.jobName()));
        all.add(parent);
        return all;
    }

    /** The id of the run that follows: the same in every attempt to ask for it. */
    public String runId() {
        return RUN + id;
    }

    ManualRun run() {
        return new ManualRun(List.of(runId()), ParentFirings.text(parents));
    }
}
