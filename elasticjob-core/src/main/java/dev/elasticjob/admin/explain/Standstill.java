package dev.elasticjob.admin.explain;

import dev.elasticjob.coordination.state.Assignment;
import dev.elasticjob.coordination.view.JobSnapshot;
import dev.elasticjob.coordination.view.JobSnapshot.InstanceNode;
import dev.elasticjob.coordination.view.JobSnapshot.ServerNode;
import dev.elasticjob.coordination.view.OperatorDrain;
import dev.elasticjob.definition.JobDefinition;
import dev.elasticjob.definition.text.LabelSelector;
import java.time.Instant;
import java.util.Comparator;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.TreeMap;
import java.util.stream.Collectors;

/**
 * What keeps every living instance of a job from running items, by the will of people or for want of labels. Immutable.
 *
 * @param cause how
 * @param since when the last instance was kept from it, by the registry's clock; for want of labels, when the plan without
 *     owners was made
 * @param actor who did that; empty if nobody is known
 * @param reason empty if none was given; for want of labels, the requirements that the target doesn't fulfil
 * @param target the instance that was drained last, of those whose servers are enabled; of disabled servers, the address of
 *     the one that was disabled last; for want of labels, the instance that lacks the fewest
 * @param runOn which instances are meant, if there are others that don't match; otherwise empty
 */
public record Standstill(Cause cause, Instant since, String actor, String reason, String target, String runOn) {
    /** How instances are kept from running items. */
    public enum Cause {
        /** Each was drained, or its server was disabled. */
        DRAINED,
        /** The servers were disabled, one after the other. */
        SERVERS_DISABLED,
        /** The job was disabled as a whole. */
        JOB_DISABLED,
        /** The job is declared as disabled, and nobody has enabled it. */
        DECLARED_DISABLED,
        /** The job chooses its instances by labels, and none of them has those. */
        UNMATCHED
    }

    /**
     * A command by which operators have disabled servers of the job.
     *
     * @param cause whether it was for the job as a whole
     * @param reason empty if none was given
     */
    public record Disabling(Cause cause, String actor, String reason) {}

    /** In one sentence. */
    public Sentence fact() {
        return switch (cause) {
            case DRAINED -> Fact.ALL_DRAINED.of("runOn", runOn, "id", target, "actor", actor, "reason", reason);
            case SERVERS_DISABLED -> Fact.SERVERS_DISABLED.of("runOn", runOn, "actor", actor, "reason", reason);
            case JOB_DISABLED -> Fact.JOB_DISABLED.of("actor", actor, "reason", reason);
            case DECLARED_DISABLED -> Fact.DECLARED_DISABLED.of();
            case UNMATCHED -> Fact.NO_INSTANCE_MATCHES.of("id", target, "requirements", reason);
        };
    }

    /** What lets an instance run items again. */
    public Sentence remedy() {
        return switch (cause) {
            case DRAINED -> Remedy.END_DRAIN.of("id", target);
            case SERVERS_DISABLED -> Remedy.ENABLE_SERVER.of("server", target);
            case JOB_DISABLED, DECLARED_DISABLED -> Remedy.ENABLE_JOB.of();
            case UNMATCHED -> Remedy.START_MATCHING_INSTANCE.of();
        };
    }

    /**
     * @param job with its members; without them, there is none
     * @param last the last such command; empty if none is known
     */
    public static Optional<Standstill> of(JobSnapshot job, Optional<Disabling> last) {
        LabelSelector runOn = job.runOn();
        List<InstanceNode> instances = job.instances().stream()
                .filter(instance -> instance.mayMatch(runOn))
                .toList();
        String some = instances.size() < job.instances().size() ? runOn.toString() : "";
        Map<String, ServerNode> disabled = job.servers().stream()
                .filter(ServerNode::disabled)
                .collect(Collectors.toMap(ServerNode::ip, server -> server, (one, same) -> one, TreeMap::new));
        if (instances.isEmpty()) {
            return nearest(job, runOn);
        }
        if (instances.stream().allMatch(instance -> disabled.containsKey(instance.ip()))) {
            return instances.stream()
                    .flatMap(instance -> Optional.ofNullable(disabled.get(instance.ip())).stream())
                    .max(Comparator.comparing(server -> server.node().modified()))
                    .map(server -> ofServers(job, server, last, some));
        }
        boolean none = instances.stream()
                .allMatch(instance ->
                        disabled.containsKey(instance.ip()) || drain(instance).isPresent());
        return none ? lastDrain(instances, disabled, some) : Optional.empty();
    }

    /** Of the instances none of which matches, the one with the fewest unfulfilled requirements. */
    private static Optional<Standstill> nearest(JobSnapshot job, LabelSelector runOn) {
        return job.instances().stream()
                .min(Comparator.comparing(
                        instance -> instance.unfulfilledOf(runOn).size()))
                .map(instance -> new Standstill(
                        Cause.UNMATCHED,
                        job.view().planned(),
                        "",
                        String.join(", ", instance.unfulfilledOf(runOn)),
                        instance.id(),
                        ""));
    }

    private static Optional<OperatorDrain> drain(InstanceNode instance) {
        return instance.drain().flatMap(OperatorDrain::of);
    }

    /** Of the instances that would run items if their drains ended. */
    private static Optional<Standstill> lastDrain(
            List<InstanceNode> instances, Map<String, ServerNode> disabled, String runOn) {
        return instances.stream()
                .filter(instance -> !disabled.containsKey(instance.ip()))
                .flatMap(instance -> drain(instance).stream()
                        .map(drain -> new Standstill(
                                Cause.DRAINED, drain.since(), drain.actor(), drain.reason(), instance.id(), runOn)))
                .max(Comparator.comparing(Standstill::since));
    }

    /**
     * Where nobody may own items, but that is no pause, the last one whose server was enabled has left since.
     *
     * @param server that of a living instance which was disabled last
     */
    private static Standstill ofServers(JobSnapshot job, ServerNode server, Optional<Disabling> last, String runOn) {
        boolean declared = job.definition().filter(JobDefinition::disabled).isPresent();
        Disabling by = last.orElse(new Disabling(declared ? Cause.DECLARED_DISABLED : Cause.SERVERS_DISABLED, "", ""));
        Optional<Instant> paused = job.assignment().map(Assignment::pausedFrom);
        boolean isNoPause = paused.isEmpty()
                && job.assignment().filter(plan -> plan.total() == 0).isPresent();
        Instant disabled = server.node().modified();
        Instant since = isNoPause ? Assignment.later(disabled, job.view().planned()) : paused.orElse(disabled);
        Cause cause = isNoPause ? Cause.SERVERS_DISABLED : by.cause();
        return new Standstill(cause, since, by.actor(), by.reason(), server.ip(), runOn);
    }
}
