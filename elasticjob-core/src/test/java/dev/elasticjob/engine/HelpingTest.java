package dev.elasticjob.engine;

import static org.assertj.core.api.Assertions.assertThat;

import dev.elasticjob.admin.RegistryJobAdmin;
import dev.elasticjob.admin.command.Actor;
import dev.elasticjob.admin.command.CommandLog;
import dev.elasticjob.admin.explain.Explanation;
import dev.elasticjob.admin.explain.Explanation.Verdict;
import dev.elasticjob.definition.JobDefinition;
import dev.elasticjob.definition.JobType;
import dev.elasticjob.job.DataflowJob;
import dev.elasticjob.job.ShardingContext;
import dev.elasticjob.job.event.JobEvent;
import dev.elasticjob.registry.JobTree;
import dev.elasticjob.registry.RegistryCommit;
import java.time.Clock;
import java.time.Duration;
import java.time.Instant;
import java.time.ZoneOffset;
import java.time.temporal.ChronoUnit;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.Collections;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Queue;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import java.util.stream.Collectors;
import java.util.stream.IntStream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** Items that wait for room at their owner, and others that have some. The job is due at 10 s past each minute. */
class HelpingTest {
    private static final Duration SECOND = Duration.ofSeconds(1);
    private static final Duration UNTIL_DUE = Duration.ofMillis(60_100);
    private static final String A = "a@-@1";
    private static final String B = "b@-@1";
    private static final String C = "c@-@1";
    private static final String D = "d@-@1";
    private static final Pattern OFFER = Pattern.compile(" */(\\d+)-\\d+ .*");
    private static final Pattern ITEM = Pattern.compile(" */(\\d+) v.*");
    private static final JobTree TREE = new JobTree("orders");

    private final SimulatedCluster cluster = new SimulatedCluster(7);
    private final Map<String, Queue<Runnable>> threads = new HashMap<>();
    private final List<String> began = new ArrayList<>();

    @Test
    void whatHasWaitedForASecondBeginsWhereThereIsRoom() {
        JobDefinition orders = orders(4).build();
        start(A, 1, orders);
        start(B, 4, orders);
        pass(UNTIL_DUE);
        int before = locks();

        pass(SECOND.plusMillis(100));

        assertThat(before).isEqualTo(3);
        assertThat(locks()).isEqualTo(4);
        assertThat(cluster.engine(B).figures().capacityUsed()).isEqualTo(3);
        assertThat(offers()).as("gone with the claim").isZero();
    }

    @Test
    void whatIsTooHeavyForItsOwnerBeginsWhereItFits() {
        JobDefinition orders = orders(4).weight(2).build();
        start(A, 1, orders);
        start(B, 8, orders);
        pass(UNTIL_DUE.plusMillis(500));

        assertThat(threads.get(A)).isEmpty();
        assertThat(cluster.engine(B).figures().capacityUsed()).isEqualTo(8);
        assertThat(offers()).isZero();
    }

    @Test
    void aHelperWhoseClockIsALittleBehindTriesAgain() {
        JobDefinition orders = orders(4).weight(2).build();
        start(A, 1, orders);
        Queue<Runnable> its = threads.computeIfAbsent(B, any -> new ArrayDeque<>());
        cluster.start(
                B,
                jobs -> jobs.register(orders, context -> began(B, context)),
                engine -> engine.capacity(8)
                        .workers(its::add)
                        .clock(Clock.offset(cluster.clock(), Duration.ofMillis(-300))));
        cluster.pass(SECOND);
        pass(UNTIL_DUE);
        int before = offers();
        pass(Duration.ofSeconds(2));

        assertThat(before).as("nothing is due yet by its clock").isEqualTo(2);
        assertThat(cluster.engine(B).figures().capacityUsed()).isEqualTo(8);
        assertThat(offers()).isZero();
    }

    @Test
    void whatNobodyHasRoomForKeepsNothingElseFromBeingOffered() {
        String heavy = IntStream.range(0, 240)
                .filter(item -> item % 24 != 0)
                .mapToObj(item -> item + "=99")
                .collect(Collectors.joining(","));
        JobDefinition orders = orders(240).itemWeights(heavy).build();
        start(A, 2, orders);
        start(B, 20, orders);
        pass(UNTIL_DUE.plusSeconds(4));

        assertThat(locks()).as("the ten that are light").isEqualTo(10);
        assertThat(offers()).isEqualTo(200);
    }

    @Test
    void explainSaysThatWhatIsTooHeavyForItsOwnerIsOfferedToThoseThatCouldCarryIt() {
        JobDefinition orders = orders(2).weight(2).build();
        start(A, 1, orders);
        start(B, 2, orders);
        pass(UNTIL_DUE.plusSeconds(1));

        Explanation why = cluster.get(
                        cluster.inspector().explain("orders", offered().get(0)))
                .orElseThrow();

        assertThat(why.verdict()).isEqualTo(Verdict.WAITS);
        assertThat(why.conditions())
                .anyMatch(condition ->
                        condition.fact().text().endsWith("a capacity of 1, so it is offered to the others"));
    }

    /** The rest is its owner's, with the next firing. */
    @Test
    void aStreamThatIsHelpedEndsAfterItsBatch() {
        JobDefinition orders =
                orders(4).jobType(JobType.DATAFLOW).streamingProcess(true).build();
        startStreams(A, 1, orders);
        startStreams(B, 4, orders);
        pass(UNTIL_DUE.plusSeconds(2));
        threads.get(A).clear();
        letBegin();

        assertThat(began).filteredOn((B + " 0")::equals).as("its own").hasSize(3);
        assertThat(began)
                .filteredOn(batch -> batch.startsWith(B) && !batch.endsWith(" 0") && !batch.endsWith(" 1"))
                .hasSize(1);
    }

    @Test
    void whoHelpsIsTheFirstByRankAndEachItemBeginsOnce() {
        JobDefinition orders = orders(12).build();
        start(A, 1, orders);
        start(B, 12, orders);
        start(C, 12, orders);
        pass(UNTIL_DUE.plusSeconds(3));
        int locked = locks();
        letBegin();

        assertThat(locked).as("one of four at their owner").isEqualTo(12);

        assertThat(began.stream().map(item -> item.substring(item.indexOf(' '))))
                .hasSize(12)
                .doesNotHaveDuplicates();
        assertThat(began).anyMatch(item -> item.startsWith(B)).anyMatch(item -> item.startsWith(C));
        assertThat(cluster.engine(B).figures().capacityUsed()).isZero();
    }

    /** A second until it is offered, half of one for the turns. Each has one item, and one of them two. */
    @ParameterizedTest
    @ValueSource(ints = {0, 1, 2, 3, 4, 5, 6, 7, 8, 9, 10, 11, 12})
    void whateverTheRankOfTheOneWithRoomItBeginsWithinTwoSeconds(int one) {
        JobDefinition orders = orders(14).build();
        IntStream.range(0, 13).forEach(number -> start(manyth(number), number == one ? 2 : 1, orders));
        pass(UNTIL_DUE.plusMillis(1_500));

        assertThat(locks()).isEqualTo(14);
    }

    /** The others read what is offered when something comes or goes, and at their turn; none reads the item, or commits. */
    @Test
    void ofManyThatHaveRoomOneClaims() {
        long helped = requestsOfThirteen(1);
        long alone = requestsOfThirteen(2);

        assertThat(helped - alone).isBetween(1L, 4 * 12 + 6L);
    }

    /** From the firing to two seconds after it. Each of the others has room for one item more. */
    private static long requestsOfThirteen(int capacityOfTheOneWithTwo) {
        HelpingTest test = new HelpingTest();
        JobDefinition orders = orders(14).build();
        IntStream.range(0, 13)
                .forEach(number -> test.start(manyth(number), number == 12 ? capacityOfTheOneWithTwo : 2, orders));
        test.pass(UNTIL_DUE.minusMillis(200));
        long before = test.cluster.requests();
        test.pass(UNTIL_DUE.plusSeconds(2));

        assertThat(test.locks()).isEqualTo(14);
        return test.cluster.requests() - before;
    }

    @Test
    void whatIsFullLooksAgainWhenItHasRoom() {
        JobDefinition orders = orders(4).build();
        start(A, 1, orders);
        start(B, 2, orders);
        pass(UNTIL_DUE.plusSeconds(5));
        int before = offers();
        long requests = cluster.requests();
        pass(Duration.ofSeconds(10));
        long waiting = cluster.requests() - requests;

        threads.get(B).remove().run();
        cluster.pass(SECOND);

        assertThat(before).isEqualTo(1);
        assertThat(waiting)
                .as("of ten seconds: nobody asks whether there is room")
                .isLessThan(10);
        assertThat(offers()).isZero();
        assertThat(locks()).as("two of each minus those that have ended at B").isEqualTo(4 - began.size());
    }

    @Test
    void theNextFiringIsTheOwnersAgain() {
        JobDefinition orders = orders(4).build();
        start(A, 1, orders);
        start(B, 4, orders);
        pass(UNTIL_DUE.plusSeconds(3));
        int locked = locks();
        letBegin();
        pass(UNTIL_DUE.plusSeconds(3));
        letBegin();

        assertThat(locked).as("one of two at their owner").isEqualTo(4);
        assertThat(began.subList(4, 8)).filteredOn(item -> item.startsWith(A)).isNotEmpty();
        assertThat(began).hasSize(8);
    }

    @Test
    void theOwnersTurnMayComeFirst() {
        JobDefinition orders = orders(4).build();
        start(A, 1, orders);
        start(B, 2, orders);
        pass(UNTIL_DUE.plusSeconds(2));
        int offered = offers();
        int item = offered().get(0);
        Explanation why = cluster.get(cluster.engine(A).inspector().explain("orders", item))
                .orElseThrow();
        Explanation elsewhere =
                cluster.get(cluster.inspector().explain("orders", item)).orElseThrow();
        threads.get(A).remove().run();
        cluster.pass(SECOND);

        assertThat(offered).isEqualTo(1);
        assertThat(elsewhere.verdict()).isEqualTo(Verdict.WAITS);
        assertThat(elsewhere.conditions())
                .anyMatch(condition -> condition
                        .fact()
                        .text()
                        .equals("The item has a weight of 1, and waits for capacity of \"" + A
                                + "\"; offered to the others since 2026-03-01T00:01:01Z"));
        assertThat(why.conditions())
                .anyMatch(condition ->
                        condition.fact().text().endsWith("offered to the others since 2026-03-01T00:01:01Z"));
        assertThat(threads.get(A)).hasSize(1);
        assertThat(offers()).isZero();
    }

    /** Two of the four items are at the one that can carry one. */
    @Test
    void onlyWhoMayRunTheJobHelps() {
        JobDefinition orders = orders(4).runOn("zone=a").build();
        start(A, 1, orders, "a");
        start(B, 9, orders, "b");
        start(C, 9, orders, "a");
        pass(UNTIL_DUE.plusMillis(1_600));

        assertThat(locks()).isEqualTo(4);
        assertThat(threads.get(B)).isEmpty();
        assertThat(threads.get(C)).hasSize(3);
    }

    @Test
    void whoIsDrainedDoesNotHelp() {
        JobDefinition orders = orders(4).build();
        start(A, 1, orders);
        start(B, 9, orders);
        cluster.get(new RegistryJobAdmin(cluster.operator()).drain("orders", B));
        pass(UNTIL_DUE.plusSeconds(3));

        assertThat(threads.get(B)).isEmpty();
        assertThat(offers()).isEqualTo(3);
    }

    @Test
    void anItemThatIsDisabledIsNoLongerOffered() {
        JobDefinition orders = orders(4).build();
        start(A, 1, orders);
        start(B, 2, orders);
        pass(UNTIL_DUE.plusSeconds(2));
        int item = offered().get(0);
        cluster.commit(RegistryCommit.builder().create(TREE.disabled(item), ""));
        threads.get(A).remove().run();
        cluster.pass(Duration.ofSeconds(2));

        assertThat(offers()).isZero();
        assertThat(threads.get(A)).isEmpty();
    }

    @Test
    void anOfferThatIsOutOfDateIsDeletedByTheOneThatLooks() {
        JobDefinition orders = orders(4).build();
        start(A, 4, orders);
        start(B, 4, orders);
        pass(UNTIL_DUE);
        letBegin();
        cluster.commit(RegistryCommit.builder().create(TREE.offers(), "").create(TREE.offer("0-0"), ""));
        cluster.pass(Duration.ofSeconds(2));

        assertThat(offers()).isZero();
        assertThat(began).hasSize(4);
    }

    @Test
    void oneWithoutACapacityDoesNotHelp() {
        JobDefinition orders = orders(4).build();
        start(A, 1, orders);
        threads.put(B, new ArrayDeque<>());
        cluster.start(
                B,
                jobs -> jobs.register(orders, context -> began(B, context)),
                engine -> engine.workers(threads.get(B)::add));
        pass(UNTIL_DUE.plusSeconds(4));

        assertThat(threads.get(B)).hasSize(2);
        assertThat(offers()).isEqualTo(1);
    }

    @Test
    void aRequestedRunIsHelpedToo() {
        JobDefinition orders = orders(4).cron("").build();
        start(A, 1, orders);
        start(B, 4, orders);
        cluster.pass(Duration.ofSeconds(5));
        new RegistryJobAdmin(cluster.operator(), new CommandLog((JobEvent event) -> {}, Actor.UNKNOWN), cluster.timer())
                .trigger("orders");
        cluster.pass(Duration.ofSeconds(3));
        letBegin();

        assertThat(began).hasSize(4).doesNotHaveDuplicates();
        assertThat(began).filteredOn(item -> item.startsWith(B)).hasSize(3);
    }

    @Test
    void whenAllHaveRoomAFiringCostsNothingMore() {
        long without = requestsOfAFiring(false);
        long with = requestsOfAFiring(true);

        assertThat(with).isEqualTo(without);
    }

    private static long requestsOfAFiring(boolean capacity) {
        HelpingTest test = new HelpingTest();
        JobDefinition orders = orders(4).build();
        for (String instance : List.of(A, B)) {
            test.cluster.start(
                    instance,
                    jobs -> jobs.register(orders, context -> {}),
                    engine -> capacity ? engine.capacity(4) : engine);
            test.cluster.pass(SECOND);
        }
        test.cluster.pass(Duration.ofSeconds(70));
        long before = test.cluster.requests();
        test.cluster.pass(Duration.ofMinutes(1));
        return test.cluster.requests() - before;
    }

    /** The first owner has all the long ones: alone, it would need more than twice the time. */
    @Test
    void fourWorkersEndFortyUnequalItemsInLittleMoreThanTheirShareOfTime() {
        List<Integer> secondsOfOwners = List.of(8, 1, 4, 2);
        Duration ideal = Duration.ofMillis(
                secondsOfOwners.stream().mapToInt(seconds -> 10_000 * seconds).sum() / 4);
        for (String instance : List.of(A, B, C, D)) {
            cluster.start(
                    instance,
                    jobs -> jobs.register(orders(40).cron("0 0 * * * ?").build(), context -> began(instance, context)),
                    engine -> engine.capacity(1)
                            .workers(thread -> cluster.timer()
                                    .after(Duration.ofSeconds(secondsOfOwners.get(lockedBy(instance) / 10)), thread)));
            cluster.pass(SECOND);
        }
        Instant due = cluster.now().truncatedTo(ChronoUnit.HOURS).plusSeconds(3_600);
        cluster.pass(Duration.between(cluster.now(), due));
        while (began.size() < 40 && cluster.now().isBefore(due.plusSeconds(100))) {
            cluster.pass(Duration.ofMillis(100));
        }

        assertThat(began).hasSize(40);
        assertThat(began.stream().map(item -> item.substring(item.indexOf(' '))))
                .doesNotHaveDuplicates();
        assertThat(Duration.between(due, cluster.now()))
                .isLessThan(ideal.multipliedBy(13).dividedBy(10));
    }

    /** The item that the instance has locked: it has room for one. */
    private int lockedBy(String instance) {
        int item = -1;
        for (String line : cluster.tree().lines().toList()) {
            Matcher number = ITEM.matcher(line);
            if (number.matches()) {
                item = Integer.parseInt(number.group(1));
            } else if (line.contains("/running ") && line.endsWith(instance)) {
                return item;
            }
        }
        throw new IllegalStateException(instance + " has locked no item: " + cluster.tree());
    }

    // ------------------------------------------------------------------ helpers

    private static JobDefinition.Builder orders(int items) {
        return JobDefinition.builder("orders")
                .cron("0 * * * * ?")
                .timeZone(ZoneOffset.UTC)
                .shardingTotalCount(items);
    }

    private static String manyth(int number) {
        return (char) ('a' + number) + "@-@1";
    }

    private void start(String instance, int capacity, JobDefinition job) {
        Queue<Runnable> its = threads.computeIfAbsent(instance, any -> new ArrayDeque<>());
        cluster.start(
                instance,
                jobs -> jobs.register(job, context -> began(instance, context)),
                engine -> engine.capacity(capacity).workers(its::add));
        cluster.pass(SECOND);
    }

    private void start(String instance, int capacity, JobDefinition job, String zone) {
        Queue<Runnable> its = threads.computeIfAbsent(instance, any -> new ArrayDeque<>());
        cluster.start(
                instance,
                jobs -> jobs.register(job, context -> began(instance, context)),
                engine -> engine.capacity(capacity).labels(Map.of("zone", zone)).workers(its::add));
        cluster.pass(SECOND);
    }

    /** Of three batches for each item. */
    private void startStreams(String instance, int capacity, JobDefinition job) {
        Queue<Runnable> its = threads.computeIfAbsent(instance, any -> new ArrayDeque<>());
        DataflowJob<String> stream = new DataflowJob<>() {
            @Override
            public List<String> fetchData(ShardingContext context) {
                String batch = instance + " " + context.getShardingItem();
                return Collections.frequency(began, batch) < 3 ? List.of(batch) : List.of();
            }

            @Override
            public void processData(ShardingContext context, List<String> data) {
                began.addAll(data);
            }
        };
        cluster.start(
                instance,
                jobs -> jobs.register(job, stream),
                engine -> engine.capacity(capacity).workers(its::add));
        cluster.pass(SECOND);
    }

    private void began(String instance, ShardingContext context) {
        began.add(instance + " " + context.getShardingItem());
    }

    /** Until then after the last full minute. */
    private void pass(Duration sinceMinute) {
        Instant now = cluster.now();
        Instant minute = now.truncatedTo(ChronoUnit.MINUTES);
        cluster.pass(Duration.between(now, minute.plus(sinceMinute)));
    }

    private void letBegin() {
        boolean ran = true;
        while (ran) {
            ran = false;
            for (Queue<Runnable> its : threads.values()) {
                while (!its.isEmpty()) {
                    its.remove().run();
                    ran = true;
                }
            }
            cluster.pass(Duration.ofMillis(1_500));
        }
    }

    private int locks() {
        return (int) cluster.tree()
                .lines()
                .filter(line -> line.contains("/running "))
                .count();
    }

    private int offers() {
        return offered().size();
    }

    /** The items that are offered. */
    private List<Integer> offered() {
        return cluster.tree()
                .lines()
                .map(OFFER::matcher)
                .filter(Matcher::matches)
                .map(offer -> Integer.parseInt(offer.group(1)))
                .toList();
    }
}
