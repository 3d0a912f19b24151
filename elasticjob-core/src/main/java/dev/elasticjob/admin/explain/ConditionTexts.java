package dev.elasticjob.admin.explain;

import dev.elasticjob.admin.explain.Explanation.Certainty;
import dev.elasticjob.admin.explain.Explanation.Condition;
import dev.elasticjob.admin.explain.Explanation.Reason;
import dev.elasticjob.admin.explain.ItemConditions.Local;
import dev.elasticjob.coordination.claim.ItemObstacles.Obstacle;
import dev.elasticjob.coordination.state.Assignment;
import dev.elasticjob.coordination.state.LeaveMark;
import dev.elasticjob.coordination.view.ItemView;
import dev.elasticjob.coordination.view.JobSnapshot;
import dev.elasticjob.coordination.view.JobSnapshot.InstanceNode;
import dev.elasticjob.coordination.view.JobSnapshot.ServerNode;
import dev.elasticjob.coordination.view.LackingRoom;
import dev.elasticjob.coordination.view.Leaver;
import dev.elasticjob.coordination.view.OperatorDrain;
import dev.elasticjob.coordination.view.PauseSwitch;
import dev.elasticjob.definition.AfterSettings;
import dev.elasticjob.definition.JobDefinition;
import dev.elasticjob.definition.UnreadableDefinitionException;
import dev.elasticjob.registry.JobTree;
import dev.elasticjob.registry.RegistryNode;
import java.time.Instant;
import java.util.List;
import java.util.Objects;
import java.util.Optional;
import java.util.stream.Collectors;

/** The conditions of one item in words: what is, where it stands, and what would change it. Pure. */
final class ConditionTexts {
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
    static Condition holds(Reason reason, Sentence fact, Place place, Sentence remedy) {
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
        return holds(
                Reason.ACCESS_DENIED,
                Fact.ACCESS_DENIED.of("problem", reason),
                Place.absent(tree.root()),
                Remedy.GRANT_ACCESS.of());
    }

    Condition removed() {
        return holds(
                Reason.JOB_REMOVED, Fact.JOB_REMOVED.of(), Place.absent(tree.config()), Remedy.START_OR_REMOVE.of());
    }

    Condition definitionUnreadable(UnreadableDefinitionException problem) {
        String path = tree.node(problem.part());
        return holds(
                Reason.DEFINITION_UNREADABLE,
                Fact.DEFINITION_UNREADABLE.of("problem", problem.reason()),
                Place.written(path, job.view().answer().node(path)),
                Remedy.CORRECT_DEFINITION.of());
    }

    Condition assignmentUnreadable(String problem) {
        return holds(
                Reason.ASSIGNMENT_UNREADABLE,
                Fact.ASSIGNMENT_UNREADABLE.of("problem", problem),
                Place.written(tree.sharding(), job.sharding()),
                Remedy.CORRECT_ASSIGNMENT.of());
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
                Reason.FOREIGN_INSTANCES, Fact.FOREIGN_INSTANCES.of("ids", names), place, Remedy.STOP_FOREIGN.of());
    }

    Condition noInstance() {
        return holds(
                Reason.NO_INSTANCE,
                (job.isRegistryJob() ? Fact.NO_INSTANCE_OF_REGISTRY_JOB : Fact.NO_INSTANCE).of(),
                Place.absent(tree.instances()),
                (job.isRegistryJob() ? Remedy.START_REGISTRY_INSTANCE : Remedy.START_INSTANCE).of());
    }

    /** @param byNode the pause of the job, or that of its namespace */
    Condition paused(String path, PauseSwitch byNode) {
        boolean ofJob = path.equals(tree.paused());
        boolean known = !byNode.actor().isEmpty();
        Fact fact = ofJob
                ? known ? Fact.JOB_PAUSED_BY : Fact.JOB_PAUSED
                : known ? Fact.ALL_JOBS_PAUSED_BY : Fact.ALL_JOBS_PAUSED;
        return holds(
                Reason.PAUSED,
                byNode.failures()
                        .filter(failed -> ofJob)
                        .map(ConditionTexts::afterFailures)
                        .orElseGet(() -> fact.of("actor", byNode.actor(), "reason", byNode.reason())),
                Place.written(path, job.view().answer().node(path)),
                (ofJob ? Remedy.RESUME : Remedy.RESUME_ALL).of());
    }

    private static Sentence afterFailures(PauseSwitch.FailedItem failed) {
        return Fact.JOB_PAUSED_AFTER_FAILURES.of(
                "item", failed.item(), "times", failed.times(), "problem", failed.failure());
    }

    /** Nobody may own an item, as people want it. */
    Condition standsStill(Standstill standstill) {
        Reason reason = switch (standstill.cause()) {
            case DRAINED -> Reason.ALL_INSTANCES_DRAINED;
            case SERVERS_DISABLED, JOB_DISABLED, DECLARED_DISABLED -> Reason.ALL_SERVERS_DISABLED;
            case UNMATCHED -> Reason.NO_INSTANCE_MATCHES;
        };
        return holds(reason, standstill.fact(), placeOf(standstill), standstill.remedy());
    }

    private Place placeOf(Standstill standstill) {
        String path = switch (standstill.cause()) {
            case DRAINED -> tree.drain(standstill.target());
            case SERVERS_DISABLED, JOB_DISABLED, DECLARED_DISABLED -> tree.server(standstill.target());
            case UNMATCHED -> tree.extension();
        };
        return Place.written(path, job.view().answer().node(path)).since(Optional.of(standstill.since()));
    }

    Condition beyond(int total) {
        return holds(
                Reason.ITEM_BEYOND_TOTAL,
                Fact.ITEM_BEYOND_TOTAL.of("last", total - 1, "item", item),
                Place.written(tree.config(), job.view().answer().node(tree.config())),
                Remedy.RAISE_TOTAL.of());
    }

    Condition noLeader() {
        return holds(Reason.NO_LEADER, Fact.NO_LEADER.of(), Place.absent(tree.leader()), Remedy.WAIT_FOR_LEADER.of());
    }

    Condition waitsForPlan() {
        Optional<RegistryNode> asked = job.view().necessary();
        String leader = job.view().leader().orElse("");
        return holds(
                Reason.WAITS_FOR_PLAN,
                Fact.WAITS_FOR_PLAN.of("leading", leader),
                asked.isPresent()
                        ? Place.written(tree.necessary(), asked)
                        : Place.written(tree.sharding(), job.sharding()),
                Remedy.WAIT_FOR_PLAN.of());
    }

    // ------------------------------------------------------------------ the owner

    Condition ownerGone(String owner) {
        return holds(
                Reason.OWNER_GONE,
                Fact.OWNER_GONE.of("owner", owner),
                Place.absent(tree.instance(owner)),
                Remedy.WAIT_FOR_OWNER.of());
    }

    Condition successorAwaited(Leaver owner) {
        return holds(
                Reason.SUCCESSOR_AWAITED,
                Fact.SUCCESSOR_AWAITED.of("owner", owner.id()),
                Place.absent(tree.drain(owner.id()))
                        .since(Optional.of(owner.since()))
                        .until(owner.until()),
                Remedy.WAIT_FOR_SUCCESSOR.of("id", owner.id()));
    }

    Condition serverDisabled(String owner, ServerNode server) {
        return holds(
                Reason.SERVER_DISABLED,
                Fact.SERVER_DISABLED.of("server", server.ip(), "owner", owner),
                Place.written(tree.server(server.ip()), Optional.of(server.node())),
                Remedy.WAIT_OR_ENABLE_SERVER.of("server", server.ip()));
    }

    Condition clockDiffers(String owner) {
        return holds(
                Reason.CLOCK_DIFFERS,
                Fact.OWNER_CLOCK_DIFFERS.of("owner", owner),
                Place.written(tree.instance(owner), job.view().answer().node(tree.instance(owner))),
                Remedy.SYNCHRONIZE_CLOCKS.of());
    }

    Condition unmatched(String owner, List<String> requirements) {
        return holds(
                Reason.OWNER_UNMATCHED,
                Fact.OWNER_UNMATCHED.of("owner", owner, "requirements", String.join(",", requirements)),
                Place.written(tree.extension(), job.view().answer().node(tree.extension())),
                Remedy.WAIT_FOR_OWNER.of());
    }

    Condition tooHeavy(String owner, int weight, int capacity, Remedy remedy) {
        return holds(
                Reason.ITEM_TOO_HEAVY,
                Fact.ITEM_TOO_HEAVY.of("weight", weight, "owner", owner, "capacity", capacity),
                Place.written(tree.extension(), job.view().answer().node(tree.extension())),
                remedy.of());
    }

    Condition offeredAsTooHeavy(String owner, int weight, int capacity) {
        return holds(
                Reason.WAITS_FOR_CAPACITY,
                Fact.OFFERED_AS_TOO_HEAVY.of("weight", weight, "owner", owner, "capacity", capacity),
                ofTheOffer(),
                Remedy.WAIT_FOR_CAPACITY.of());
    }

    /** As it is known elsewhere: only the owner knows what takes its room. */
    Condition offered(String owner, int weight, RegistryNode offer) {
        return holds(
                Reason.WAITS_FOR_CAPACITY,
                Fact.OFFERED.of(
                        "weight",
                        weight,
                        "owner",
                        owner,
                        "offered",
                        offer.created().toString()),
                ofTheOffer(),
                Remedy.WAIT_FOR_CAPACITY.of());
    }

    Condition waitsForCapacity(String owner, int weight, LackingRoom lacking) {
        String offered = lacking.offered().map(Instant::toString).orElse("");
        Sentence fact = lacking.first()
                .map(first -> Fact.WAITS_BEHIND.of(
                        "weight",
                        weight,
                        "owner",
                        owner,
                        "item",
                        first.item(),
                        "job",
                        first.job(),
                        "needs",
                        first.weight(),
                        "offered",
                        offered))
                .orElseGet(() -> Fact.WAITS_FOR_CAPACITY.of(
                        "weight",
                        weight,
                        "owner",
                        owner,
                        "used",
                        lacking.used(),
                        "capacity",
                        lacking.capacity(),
                        "jobs",
                        String.join(", ", lacking.by()),
                        "offered",
                        offered));
        return holds(Reason.WAITS_FOR_CAPACITY, fact, ofTheOffer(), Remedy.WAIT_FOR_CAPACITY.of());
    }

    private Place ofTheOffer() {
        return nodes.view()
                .filter(view -> nodes.offer().isPresent())
                .map(view -> Place.created(ItemNodes.offer(tree, view), nodes.offer()))
                .orElse(Place.NONE);
    }

    Condition drains(String owner, RegistryNode drain) {
        boolean keeps = LeaveMark.of(drain).isPresent();
        return holds(
                Reason.OWNER_DRAINS,
                OperatorDrain.of(drain)
                        .map(by -> Fact.OWNER_DRAINED.of("actor", by.actor(), "owner", owner, "reason", by.reason()))
                        .orElseGet(() -> (keeps ? Fact.OWNER_STOPS_AND_RETURNS : Fact.OWNER_STOPS).of("owner", owner)),
                Place.written(tree.drain(owner), Optional.of(drain)),
                keeps ? Remedy.WAIT_FOR_SUCCESSOR.of("id", owner) : Remedy.WAIT_FOR_OWNER.of());
    }

    Condition notActive(String owner, String state) {
        return holds(
                Reason.INSTANCE_NOT_ACTIVE,
                Fact.INSTANCE_NOT_ACTIVE.of("state", state, "owner", owner),
                Place.NONE,
                Remedy.WAIT_FOR_SESSION.of());
    }

    Condition notRecorded(String owner) {
        return unknown(Reason.NOT_RECORDED, Fact.NOT_RECORDED.of("owner", owner), Remedy.LOOK_AT_METRICS.of());
    }

    Condition inside(String owner, boolean anybody) {
        return unknown(
                Reason.INSIDE_THE_INSTANCE,
                anybody ? Fact.INSIDE_AN_INSTANCE.of() : Fact.INSIDE_THE_OWNER.of("owner", owner),
                Remedy.ASK_INSTANCE.of());
    }

    private static Condition unknown(Reason reason, Sentence fact, Sentence remedy) {
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
                Fact.ITEM_WITHOUT_NODE.of(),
                Place.absent(tree.item(item)),
                Remedy.RESHARD.of());
    }

    Condition obstacle(ItemView view, Obstacle obstacle, Optional<Local> here) {
        Place record = Place.written(tree.item(item), nodes.record());
        if (obstacle instanceof Obstacle.Unreadable unreadable) {
            return holds(
                    Reason.RECORD_UNREADABLE,
                    Fact.RECORD_UNREADABLE.of("problem", unreadable.problem()),
                    record,
                    Remedy.CORRECT_RECORD.of());
        }
        if (obstacle instanceof Obstacle.Orphaned) {
            return holds(
                    Reason.OWNER_DIED,
                    Fact.OWNER_DIED.of("id", Objects.toString(view.current().instance(), "")),
                    record,
                    Remedy.WAIT_FOR_READER.of());
        }
        if (obstacle instanceof Obstacle.Locked locked) {
            return RunTexts.runs(job, nodes, view, here, registryNow, locked);
        }
        if (obstacle instanceof Obstacle.Disabled) {
            return holds(
                    Reason.ITEM_DISABLED,
                    Fact.ITEM_DISABLED.of(),
                    Place.created(tree.disabled(item), nodes.disabled()),
                    Remedy.ENABLE_ITEM.of("item", item));
        }
        return execution(view, obstacle, record);
    }

    private Condition execution(ItemView view, Obstacle obstacle, Place record) {
        Place interrupted =
                nodes.failover().isPresent() ? Place.created(tree.failoverItem(item), nodes.failover()) : record;
        if (obstacle instanceof Obstacle.GivenUp givenUp) {
            return holds(
                    Reason.GIVEN_UP,
                    Fact.GIVEN_UP.of("reason", givenUp.reason()),
                    interrupted,
                    Remedy.TRIGGER_LOST.of("item", item));
        }
        if (obstacle instanceof Obstacle.Resting resting) {
            return holds(
                    Reason.RESTS,
                    Fact.RESTS.of("crashes", view.current().crashes()),
                    record.until(Optional.of(resting.until())),
                    Remedy.WAIT_FOR_PAUSE.of());
        }
        if (obstacle instanceof Obstacle.NoFreeThread) {
            return holds(Reason.NO_FREE_THREAD, Fact.NO_FREE_THREAD.of(), interrupted, Remedy.WAIT_FOR_THREAD.of());
        }
        return beforeTheClaim(obstacle, record);
    }

    private Condition beforeTheClaim(Obstacle obstacle, Place record) {
        if (obstacle instanceof Obstacle.ClockDiffers clocks) {
            return holds(
                    Reason.CLOCK_DIFFERS,
                    Fact.CLOCK_DIFFERS.of("here", clocks.here(), "registry", clocks.registry()),
                    Place.NONE,
                    Remedy.SYNCHRONIZE_CLOCK.of());
        }
        if (obstacle instanceof Obstacle.ListenersFirst) {
            return holds(
                    Reason.WAITS_FOR_LISTENERS,
                    Fact.WAITS_FOR_LISTENERS.of(),
                    Place.absent(tree.firings()),
                    Remedy.WAIT_FOR_LISTENERS.of());
        }
        if (obstacle instanceof Obstacle.RequestFirst) {
            return holds(
                    Reason.WAITS_FOR_REQUEST,
                    Fact.WAITS_FOR_REQUEST.of(),
                    Place.absent(tree.firings()),
                    Remedy.WAIT_FOR_REQUEST.of());
        }
        if (obstacle instanceof Obstacle.FailedTooOften failed) {
            return holds(
                    Reason.WAITS_FOR_PLAN,
                    Fact.FAILED_TOO_OFTEN.of("times", failed.times()),
                    record,
                    Remedy.MEND_AND_RESUME.of());
        }
        return notDue(obstacle, record);
    }

    private Condition notDue(Obstacle obstacle, Place record) {
        if (!(obstacle instanceof Obstacle.NotDue notDue)) {
            return holds(Reason.WAITS_FOR_PLAN, Fact.NO_OWNER.of(), record, Remedy.WAIT_FOR_OWNER.of());
        }
        return DueTexts.notDue(
                notDue,
                job.definition().filter(JobDefinition::isOneOff).isPresent(),
                job.definition().map(JobDefinition::after).orElse(AfterSettings.NONE),
                record);
    }
}
