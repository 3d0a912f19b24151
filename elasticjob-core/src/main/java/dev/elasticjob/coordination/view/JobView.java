package dev.elasticjob.coordination.view;

import dev.elasticjob.coordination.state.Assignment;
import dev.elasticjob.coordination.state.CorruptNodeException;
import dev.elasticjob.coordination.state.NodeCodec;
import dev.elasticjob.coordination.state.ServerState;
import dev.elasticjob.coordination.state.StoredDefinition;
import dev.elasticjob.coordination.state.StoredDefinition.NodeVersion;
import dev.elasticjob.definition.JobDefinition;
import dev.elasticjob.definition.text.InstanceLabels;
import dev.elasticjob.job.event.JobState;
import dev.elasticjob.registry.JobTree;
import dev.elasticjob.registry.RegistryAnswer;
import dev.elasticjob.registry.RegistryNode;
import dev.elasticjob.registry.RegistrySession;
import java.time.Instant;
import java.util.List;
import java.util.Map;
import java.util.NavigableSet;
import java.util.Optional;
import java.util.SortedSet;
import java.util.TreeMap;
import java.util.TreeSet;
import java.util.stream.Stream;

/**
 * A job's control nodes, with the versions that guard what follows from them.
 *
 * @param instance this process's id in the job
 * @param ip this server's address
 * @param definition the stored definition
 * @param assignment the assignment in force; empty before the first plan, and if it can't be read
 * @param problem the reason why the assignment can't be read
 */
public record JobView(
        JobTree tree,
        RegistryAnswer answer,
        String instance,
        String ip,
        StoredDefinition definition,
        Optional<Assignment> assignment,
        Optional<String> problem) {
    static JobView of(JobTree tree, RegistryAnswer answer, String instance, String ip) {
        StoredDefinition definition = StoredDefinition.of(tree, answer);
        try {
            Optional<Assignment> assignment = PlanView.of(tree, answer).map(PlanView::assignment);
            return new JobView(tree, answer, instance, ip, definition, assignment, Optional.empty());
        } catch (CorruptNodeException e) {
            String problem = String.valueOf(e.getMessage());
            return new JobView(tree, answer, instance, ip, definition, Optional.empty(), Optional.of(problem));
        }
    }

    /** Whether the job has an assignment, readable or not. */
    boolean hasPlan() {
        return PlanView.node(tree, answer).isPresent();
    }

    /** Whether the job's nodes exist; false before the first instance has joined, and after a removal. */
    public boolean isInitialised() {
        return definition.isPresent()
                && definition.extension().isPresent()
                && answer.node(tree.sharding()).isPresent();
    }

    /** The version that guards steps that depend on the definition. The job must exist. */
    public NodeVersion definitionVersion() {
        return definition.inForce().orElseThrow();
    }

    /** That of the settings for which 2.1.5 has no key. */
    Optional<NodeVersion> extensionVersion() {
        return definition.extension().map(node -> new NodeVersion(tree.extension(), node.version()));
    }

    /** The version of {@code /sharding}, which every change of assignment or schedule raises. */
    public int epoch() {
        return answer.node(tree.sharding()).map(RegistryNode::version).orElse(-1);
    }

    /** The time of the assignment's last change, by the registry's clock. */
    public Instant planned() {
        return answer.node(tree.sharding()).map(RegistryNode::modified).orElse(Instant.MIN);
    }

    public Optional<String> leader() {
        return leaderNode().map(RegistryNode::text);
    }

    public Optional<RegistryNode> leaderNode() {
        return answer.node(tree.leader());
    }

    public boolean isLedBy(RegistrySession session) {
        return leaderNode().filter(session::owns).isPresent();
    }

    public Optional<RegistryNode> ownInstance() {
        return answer.node(tree.instance(instance));
    }

    /** The signal of manual runs. */
    public Optional<RegistryNode> runs() {
        return answer.node(tree.triggers());
    }

    /** An operator's command to this instance. */
    public Optional<RegistryNode> ownTrigger() {
        return answer.node(tree.triggerOf(instance));
    }

    Optional<RegistryNode> ownServer() {
        return answer.node(tree.server(ip));
    }

    private boolean isServerDisabled() {
        return ownServer().filter(ServerState::isDisabled).isPresent();
    }

    // ------------------------------------------------------------------ what operators keep from starting

    /** The job's own pause, which may be over; empty if there was none. */
    public Optional<PauseSwitch> jobPause() {
        return answer.node(tree.paused()).map(PauseSwitch::of);
    }

    /** Whether {@code pauseAfterFailures} has paused the job, and nobody has resumed it since. */
    public boolean hasPausedItself() {
        return jobPause().flatMap(PauseSwitch::failures).isPresent();
    }

    /** The transaction that last changed the job's own pause; 0 if there was none. */
    long jobPauseChange() {
        return answer.node(tree.paused()).map(RegistryNode::mzxid).orElse(0L);
    }

    /** The pause of all jobs of the namespace, which may be over; empty if there was none, or it may not be read. */
    public Optional<PauseSwitch> namespacePause() {
        String path = JobTree.namespacePaused();
        return answer.covers(path) ? answer.node(path).map(PauseSwitch::of) : Optional.empty();
    }

    /** The nodes of both, as far as they are there, by path. */
    public Map<String, RegistryNode> pauseNodes() {
        Map<String, RegistryNode> nodes = new TreeMap<>();
        for (String path : List.of(tree.paused(), JobTree.namespacePaused())) {
            Optional<RegistryNode> node = answer.covers(path) ? answer.node(path) : Optional.empty();
            node.ifPresent(there -> nodes.put(path, there));
        }
        return nodes;
    }

    /** The pauses of both, over or not. */
    public List<Pause> pauses() {
        return Stream.of(jobPause(), namespacePause())
                .flatMap(Optional::stream)
                .flatMap(known -> known.pauses().stream())
                .toList();
    }

    /**
     * What keeps this instance from starting anything: operators, or that the job doesn't choose it; ACTIVE if nothing
     * does.
     */
    public JobState standing(JobDefinition settings, InstanceLabels labels) {
        JobState byOperators = standing();
        return byOperators == JobState.ACTIVE && !settings.instances().matches(labels)
                ? JobState.UNMATCHED
                : byOperators;
    }

    /** Whether operators keep this instance from starting anything, and how; ACTIVE if they don't. */
    public JobState standing() {
        if (Pauses.of(pauses()).lasts()) {
            return JobState.PAUSED;
        }
        if (isServerDisabled()) {
            return JobState.DISABLED;
        }
        boolean drained =
                answer.node(tree.drain(instance)).flatMap(OperatorDrain::of).isPresent();
        return drained ? JobState.DRAINED : JobState.ACTIVE;
    }

    /** Whether this instance gives its items away, by an operator's request or its own. */
    public boolean givesItsItemsAway() {
        return answer.node(tree.drain(instance))
                .filter(mark -> OperatorDrain.of(mark).isPresent()
                        || ownInstance()
                                .filter(own -> NodeCodec.isDrainOf(own, mark))
                                .isPresent())
                .isPresent();
    }

    /** The parent of the request for resharding. */
    public Optional<RegistryNode> flags() {
        return answer.node(tree.flags());
    }

    public Optional<RegistryNode> necessary() {
        return answer.node(tree.necessary());
    }

    /** Exists while an assignment is written in several transactions, or after one of them was refused. */
    public Optional<RegistryNode> processing() {
        return answer.node(tree.processing());
    }

    public List<String> instances() {
        return answer.children(tree.instances());
    }

    public List<String> draining() {
        return answer.children(tree.drains());
    }

    public List<String> servers() {
        return answer.children(tree.servers());
    }

    /** The last firing of a job with a fixed delay; empty before the first one. */
    public Optional<RegistryNode> delay() {
        return answer.node(tree.delay());
    }

    /** The past firings that an operator has run; empty data if there are none. */
    public Optional<RegistryNode> backfill() {
        return answer.node(tree.backfill());
    }

    /** The jobs that run after this one. */
    public SortedSet<String> followers() {
        return new TreeSet<>(answer.children(tree.followers()));
    }

    /** Whether there is any failover signal. */
    public boolean showsFailover() {
        return !answer.children(tree.failoverItems()).isEmpty();
    }

    /** The items that have a node. */
    public NavigableSet<Integer> items() {
        return JobTree.itemNumbers(answer.children(tree.sharding()));
    }
}
