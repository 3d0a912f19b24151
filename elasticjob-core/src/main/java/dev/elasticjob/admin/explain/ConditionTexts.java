package dev.elasticjob.admin.explain;

import dev.elasticjob.admin.explain.Explanation.Certainty;
import dev.elasticjob.admin.explain.Explanation.Condition;
import dev.elasticjob.admin.explain.Explanation.Reason;
import dev.elasticjob.admin.explain.ItemConditions.Local;
import dev.elasticjob.coordination.claim.ItemObstacles.Obstacle;
import dev.elasticjob.coordination.state.Assignment;
import dev.elasticjob.coordination.view.ItemView;
import dev.elasticjob.coordination.view.JobSnapshot;
import dev.elasticjob.coordination.view.JobSnapshot.InstanceNode;
import dev.elasticjob.coordination.view.JobSnapshot.ServerNode;
import dev.elasticjob.coordination.view.OperatorDrain;
import dev.elasticjob.coordination.view.PauseSwitch;
import dev.elasticjob.definition.AfterSettings;
import dev.elasticjob.definition.JobDefinition;
import dev.elasticjob.definition.UnreadableDefinitionException;
import dev.elasticjob.registry.JobTree;
import dev.elasticjob.registry.RegistryNode;
import java.time.Instant;
import java.util.Comparator;
import java.util.List;
import java.util.Optional;
import java.util.stream.Collectors;
import org.jspecify.annotations.Nullable;

/** The conditions of one item in words: what is, where it stands, and what would change it. Pure. */
final class ConditionTexts {
    private static final String ENABLE_SERVER =
            "Enable the server (JobAdmin.enableServer, or POST enable-server to the endpoint)";

    private final JobSnapshot job;
    private final JobTree tree;
    private final int item;
    private final ItemNodes nodes;
    private final Instant registryNow;

    ConditionTexts(JobSnapshot job, int item, ItemNodes nodes, Instant registryNow) {
        this.job = job;
        this.tree = job.tree();
        this.item = item;
        this.nodes = nodes;
        this.registryNow = registryNow;
    }

    /** A condition that holds. The time and version are those of the node's data, unless the node was only created. */
    static Condition holds(Reason reason, String fact, Place place, String remedy) {
        return new Condition(
                reason,
                Certainty.HOLDS,
                fact,
                place.path(),
                place.node().map(RegistryNode::version),
                place.since(),
                place.until(),
                remedy);
    }

    /** Where a condition stands, and the time for which it holds. */
    record Place(Optional<String> path, Optional<RegistryNode> node, Optional<Instant> since, Optional<Instant> until) {
        static final Place NONE = new Place(Optional.empty(), Optional.empty(), Optional.empty(), Optional.empty());

        static Place written(String path, Optional<RegistryNode> node) {
            return new Place(Optional.of(path), node, node.map(RegistryNode::modified), Optional.empty());
        }

        static Place created(String path, Optional<RegistryNode> node) {
            return new Place(Optional.of(path), node, node.map(RegistryNode::created), Optional.empty());
        }

        /** A node that is not there. */
        static Place absent(String path) {
            return new Place(Optional.of(path), Optional.empty(), Optional.empty(), Optional.empty());
        }

        Place until(Optional<Instant> end) {
            return new Place(path, node, since, end);
        }

        Place since(Optional<Instant> begin) {
            return new Place(path, node, begin, until);
        }
    }

    // ------------------------------------------------------------------ the job

    Condition denied(String reason) {
        return holds(Reason.ACCESS_DENIED, reason, Place.absent(tree.root()), "Grant this client access to the node");
    }

    Condition removed() {
        return holds(
                Reason.JOB_REMOVED,
                "The job has no definition: it was removed from the registry",
                Place.absent(tree.config()),
                "Start an application that declares the job, or finish the removal by repeating it");
    }

    Condition definitionUnreadable(UnreadableDefinitionException problem) {
        String path = tree.node(problem.part());
        return holds(
                Reason.DEFINITION_UNREADABLE,
                "The definition can't be used: " + problem.reason(),
                Place.written(path, job.view().answer().node(path)),
                "Correct the node, or replace the definition with JobAdmin.repair. The job then continues by itself");
    }

    Condition assignmentUnreadable(String problem) {
        return holds(
                Reason.ASSIGNMENT_UNREADABLE,
                "The assignment can't be read: " + problem,
                Place.written(tree.sharding(), job.sharding()),
                "Restore the node's former text, or empty the node: then the leader plans anew");
    }

    Condition foreign(List<InstanceNode> others) {
        String names = job.assignment()
                .filter(Assignment::isHeld)
                .map(Assignment::holders)
                .orElseGet(() -> others.stream()
                        .map(one -> "\"%s\" (%s)".formatted(one.id(), one.software()))
                        .collect(Collectors.joining(", ")));
        Place place = others.isEmpty()
                ? Place.written(tree.sharding(), job.sharding())
                : Place.created(
                        tree.instance(others.get(0).id()),
                        Optional.of(others.get(0).node()));
        return holds(
                Reason.FOREIGN_INSTANCES,
                "Instances of other software take part in the job, so no item has an owner: " + names,
                place,
                "Stop these instances, or give one of the two jobs another name");
    }

    Condition noInstance() {
        return holds(
                Reason.NO_INSTANCE,
                job.isRegistryJob()
                        ? "No instance runs the job, which is kept in the registry"
                        : "No instance runs the job",
                Place.absent(tree.instances()),
                job.isRegistryJob()
                        ? "Start an application that has \"elasticjob.jobs-from-registry\" and may run the job. The logs of those that have it say why they don't run it"
                        : "Start an application that declares the job");
    }

    /** @param byNode the pause of the job, or that of its namespace */
    Condition paused(String path, PauseSwitch byNode) {
        return holds(
                Reason.PAUSED,
                "%s paused %s%s"
                        .formatted(
                                byNode.actor().isEmpty() ? "An operator" : '"' + byNode.actor() + '"',
                                path.equals(tree.paused()) ? "the job" : "all jobs of the namespace",
                                byNode.reason().isEmpty() ? "" : ": " + byNode.reason()),
                Place.written(path, job.view().answer().node(path)),
                path.equals(tree.paused())
                        ? "Resume the job (JobAdmin.resume, or POST resume to the endpoint)"
                        : "Resume the namespace (JobAdmin.resumeAll, or POST resume-all to the endpoint)");
    }

    Condition allDisabled(List<ServerNode> servers) {
        ServerNode last = servers.stream()
                .max(Comparator.comparing(server -> server.node().modified()))
                .orElseThrow();
        Optional<Instant> paused = job.assignment()
                .flatMap(plan -> Optional.ofNullable(plan.pausedFrom()))
                .or(() -> Optional.of(last.node().modified()));
        return holds(
                Reason.ALL_SERVERS_DISABLED,
                "Operators have disabled all %d servers of the job".formatted(servers.size()),
                Place.written(tree.server(last.ip()), Optional.of(last.node())).since(paused),
                ENABLE_SERVER);
    }

    Condition beyond(int total) {
        return holds(
                Reason.ITEM_BEYOND_TOTAL,
                "The job has the items 0 to %d, and item %d is not among them".formatted(total - 1, item),
                Place.written(tree.config(), job.view().answer().node(tree.config())),
                "Raise shardingTotalCount");
    }

    Condition noLeader() {
        return holds(
                Reason.NO_LEADER,
                "The job has no leader, so nothing is planned",
                Place.absent(tree.leader()),
                "An instance stands for election as soon as it reads this. If none does, check the instances' logs");
    }

    Condition waitsForPlan() {
        Optional<RegistryNode> asked = job.view().necessary();
        String leader = job.view().leader().orElse("");
        return holds(
                Reason.WAITS_FOR_PLAN,
                "The leader \"%s\" has not given the item to a living instance yet".formatted(leader),
                asked.isPresent()
                        ? Place.written(tree.necessary(), asked)
                        : Place.written(tree.sharding(), job.sharding()),
                "The leader plans within moments. If it doesn't, request resharding, and check the leader's log");
    }

    // ------------------------------------------------------------------ the owner

    Condition ownerGone(String owner) {
        return holds(
                Reason.OWNER_GONE,
                "The item's owner \"%s\" has left or died".formatted(owner),
                Place.absent(tree.instance(owner)),
                "The leader gives the item to another instance");
    }

    Condition serverDisabled(String owner, ServerNode server) {
        return holds(
                Reason.SERVER_DISABLED,
                "Operators have disabled the server \"%s\" of the item's owner \"%s\"".formatted(server.ip(), owner),
                Place.written(tree.server(server.ip()), Optional.of(server.node())),
                "The leader gives the item to another instance. To use this one again: " + ENABLE_SERVER);
    }

    Condition drains(String owner, RegistryNode drain) {
        return holds(
                Reason.OWNER_DRAINS,
                OperatorDrain.of(drain)
                        .map(by -> "\"%s\" drained the item's owner \"%s\"%s"
                                .formatted(by.actor(), owner, by.reason().isEmpty() ? "" : ": " + by.reason()))
                        .orElse("The item's owner \"%s\" is stopping, and gives its items away".formatted(owner)),
                Place.written(tree.drain(owner), Optional.of(drain)),
                "The leader gives the item to another instance");
    }

    Condition notActive(String owner, String state) {
        return holds(
                Reason.INSTANCE_NOT_ACTIVE,
                "The job is %s on the item's owner \"%s\", which is this instance".formatted(state, owner),
                Place.NONE,
                "It claims again when it has a session. If it doesn't, check the connection to the registry");
    }

    Condition notRecorded(String owner) {
        return unknown(
                Reason.NOT_RECORDED,
                "With monitorExecution=false, only \"%s\" knows whether a scheduled execution runs".formatted(owner),
                "Look at the metrics and the log of that instance, or set monitorExecution=true");
    }

    Condition inside(String owner, boolean anybody) {
        String who = anybody ? "the instance that would take the item over" : "\"%s\"".formatted(owner);
        return unknown(
                Reason.INSIDE_THE_INSTANCE,
                "Only %s knows whether it has a free thread within \"concurrency\", and whether its clock and its"
                                .formatted(who)
                        + " connection are fine",
                "Ask the endpoint of that instance");
    }

    private static Condition unknown(Reason reason, String fact, String remedy) {
        return new Condition(
                reason,
                Certainty.UNKNOWN,
                fact,
                Optional.empty(),
                Optional.empty(),
                Optional.empty(),
                Optional.empty(),
                remedy);
    }

    // ------------------------------------------------------------------ the item

    Condition withoutNode() {
        return holds(
                Reason.ITEM_WITHOUT_NODE,
                "The item has no node",
                Place.absent(tree.item(item)),
                "Request resharding: the leader creates the node");
    }

    Condition obstacle(ItemView view, Obstacle obstacle, Optional<Local> here) {
        Place record = Place.written(tree.item(item), nodes.record());
        if (obstacle instanceof Obstacle.Unreadable unreadable) {
            return holds(
                    Reason.RECORD_UNREADABLE,
                    "The item's record can't be read: " + unreadable.problem(),
                    record,
                    "Correct the node, or delete it and request resharding");
        }
        if (obstacle instanceof Obstacle.Orphaned) {
            return holds(
                    Reason.OWNER_DIED,
                    "The instance %s that executed the item is gone, which is not recorded yet"
                            .formatted(quoted(view.current().instance())),
                    record,
                    "The next instance that reads the item records it, and the job's policy decides what follows");
        }
        if (obstacle instanceof Obstacle.Locked) {
            return RunTexts.runs(job, nodes, view, here, registryNow);
        }
        if (obstacle instanceof Obstacle.Disabled) {
            return holds(
                    Reason.ITEM_DISABLED,
                    "An operator has disabled the item",
                    Place.created(tree.disabled(item), nodes.disabled()),
                    "Enable the item (JobAdmin.enableItem, or POST enable-item to the endpoint)");
        }
        return execution(view, obstacle, record);
    }

    private Condition execution(ItemView view, Obstacle obstacle, Place record) {
        Place interrupted =
                nodes.failover().isPresent() ? Place.created(tree.failoverItem(item), nodes.failover()) : record;
        if (obstacle instanceof Obstacle.GivenUp givenUp) {
            return holds(
                    Reason.GIVEN_UP,
                    "The interrupted execution will not be repeated: " + givenUp.reason(),
                    interrupted,
                    "The item continues with its next firing. To repeat the lost work, trigger the job");
        }
        if (obstacle instanceof Obstacle.Resting resting) {
            return holds(
                    Reason.RESTS,
                    "The execution was interrupted %d times, and pauses before the next attempt"
                            .formatted(view.current().crashes()),
                    record.until(Optional.of(resting.until())),
                    "The pause ends by itself. Find out why the instances died");
        }
        if (obstacle instanceof Obstacle.NoFreeThread) {
            return holds(
                    Reason.NO_FREE_THREAD,
                    "The execution was interrupted, and this instance has no free thread to take it over",
                    interrupted,
                    "Another instance may take it over; or raise elasticjob.executor.max-threads");
        }
        return beforeTheClaim(obstacle, record);
    }

    private Condition beforeTheClaim(Obstacle obstacle, Place record) {
        if (obstacle instanceof Obstacle.ClockDiffers clocks) {
            return holds(
                    Reason.CLOCK_DIFFERS,
                    "The clock of this instance is at %s, and the registry's at %s"
                            .formatted(clocks.here(), clocks.registry()),
                    Place.NONE,
                    "Synchronize this machine's clock (NTP)");
        }
        if (obstacle instanceof Obstacle.ListenersFirst) {
            return holds(
                    Reason.WAITS_FOR_LISTENERS,
                    "The job's cluster listeners are called before the first item of the firing starts",
                    Place.absent(tree.firings()),
                    "It ends by itself, or at before-first-timeout. If it lasts, start an instance that has the listeners");
        }
        if (obstacle instanceof Obstacle.RequestFirst) {
            return holds(
                    Reason.WAITS_FOR_REQUEST,
                    "The request for this run takes several transactions, and some of them are missing",
                    Place.absent(tree.firings()),
                    "It ends by itself. If the caller is gone, an instance completes the request after some seconds");
        }
        return notDue(obstacle, record);
    }

    private Condition notDue(Obstacle obstacle, Place record) {
        if (!(obstacle instanceof Obstacle.NotDue notDue)) {
            return holds(
                    Reason.WAITS_FOR_PLAN, "The item has no owner", record, "The leader gives the item to an instance");
        }
        return DueTexts.notDue(
                notDue, job.definition().map(JobDefinition::after).orElse(AfterSettings.NONE), record);
    }

    private static String quoted(@Nullable String instance) {
        return instance == null ? "" : "\"" + instance + "\"";
    }
}
