package dev.elasticjob.engine;

import static org.assertj.core.api.Assertions.assertThat;

import dev.elasticjob.admin.JobInspector;
import dev.elasticjob.admin.RegistryJobInspector;
import dev.elasticjob.admin.explain.ReshardPreview;
import dev.elasticjob.admin.explain.WhatIf;
import dev.elasticjob.coordination.state.NodeCodec;
import dev.elasticjob.definition.JobDefinition;
import dev.elasticjob.job.ShardingStrategy;
import dev.elasticjob.registry.CommitOutcome;
import dev.elasticjob.registry.JobTree;
import dev.elasticjob.registry.Registry;
import dev.elasticjob.registry.RegistryAccessDeniedException;
import dev.elasticjob.registry.RegistryAnswer;
import dev.elasticjob.registry.RegistryCommit;
import dev.elasticjob.registry.RegistryCommit.Operation;
import dev.elasticjob.registry.RegistryNode;
import dev.elasticjob.registry.RegistryRead;
import dev.elasticjob.registry.RegistrySession;
import dev.elasticjob.testing.ChangedRegistry;
import dev.elasticjob.testing.LoggedLines;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Collections;
import java.util.Comparator;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.TreeMap;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionStage;
import java.util.function.Predicate;
import java.util.function.UnaryOperator;
import java.util.stream.Collectors;
import java.util.stream.IntStream;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;

/** Jobs whose items are placed by what the instances have of other jobs. */
class SpreadTest {
    private static final List<String> TEN =
            IntStream.range(0, 10).mapToObj(number -> "i" + number + "@-@1").toList();
    private static final List<JobDefinition> HUNDRED = IntStream.range(0, 100)
            .mapToObj(number -> spread("job" + number).build())
            .toList();
    private static final Duration A_WHILE = Duration.ofSeconds(20);

    private final SimulatedCluster cluster = new SimulatedCluster(3);

    @Test
    void aHundredJobsOfOneItemAreSpreadOverTenInstancesThatStartJoinAndLeave() {
        TEN.forEach(instance -> start(instance, HUNDRED));
        cluster.pass(A_WHILE);
        assertThat(loads(HUNDRED))
                .hasSize(10)
                .allSatisfy((instance, load) -> assertThat(load).isEqualTo(10L));

        cluster.stop(TEN.get(3));
        cluster.pass(A_WHILE);
        assertThat(loads(HUNDRED))
                .hasSize(9)
                .allSatisfy((instance, load) -> assertThat(load).isBetween(11L, 12L));

        start("late@-@1", HUNDRED);
        cluster.pass(A_WHILE);
        assertThat(loads(HUNDRED))
                .hasSize(10)
                .allSatisfy((instance, load) -> assertThat(load).isEqualTo(10L));
    }

    @Test
    void aHundredJobsOfDifferentWeightsAreSpreadByWeight() {
        List<JobDefinition> weighty = IntStream.range(0, 100)
                .mapToObj(number ->
                        job("weighty-" + number).weight(1 + number * 7 % 10).build())
                .toList();
        TEN.forEach(instance -> start(instance, weighty));
        cluster.pass(A_WHILE);

        Map<String, Long> loads = new TreeMap<>();
        owners(weighty)
                .forEach((job, owner) ->
                        loads.merge(owner, 1 + Long.parseLong(job.substring("weighty-".length())) * 7 % 10, Long::sum));
        assertThat(loads).hasSize(10);
        assertThat(Collections.max(loads.values()) - Collections.min(loads.values()))
                .as("at most what the heaviest weighs: %s", loads)
                .isLessThanOrEqualTo(10);
    }

    /** As in the real world: most jobs name no strategy, and some have several items. */
    @Test
    void jobsOfOneItemAreSpreadIfTheyNameNoStrategyAndOthersAreNot() {
        List<JobDefinition> single = IntStream.range(0, 50)
                .mapToObj(number -> job("每晚的账单-" + number).build())
                .toList();
        JobDefinition several = job("several").shardingTotalCount(12).build();
        JobDefinition first =
                job("first").jobShardingStrategyClass("AVG_ALLOCATION").build();
        List<JobDefinition> all = new ArrayList<>(single);
        all.addAll(List.of(several, first));
        List<String> five = TEN.subList(0, 5);
        five.forEach(instance -> start(instance, all));
        cluster.pass(A_WHILE);

        assertThat(loads(single)).hasSize(5);
        assertThat(loads(all).values())
                .as("with what they have of other jobs")
                .allSatisfy(load -> assertThat(load).isBetween(12L, 13L));
        assertThat(loads(List.of(several)).values()).containsExactlyInAnyOrder(3L, 3L, 2L, 2L, 2L);
        assertThat(loads(List.of(first))).isEqualTo(Map.of(five.get(4), 1L));

        Map<String, String> before = owners(single);
        five.forEach(
                instance -> cluster.engine(instance).register(job("one more").build(), context -> {}));
        cluster.pass(A_WHILE);
        assertThat(owners(single)).as("none moves when a job is added").isEqualTo(before);
    }

    @Test
    void aJobOfOneItemThatGetsMoreIsDividedAsOthersAre() {
        List<JobDefinition> jobs = List.of(job("grows").build(), job("stays").build());
        start("a@-@1", jobs);
        start("b@-@1", jobs);
        cluster.pass(A_WHILE);

        cluster.get(cluster.engine("a@-@1")
                .admin()
                .redefine(
                        "grows",
                        grown -> grown.toBuilder().shardingTotalCount(4).build()));
        cluster.pass(A_WHILE);
        assertThat(loads(jobs.subList(0, 1))).isEqualTo(Map.of("a@-@1", 2L, "b@-@1", 2L));
        String stayed = owners(jobs).get("stays");

        cluster.get(cluster.engine("a@-@1")
                .admin()
                .redefine(
                        "grows",
                        grown -> grown.toBuilder().shardingTotalCount(1).build()));
        cluster.pass(A_WHILE);
        assertThat(owners(jobs)).containsEntry("stays", stayed);
        assertThat(loads(jobs)).isEqualTo(Map.of("a@-@1", 1L, "b@-@1", 1L));
    }

    @Test
    void nobodyIsWarnedOfANodeThatHeHasNotAskedFor() {
        try (LoggedLines lines = new LoggedLines()) {
            startWith(
                    "a@-@1",
                    registry -> denies(registry, JobTree.namespaceLoads()::equals),
                    List.of(job("one").build(), job("two").build()));
            cluster.pass(A_WHILE);
            assertThat(lines.all())
                    .filteredOn(line -> line.contains("/.loads"))
                    .singleElement()
                    .asString()
                    .startsWith("INFO Access to the node \"/shop/.loads\" is denied");

            cluster.engine("a@-@1").register(HUNDRED.get(0), context -> {});
            cluster.pass(A_WHILE);
            assertThat(lines.all())
                    .as("who has asked is")
                    .filteredOn(line -> line.contains("/.loads"))
                    .hasSize(2)
                    .last()
                    .asString()
                    .startsWith("WARN Access");
        }
    }

    @Test
    void whatWaitsInAnEngineIsPlannedInOneTurn() {
        start("a@-@1", HUNDRED);
        cluster.pass(A_WHILE);
        cluster.forget();
        List<List<RegistryRead>> reads = new ArrayList<>();
        cluster.start("b@-@1", engine -> HUNDRED.forEach(job -> engine.register(job, context -> {})), same(), same());
        cluster.stop("a@-@1");
        cluster.pass(A_WHILE);
        cluster.start(
                "c@-@1",
                engine -> HUNDRED.forEach(job -> engine.register(job, context -> {})),
                same(),
                registry -> new ChangedRegistry(registry) {
                    @Override
                    public CompletionStage<RegistryAnswer> read(List<RegistryRead> asked) {
                        reads.add(asked);
                        return super.read(asked);
                    }
                });
        cluster.stop("b@-@1");
        cluster.pass(A_WHILE);

        assertThat(loads(HUNDRED)).isEqualTo(Map.of("c@-@1", 100L));
        assertThat(reads)
                .filteredOn(asked -> asked.contains(RegistryRead.data(JobTree.namespaceLoads())))
                .as("turns")
                .hasSizeBetween(1, 20);
    }

    @Test
    void otherJobsCountByTheirWeight() {
        JobDefinition heavy = job("heavy").weight(4).build();
        List<JobDefinition> jobs = new ArrayList<>(List.of(heavy));
        start("b@-@1", jobs);
        cluster.pass(A_WHILE);
        IntStream.range(0, 5).forEach(number -> jobs.add(spread("job" + number).build()));
        start("a@-@1", jobs.subList(1, 6));
        cluster.pass(A_WHILE);
        jobs.subList(1, 6).forEach(job -> cluster.engine("b@-@1").register(job, context -> {}));
        cluster.pass(A_WHILE);

        assertThat(loads(jobs)).isEqualTo(Map.of("b@-@1", 1L, "a@-@1", 5L));
    }

    @Test
    void aPlanThatMovesNothingRaisesNothing() {
        start("a@-@1", HUNDRED.subList(0, 2));
        start("b@-@1", HUNDRED.subList(0, 2));
        cluster.pass(A_WHILE);
        int before = cluster.read(JobTree.namespaceLoads()).orElseThrow().version();

        start("c@-@1", HUNDRED.subList(0, 2));
        cluster.pass(A_WHILE);

        assertThat(cluster.read(JobTree.namespaceLoads()).map(RegistryNode::version))
                .contains(before);
    }

    @Test
    void withoutAccessToTheNodePlansAreMadeWithoutAgreement() {
        try (LoggedLines lines = new LoggedLines()) {
            startWith("a@-@1", registry -> denies(registry, JobTree.namespaceLoads()::equals));
            startWith("b@-@1", registry -> deniesWriting(registry, JobTree.namespaceLoads()::equals));
            cluster.pass(A_WHILE);

            assertThat(loads(HUNDRED).values().stream()
                            .mapToLong(Long::longValue)
                            .sum())
                    .isEqualTo(100);
            assertThat(cluster.read(JobTree.namespaceLoads())).isEmpty();
            assertThat(lines.all())
                    .filteredOn(line -> line.contains("Access to the node \"/shop/.loads\" is denied"))
                    .as("once for each engine that leads")
                    .hasSizeBetween(1, 2);
        }
    }

    @Test
    void aNodeThatIsTooLargeToBeReadHoldsUpNoPlan() {
        try (LoggedLines lines = new LoggedLines()) {
            startWith(
                    "a@-@1",
                    registry -> new ChangedRegistry(registry) {
                        @Override
                        public CompletionStage<RegistryAnswer> read(List<RegistryRead> asked) {
                            return asked.contains(RegistryRead.data(JobTree.namespaceLoads()))
                                    ? CompletableFuture.failedFuture(
                                            new IllegalArgumentException("it has two million bytes"))
                                    : super.read(asked);
                        }
                    },
                    HUNDRED.subList(0, 2));
            cluster.pass(A_WHILE);

            assertThat(loads(HUNDRED.subList(0, 2))).isEqualTo(Map.of("a@-@1", 2L));
            assertThat(lines.all())
                    .filteredOn(line -> line.contains("The node \"/.loads\" can't be used"))
                    .hasSize(1);
        }
    }

    @Test
    void aJobThatMayNotBeReadCountsNothing() {
        startWith("a@-@1", registry -> denies(registry, path -> path.startsWith("/foreign/")));
        cluster.commit(RegistryCommit.builder()
                .create("/foreign", "")
                .create("/foreign/sharding", "{\"owners\":{\"a@-@1\":\"0-99\"}}"));
        cluster.pass(A_WHILE);

        assertThat(loads(HUNDRED)).isEqualTo(Map.of("a@-@1", 100L));
    }

    @Test
    void jobsOfOtherApplicationsThatMayNotBeReadCostOneRequestMore() {
        List<String> foreign =
                IntStream.range(0, 60).mapToObj(number -> "/foreign" + number).toList();
        foreign.forEach(job -> cluster.commit(RegistryCommit.builder().create(job, "")));
        int[] asked = {0};
        startWith(
                "a@-@1",
                registry -> new ChangedRegistry(registry) {
                    @Override
                    public CompletionStage<RegistryAnswer> read(List<RegistryRead> reads) {
                        Set<String> denied = reads.stream()
                                .map(RegistryRead::path)
                                .filter(path -> path.startsWith("/foreign"))
                                .map(path -> "/shop" + path)
                                .collect(Collectors.toSet());
                        if (denied.isEmpty()) {
                            return super.read(reads);
                        }
                        asked[0]++;
                        return CompletableFuture.failedFuture(new RegistryAccessDeniedException(
                                denied.iterator().next(), denied, "denied", new IllegalStateException()));
                    }
                },
                HUNDRED.subList(0, 10));
        start("b@-@1", HUNDRED.subList(0, 10));
        cluster.pass(A_WHILE);

        assertThat(loads(HUNDRED.subList(0, 10))).isEqualTo(Map.of("a@-@1", 5L, "b@-@1", 5L));
        assertThat(asked[0]).as("refusals").isEqualTo(1);
    }

    @Test
    void theNodeIsMadeAgainWhenSomebodyDeletesIt() {
        start("a@-@1", HUNDRED.subList(0, 4));
        cluster.pass(A_WHILE);
        cluster.commit(RegistryCommit.builder().delete(JobTree.namespaceLoads(), RegistryCommit.ANY_VERSION));

        start("b@-@1", HUNDRED.subList(0, 4));
        cluster.pass(A_WHILE);

        assertThat(loads(HUNDRED.subList(0, 4))).isEqualTo(Map.of("a@-@1", 2L, "b@-@1", 2L));
        assertThat(cluster.read(JobTree.namespaceLoads())).isPresent();
    }

    @Test
    void aJobWhosePlanFailsHoldsUpNoOther() {
        startWith("a@-@1", registry -> new ChangedRegistry(registry) {
            @Override
            public CompletionStage<CommitOutcome> commit(RegistrySession session, RegistryCommit commit) {
                return commit.operations().stream()
                                .anyMatch(step -> step.path().equals("/job0/sharding") && step.data().length > 0)
                        ? CompletableFuture.failedFuture(new IllegalArgumentException("provoked by this test"))
                        : super.commit(session, commit);
            }
        });
        cluster.pass(A_WHILE);

        assertThat(loads(HUNDRED.subList(1, 100))).isEqualTo(Map.of("a@-@1", 99L));
    }

    @Test
    void aLeaderThatIsRefusedAgainAndAgainPlansWithoutTheNode() {
        int[] set = {0};
        startWith(
                "a@-@1",
                registry -> new ChangedRegistry(registry) {
                    @Override
                    public CompletionStage<CommitOutcome> commit(RegistrySession session, RegistryCommit commit) {
                        boolean guarded = carriesTheNode(commit);
                        set[0] += guarded ? 1 : 0;
                        return guarded
                                ? CompletableFuture.completedFuture(new CommitOutcome.Refused(
                                        CommitOutcome.Reason.WRONG_VERSION, JobTree.namespaceLoads()))
                                : super.commit(session, commit);
                    }
                },
                HUNDRED.subList(0, 2));
        cluster.pass(Duration.ofMinutes(1));

        assertThat(loads(HUNDRED.subList(0, 2))).isEqualTo(Map.of("a@-@1", 2L));
        assertThat(set[0]).as("while items wait for an owner").isEqualTo(6);

        set[0] = 0;
        start("b@-@1", HUNDRED.subList(0, 2));
        cluster.pass(Duration.ofMinutes(1));

        assertThat(loads(HUNDRED.subList(0, 2))).isEqualTo(Map.of("a@-@1", 1L, "b@-@1", 1L));
        assertThat(set[0]).as("for the sake of balance").isEqualTo(20);
    }

    @Test
    void anItemWhoseOwnerHasASuccessorIsWithoutAnOwnerUntilItIsPlanned() {
        boolean[] refuses = {false};
        int[] refused = {0};
        List<JobDefinition> jobs = HUNDRED.subList(0, 2);
        UnaryOperator<ElasticJobEngineBuilder> waits = settings -> settings.rebalanceDelay(Duration.ofMinutes(5));
        cluster.start(
                "a@-@1",
                engine -> jobs.forEach(job -> engine.register(job, context -> {})),
                waits,
                registry -> new ChangedRegistry(registry) {
                    @Override
                    public CompletionStage<CommitOutcome> commit(RegistrySession session, RegistryCommit commit) {
                        boolean guarded = refuses[0]
                                && commit.operations().stream()
                                        .anyMatch(step -> step.path().equals(JobTree.namespaceLoads())
                                                && !(step instanceof Operation.Set set
                                                        && set.version() == RegistryCommit.ANY_VERSION));
                        refused[0] += guarded ? 1 : 0;
                        return guarded
                                ? CompletableFuture.completedFuture(new CommitOutcome.Refused(
                                        CommitOutcome.Reason.WRONG_VERSION, JobTree.namespaceLoads()))
                                : super.commit(session, commit);
                    }
                });
        cluster.pass(A_WHILE);
        cluster.start("b@-@1", engine -> jobs.forEach(job -> engine.register(job, context -> {})), waits, same());
        cluster.pass(A_WHILE);
        cluster.stop("b@-@1");
        cluster.pass(A_WHILE);
        assertThat(loads(jobs)).as("b is awaited").isEqualTo(Map.of("a@-@1", 1L, "b@-@1", 1L));

        refuses[0] = true;
        cluster.start("b@-@77", engine -> jobs.forEach(job -> engine.register(job, context -> {})), waits, same());
        cluster.pass(Duration.ofMinutes(1));

        assertThat(loads(jobs)).isEqualTo(Map.of("a@-@1", 1L, "b@-@77", 1L));
        assertThat(refused[0]).isBetween(6, 12);
    }

    @Test
    void anInstanceThatIsAloneReadsNoOtherJobs() {
        List<RegistryRead> reads = new ArrayList<>();
        start("b@-@1", List.of(job("other").shardingTotalCount(3).build()));
        cluster.pass(A_WHILE);
        startWith(
                "a@-@1",
                registry -> new ChangedRegistry(registry) {
                    @Override
                    public CompletionStage<RegistryAnswer> read(List<RegistryRead> asked) {
                        reads.addAll(asked);
                        return super.read(asked);
                    }
                },
                List.of(job("one").build(), job("two").build()));
        cluster.pass(A_WHILE);

        assertThat(owners(List.of(job("one").build(), job("two").build())))
                .isEqualTo(Map.of("one", "a@-@1", "two", "a@-@1"));
        assertThat(reads)
                .contains(RegistryRead.data(JobTree.namespaceLoads()))
                .doesNotContain(RegistryRead.data("/other/sharding"));
        assertThat(cluster.read(JobTree.namespaceLoads()))
                .as("others notice its plans")
                .isPresent();
    }

    @Test
    void ownStrategiesGetLoadsIfTheyAskForThem() {
        List<ShardingStrategy.Request> asked = new ArrayList<>();
        List<ShardingStrategy.Request> unasked = new ArrayList<>();
        ShardingStrategy first = request -> Map.of(request.instances().get(0), List.of(0));
        ShardingStrategy own = needing(request -> {
            asked.add(request);
            return first.shard(request);
        });
        cluster.start(
                "a@-@1",
                engine -> {
                    engine.register(job("other").shardingTotalCount(3).build(), context -> {});
                    engine.register(job("asks").jobShardingStrategyClass("own").build(), context -> {});
                    engine.register(
                            job("does").jobShardingStrategyClass("plain").build(), context -> {});
                },
                settings -> settings.strategies(Map.of("own", own, "plain", request -> {
                    unasked.add(request);
                    return first.shard(request);
                })));
        cluster.pass(A_WHILE);
        cluster.get(cluster.engine("a@-@1").admin().reshard("asks"));
        cluster.get(cluster.engine("a@-@1").admin().reshard("does"));

        assertThat(asked.get(asked.size() - 1).loads()).isEqualTo(Map.of("a@-@1", 4L));
        assertThat(unasked).allSatisfy(request -> assertThat(request.loads()).isEmpty());
    }

    /** The item that weighs most goes to the instance that can carry most of those with a disk; the others stay where they are. */
    @Test
    void ownStrategiesGetLabelsWeightsCapacitiesAndPresentOwners() {
        List<ShardingStrategy.Request> asked = new ArrayList<>();
        ShardingStrategy own = request -> {
            asked.add(request);
            return withDisk(request);
        };
        JobDefinition job = job("orders")
                .shardingTotalCount(3)
                .weight(2)
                .itemWeights("1=6")
                .jobShardingStrategyClass("own")
                .build();
        startOwn(
                "a@-@1",
                job,
                own,
                settings -> settings.labels(Map.of("disk", "ssd")).capacity(9));
        cluster.pass(A_WHILE);
        asked.clear();

        startOwn(
                "b@-@1",
                job,
                own,
                settings -> settings.labels(Map.of("disk", "hdd", "zone", "b")).capacity(12));
        startOwn("c@-@1", job, own, settings -> settings.labels(Map.of("zone", "c")));
        cluster.pass(A_WHILE);

        ShardingStrategy.Request last = asked.get(asked.size() - 1);
        assertThat(asked.get(0).currentOwners()).isEqualTo(Map.of(0, "a@-@1", 1, "a@-@1", 2, "a@-@1"));
        assertThat(last.instances()).containsExactly("c@-@1", "b@-@1", "a@-@1");
        assertThat(last.labels())
                .isEqualTo(Map.of(
                        "a@-@1", Map.of("disk", "ssd"),
                        "b@-@1", Map.of("disk", "hdd", "zone", "b"),
                        "c@-@1", Map.of("zone", "c")));
        assertThat(last.capacities()).isEqualTo(Map.of("a@-@1", 9, "b@-@1", 12));
        assertThat(IntStream.range(0, 3).map(last::weight)).containsExactly(2, 6, 2);
        assertThat(cluster.get(cluster.inspector().job("orders")).orElseThrow().items())
                .extracting(item -> item.owner().orElse(""))
                .containsExactly("a@-@1", "b@-@1", "a@-@1");
    }

    private void startOwn(
            String instance, JobDefinition job, ShardingStrategy own, UnaryOperator<ElasticJobEngineBuilder> settings) {
        cluster.start(
                instance,
                engine -> engine.register(job, context -> {}),
                engine -> settings.apply(engine).strategies(Map.of("own", own)));
    }

    private static Map<String, List<Integer>> withDisk(ShardingStrategy.Request request) {
        String largest = request.instances().stream()
                .filter(instance -> request.label(instance, "disk").isPresent())
                .max(Comparator.comparingInt(
                        instance -> request.capacity(instance).orElse(Integer.MAX_VALUE)))
                .orElseThrow();
        return IntStream.range(0, request.shardingTotalCount())
                .boxed()
                .collect(Collectors.groupingBy(item -> request.weight(item) > 5
                        ? largest
                        : request.currentOwners().getOrDefault(item, largest)));
    }

    @Test
    void aPreviewCountsWhatTheInstancesHave() {
        start("a@-@1", List.of(job("full").shardingTotalCount(5).build(), HUNDRED.get(0)));
        cluster.pass(A_WHILE);
        RegistryNode before = cluster.read("/job0/sharding").orElseThrow();

        ReshardPreview preview = cluster.get(
                        cluster.inspector().preview("job0", WhatIf.nothing().more(1)))
                .orElseThrow();

        assertThat(preview.strategy()).isEqualTo("SPREAD");
        assertThat(preview.moved()).containsExactly(0);
        assertThat(cluster.read("/job0/sharding").orElseThrow().version()).isEqualTo(before.version());
    }

    @Test
    void weightsOfSingleItemsCountAndWhatIsNoWeightCountsAsOne() {
        JobDefinition heavy =
                job("heavy").shardingTotalCount(2).itemWeights("0=6,1=3").build();
        start("b@-@1", List.of(heavy));
        cluster.pass(A_WHILE);
        copied("heavy", "rubbish", "{\"weight\":\"much\",\"itemWeights\":\"0=-6,,1=x,y\"}");
        List<JobDefinition> jobs = HUNDRED.subList(0, 10);
        start("a@-@1", jobs);
        cluster.pass(A_WHILE);
        jobs.forEach(job -> cluster.engine("b@-@1").register(job, context -> {}));
        cluster.pass(A_WHILE);

        assertThat(loads(jobs)).as("b has 6 + 3 + 1 + 1 already").isEqualTo(Map.of("a@-@1", 10L));
    }

    @Test
    void aJobWhosePlanIsLargerThanAnAnswerMayBeCountsNothing() {
        List<List<RegistryRead>> refused = new ArrayList<>();
        copied("none", "big", "");
        startWith("a@-@1", registry -> new ChangedRegistry(registry) {
            @Override
            public CompletionStage<RegistryAnswer> read(List<RegistryRead> asked) {
                if (asked.contains(RegistryRead.data("/big/sharding"))) {
                    refused.add(asked);
                    return CompletableFuture.failedFuture(new IllegalArgumentException("too large, says this test"));
                }
                return super.read(asked);
            }
        });
        cluster.pass(A_WHILE);
        start("b@-@1", HUNDRED);
        cluster.pass(A_WHILE);

        assertThat(loads(HUNDRED)).isEqualTo(Map.of("a@-@1", 50L, "b@-@1", 50L));
        assertThat(refused).as("half of it each time").hasSizeBetween(1, 9);
    }

    @Test
    void whatIsLeftOfAJobWithoutInstancesCountsNothing() {
        start("b@-@1", List.of(job("full").shardingTotalCount(20).build()));
        cluster.pass(A_WHILE);
        byte[] plan = cluster.read("/full/sharding").orElseThrow().data();
        cluster.commit(RegistryCommit.builder().create("/left").create("/left/sharding", plan));
        cluster.stop("b@-@1");
        cluster.pass(A_WHILE);

        start("a@-@1", HUNDRED.subList(0, 6));
        start("b@-@1", HUNDRED.subList(0, 6));
        cluster.pass(A_WHILE);

        assertThat(loads(HUNDRED.subList(0, 6))).isEqualTo(Map.of("a@-@1", 3L, "b@-@1", 3L));
    }

    @Test
    void aStrategyThatHangsIsWaitedForOnceForAllJobs() {
        List<JobDefinition> own = IntStream.range(0, 10)
                .mapToObj(number ->
                        job("own" + number).jobShardingStrategyClass("hangs").build())
                .toList();
        List<JobDefinition> builtIn = HUNDRED.subList(0, 10);
        startWithHangingStrategies(
                "a@-@1", Stream.concat(own.stream(), builtIn.stream()).toList());

        cluster.pass(Duration.ofSeconds(8));

        assertThat(loads(builtIn)).isEqualTo(Map.of("a@-@1", 10L));
        assertThat(loads(own)).isEqualTo(Map.of("a@-@1", 10L));
    }

    @Test
    void aJobThatWaitsForItsTurnMayBePausedAndMayLeave() {
        List<JobDefinition> jobs = IntStream.range(0, 4)
                .mapToObj(number -> job("own" + number)
                        .jobShardingStrategyClass("hangs" + number)
                        .build())
                .toList();
        startWithHangingStrategies("a@-@1", jobs);
        cluster.pass(Duration.ofSeconds(1));

        CompletionStage<Void> first = cluster.engine("a@-@1").unregister("own0");
        CompletionStage<Void> last = cluster.engine("a@-@1").unregister("own3");
        cluster.pass(Duration.ofSeconds(1));
        cluster.get(cluster.engine("a@-@1").admin().pause("own2"));
        cluster.pass(Duration.ofSeconds(3));

        assertThat(first.toCompletableFuture()).isCompleted();
        assertThat(last.toCompletableFuture()).isCompleted();
        assertThat(NodeCodec.readAssignment(
                                "/own2/sharding",
                                cluster.read("/own2/sharding").orElseThrow().data())
                        .owners())
                .as("its pause is applied")
                .isEmpty();
    }

    @Test
    void theVersionAndTheLoadsAreReadInOneSession() {
        List<Long> begun = new ArrayList<>();
        List<Long> read = new ArrayList<>();
        List<List<Long>> planned = new ArrayList<>();
        List<JobDefinition> jobs = List.of(
                job("job0").jobShardingStrategyClass("own").build(),
                job("job1").jobShardingStrategyClass("own").build());
        cluster.start(
                "a@-@1",
                engine -> jobs.forEach(job -> engine.register(job, context -> {})),
                settings -> settings.strategies(Map.of(
                        "own", needing(request -> Map.of(request.instances().get(0), List.of(0))))),
                registry -> new ChangedRegistry(registry) {
                    @Override
                    public CompletionStage<RegistryAnswer> read(List<RegistryRead> asked) {
                        if (asked.contains(RegistryRead.data(JobTree.namespaceLoads()))) {
                            begun.add(session().orElseThrow().id());
                        } else if (asked.contains(RegistryRead.data("/job0/sharding"))
                                && asked.contains(RegistryRead.data("/job1/sharding"))) {
                            return loadsRead(asked);
                        }
                        return super.read(asked);
                    }

                    private CompletionStage<RegistryAnswer> loadsRead(List<RegistryRead> asked) {
                        CompletableFuture<Void> then = new CompletableFuture<>();
                        if (read.isEmpty()) {
                            cluster.expire("a@-@1");
                            cluster.timer().after(Duration.ofSeconds(1), () -> then.complete(null));
                        } else {
                            then.complete(null);
                        }
                        return then.thenCompose(waited -> {
                            read.add(session().orElseThrow().id());
                            return super.read(asked);
                        });
                    }

                    @Override
                    protected RegistryCommit sent(RegistryCommit commit) {
                        if (carriesTheNode(commit)) {
                            planned.add(List.of(begun.get(begun.size() - 1), read.get(read.size() - 1)));
                        }
                        return commit;
                    }
                });
        cluster.pass(A_WHILE);

        assertThat(loads(jobs)).isEqualTo(Map.of("a@-@1", 2L));
        assertThat(planned)
                .isNotEmpty()
                .allSatisfy(sessions -> assertThat(sessions.get(0)).isEqualTo(sessions.get(1)));
    }

    @Test
    void aDenialIsForgottenAfterAWhile() {
        boolean[] denied = {true};
        startWith(
                "a@-@1",
                registry -> denies(registry, path -> denied[0] && path.equals(JobTree.namespaceLoads())),
                HUNDRED.subList(0, 2));
        cluster.pass(A_WHILE);
        denied[0] = false;
        cluster.pass(Duration.ofMinutes(11));

        start("b@-@1", HUNDRED.subList(0, 2));
        cluster.pass(A_WHILE);

        assertThat(cluster.read(JobTree.namespaceLoads())).isPresent();
    }

    @Test
    void whoWasRefusedLongAgoPlansWithTheGuard() {
        int[] refused = {0};
        startWith(
                "a@-@1",
                registry -> new ChangedRegistry(registry) {
                    @Override
                    public CompletionStage<CommitOutcome> commit(RegistrySession session, RegistryCommit commit) {
                        if (carriesTheNode(commit) && refused[0] < 6) {
                            if (++refused[0] == 6) {
                                cluster.engine("a@-@1").unregister("job0");
                            }
                            return CompletableFuture.completedFuture(new CommitOutcome.Refused(
                                    CommitOutcome.Reason.WRONG_VERSION, JobTree.namespaceLoads()));
                        }
                        return super.commit(session, commit);
                    }
                },
                HUNDRED.subList(0, 1));
        cluster.pass(Duration.ofMinutes(2));

        cluster.engine("a@-@1").register(HUNDRED.get(1), context -> {});
        cluster.pass(A_WHILE);

        assertThat(refused[0]).isEqualTo(6);
        assertThat(loads(HUNDRED.subList(1, 2))).isEqualTo(Map.of("a@-@1", 1L));
        assertThat(cluster.read(JobTree.namespaceLoads())).isPresent();
    }

    @Test
    void aPlanThatGoesWithoutTheGuardRefusesThoseThatWereMadeFromItsLoads() {
        start("b@-@1", HUNDRED.subList(0, 1));
        cluster.pass(A_WHILE);
        cluster.stop("b@-@1");
        cluster.pass(A_WHILE);
        int before = cluster.read(JobTree.namespaceLoads()).orElseThrow().version();
        startWith(
                "a@-@1",
                registry -> new ChangedRegistry(registry) {
                    @Override
                    public CompletionStage<CommitOutcome> commit(RegistrySession session, RegistryCommit commit) {
                        boolean guarded = commit.operations().stream()
                                .anyMatch(step -> step instanceof Operation.Set set
                                        && set.path().equals(JobTree.namespaceLoads())
                                        && set.version() != RegistryCommit.ANY_VERSION);
                        return guarded
                                ? CompletableFuture.completedFuture(new CommitOutcome.Refused(
                                        CommitOutcome.Reason.WRONG_VERSION, JobTree.namespaceLoads()))
                                : super.commit(session, commit);
                    }
                },
                HUNDRED.subList(0, 1));
        cluster.pass(Duration.ofMinutes(1));

        assertThat(loads(HUNDRED.subList(0, 1))).isEqualTo(Map.of("a@-@1", 1L));
        assertThat(cluster.read(JobTree.namespaceLoads()).orElseThrow().version())
                .isEqualTo(before + 1);
    }

    @Test
    void anotherLeadersPlanRefusesOnePlanOfATurnAndTheJobsAreNotReadAgain() {
        int[] others = {0};
        boolean[] begins = {false};
        List<Integer> refused = new ArrayList<>();
        startWith("a@-@1", registry -> new ChangedRegistry(registry) {
            @Override
            public CompletionStage<RegistryAnswer> read(List<RegistryRead> asked) {
                begins[0] |= asked.contains(RegistryRead.data(JobTree.namespaceLoads()));
                return super.read(asked);
            }

            @Override
            public CompletionStage<CommitOutcome> commit(RegistrySession session, RegistryCommit commit) {
                CompletionStage<?> before = CompletableFuture.completedFuture(null);
                if (carriesTheNode(commit) && begins[0] && --others[0] >= 0) {
                    begins[0] = false;
                    before = cluster.operator()
                            .commit(RegistryCommit.builder()
                                    .set(JobTree.namespaceLoads(), "", RegistryCommit.ANY_VERSION)
                                    .build());
                }
                return before.thenCompose(planned -> super.commit(session, commit))
                        .thenApply(outcome -> {
                            if (carriesTheNode(commit) && !outcome.isCommitted()) {
                                refused.add((int) commit.operations().stream()
                                        .filter(step -> step instanceof Operation.Set
                                                && step.path().endsWith("/sharding"))
                                        .count());
                            }
                            return outcome;
                        });
            }
        });
        cluster.pass(A_WHILE);
        refused.clear();
        others[0] = 10;
        start("b@-@1", HUNDRED);
        cluster.pass(A_WHILE);

        assertThat(loads(HUNDRED)).isEqualTo(Map.of("a@-@1", 50L, "b@-@1", 50L));
        assertThat(others[0]).as("others' plans").isNegative();
        assertThat(refused)
                .as("plans of each transaction that was refused")
                .isNotEmpty()
                .containsOnly(1)
                .hasSizeLessThanOrEqualTo(20);
    }

    @Test
    void aPreviewWithoutAccessToOtherJobsCountsNoLoads() {
        start("a@-@1", List.of(job("full").shardingTotalCount(5).build(), HUNDRED.get(0)));
        cluster.pass(A_WHILE);
        JobInspector inspector = new RegistryJobInspector(
                denies(cluster.operator(), JobTree.NAMESPACE::equals),
                cluster.clock(),
                cluster.timer(),
                cluster::now,
                TreeMap::new);

        ReshardPreview preview =
                cluster.get(inspector.preview("job0", WhatIf.nothing().more(1))).orElseThrow();

        assertThat(preview.moved()).as("nobody has anything else").isEmpty();
    }

    // ------------------------------------------------------------------ jobs and instances

    private static JobDefinition.Builder job(String name) {
        return JobDefinition.builder(name).cron("0 0 0 1 1 ?").shardingTotalCount(1);
    }

    private static JobDefinition.Builder spread(String name) {
        return job(name).jobShardingStrategyClass("SPREAD");
    }

    private static <T> UnaryOperator<T> same() {
        return UnaryOperator.identity();
    }

    private void start(String instance, List<JobDefinition> jobs) {
        startWith(instance, same(), jobs);
    }

    private void startWith(String instance, UnaryOperator<Registry> changed) {
        startWith(instance, changed, HUNDRED);
    }

    private void startWith(String instance, UnaryOperator<Registry> changed, List<JobDefinition> jobs) {
        cluster.start(instance, engine -> jobs.forEach(job -> engine.register(job, context -> {})), same(), changed);
    }

    private static boolean carriesTheNode(RegistryCommit commit) {
        return commit.operations().stream().anyMatch(step -> step.path().equals(JobTree.namespaceLoads()));
    }

    /** That strategy, which asks for the loads. */
    private static ShardingStrategy needing(ShardingStrategy strategy) {
        return new ShardingStrategy() {
            @Override
            public Map<String, List<Integer>> shard(Request request) {
                return strategy.shard(request);
            }

            @Override
            public boolean needsLoads() {
                return true;
            }
        };
    }

    /** Leaves a job of that plan, as if b ran it. */
    private void copied(String job, String copy, String extension) {
        byte[] plan =
                cluster.read("/" + job + "/sharding").map(RegistryNode::data).orElse(new byte[0]);
        cluster.commit(RegistryCommit.builder()
                .create("/" + copy)
                .create("/" + copy + "/instances")
                .create("/" + copy + "/instances/b@-@1")
                .create("/" + copy + "/sharding", plan)
                .create("/" + copy + "/extension", extension));
    }

    /** Strategies that ask for loads and never return, because no worker comes to them. */
    private void startWithHangingStrategies(String instance, List<JobDefinition> jobs) {
        ShardingStrategy hangs = needing(request -> {
            throw new IllegalStateException("no worker runs it");
        });
        Map<String, ShardingStrategy> strategies = jobs.stream()
                .map(JobDefinition::jobShardingStrategyClass)
                .filter(name -> name.startsWith("hangs"))
                .distinct()
                .collect(Collectors.toMap(name -> name, name -> hangs));
        cluster.start(
                instance,
                engine -> jobs.forEach(job -> engine.register(job, context -> {})),
                settings -> settings.strategies(strategies).workers(task -> {}));
    }

    /** Of jobs of one item. */
    private Map<String, String> owners(List<JobDefinition> jobs) {
        return jobs.stream()
                .collect(Collectors.toMap(
                        JobDefinition::jobName,
                        job -> loads(List.of(job)).keySet().iterator().next()));
    }

    private Map<String, Long> loads(List<JobDefinition> jobs) {
        return jobs.stream()
                .map(job -> new JobTree(job.jobName()).sharding())
                .flatMap(path ->
                        NodeCodec.readAssignment(
                                path, cluster.read(path).orElseThrow().data())
                                .owners()
                                .values()
                                .stream())
                .collect(Collectors.groupingBy(owner -> owner, Collectors.counting()));
    }

    // ------------------------------------------------------------------ permissions

    private static Registry denies(Registry registry, Predicate<String> paths) {
        return new ChangedRegistry(registry) {
            @Override
            public CompletionStage<RegistryAnswer> read(List<RegistryRead> reads) {
                return reads.stream()
                        .map(RegistryRead::path)
                        .filter(paths)
                        .findFirst()
                        .<CompletionStage<RegistryAnswer>>map(SpreadTest::denied)
                        .orElseGet(() -> super.read(reads));
            }
        };
    }

    private static Registry deniesWriting(Registry registry, Predicate<String> paths) {
        return new ChangedRegistry(registry) {
            @Override
            public CompletionStage<CommitOutcome> commit(RegistrySession session, RegistryCommit commit) {
                return commit.operations().stream()
                        .map(RegistryCommit.Operation::path)
                        .filter(paths)
                        .findFirst()
                        .<CompletionStage<CommitOutcome>>map(SpreadTest::denied)
                        .orElseGet(() -> super.commit(session, commit));
            }
        };
    }

    private static <T> CompletionStage<T> denied(String path) {
        return CompletableFuture.failedFuture(
                new RegistryAccessDeniedException("/shop" + path, "denied", new IllegalStateException()));
    }
}
