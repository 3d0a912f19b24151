package dev.elasticjob.engine;

import static org.assertj.core.api.Assertions.assertThat;

import dev.elasticjob.admin.RegistryJobAdmin;
import dev.elasticjob.admin.command.RunRequest;
import dev.elasticjob.coordination.state.NodeCodec;
import dev.elasticjob.definition.AfterSettings;
import dev.elasticjob.definition.JobDefinition;
import dev.elasticjob.job.ShardingContext;
import dev.elasticjob.job.after.AfterOutcome;
import dev.elasticjob.job.event.JobEvent;
import dev.elasticjob.registry.JobTree;
import dev.elasticjob.registry.RegistryCommit;
import dev.elasticjob.registry.RegistryRead;
import java.time.Duration;
import java.time.Instant;
import java.time.ZoneOffset;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.SortedMap;
import java.util.TreeMap;
import java.util.function.Consumer;
import java.util.function.UnaryOperator;
import java.util.stream.Collectors;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** A job that runs after others: how it registers with them, and how it runs for the firings that they have ended. */
class FollowerTest {
    private static final JobTree REPORT = new JobTree("report");
    private static final JobDefinition IMPORT = JobDefinition.builder("import")
            .cron("0 0 3 * * ?")
            .timeZone(ZoneOffset.UTC)
            .build();
    private static final Instant FIRING = Instant.parse("2026-03-01T03:00:00Z");

    private static final String OPENED = ",\"opened\":true";

    private final SimulatedCluster cluster = new SimulatedCluster(7);
    private final List<String> runs = new ArrayList<>();
    private final List<String> runIds = new ArrayList<>();
    private final List<String> ends = new ArrayList<>();
    private Consumer<ShardingContext> work = context -> {};

    // ------------------------------------------------------------------ registration

    @Test
    void itIsListedByTheJobsThatItRunsAfterAndTheirPlansNameIt() {
        start(IMPORT, "a@-@1");
        start(report("import"), "b@-@1");

        assertThat(followersInPlan("import")).containsExactly("report");
        assertThat(followersInPlan("report")).isEmpty();
    }

    @Test
    void aJobThatIsNotThereYetIsFollowedAsSoonAsItIs() {
        start(report("import", "prices"), "b@-@1");
        start(IMPORT, "a@-@1");

        assertThat(followersInPlan("import")).containsExactly("report");

        startAs(IMPORT, "prices", "c@-@1");

        assertThat(followersInPlan("prices")).containsExactly("report");
    }

    @Test
    void aJobThatIsRemovedAndComesBackIsFollowedAgain() {
        start(IMPORT, "a@-@1");
        start(report("import"), "b@-@1");
        var removal = new RegistryJobAdmin(cluster.operator()).remove("import");
        cluster.stop("a@-@1");
        cluster.pass(Duration.ofSeconds(40));
        cluster.get(removal);

        start(IMPORT, "a@-@2");

        assertThat(followersInPlan("import")).containsExactly("report");
    }

    @Test
    void aParentThatIsNotThereOrIsNotRecordedIsReportedOnceForEachReason() {
        start(report("import"), "b@-@1");
        assertThat(notFollowed()).hasSize(1);
        assertThat(problem()).hasValueSatisfying(text -> assertThat(text).contains("no such job"));

        start(IMPORT, "a@-@1");
        assertThat(problem()).isEmpty();
        cluster.get(new RegistryJobAdmin(cluster.operator())
                .redefine(
                        "import",
                        definition ->
                                definition.toBuilder().monitorExecution(false).build()));
        cluster.pass(Duration.ofSeconds(5));
        assertThat(notFollowed()).hasSize(2).last().asString().contains("monitorExecution");

        var removal = new RegistryJobAdmin(cluster.operator()).remove("import");
        cluster.stop("a@-@1");
        cluster.pass(Duration.ofSeconds(40));
        cluster.get(removal);

        assertThat(notFollowed()).hasSize(3).last().asString().contains("no such job");
    }

    @Test
    void theNextLeaderDoesNotReportItAgain() {
        start(report("import"), "b@-@1", "c@-@1", "d@-@1");
        assertThat(notFollowed()).hasSize(1);

        stopTheLeader();
        assertThat(notFollowed()).hasSize(1);

        start(IMPORT, "a@-@1");
        var removal = new RegistryJobAdmin(cluster.operator()).remove("import");
        cluster.stop("a@-@1");
        cluster.pass(Duration.ofSeconds(40));
        cluster.get(removal);
        assertThat(notFollowed()).hasSize(2);

        stopTheLeader();
        assertThat(notFollowed()).hasSize(2);
    }

    @Test
    void theNextLeaderDoesNotReportACircleAgain() {
        start(JobDefinition.builder("import").after(AfterSettings.of("report")).build(), "a@-@1");
        start(report("import"), "b@-@1", "c@-@1");
        assertThat(notFollowed()).hasSize(2).last().asString().contains("cycle");

        stopTheLeader();

        assertThat(notFollowed()).hasSize(2);
    }

    @ParameterizedTest
    @ValueSource(ints = {63, 64})
    void aParentHasAtMost64Followers(int others) {
        start(IMPORT, "a@-@1");
        JobTree parent = new JobTree("import");
        RegistryCommit.Builder followers = RegistryCommit.builder().create(parent.followers());
        for (int i = 0; i < others; i++) {
            followers.create(parent.follower("other-" + i));
        }
        cluster.commit(followers);

        start(report("import"), "b@-@1");

        boolean follows = others < 64;
        assertThat(cluster.read(parent.follower("report")).isPresent()).isEqualTo(follows);
        assertThat(notFollowed())
                .hasSize(follows ? 0 : 1)
                .allSatisfy(event ->
                        assertThat(event.toString()).contains("at most 64 jobs may run after it, and 64 do already"));
        assertThat(problem().isPresent()).isNotEqualTo(follows);
    }

    private void stopTheLeader() {
        cluster.stop(cluster.read(REPORT.leader()).orElseThrow().text());
        cluster.pass(Duration.ofSeconds(10));
    }

    /** As the endpoint shows it. */
    private Optional<String> problem() {
        return cluster.get(cluster.inspector().job("report")).orElseThrow().problem();
    }

    private List<JobEvent> notFollowed() {
        return cluster.events().stream()
                .filter(JobEvent.ParentNotFollowed.class::isInstance)
                .toList();
    }

    @Test
    void aDefinitionThatNamesOtherJobsMovesIt() {
        start(IMPORT, "a@-@1");
        startAs(IMPORT, "prices", "c@-@1");
        start(report("import"), "b@-@1");

        redefine(definition ->
                definition.toBuilder().after(AfterSettings.of("prices")).build());

        assertThat(followersInPlan("import")).isEmpty();
        assertThat(followersInPlan("prices")).containsExactly("report");

        redefine(definition -> definition.toBuilder().after(AfterSettings.NONE).build());

        assertThat(followersInPlan("prices")).isEmpty();
    }

    @ParameterizedTest
    @ValueSource(longs = {1, 2, 3, 4, 5, 6, 7, 8, 9, 10, 11, 12})
    void jobsThatWouldFollowEachOtherInACircleDoNot(long seed) {
        SimulatedCluster all = new SimulatedCluster(seed);
        List<String> names = List.of("one", "two", "three");
        for (int i = 0; i < 3; i++) {
            String name = names.get(i);
            all.start(
                    name + "@-@1",
                    JobDefinition.builder(name)
                            .after(AfterSettings.of(names.get((i + 1) % 3)))
                            .build());
        }
        all.pass(Duration.ofSeconds(10));

        List<String> edges = names.stream()
                .flatMap(name -> followersInPlan(all, name).stream().map(follower -> follower + " after " + name))
                .toList();
        assertThat(edges).hasSize(2);
        assertThat(all.events())
                .filteredOn(JobEvent.ParentNotFollowed.class::isInstance)
                .hasSize(1);
    }

    @Test
    void aCircleThatIsOpenedElsewhereIsNoLongerRefused() {
        start(JobDefinition.builder("import").after(AfterSettings.of("report")).build(), "a@-@1");
        start(report("import"), "b@-@1");
        assertThat(followersInPlan("import")).isEmpty();

        cluster.get(new RegistryJobAdmin(cluster.operator())
                .redefine(
                        "import",
                        definition ->
                                definition.toBuilder().after(AfterSettings.NONE).build()));
        cluster.stop("b@-@1");
        cluster.pass(Duration.ofSeconds(20));
        start(report("import"), "b@-@2");

        assertThat(followersInPlan("import")).containsExactly("report");
    }

    // ------------------------------------------------------------------ runs

    @Test
    void itRunsOnceForEachEndedFiringOneAfterTheOther() {
        start(report("import"), "b@-@1", "c@-@1");

        ended("import", FIRING, true);
        ended("import", FIRING.plusSeconds(60), true);
        ended("import", FIRING.plusSeconds(120), true);
        cluster.pass(Duration.ofSeconds(10));

        assertThat(runs)
                .containsExactlyInAnyOrder(
                        "0 after [import 03:00]",
                        "1 after [import 03:00]",
                        "0 after [import 03:01]",
                        "1 after [import 03:01]",
                        "0 after [import 03:02]",
                        "1 after [import 03:02]");
        assertThat(children(REPORT.after())).isEmpty();
    }

    /** The transaction that opens a firing has room for some of its items only; the others are claimed after it. */
    @Test
    void itRunsOnceForAFiringWhoseClaimTakesSeveralTransactions() {
        SortedMap<Long, Integer> itemsByClaim = new TreeMap<>();
        work = context -> {
            if (context.getJobName().equals("import")) {
                itemsByClaim.merge(context.getFencingToken(), 1, Integer::sum);
            }
        };
        JobDefinition wide = JobDefinition.builder("import")
                .cron("0 0 3 * * ?")
                .timeZone(ZoneOffset.UTC)
                .shardingTotalCount(1_000)
                .build();
        start(wide, "a".repeat(240) + "@-@1");
        start(report("import"), "b@-@1");

        cluster.pass(Duration.between(cluster.now(), FIRING).plusSeconds(30));

        assertThat(itemsByClaim).hasSizeGreaterThan(1);
        assertThat(itemsByClaim.values().stream().mapToInt(count -> count).sum())
                .isEqualTo(1_000);
        assertThat(runs)
                .filteredOn(run -> run.contains("after"))
                .containsExactlyInAnyOrder("0 after [import 03:00]", "1 after [import 03:00]");
    }

    @Test
    void theNextRunWaitsForTheLastItemOfTheFormerOne() {
        start(report("import"), "b@-@1");
        cluster.holdItems();
        ended("import", FIRING, true);
        ended("import", FIRING.plusSeconds(60), true);
        cluster.pass(Duration.ofSeconds(10));

        assertThat(children(REPORT.after())).hasSize(1);

        cluster.letItemsBegin();
        cluster.pass(Duration.ofSeconds(10));

        assertThat(runs).hasSize(4);
    }

    @Test
    void anEndOfAnotherKindMakesItRunNot() {
        start(report("import"), "b@-@1");

        ended("import", FIRING, false);
        cluster.pass(Duration.ofSeconds(10));

        assertThat(runs).isEmpty();
        assertThat(children(REPORT.after())).isEmpty();
    }

    @Test
    void itRunsAfterFailuresIfItSaysSo() {
        JobDefinition onFailure = report("import").toBuilder()
                .after(new AfterSettings(List.of("import"), AfterOutcome.FAILURE, Duration.ofHours(1)))
                .build();
        start(onFailure, "b@-@1");

        ended("import", FIRING, false);
        cluster.pass(Duration.ofSeconds(10));

        assertThat(runs).hasSize(2);
    }

    @Test
    void aRunOfSeveralWaitsForAllOfThemUntilTheWindowIsOver() {
        JobDefinition joining = report("import").toBuilder()
                .after(new AfterSettings(List.of("import", "prices"), AfterOutcome.SUCCESS, Duration.ofHours(1)))
                .build();
        start(joining, "b@-@1");
        ended("import", FIRING, true);
        ended("import", FIRING.plusSeconds(60), true);
        cluster.pass(Duration.ofMinutes(59));
        assertThat(runs).isEmpty();

        cluster.commit(RegistryCommit.builder()
                .set(
                        REPORT.after(id(FIRING)),
                        "{\"after\":[%s,%s]}".formatted(parent("import", FIRING, true), parent("prices", FIRING, true)),
                        0));
        cluster.pass(Duration.ofSeconds(10));

        assertThat(runs)
                .containsExactlyInAnyOrder(
                        "0 after [import 03:00, prices 03:00]", "1 after [import 03:00, prices 03:00]");

        cluster.pass(Duration.ofMinutes(2));

        assertThat(cluster.events())
                .filteredOn(JobEvent.FollowUpDropped.class::isInstance)
                .singleElement()
                .isEqualTo(new JobEvent.FollowUpDropped(
                        "report",
                        List.of("import"),
                        id(FIRING.plusSeconds(60)),
                        "[prices] had not ended the same firing when the window of the others was over"));
    }

    @Test
    void aManualRunGoesFirstAndSharesNoExecution() {
        start(report("import"), "b@-@1");
        cluster.holdItems();
        var admin = new RegistryJobAdmin(cluster.operator());
        cluster.get(admin.trigger("report", RunRequest.withParameter("first")));
        cluster.pass(Duration.ofSeconds(1));
        cluster.get(admin.trigger("report", RunRequest.withParameter("second")));
        ended("import", FIRING, true);
        cluster.pass(Duration.ofSeconds(1));

        cluster.letItemsBegin();
        cluster.pass(Duration.ofSeconds(10));

        assertThat(runs)
                .filteredOn(run -> run.startsWith("0"))
                .containsExactly("0 first", "0 second", "0 after [import 03:00]");
    }

    @Test
    void whileNoInstanceOwnsItemsItWaits() {
        start(report("import"), "b@-@1");
        var admin = new RegistryJobAdmin(cluster.operator());
        cluster.get(admin.disableServer("report", "10.0.0.1"));
        cluster.pass(Duration.ofSeconds(1));
        ended("import", FIRING, true);
        cluster.pass(Duration.ofMinutes(10));
        assertThat(runs).isEmpty();

        cluster.get(admin.enableServer("report", "10.0.0.1"));
        cluster.pass(Duration.ofSeconds(10));

        assertThat(runs).hasSize(2);
    }

    @Test
    void withAllItemsDisabledThereIsNoRunButAnEvent() {
        start(report("import").toBuilder().shardingTotalCount(1).build(), "b@-@1");
        var admin = new RegistryJobAdmin(cluster.operator());
        cluster.get(admin.disableItem("report", 0));

        ended("import", FIRING, true);
        cluster.pass(Duration.ofSeconds(10));
        cluster.get(admin.enableItem("report", 0));
        ended("import", FIRING.plusSeconds(60), true);
        cluster.pass(Duration.ofSeconds(10));

        assertThat(runs).containsExactly("0 after [import 03:01]");
        assertThat(cluster.events())
                .filteredOn(JobEvent.FollowUpDropped.class::isInstance)
                .hasSize(1);
    }

    @Test
    void theNextLeaderGoesOn() {
        start(report("import").toBuilder().failover(true).build(), "b@-@1");
        start(report("import").toBuilder().failover(true).build(), "c@-@1");
        work = context -> {
            if (context.getAttempt() == 1 && runs.size() <= 2) {
                cluster.expire("b@-@1");
                cluster.pass(Duration.ofSeconds(30));
            }
        };

        ended("import", FIRING, true);
        ended("import", FIRING.plusSeconds(60), true);
        cluster.pass(Duration.ofSeconds(60));

        assertThat(runs.stream().distinct()).hasSize(4);
        assertThat(children(REPORT.after())).isEmpty();
    }

    /** A leader that died between two parts of a large request: the next one asks for the rest. */
    @Test
    void aRequestThatBrokeOffGoesOnAndComesBeforeAllOthers() {
        start(report("import"), "b@-@1");
        cluster.stop("b@-@1");
        cluster.pass(Duration.ofSeconds(40));
        String run = "after-" + id(FIRING.plusSeconds(60));
        cluster.commit(RegistryCommit.builder()
                .create(REPORT.after(id(FIRING)), "{\"after\":[%s]}".formatted(parent("import", FIRING, true)))
                .create(
                        REPORT.after(id(FIRING.plusSeconds(60))),
                        "{\"after\":[%s]}".formatted(parent("import", FIRING.plusSeconds(60), true)))
                .set(
                        REPORT.after(),
                        "{\"parents\":[\"import\"],\"definition\":0,\"last\":\"%s\"}".formatted(run),
                        RegistryCommit.ANY_VERSION)
                .set(
                        REPORT.item(0),
                        "{\"scheduledAt\":\"%s\",\"state\":\"COMPLETED\",\"runId\":\"%s\"}".formatted(FIRING, run),
                        RegistryCommit.ANY_VERSION));

        start(report("import"), "b@-@2");
        cluster.pass(Duration.ofSeconds(10));

        assertThat(runs)
                .startsWith("1 after [import 03:01]")
                .containsExactlyInAnyOrder(
                        "1 after [import 03:01]", "0 after [import 03:00]", "1 after [import 03:00]");
    }

    // ------------------------------------------------------------------ whole chains

    @Test
    void aChainRunsForTheScheduledTimeWithWhichItBegan() {
        start(IMPORT.toBuilder().shardingTotalCount(3).build(), "a@-@1");
        start(follower("fan-out", 2, "import"), "a@-@2", "b@-@2");
        start(follower("report", 1, "fan-out"), "b@-@1");
        start(follower("audit", 1, "import", "fan-out"), "c@-@1");

        cluster.pass(Duration.ofHours(50));

        assertThat(runs)
                .filteredOn(run -> run.contains("after"))
                .containsExactlyInAnyOrder(
                        "0 after [import 03:00]",
                        "1 after [import 03:00]",
                        "0 after [fan-out 03:00]",
                        "0 after [import 03:00, fan-out 03:00]",
                        "0 after [import 03:00]",
                        "1 after [import 03:00]",
                        "0 after [fan-out 03:00]",
                        "0 after [import 03:00, fan-out 03:00]");
    }

    @Test
    void aManualRunOfTheParentIsFollowedToo() {
        start(IMPORT, "a@-@1");
        start(follower("fan-out", 2, "import"), "b@-@1");
        start(report("fan-out"), "c@-@1");

        cluster.get(new RegistryJobAdmin(cluster.operator()).run("import", new RunRequest("now", "")));
        cluster.pass(Duration.ofSeconds(20));

        assertThat(runIds)
                .containsExactlyInAnyOrder("now", "after-run-now", "after-run-now", "after-run-now", "after-run-now");
    }

    @Test
    void aFailureOfOneItemIsAFailure() {
        start(IMPORT.toBuilder().shardingTotalCount(3).build(), "a@-@1");
        start(follower("fan-out", 1, "import"), "b@-@1");
        JobDefinition onFailure = follower("report", 1, "import").toBuilder()
                .after(new AfterSettings(List.of("import"), AfterOutcome.FAILURE, Duration.ofHours(1)))
                .build();
        start(onFailure, "c@-@1");
        work = context -> {
            if (context.getJobName().equals("import") && context.getShardingItem() == 1) {
                throw new IllegalStateException("item 1 fails");
            }
            context.getParents().forEach(parent -> ends.add(parent.ends()));
        };

        cluster.pass(Duration.ofHours(4));

        assertThat(ends).containsExactly("COMPLETED 0,2; FAILED 1");
        assertThat(runs).filteredOn(run -> run.contains("after")).hasSize(1);
    }

    /**
     * Failover is off when the firing ends, and on when the item could be taken over.
     *
     * @param early the item was claimed before the firing was opened, by an instance whose clock is ahead, or before the
     *     job had a follower
     */
    @ParameterizedTest
    @ValueSource(booleans = {false, true})
    void whatWasToldAsInterruptedIsNotRunAfterwards(boolean early) {
        JobDefinition twoItems =
                IMPORT.toBuilder().shardingTotalCount(2).failover(false).build();
        start(twoItems, "a@-@1", "a@-@2");
        start(
                follower("fan-out", 1, "import").toBuilder()
                        .after(new AfterSettings(List.of("import"), AfterOutcome.ANY, Duration.ofHours(1)))
                        .build(),
                "b@-@1");
        work = context -> {
            context.getParents().forEach(parent -> ends.add(parent.ends()));
            if (context.getJobName().equals("import") && context.getShardingItem() == 1) {
                String record = new JobTree("import").item(1);
                String claimed = cluster.read(record).orElseThrow().text();
                assertThat(claimed).contains(OPENED);
                if (early) {
                    cluster.commit(RegistryCommit.builder()
                            .set(record, claimed.replace(OPENED, ""), RegistryCommit.ANY_VERSION));
                }
                cluster.expire(context.getTaskId().substring(context.getTaskId().indexOf("a@-@")));
                cluster.pass(Duration.ofSeconds(30));
                cluster.get(new RegistryJobAdmin(cluster.operator())
                        .redefine(
                                "import",
                                definition ->
                                        definition.toBuilder().failover(true).build()));
                cluster.pass(Duration.ofMinutes(10));
            }
        };

        cluster.pass(Duration.ofHours(4));

        assertThat(ends).containsExactly("COMPLETED 0; INTERRUPTED 1");
        assertThat(runs).filteredOn(run -> run.startsWith("1")).hasSize(1);
        // If the instance that leads is the one that was interrupted, it records its late end before it gives the item
        // up.
        boolean endedLate =
                cluster.read(new JobTree("import").item(1)).orElseThrow().text().contains("COMPLETED");
        assertThat(cluster.events())
                .filteredOn(JobEvent.FiringsLost.class::isInstance)
                .hasSize(endedLate ? 0 : 1);
    }

    // ------------------------------------------------------------------ what the tests do

    private static JobDefinition follower(String name, int items, String... parents) {
        return JobDefinition.builder(name)
                .shardingTotalCount(items)
                .after(AfterSettings.of(parents))
                .build();
    }

    private static JobDefinition report(String... parents) {
        return JobDefinition.builder("report")
                .shardingTotalCount(2)
                .after(AfterSettings.of(parents))
                .build();
    }

    private void start(JobDefinition definition, String... instances) {
        for (String instance : instances) {
            cluster.start(instance, definition, this::execute, UnaryOperator.identity());
        }
        cluster.pass(Duration.ofSeconds(5));
    }

    /** The same settings under another name. */
    private void startAs(JobDefinition like, String name, String instance) {
        start(
                JobDefinition.builder(name)
                        .cron(like.cron())
                        .timeZone(like.timeZone())
                        .build(),
                instance);
    }

    private void execute(ShardingContext context) {
        String parents = context.getParents().stream()
                .map(parent -> parent.jobName() + " "
                        + parent.scheduledTime()
                                .map(at -> at.toString().substring(11, 16))
                                .orElse("manually"))
                .collect(Collectors.joining(", ", "after [", "]"));
        runs.add(context.getShardingItem() + " "
                + (context.getParents().isEmpty() ? context.getRunParameter() : parents));
        runIds.add(context.getRunId());
        work.accept(context);
    }

    private void redefine(UnaryOperator<JobDefinition> change) {
        cluster.get(new RegistryJobAdmin(cluster.operator()).redefine("report", change));
        cluster.pass(Duration.ofSeconds(5));
    }

    /** What the end of a parent's firing writes. */
    private void ended(String parent, Instant firing, boolean success) {
        cluster.commit(RegistryCommit.builder()
                .create(REPORT.after(id(firing)), "{\"after\":[%s]}".formatted(parent(parent, firing, success))));
    }

    private static String parent(String name, Instant firing, boolean success) {
        return "{\"job\":\"%s\",\"runId\":\"%1$s@%s\",\"at\":\"%2$s\",\"success\":%s,\"ends\":\"COMPLETED 0\"}"
                .formatted(name, firing, success);
    }

    private static String id(Instant firing) {
        return String.valueOf(firing.toEpochMilli());
    }

    private List<String> followersInPlan(String jobName) {
        return followersInPlan(cluster, jobName);
    }

    private static List<String> followersInPlan(SimulatedCluster cluster, String jobName) {
        String path = new JobTree(jobName).sharding();
        var plan = NodeCodec.readAssignment(
                        path, cluster.read(path).orElseThrow().data())
                .firings();
        return plan == null ? List.of() : List.copyOf(plan.followers().keySet());
    }

    private List<String> children(String path) {
        return cluster.get(cluster.operator().read(List.of(RegistryRead.children(path))))
                .children(path);
    }
}
