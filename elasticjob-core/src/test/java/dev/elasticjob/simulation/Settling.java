package dev.elasticjob.simulation;

import dev.elasticjob.definition.JobDefinition;
import dev.elasticjob.registry.JobTree;
import dev.elasticjob.registry.RegistryNode;
import java.time.Duration;
import java.time.Instant;
import java.util.List;
import java.util.Map;
import java.util.Optional;

/**
 * The end of a run: nothing goes wrong any more, and the cluster must find its way back by itself, in time, and then
 * do what it is there for. Nothing but the protocol's wake-ups may help it: it is looked at before the next firing.
 */
final class Settling {
    /** A dead session's timeout, what its client may add, an election and a reshard. */
    private static final Duration RECOVERY =
            World.SESSION_TIMEOUT.multipliedBy(2).plusSeconds(8);

    /** From a firing to the start of an item that is free. */
    private static final Duration LATENESS = Duration.ofMillis(1_500);

    private static final int MOST_STEPS_AT_REST = 4_000;

    private final World world;
    private final Scenario scenario;
    private final Oracle oracle;
    private Instant calmSince = Instant.MAX;
    private boolean misfire;
    private final JobTree tree = new JobTree(Scenario.JOB);

    Settling(World world, Scenario scenario, Oracle oracle) {
        this.world = world;
        this.scenario = scenario;
        this.oracle = oracle;
    }

    void run() {
        world.pass(RECOVERY);
        settled("after " + RECOVERY, scenario.longestBody());
        oneWaitsForTheOther();
        Instant healthy = world.time().instant();
        calmSince = healthy;
        int before = world.stepsTaken();
        world.pass(Duration.ofSeconds(16));
        settled("later", Duration.ofSeconds(1));
        everyFiringStartedInTime(healthy);
        long perFiring = (world.stepsTaken() - before) / 4;
        require(
                perFiring < MOST_STEPS_AT_REST,
                "a healthy cluster settles: it takes %d steps for a firing".formatted(perFiring));
    }

    /** Items that run longer than their period, and move meanwhile: whoever gets one starts it when it ends. */
    private void oneWaitsForTheOther() {
        if (!RecordChain.definition(world.quorum().tree()).misfire()
                || oracle.violation().isPresent()) {
            return;
        }
        oracle.waitsBecomeCounted(allowance());
        world.takeUpTo(Duration.ofSeconds(9));
        world.pass(Duration.ofSeconds(8));
        world.start("10.0.9.8@-@1", Duration.ZERO);
        world.pass(Duration.ofSeconds(14));
        world.takeUpTo(Duration.ofMillis(300));
        world.pass(Duration.ofSeconds(12));
        oracle.waitsAreOver();
    }

    /** @param grace what may still be running: it had so long to begin and end */
    private void settled(String when, Duration grace) {
        if (oracle.violation().isPresent()) {
            return;
        }
        Replica now = world.quorum().tree();
        Optional<InForce> plan = InForce.at(now);
        require(plan.isPresent(), "P4, progress: there is no plan " + when);
        if (plan.isEmpty()) {
            return;
        }
        JobDefinition definition = RecordChain.definition(now);
        misfire = definition.misfire();
        int total = definition.shardingTotalCount();
        List<Integer> owned = plan.get().owners().keySet().stream().toList();
        require(
                owned.equals(java.util.stream.IntStream.range(0, total).boxed().toList()),
                "P4, progress: of %d items only %s are owned %s".formatted(total, owned, when));
        plan.get().owners().forEach((item, owner) -> ownedByLivingMember(now, item, owner, when));
        require(now.node(tree.necessary()).isEmpty(), "a healthy cluster settles: the bell still rings " + when);
        if (plan.get().monitored()) {
            for (int item = 0; item < total; item++) {
                itemSettled(now, plan.get(), item, definition.failover(), when, grace);
            }
        }
    }

    private void ownedByLivingMember(Replica now, int item, String owner, String when) {
        boolean lives = now.node(tree.instance(owner))
                .map(RegistryNode::ephemeralOwner)
                .filter(session -> world.living().stream()
                        .anyMatch(process -> process.connection().sessionId() == session))
                .isPresent();
        require(lives, "P4, progress: item %d is owned by \"%s\", which isn't there, %s".formatted(item, owner, when));
    }

    private void itemSettled(Replica now, InForce plan, int item, boolean failover, String when, Duration grace) {
        Optional<RegistryNode> node = now.node(tree.item(item));
        require(node.isPresent(), "P4, progress: there is no item %d %s".formatted(item, when));
        if (node.isEmpty() || now.node(tree.disabled(item)).isPresent()) {
            return;
        }
        Recorded recorded = Recorded.of(node.get());
        boolean waitsRightly = recorded.is("INTERRUPTED") && !failover;
        boolean executing = oracle.active().stream()
                .anyMatch(each -> each.item() == item && each.cause().equals(recorded.cause()));
        require(
                recorded.isOver() || waitsRightly || executing || isYoung(recorded, grace),
                "P3, no firing lost: item %d is stuck %s: %s".formatted(item, when, recorded));
        boolean locked = now.node(tree.running(item)).isPresent();
        require(
                !locked || recorded.is("RUNNING"),
                "a healthy cluster settles: item %d is locked %s, but %s".formatted(item, when, recorded));
        require(
                now.node(tree.failoverItem(item)).isEmpty() || (recorded.is("INTERRUPTED") && failover),
                "a healthy cluster settles: the failover item of item %d is left over %s".formatted(item, when));
        Instant limit = world.time().instant().minus(grace).minus(allowance());
        Optional<Instant> due = plan.schedule()
                .latestNotAfter(limit)
                .filter(firing -> firing.isAfter(plan.since()) && (misfire || firing.isAfter(calmSince)));
        boolean behind = due.isPresent()
                && (recorded.scheduledAt() == null || recorded.scheduledAt().isBefore(due.get()));
        require(!behind, "lateness: item %d has not started for %s %s: %s".formatted(item, due, when, recorded));
    }

    private boolean isYoung(Recorded recorded, Duration grace) {
        return recorded.scheduledAt() != null
                && !recorded.scheduledAt()
                        .isBefore(world.time().instant().minus(grace).minus(allowance()));
    }

    private void everyFiringStartedInTime(Instant healthy) {
        Replica now = world.quorum().tree();
        Optional<InForce> plan = InForce.at(now);
        if (oracle.violation().isPresent() || plan.isEmpty()) {
            return;
        }
        Instant last = world.time().instant().minus(allowance());
        Optional<Instant> firing = plan.get().schedule().nextAfter(healthy);
        while (firing.isPresent() && firing.get().isBefore(last)) {
            for (Map.Entry<Integer, String> item : plan.get().owners().entrySet()) {
                if (now.node(tree.disabled(item.getKey())).isEmpty()) {
                    startedInTime(item.getKey(), firing.get());
                }
            }
            firing = plan.get().schedule().nextAfter(firing.get());
        }
    }

    private void startedInTime(int item, Instant firing) {
        boolean started = oracle.begun().stream()
                .filter(each -> each.item() == item)
                .filter(each -> each.scheduledAt().equals(firing))
                .anyMatch(each -> !each.began().isAfter(firing.plus(allowance())));
        require(started, "lateness: item %d did not start in time for %s".formatted(item, firing));
    }

    /** A clock that is late makes its firings late. */
    private Duration allowance() {
        return LATENESS.plus(scenario.skew());
    }

    private void require(boolean holds, String promise) {
        if (!holds) {
            oracle.violated(promise);
        }
    }
}
