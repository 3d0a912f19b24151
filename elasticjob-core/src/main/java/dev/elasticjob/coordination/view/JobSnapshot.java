package dev.elasticjob.coordination.view;

import dev.elasticjob.coordination.state.Assignment;
import dev.elasticjob.coordination.state.NodeCodec;
import dev.elasticjob.coordination.state.ServerState;
import dev.elasticjob.coordination.state.Software;
import dev.elasticjob.coordination.state.StoredDefinition;
import dev.elasticjob.definition.JobDefinition;
import dev.elasticjob.definition.UnreadableDefinitionException;
import dev.elasticjob.definition.text.InstanceLabels;
import dev.elasticjob.definition.text.LabelSelector;
import dev.elasticjob.registry.JobTree;
import dev.elasticjob.registry.RegistryAnswer;
import dev.elasticjob.registry.RegistryNode;
import dev.elasticjob.registry.RegistryRead;
import java.time.Instant;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.NavigableSet;
import java.util.Optional;
import java.util.OptionalInt;
import java.util.Set;
import java.util.TreeSet;
import java.util.stream.Collectors;
import java.util.stream.IntStream;
import java.util.stream.Stream;

/**
 * A job's control nodes for people: of any job, whether or not this process runs it. The parts were read one after the
 * other, not at the same moment. Pure; what reads it sends {@link #reads} for as many jobs as it likes in one request.
 *
 * @param view the control nodes
 * @param definition the settings that the instances follow: the stored ones, or if only the stored cron expression can't
 *     be used, with the one in force; empty if there are none, or they can't be read
 * @param definitionProblem the reason why the stored settings can't be used
 * @param denied the reason why none of this could be read
 * @param reports what was reported of its executions
 */
public record JobSnapshot(
        JobView view,
        Optional<JobDefinition> definition,
        Optional<UnreadableDefinitionException> definitionProblem,
        Optional<String> denied,
        Optional<RegistryNode> reports) {

    /** The reads of {@link #of}, of a fixed number for each job. */
    public static List<RegistryRead> reads(JobTree tree) {
        List<RegistryRead> reads = new ArrayList<>(RegistryRead.allData(paths(tree)));
        parents(tree).forEach(parent -> reads.add(RegistryRead.children(parent)));
        return reads;
    }

    private static List<String> paths(JobTree tree) {
        return List.of(
                tree.root(),
                tree.config(),
                tree.extension(),
                tree.sharding(),
                tree.leader(),
                tree.necessary(),
                tree.paused(),
                tree.backfill(),
                tree.delay(),
                tree.watchdog());
    }

    private static List<String> parents(JobTree tree) {
        return List.of(tree.instances(), tree.servers(), tree.drains());
    }

    /** @param answer covers at least {@link #reads} */
    public static JobSnapshot of(JobTree tree, RegistryAnswer answer) {
        JobView view = JobView.of(tree, answer, "", "");
        StoredDefinition stored = view.definition();
        if (!stored.isPresent()) {
            return new JobSnapshot(view, Optional.empty(), Optional.empty(), Optional.empty(), Optional.empty());
        }
        Optional<JobDefinition> definition = Optional.empty();
        try {
            definition = Optional.of(stored.decode(Optional.empty(), answer.node(tree.sharding()))
                    .definition());
        } catch (UnreadableDefinitionException unreadable) {
            // The problem says so.
        }
        return new JobSnapshot(
                view, definition, stored.problem(Optional.empty()), Optional.empty(), answer.node(tree.watchdog()));
    }

    /** A job of which nothing could be read. */
    public static JobSnapshot denied(JobTree tree, String reason) {
        Map<String, Optional<RegistryNode>> nodes = new HashMap<>();
        paths(tree).forEach(path -> nodes.put(path, Optional.empty()));
        Map<String, Optional<List<String>>> children = new HashMap<>();
        parents(tree).forEach(path -> children.put(path, Optional.empty()));
        JobView nothing = JobView.of(tree, new RegistryAnswer(nodes, children), "", "");
        return new JobSnapshot(nothing, Optional.empty(), Optional.empty(), Optional.of(reason), Optional.empty());
    }

    /** The reads of {@link #withMembers}: also of the jobs that this one runs after. */
    public List<RegistryRead> memberReads() {
        List<RegistryRead> reads = new ArrayList<>(MemberNames.of(view).reads(tree()));
        reads.add(RegistryRead.data(tree().origin()));
        reads.addAll(parentReads());
        return reads;
    }

    /**
     * The reads of what else a report of the job needs: the jobs that it runs after, and if it has instances none of which
     * owns anything, or items that may be too heavy for one, or clocks that may differ too much, the members, and what
     * operators did; if an instance has left, its mark. None of most jobs.
     */
    List<RegistryRead> reportReads() {
        List<RegistryRead> reads = parentReads();
        Set<String> left = new TreeSet<>(view.draining());
        view.instances().forEach(left::remove);
        left.forEach(id -> reads.add(RegistryRead.data(tree().drain(id))));
        if (isIdle()
                || (!view.instances().isEmpty()
                        && definition
                                .filter(job -> job.isWeighted() || job.limitsClocks())
                                .isPresent())) {
            reads.addAll(MemberNames.of(view).reads(tree()));
            reads.add(RegistryRead.data(tree().commands()));
        }
        return reads;
    }

    /** Whether there are instances, and none of them owns an item, though no pause is the reason. */
    private boolean isIdle() {
        return !view.instances().isEmpty()
                && !Pauses.of(view.pauses()).lasts()
                && assignment()
                        .filter(plan -> plan.owners().isEmpty() && !plan.isHeld())
                        .isPresent();
    }

    /** The reads that show whether the jobs that this one runs after can be followed; none if it runs after none. */
    List<RegistryRead> parentReads() {
        List<RegistryRead> reads = new ArrayList<>();
        for (String parent : runsAfter()) {
            reads.addAll(ParentJob.reads(parent));
            reads.add(RegistryRead.data(new JobTree(parent).follower(jobName())));
        }
        return reads;
    }

    private List<String> runsAfter() {
        return definition.map(settings -> settings.after().jobs()).orElse(List.of());
    }

    /** @param answer covers at least {@link #memberReads}, or {@link #reportReads}: then there may be no members */
    public JobSnapshot withMembers(RegistryAnswer answer) {
        RegistryAnswer all = view.answer().plus(answer);
        return new JobSnapshot(JobView.of(tree(), all, "", ""), definition, definitionProblem, denied, reports);
    }

    // ------------------------------------------------------------------ what it shows

    public JobTree tree() {
        return view.tree();
    }

    public String jobName() {
        return tree().jobName();
    }

    /** Whether there is a node of that name. It may be what a removal has left. */
    public boolean exists() {
        return denied.isPresent() || view.answer().node(tree().root()).isPresent();
    }

    /** Whether it is kept in the registry, so that no application has to declare it. Needs {@link #withMembers}. */
    public boolean isRegistryJob() {
        String origin = tree().origin();
        return view.answer().covers(origin) && view.answer().node(origin).isPresent();
    }

    /** The weight of an item by the job's settings; 1 if they can't be read. */
    public int weightOf(int item) {
        return definition().map(definition -> definition.weightOf(item)).orElse(1);
    }

    public boolean hasDefinition() {
        return view.definition().isPresent();
    }

    public Optional<Assignment> assignment() {
        return view.assignment();
    }

    /** The items that have, or may have, nodes: those of the assignment, and those of the settings, as in a pause. */
    public NavigableSet<Integer> items() {
        NavigableSet<Integer> items = new TreeSet<>();
        assignment().ifPresent(plan -> items.addAll(plan.owners().keySet()));
        int total = definition.map(JobDefinition::shardingTotalCount).orElse(0);
        if (items.isEmpty()) {
            IntStream.range(0, total).forEach(items::add);
        }
        return items;
    }

    /** The version of the assignment; -1 before the first plan. */
    public int epoch() {
        return view.hasPlan() ? view.epoch() : -1;
    }

    public Optional<RegistryNode> sharding() {
        return view.answer().node(tree().sharding());
    }

    /** Every problem of its nodes, in one text; empty if there is none. */
    public Optional<String> problem() {
        Optional<String> held = assignment().filter(Assignment::isHeld).map(JobSnapshot::held);
        Optional<String> unreadable = definitionProblem.map(problem -> "The node \"%s\" can't be read. %s"
                .formatted(tree().node(problem.part()), String.valueOf(problem.getMessage())));
        List<String> problems = Stream.concat(
                        Stream.of(denied, view.problem(), held, unreadable).flatMap(Optional::stream),
                        notFollowed().entrySet().stream().map(JobSnapshot::notFollowed))
                .toList();
        return problems.isEmpty() ? Optional.empty() : Optional.of(String.join(". ", problems));
    }

    private static String notFollowed(Map.Entry<String, ParentJob.Problem> parent) {
        return "The job does not run after \"%s\" at present: %s"
                .formatted(parent.getKey(), parent.getValue().text());
    }

    /** The jobs that this one can't run after at present. Empty before these or the members were read. */
    public Map<String, ParentJob.Problem> notFollowed() {
        Map<String, ParentJob.Problem> found = new LinkedHashMap<>();
        for (String parent : runsAfter()) {
            String listed = new JobTree(parent).follower(jobName());
            if (view.answer().covers(listed)) {
                ParentJob.problem(parent, view.answer())
                        .or(() -> view.answer().node(listed).isPresent()
                                ? Optional.empty()
                                : Optional.of(ParentJob.Problem.NOT_REGISTERED))
                        .ifPresent(problem -> found.put(parent, problem));
            }
        }
        return found;
    }

    private static String held(Assignment assignment) {
        return "Instances of other software take part in the job: %s. Nothing starts until they are gone; stop them"
                .formatted(assignment.holders());
    }

    /** Which instances may run the job; all, if its settings can't be used. */
    public LabelSelector runOn() {
        return definition.map(JobDefinition::instances).orElse(LabelSelector.ANY);
    }

    // ------------------------------------------------------------------ members, once they were read

    /**
     * One instance.
     *
     * @param ip the address of its server
     * @param drain the mark that it gives its items away; empty if it doesn't
     */
    public record InstanceNode(
            String id, String ip, RegistryNode node, Software software, Optional<RegistryNode> drain) {
        /** By which jobs choose it; empty if its node doesn't show them now. */
        public Optional<InstanceLabels> labels() {
            return NodeCodec.labels(node.text());
        }

        /** What its items may weigh together; empty for no limit, or if its node doesn't show it now. */
        public OptionalInt capacity() {
            return NodeCodec.capacity(node.text());
        }

        /** Whether it shows that its clock differs from the registry's by more than the job allows. */
        public boolean clockDiffers() {
            return NodeCodec.clockDiffers(node.text());
        }

        /** Whether an item of this weight may start there, as far as is known. */
        public boolean carries(int weight) {
            return weight <= capacity().orElse(Integer.MAX_VALUE);
        }

        /** Whether a job with this {@code runOn} may run here, as far as is known. */
        public boolean mayMatch(LabelSelector runOn) {
            return runOn.mayMatch(labels());
        }

        /** The requirements that it doesn't fulfil, in normal form. */
        public List<String> unfulfilledOf(LabelSelector runOn) {
            return labels().map(runOn::unfulfilledBy).orElse(List.of());
        }
    }

    /** Whether one of the instances that may own items has a capacity for this weight. */
    public boolean isCarriedSomewhere(int weight) {
        return eligible(runOn()).stream().anyMatch(instance -> instance.carries(weight));
    }

    /** Whether another instance may begin an item of this weight for its owner, once it has room, or is back. */
    public boolean isHelpedElsewhere(String owner, int weight, Instant registryNow) {
        return definition.filter(JobDefinition::monitorExecution).isPresent()
                && (eligible(runOn()).stream()
                                .anyMatch(other -> !other.id().equals(owner)
                                        && other.capacity().isPresent()
                                        && other.carries(weight))
                        || view().draining().stream()
                                .flatMap(id -> Leaver.awaited(this, id, registryNow).stream())
                                .flatMap(leaver -> leaver.was().origin().shown().stream())
                                .anyMatch(shown -> shown.capacity().isPresent()
                                        && shown.carries(weight)
                                        && runOn().matches(shown.labels())));
    }

    /**
     * The instances to which the leader may give items: on enabled servers, not draining, and matching; those whose clock
     * differs only if there are no others.
     */
    public List<InstanceNode> eligible(LabelSelector runOn) {
        Set<String> disabled = servers().stream()
                .filter(ServerNode::disabled)
                .map(ServerNode::ip)
                .collect(Collectors.toSet());
        List<InstanceNode> there = instances().stream()
                .filter(instance -> instance.drain().isEmpty() && !disabled.contains(instance.ip()))
                .filter(instance -> instance.mayMatch(runOn))
                .toList();
        return Members.onTime(there, InstanceNode::clockDiffers);
    }

    /** One server. Operators disable servers; a server stays when its instances are gone. */
    public record ServerNode(String ip, RegistryNode node) {
        public boolean disabled() {
            return ServerState.isDisabled(node);
        }
    }

    /** The instances, by id. Those that have left in between are missing. */
    public List<InstanceNode> instances() {
        return MemberNames.of(view).instances().stream()
                .flatMap(id -> node(tree().instance(id)).map(node -> instance(id, node)).stream())
                .toList();
    }

    private InstanceNode instance(String id, RegistryNode node) {
        return new InstanceNode(
                id,
                NodeCodec.serverIp(id, node.text()),
                node,
                Software.of(node.text()),
                node(tree().drain(id))
                        .filter(drain -> OperatorDrain.of(drain).isPresent() || NodeCodec.isDrainOf(node, drain)));
    }

    /** The servers, by address. */
    public List<ServerNode> servers() {
        return MemberNames.of(view).servers().stream()
                .flatMap(ip -> node(tree().server(ip)).map(node -> new ServerNode(ip, node)).stream())
                .toList();
    }

    /** The last commands on the job, if they were read. */
    public Optional<RegistryNode> commands() {
        return node(tree().commands());
    }

    Optional<RegistryNode> node(String path) {
        return view.answer().covers(path) ? view.answer().node(path) : Optional.empty();
    }
}
