package dev.elasticjob.simulation;

import dev.elasticjob.definition.CatchUp;
import dev.elasticjob.definition.JobDefinition;
import dev.elasticjob.definition.Overlap;
import java.time.Duration;
import java.time.Instant;
import java.time.LocalDateTime;
import java.time.ZoneOffset;
import java.time.temporal.ChronoUnit;
import java.util.EnumSet;
import java.util.List;
import java.util.Random;
import java.util.Set;
import java.util.stream.Collectors;
import java.util.stream.IntStream;
import java.util.stream.Stream;

/**
 * What a run is like, chosen by its seed: how large the cluster is, how long bodies take, and which faults there are.
 * Each run has some kinds of faults only: one that has all of them hardly ever gets far enough to show anything.
 *
 * @param jobs of each process: one or two, which share its threads
 * @param eagerness how readily servers follow; the smaller, the longer they lag
 * @param longestBody of the executions while there are faults
 * @param skew of the processes' clocks, at most, either way
 * @param stubborn how many bodies in a hundred ignore interruption
 */
record Scenario(
        long seed,
        int processes,
        int jobs,
        int items,
        String cron,
        boolean failover,
        boolean misfire,
        Set<Fault> faults,
        double eagerness,
        Duration longestBody,
        Duration skew,
        int stubborn,
        Duration trouble) {
    static final String JOB = "orders";
    /** Runs after it, where its firings are opened in the whole cluster. */
    static final String FOLLOWER = "reports";
    /** What the listeners before the first item may take. */
    static final Duration BEFORE_TIMEOUT = Duration.ofSeconds(5);

    /** How long an item of a watched job may execute, and how soon a firing has to begin. */
    static final Duration STUCK_AFTER = Duration.ofSeconds(2);

    static final Duration EXPECT_WITHIN = Duration.ofSeconds(3);

    static final int PAUSE_AFTER_FAILURES = 2;

    /** More than the clocks differ that are not wrong. */
    static final int TOLERATED_SECONDS = 45;

    private static final List<String> JOBS = List.of(JOB, "invoices");
    static final List<String> CRONS = List.of("0/5 * * * * ?", "0/7 * * * * ?", "0/20 * * * * ?", "0 * * * * ?");

    static final List<Duration> DELAYS =
            Stream.of(1, 3, 7, 20).map(Duration::ofSeconds).toList();

    /** Seconds after the begin. */
    private static final List<Integer> INSTANTS = List.of(8, 20, 45, -5);

    /** What happens where items have weights, besides changes of those. */
    private static final List<Fault> UNDER_WEIGHT =
            List.of(Fault.ENGINE_RESTART, Fault.JOB_REGISTERED_ANEW, Fault.MONITORED_SWITCH, Fault.EXPIRY);

    private static final String WEIGHTED = "WEIGHTED";
    private static final Set<String> BOUNDING_MOVES = Set.of("STICKY", "ZONE", "MEASURED", WEIGHTED);

    private static final Duration REBALANCE_DELAY = Duration.ofSeconds(4);
    private static final double SLOWEST = 0.05;

    private static final List<Duration> LONGEST_BODIES =
            Stream.of(10, 3_000, 9_000, 25_000).map(Duration::ofMillis).toList();

    static Scenario of(long seed, Set<Fault> possible) {
        Random random = new Random(seed);
        EnumSet<Fault> faults = EnumSet.noneOf(Fault.class);
        for (Fault fault : Fault.values()) {
            if (fault.isDrawn() && possible.contains(fault) && random.nextInt(3) == 0) {
                faults.add(fault);
            }
        }
        Random holding = new Random(seed * 17 + 3);
        for (Fault fault : Fault.values()) {
            if (fault.isHoldingBack() && possible.contains(fault) && holding.nextInt(4) == 0) {
                faults.add(fault);
            }
        }
        if (mayBeOneOff(seed) && possible.contains(Fault.TRIGGER)) {
            faults.add(Fault.TRIGGER);
        }
        if (seed % 5 == 4 && possible.contains(Fault.CANCEL)) {
            faults.add(Fault.CANCEL);
            faults.add(Fault.AGAIN);
        }
        if (seed % 7 == 3 && possible.contains(Fault.BACKFILL)) {
            faults.add(Fault.BACKFILL);
        }
        if (seed % 11 == 6 && possible.contains(Fault.REGISTRY_CLOCK) && isPlain(seed)) {
            faults.add(Fault.REGISTRY_CLOCK);
            faults.add(seed % 2 == 0 ? Fault.CRON_SWITCH : Fault.PAUSE_SWITCH);
            faults.removeAll(EnumSet.of(Fault.WRONG_CLOCK, Fault.BACKFILL));
        }
        if (limitsClocks(seed) && possible.contains(Fault.WRONG_CLOCK)) {
            faults.add(Fault.WRONG_CLOCK);
        }
        if (choosesInstances(seed) && possible.contains(Fault.RUN_ON_SWITCH)) {
            faults.add(Fault.RUN_ON_SWITCH);
        }
        if (weighs(seed)) {
            Stream.of(Fault.WEIGHT_SWITCH, UNDER_WEIGHT.get((int) (seed / 11 % UNDER_WEIGHT.size())))
                    .filter(possible::contains)
                    .forEach(faults::add);
        }
        if (seed % 17 == 11 && possible.contains(Fault.MAD_CONTROLLER)) {
            faults.add(Fault.MAD_CONTROLLER);
        }
        int jobs = random.nextInt(5) == 0 || (weighs(seed) && seed / 11 % 2 == 0) ? 2 : 1;
        return new Scenario(
                seed,
                2 + random.nextInt(3),
                jobs,
                1 + random.nextInt(mostItems(jobs)),
                CRONS.get(random.nextInt(CRONS.size())),
                random.nextBoolean(),
                random.nextInt(3) > 0,
                faults,
                List.of(1.0, 0.2, SLOWEST).get(random.nextInt(3)),
                LONGEST_BODIES.get(random.nextInt(4)),
                Duration.ofMillis(List.of(0, 2_000, 30_000).get(random.nextInt(3))),
                List.of(0, 0, 30).get(random.nextInt(3)),
                Duration.ofSeconds(20 + random.nextInt(50)));
    }

    /** The same with exactly these faults. */
    Scenario with(Set<Fault> wanted) {
        return like(items, cron, failover, wanted, longestBody);
    }

    /** The same with failover on or off. */
    Scenario withFailover(boolean on) {
        return like(items, cron, on, faults, longestBody);
    }

    /** The same with as much going on as there can be: many items, frequent firings, long executions. */
    Scenario busy() {
        return like(mostItems(), CRONS.get(0), failover, faults, LONGEST_BODIES.get(3));
    }

    /** The same with frequent firings. */
    Scenario frequent() {
        return like(items, CRONS.get(0), failover, faults, longestBody);
    }

    /** The same with servers that are far behind. */
    Scenario lagging() {
        return new Scenario(
                seed,
                processes,
                jobs,
                items,
                cron,
                failover,
                misfire,
                faults,
                SLOWEST,
                longestBody,
                skew,
                stubborn,
                trouble);
    }

    private Scenario like(int many, String when, boolean takesOver, Set<Fault> wanted, Duration longest) {
        return new Scenario(
                seed, processes, jobs, many, when, takesOver, misfire, wanted, eagerness, longest, skew, stubborn,
                trouble);
    }

    /** Whether the leader and another one die once all is well again. */
    boolean leaderDies() {
        return seed % 3 == 0;
    }

    /** Whether what they executed is disabled in that moment, and enabled later. */
    boolean interruptedItemsAreDisabled() {
        return seed % 2 == 0;
    }

    /** Whether the firings of the first job are opened in the whole cluster. */
    boolean opensFirings() {
        return seed % 4 == 3 && !isOneOff();
    }

    /**
     * Whether the registry's clock may be ahead for a while: what is reported, or run once more, by that clock alone
     * would be wrong then.
     */
    boolean isPlain() {
        return isPlain(seed) && !has(Fault.BACKFILL) && !has(Fault.WRONG_CLOCK);
    }

    private static boolean isPlain(long seed) {
        return seed % 4 != 3 && seed % 8 != 5 && seed % 8 != 6;
    }

    /** Whether the first job has listeners that are called once for a whole firing. */
    boolean hasListener() {
        return seed % 8 == 5;
    }

    /** Whether requests for manual runs take several transactions: in a job that opens firings, nothing of it begins before. */
    boolean asksInParts() {
        return seed / 8 % 2 == 0 && jobs == 1 && (opensFirings() || hasListener());
    }

    /** Whether the first job is watched. */
    boolean isWatched() {
        return seed % 8 == 6;
    }

    /** Whether the first job fires some time after the end of its last firing. */
    boolean isDelayed() {
        return seed % 9 == 4 && !isOneOff();
    }

    /** Whether the first job pauses itself when an item has failed so often as that. */
    boolean pausesAfterFailures() {
        return seed % 16 == 10;
    }

    /** What becomes of a firing of the first job that comes due while its item executes. */
    Overlap overlap() {
        if (isOneOff()) {
            return Overlap.WAIT;
        }
        return seed % 9 == 2 ? Overlap.SKIP : seed % 9 == 5 || seed % 27 == 8 ? Overlap.CANCEL_RUNNING : Overlap.WAIT;
    }

    /** How much later than a firing of the first job its items start, at most. */
    Duration jitter() {
        boolean drawn = seed % 9 == 7 || seed % 27 == 17;
        return drawn && !isOneOff() && timing() != Timing.SEVERAL_CRONS ? Duration.ofSeconds(4) : Duration.ZERO;
    }

    /** The kind of the first job's schedule, with about the same firings as its cron has. */
    Timing timing() {
        return seed % 6 == 1 && !isDelayed() ? Timing.values()[(int) (seed / 6 % Timing.values().length)] : Timing.CRON;
    }

    /** Kinds of schedules. */
    enum Timing {
        CRON,
        EVERY,
        SEVERAL_CRONS,
        CALENDAR,
        BOUNDED,
        SPREAD,
        AT
    }

    private JobDefinition scheduled(JobDefinition job) {
        JobDefinition.Builder other = job.toBuilder();
        return switch (timing()) {
            case CRON -> job;
            case EVERY -> other.cron("").every(period(job)).build();
            case SEVERAL_CRONS -> other.cron(cron + "; 3/20 * * * * ?").build();
            case CALENDAR -> other.calendar(gaps()).build();
            case BOUNDED ->
                other.startAt(World.START.plusSeconds(12).truncatedTo(ChronoUnit.SECONDS))
                        .endAt(World.START.plus(1, ChronoUnit.DAYS).truncatedTo(ChronoUnit.SECONDS))
                        .build();
            case SPREAD -> other.spread(Duration.ofSeconds(4)).build();
            case AT -> other.cron("").at(instant()).build();
        };
    }

    /** When the first job fires, if it does so once: before all begins, while things go wrong, or once all may be well again. */
    private Instant instant() {
        int seconds = INSTANTS.get((int) (seed / 6 / Timing.values().length % INSTANTS.size()));
        return World.START.truncatedTo(ChronoUnit.SECONDS).plusSeconds(seconds);
    }

    private static Duration period(JobDefinition job) {
        Instant first = job.schedule().nextAfter(World.START).orElseThrow();
        return Duration.between(first, job.schedule().nextAfter(first).orElseThrow());
    }

    /** For half an hour, a quarter of each minute, and not the same one. */
    private static String gaps() {
        LocalDateTime start =
                LocalDateTime.ofInstant(World.START, ZoneOffset.UTC).truncatedTo(ChronoUnit.MINUTES);
        return IntStream.range(0, 30)
                .mapToObj(minute -> start.plusMinutes(minute).plusSeconds(minute % 4 * 13))
                .map(from -> from + "/" + from.plusSeconds(15))
                .collect(Collectors.joining(","));
    }

    /** Whether each missed firing of the first job runs. */
    boolean catchesUp() {
        return (seed % 9 == 8 || seed % 9 == 3) && !isOneOff();
    }

    /** Whether the first job runs only where the clock differs by less than is wrong. */
    boolean limitsClocks() {
        return limitsClocks(seed);
    }

    private static boolean limitsClocks(long seed) {
        return seed % 19 == 3;
    }

    /** Whether the first job chooses its instances by their zone. */
    boolean choosesInstances() {
        return choosesInstances(seed);
    }

    private static boolean choosesInstances(long seed) {
        return seed % 13 == 8;
    }

    /** Whether what the first job executes has a weight, and processes a capacity. */
    boolean weighs() {
        return weighs(seed);
    }

    private static boolean weighs(long seed) {
        return seed % 11 == 7;
    }

    /** Either one item at a time, or two, or the first one alone. */
    private JobDefinition weighed(JobDefinition job) {
        return seed / 11 % 2 == 0
                ? job.toBuilder().weight(7).build()
                : job.toBuilder().weight(5).itemWeights("0=" + World.CAPACITY).build();
    }

    /** How many, at most. */
    private int catchUpLimit() {
        return seed % 18 == 12 ? 3 : 100;
    }

    /** How old they may be; zero for any age. */
    private Duration catchUpWindow() {
        return seed % 18 == 3 ? Duration.ofSeconds(10) : Duration.ZERO;
    }

    /** Whether an operator disables an item for a while once all is well again. */
    boolean itemsAreDisabled() {
        return seed % 8 == 1;
    }

    /** Whether the first job is a one-off one: nothing but requests run it. Every other one of those runs at start. */
    boolean isOneOff() {
        return mayBeOneOff(seed) && has(Fault.TRIGGER);
    }

    boolean runsAtStart() {
        return isOneOff() && seed % 2 == 0;
    }

    private static boolean mayBeOneOff(long seed) {
        return seed % 7 == 5;
    }

    /**
     * Few lives are long enough for three crashes of one execution. Half of the jobs with listeners need them: only their
     * third call shows whether the second one has raised the attempt.
     */
    private int maxFailovers() {
        return seed % 4 == 1 && seed % 16 != 13 ? 2 : 3;
    }

    /** Whether one leaves in good order once all is well again, while it still works on something. */
    boolean oneDrains() {
        return seed % 3 == 1 && skew.isZero() && rebalanceDelay().isZero();
    }

    /** How long the items of a process that has left in good order wait for its successor. */
    Duration rebalanceDelay() {
        return seed % 5 == 3 ? REBALANCE_DELAY : Duration.ZERO;
    }

    /**
     * Whether one leaves in good order once all is well again, and comes back, or one in its place. Not where the id may be taken.
     */
    boolean oneIsAwaited() {
        return !rebalanceDelay().isZero() && !has(Fault.COLLIDING_ID);
    }

    /** Whether nobody comes for it, but one on another server. */
    boolean oneJoinsWhileOneIsAwaited() {
        return seed / 20 % 3 == 1;
    }

    /** Whether nobody comes for it, and an operator waits no longer. */
    boolean operatorEndsTheWait() {
        return seed / 20 % 3 == 2;
    }

    /** Whether its successor has another id, as processes have it whose id ends with their pid. */
    boolean successorHasAnotherId() {
        return seed / 10 % 2 == 1;
    }

    /** What divides the items; empty for what does by default. */
    String strategy() {
        return switch ((int) (seed % 23)) {
            case 2, 14 -> "ZONE";
            case 5, 16 -> WEIGHTED;
            case 7 -> "STICKY";
            case 9 -> "MEASURED";
            case 11 -> "SPREAD";
            case 18 -> "ODEVITY";
            case 20 -> "ROUND_ROBIN";
            default -> "";
        };
    }

    /** Whether items are divided by weight, for which each process has a capacity. */
    boolean dividesByWeight() {
        return strategy().equals(WEIGHTED);
    }

    /** Whether it moves only what it must, whatever other jobs there are. */
    boolean boundsMoves() {
        return BOUNDING_MOVES.contains(strategy());
    }

    /** Whether operators disable all servers for a while once all is well again. */
    boolean operatorsPause() {
        return seed % 5 == 2;
    }

    /** Whether they pause the job for that, instead of disabling its servers; and if not it, then the namespace. */
    boolean pausesByNode() {
        return seed % 4 > 0;
    }

    boolean pausesNamespace() {
        return seed % 4 == 1;
    }

    /** Whether one more item joins once all is well again. */
    boolean oneItemJoins() {
        return seed % 3 == 2;
    }

    boolean has(Fault fault) {
        return faults.contains(fault);
    }

    /** Never more than a process has threads for. */
    int mostItems() {
        return mostItems(jobs);
    }

    private static int mostItems(int jobs) {
        return jobs == 1 ? 6 : World.THREADS / 2;
    }

    /** The second job is unlike the first wherever it can be. */
    List<JobDefinition> definitions() {
        JobDefinition first = isOneOff()
                ? definition(JOB, "", failover, misfire).toBuilder()
                        .runAtStart(runsAtStart())
                        .build()
                : scheduled(definition(JOB, cron, failover, misfire));
        if (isDelayed()) {
            first = delayed(first, DELAYS.get((int) (seed / 9 % DELAYS.size())));
        }
        if (isWatched()) {
            first = first.toBuilder()
                    .stuckAfter(STUCK_AFTER)
                    .expectWithin(isOneOff() ? Duration.ZERO : EXPECT_WITHIN)
                    .build();
        }
        if (pausesAfterFailures()) {
            first = first.toBuilder().pauseAfterFailures(PAUSE_AFTER_FAILURES).build();
        }
        first = first.toBuilder()
                .overlap(overlap())
                .jitter(jitter())
                .runOn(choosesInstances() ? "zone=a" : "")
                .build();
        if (limitsClocks()) {
            first = first.toBuilder().maxTimeDiffSeconds(TOLERATED_SECONDS).build();
        }
        if (weighs()) {
            first = weighed(first);
        } else if (dividesByWeight()) {
            first = first.toBuilder().itemWeights("0=3").build();
        }
        if (catchesUp()) {
            first = first.toBuilder()
                    .misfire(true)
                    .catchUp(CatchUp.EACH)
                    .catchUpLimit(catchUpLimit())
                    .catchUpWindow(catchUpWindow())
                    .build();
            if (!catchUpWindow().isZero()) {
                // A shorter window would count for as long as a firing isn't late.
                first = first.toBuilder().misfireThreshold(catchUpWindow()).build();
            }
        }
        if (jobs == 1) {
            return List.of(first);
        }
        JobDefinition second =
                definition(JOBS.get(1), CRONS.get((CRONS.indexOf(cron) + 1) % CRONS.size()), !failover, !misfire);
        return List.of(first, weighs() ? second.toBuilder().weight(2).build() : second);
    }

    /** The same with a delay, and without what such a job can't have. */
    static JobDefinition delayed(JobDefinition job, Duration delay) {
        return job.toBuilder()
                .cron("")
                .fixedDelay(delay)
                .misfire(true)
                .monitorExecution(true)
                .build();
    }

    private JobDefinition definition(String job, String when, boolean takesOver, boolean makesUp) {
        return JobDefinition.builder(job)
                .cron(when)
                .timeZone(ZoneOffset.UTC)
                .shardingTotalCount(items)
                .jobShardingStrategyClass(strategy())
                .failover(takesOver)
                .maxFailovers(maxFailovers())
                .misfire(makesUp)
                .beforeFirstTimeout(hasListener() && job.equals(JOB) ? BEFORE_TIMEOUT : Duration.ofMinutes(5))
                .build();
    }
}
