package dev.elasticjob.simulation;

import dev.elasticjob.definition.JobDefinition;
import java.time.Duration;
import java.time.Instant;
import java.util.Comparator;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;

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

    /** Until one that joins is planned with: less than the time for which a successor is awaited. */
    private static final Duration JOINED = Duration.ofMillis(2_500);

    private static final int MOST_STEPS_AT_REST = 4_000;

    private final World world;
    private final Scenario scenario;
    private final List<SettledJob> jobs;
    private final WeighedPhase weighed;

    Settling(World world, Scenario scenario) {
        this.world = world;
        this.scenario = scenario;
        this.jobs = world.oracles().stream()
                .map(oracle -> new SettledJob(world, oracle, allowance()))
                .toList();
        this.weighed = new WeighedPhase(world, scenario);
    }

    void run() {
        world.pass(RECOVERY);
        theClockIsRight();
        if (scenario.limitsClocks()) {
            world.pass(Duration.ofMinutes(1));
            jobs.get(0).isOwnedWhereTheClockIsRight();
        }
        settled("after " + RECOVERY, scenario.longestBody());
        if (scenario.weighs()) {
            weighed.everyProcessCountsRightly();
            weighed.becomesLight();
        }
        oneWaitsForTheOther();
        if (scenario.itemsAreDisabled()) {
            oneItemIsDisabled();
        }
        if (scenario.leaderDies()) {
            theLeaderDiesWithAnother();
        }
        if (scenario.oneDrains()) {
            oneGivesItsItemsAwayWhileItWorks();
        }
        if (scenario.oneIsAwaited() && world.violation().isEmpty()) {
            oneIsAwaited();
        }
        if (scenario.oneItemJoins() && world.violation().isEmpty()) {
            jobs.get(0).oneItemJoins();
        }
        if (scenario.operatorsPause() && world.violation().isEmpty()) {
            jobs.get(0).isPausedFor(Duration.ofSeconds(23));
        }
        if (scenario.boundsMoves() && world.violation().isEmpty()) {
            new MovesPhase(world, scenario).oneJoinsAndOneCrashes();
        }
        if (scenario.choosesInstances() && world.violation().isEmpty()) {
            oneZoneIsChosen();
        }
        Instant healthy = world.time().instant();
        jobs.forEach(SettledJob::isCalm);
        int before = world.stepsTaken();
        world.pass(Duration.ofSeconds(16));
        settled("later", Duration.ofSeconds(1));
        jobs.forEach(job -> job.everyFiringStartedInTime(healthy));
        long perFiring = (world.stepsTaken() - before) / 4 / jobs.size();
        if (perFiring >= MOST_STEPS_AT_REST) {
            world.oracles()
                    .get(0)
                    .violated("a healthy cluster settles: it takes %d steps for a firing".formatted(perFiring));
        }
        jobs.forEach(SettledJob::everyLossWasTold);
        world.oracles()
                .forEach(oracle -> oracle.firings().nothingIsOpenFor(allowance().plusSeconds(2)));
        jobs.forEach(SettledJob::everyRunIsOver);
        world.oracles().forEach(oracle -> oracle.watch().everythingWasTold());
        if (scenario.weighs()) {
            weighed.whatAskedFirstBeginsFirst();
        }
    }

    /** What was written while the registry's clock was ahead is corrected two minutes after it is right. */
    private void theClockIsRight() {
        Instant corrected = world.quorum().pardonedUntil();
        if (corrected.isAfter(world.time().instant())) {
            world.pass(Duration.between(world.time().instant(), corrected).plusSeconds(1));
            jobs.forEach(SettledJob::waitsForNoFuture);
        }
    }

    private void settled(String when, Duration grace) {
        jobs.forEach(job -> job.settled(when, grace));
    }

    /** Items that run longer than their period, and move meanwhile: whoever gets one starts it when it ends. */
    private void oneWaitsForTheOther() {
        List<Oracle> keeping =
                world.oracles().stream().filter(this::keepsFirings).toList();
        if (keeping.isEmpty() || world.violation().isPresent()) {
            return;
        }
        keeping.forEach(oracle -> oracle.waitsBecomeCounted(allowance()));
        world.takeUpTo(Duration.ofSeconds(9));
        world.pass(Duration.ofSeconds(8));
        world.start("10.0.9.8@-@1", Duration.ZERO);
        world.pass(Duration.ofSeconds(14));
        world.takeUpTo(Duration.ofMillis(300));
        world.pass(Duration.ofSeconds(12));
        keeping.forEach(Oracle::waitsAreOver);
    }

    /** From then on, the first job runs in the zone of one of its instances only. */
    private void oneZoneIsChosen() {
        jobs.get(0)
                .isChosenIn(world.living().stream()
                        .filter(jobs.get(0)::hasMember)
                        .map(process -> world.traits(process).zone())
                        .max(Comparator.naturalOrder())
                        .orElseThrow());
        world.pass(Duration.ofSeconds(12));
    }

    /** Until it is enabled, it does not begin. */
    private void oneItemIsDisabled() {
        jobs.forEach(job -> job.disable(Set.of(0)));
        world.pass(allowance());
        Instant noticed = world.time().instant();
        world.pass(Duration.ofSeconds(8));
        jobs.forEach(job -> job.disabledOnesHaveNotBegun(noticed));
        jobs.forEach(SettledJob::enable);
    }

    private boolean keepsFirings(Oracle oracle) {
        JobDefinition job = InForce.definition(world.quorum().tree(), oracle.tree());
        return switch (job.overlap()) {
            // An item that waits for a free one for longer than the window loses what came due.
            case WAIT -> job.misfire() && job.catchUpWindow().isZero();
            case SKIP -> false;
            case CANCEL_RUNNING -> true;
        };
    }

    /** What they executed is begun again as soon as their sessions are over, however far the next firing is. */
    private void theLeaderDiesWithAnother() {
        world.takeUpTo(Duration.ofSeconds(9));
        Instant giveUp = world.time().instant().plusSeconds(61);
        while (nobodyExecutes() && world.time().instant().isBefore(giveUp)) {
            world.pass(Duration.ofMillis(500));
        }
        List<SimulatedProcess> dying = world.living().stream()
                .filter(process -> jobs.get(0).isLedBy(process) || executes(process))
                .sorted(Comparator.comparing(process -> !jobs.get(0).isLedBy(process)))
                .limit(2)
                .toList();
        boolean somebodyIsLeft = world.living().stream()
                .filter(process -> !dying.contains(process))
                .anyMatch(process -> jobs.stream().allMatch(job -> job.hasMember(process)));
        if (somebodyIsLeft && world.violation().isEmpty()) {
            jobs.forEach(job -> job.owesTakeoversOf(dying));
            boolean disables = scenario.interruptedItemsAreDisabled();
            if (disables) {
                jobs.forEach(SettledJob::disableWhatIsOwed);
            }
            Instant disabled = world.time().instant();
            dying.forEach(world::crash);
            world.pass(World.SESSION_TIMEOUT.plusSeconds(3).plus(LATENESS));
            if (disables) {
                jobs.forEach(job -> job.disabledOnesHaveNotBegun(disabled));
                jobs.forEach(SettledJob::enable);
                world.pass(LATENESS);
            }
            jobs.forEach(SettledJob::everyTakeoverHasBegun);
            world.start("10.0.9.7@-@1", Duration.ZERO);
        }
        world.takeUpTo(Duration.ofMillis(300));
        world.pass(Duration.ofSeconds(12));
    }

    /** What it gives away begins elsewhere with the next firing, though it needs its time to leave. */
    private void oneGivesItsItemsAwayWhileItWorks() {
        SettledJob job = jobs.get(0);
        world.takeUpTo(Duration.ofSeconds(9));
        Instant giveUp = world.time().instant().plusSeconds(61);
        Optional<SimulatedProcess> leaver = Optional.empty();
        while (leaver.isEmpty()
                && world.violation().isEmpty()
                && world.time().instant().isBefore(giveUp)) {
            world.pass(Duration.ofMillis(250));
            leaver = world.living().stream()
                    .filter(this::executes)
                    .filter(process -> !job.idleItemsBeforeAFiring(process).isEmpty())
                    .filter(process ->
                            world.living().stream().anyMatch(other -> other != process && job.hasMember(other)))
                    .findFirst();
        }
        leaver.ifPresent(process -> {
            List<Integer> given = job.idleItemsBeforeAFiring(process);
            Instant firing = job.nextFiring().orElseThrow();
            world.note(process.name(), "leaves, and gives away " + given);
            process.stop(() -> world.note(process.name(), "has left"));
            world.pass(Duration.between(world.time().instant(), firing).plus(allowance()));
            given.forEach(item -> job.wentOnInTime(item, firing));
            world.start("10.0.9.6@-@1", Duration.ZERO);
        });
        world.takeUpTo(Duration.ofMillis(300));
        world.pass(Duration.ofSeconds(12));
    }

    /**
     * Nothing moves while one that has left is awaited, nor when it has come back, or another one on its server. Then that one
     * leaves, and nobody comes for it. Or one joins on another server, which gets nothing that waits. Or an operator ends the
     * wait, and all items have an owner at once.
     */
    private void oneIsAwaited() {
        SettledJob job = jobs.get(0);
        Optional<SimulatedProcess> leaver = world.living().stream()
                .filter(process -> job.isOwnedBy(process)
                        && world.living().stream().anyMatch(other -> other != process && job.hasMember(other)))
                .min(Comparator.comparing(process -> job.isLedBy(process) != (scenario.seed() % 2 == 0)));
        leaver.ifPresent(process -> {
            Map<Integer, String> before = job.owners();
            leavesInGoodOrder(process);
            world.pass(Duration.ofSeconds(1));
            job.isOwnedAs(before, "while \"%s\" is awaited".formatted(process.instanceId()));
            if (scenario.oneJoinsWhileOneIsAwaited()) {
                world.start("10.0.9.4@-@1", Duration.ZERO);
                world.pass(JOINED);
                before.values().removeIf(owner -> !owner.equals(process.instanceId()));
                job.areStillOwnedAs(before, "when another one joins");
            } else if (scenario.operatorEndsTheWait()) {
                theWaitIsEnded(process);
            } else {
                leavesInGoodOrder(theOneThatComesFor(process, before));
            }
            world.pass(scenario.rebalanceDelay().plusSeconds(1).plus(LATENESS));
            jobs.forEach(each -> each.isOwnedByMembers("after nobody has come"));
            world.start("10.0.9.5@-@1", Duration.ZERO);
            world.pass(Duration.ofSeconds(5));
        });
    }

    private void theWaitIsEnded(SimulatedProcess process) {
        SimulatedProcess other = world.living().stream()
                .filter(one -> one != process && jobs.get(0).hasMember(one))
                .findFirst()
                .orElseThrow();
        world.note("operator", "waits no longer for \"%s\"".formatted(process.instanceId()));
        other.admin().drainAll(process.instanceId());
        world.pass(JOINED);
        jobs.forEach(job -> job.isOwnedByMembers("after an operator has ended the wait"));
    }

    private SimulatedProcess theOneThatComesFor(SimulatedProcess process, Map<Integer, String> before) {
        String id = idOfTheSuccessor(process);
        SimulatedProcess successor = world.startInPlaceOf(process, id);
        before.replaceAll((item, owner) -> owner.equals(process.instanceId()) ? id : owner);
        // Before the time of the one that has left is over, and after it.
        for (int times = 0; times < 2; times++) {
            world.pass(JOINED);
            jobs.get(0).isOwnedAs(before, "after \"%s\" has come for \"%s\"".formatted(id, process.instanceId()));
        }
        return successor;
    }

    /** Another id has the same place in their order only if no other one is on that server: by default, items are divided by it. */
    private String idOfTheSuccessor(SimulatedProcess process) {
        boolean isAlone =
                world.living().stream().noneMatch(other -> other.ip().equals(process.ip()) && !other.isLeaving());
        return isAlone && scenario.successorHasAnotherId() ? process.ip() + "@-@2" : process.instanceId();
    }

    private void leavesInGoodOrder(SimulatedProcess process) {
        world.note(process.name(), "leaves, and may come back");
        process.stop(() -> world.note(process.name(), "has left"));
        Instant giveUp = world.time().instant().plusSeconds(12);
        while (jobs.stream().anyMatch(job -> job.hasMember(process))
                && world.violation().isEmpty()
                && world.time().instant().isBefore(giveUp)) {
            world.pass(Duration.ofMillis(100));
        }
    }

    private boolean nobodyExecutes() {
        return world.violation().isEmpty() && world.living().stream().noneMatch(this::executes);
    }

    private boolean executes(SimulatedProcess process) {
        return world.oracles().stream()
                .flatMap(oracle -> oracle.active().stream())
                .anyMatch(execution -> execution.process() == process);
    }

    /** A clock that is late makes its firings late, and so does jitter. */
    private Duration allowance() {
        return LATENESS.plus(scenario.skew()).plus(scenario.jitter());
    }
}
