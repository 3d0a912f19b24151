package dev.elasticjob.engine;

import static dev.elasticjob.engine.GroupCluster.ROOT;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatIllegalArgumentException;
import static org.assertj.core.api.Assertions.assertThatIllegalStateException;

import dev.elasticjob.admin.RegistryGroupInspector;
import dev.elasticjob.engine.GroupCluster.Instance;
import dev.elasticjob.group.GroupEvent;
import dev.elasticjob.group.GroupReport;
import dev.elasticjob.group.GroupReport.Share;
import dev.elasticjob.group.OnStopTimeout;
import dev.elasticjob.registry.RegistryCommit;
import dev.elasticjob.registry.RegistryNode;
import java.time.Duration;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.CompletableFuture;
import java.util.function.UnaryOperator;
import org.junit.jupiter.api.Test;

/** Groups on engines whose registry is in memory. */
class GroupTest {
    private final GroupCluster cluster = new GroupCluster();

    @Test
    void theOnlyInstanceGetsTheOnlyIndexWithoutAnyJob() {
        Instance a = cluster.start("a@-@1");

        assertThat(a.told).containsExactly("0/1");
        assertThat(a.last().instances()).containsExactly("a@-@1");
    }

    @Test
    void theTreeIsTheOneThatUsersKnow() {
        Instance a = cluster.start("a@-@1");
        cluster.start("b@-@2");

        assertThat(cluster.children(ROOT)).containsExactlyInAnyOrder("instances", "leader", "sharding");
        assertThat(cluster.children(ROOT + "/leader")).containsExactlyInAnyOrder("election", "sharding");
        assertThat(cluster.children(ROOT + "/leader/election")).containsExactlyInAnyOrder("instance", "latch");
        assertThat(cluster.children(ROOT + "/leader/sharding")).isEmpty();
        assertThat(cluster.children(ROOT + "/sharding")).containsExactlyInAnyOrder("0", "1");
        assertThat(text("/instances/a@-@1")).isEqualTo("instanceId: a@-@1\nserverIp: 10.0.0.1\n");
        assertThat(text("/leader/election/instance")).isEqualTo("a@-@1");
        assertThat(text("/sharding/0/instance")).isEqualTo("a@-@1");
        assertThat(text("/sharding/1/instance")).isEqualTo("b@-@2");
        assertThat(cluster.read(ROOT + "/instances/a@-@1")).get().matches(RegistryNode::isEphemeral);
        assertThat(a.last().epoch())
                .isEqualTo(cluster.read(ROOT + "/sharding").orElseThrow().mzxid());
    }

    @Test
    void aGroupWithANameIsBelowTheNamespaceAndANamespaceMayHaveSeveralParts() {
        cluster.start("a@-@1", "partitions", builder -> builder.groupNamespace("shop/shares"));

        assertThat(cluster.read("//shop/shares/partitions/sharding/0/instance"))
                .get()
                .extracting(RegistryNode::text)
                .isEqualTo("a@-@1");
    }

    @Test
    void allAreToldToStopBeforeAnyoneIsToldANewIndex() {
        Instance a = cluster.start("a@-@1").holdCalls();

        Instance b = cluster.start("b@-@2");

        assertThat(b.told).isEmpty();
        assertThat(cluster.read(ROOT + "/leader/sharding/necessary")).isPresent();
        assertThat(cluster.read(ROOT + "/leader/sharding/processing")).isPresent();
        a.letCalls();
        assertThat(a.told).containsExactly("0/1", "stop", "0/2");
        assertThat(b.told).containsExactly("1/2");
        assertThat(a.last().epoch()).isEqualTo(b.last().epoch());
        assertThat(cluster.children(ROOT + "/leader/sharding")).isEmpty();
    }

    @Test
    void anInstanceThatLeavesIsToldToStopAndThenTheOthersShareItsPart() {
        Instance a = cluster.start("a@-@1");
        Instance b = cluster.start("b@-@2").holdCalls();

        var stopped = b.engine.stop();
        cluster.settle();

        assertThat(a.told).containsExactly("0/1", "stop", "0/2");
        assertThat(stopped.toCompletableFuture()).isNotDone();
        b.letCalls();
        cluster.get(stopped);
        assertThat(b.told).containsExactly("1/2", "stop");
        assertThat(a.told).containsExactly("0/1", "stop", "0/2", "stop", "0/1");
        assertThat(cluster.children(ROOT + "/instances")).containsExactly("a@-@1");
        assertThat(cluster.children(ROOT + "/sharding")).containsExactly("0");
    }

    @Test
    void theLeaderMayLeaveToo() {
        Instance a = cluster.start("a@-@1");
        Instance b = cluster.start("b@-@2");

        cluster.get(a.engine.stop());

        assertThat(b.told).containsExactly("1/2", "stop", "0/1");
        assertThat(text("/leader/election/instance")).isEqualTo("b@-@2");
    }

    @Test
    void anIndexThatTurnsOutToBeHeldIsGivenBackAlsoIfTheGroupIsLeftAndJoinedAgainMeanwhile() {
        Instance a = cluster.start("a@-@1");
        Instance b = cluster.startWithoutAnswer("b@-@2", ROOT + "/sharding/1/running");

        b.engine.groups().leave("");
        var joined = b.engine.groups().join("", b);
        b.registry.reconnect();
        cluster.pass(Duration.ofSeconds(10));

        cluster.get(joined);
        assertThat(a.told).endsWith("stop", "0/2");
        assertThat(b.told).containsExactly("1/2");
    }

    @Test
    void anIndexThatTurnsOutToBeHeldIsGivenBackAlsoIfTheAssignmentIsOverMeanwhile() {
        Instance a = cluster.start("a@-@1");
        Instance b = cluster.startWithoutAnswer("b@-@2", ROOT + "/sharding/1/running");
        Instance c = cluster.start("c@-@3");
        assertThat(c.told).isEmpty();

        b.registry.reconnect();
        cluster.pass(Duration.ofSeconds(10));

        assertThat(a.told).endsWith("stop", "0/3");
        assertThat(b.told).containsExactly("1/3");
        assertThat(c.told).containsExactly("2/3");
    }

    @Test
    void theIndexOfAnEngineThatWasClosedWithoutAConnectionIsGivenBackByTheNextOneInItsSession() {
        Instance a = cluster.start("a@-@1");
        Instance b = cluster.start("b@-@2");
        b.registry.disconnect();
        cluster.settle();
        var stopped = b.engine.stop();
        cluster.pass(Duration.ofSeconds(6));
        cluster.get(stopped);
        b.close();
        Instance c = cluster.start("c@-@3");
        assertThat(c.told).isEmpty();

        b.registry.reconnect();
        Instance next = cluster.startAfter(b);
        cluster.pass(Duration.ofSeconds(10));

        assertThat(next.registry.session().orElseThrow().id())
                .isEqualTo(b.registry.session().orElseThrow().id());
        assertThat(b.told).containsExactly("1/2", "stop");
        assertThat(next.told).containsExactly("1/3");
        assertThat(a.told).endsWith("stop", "0/3");
        assertThat(c.told).containsExactly("2/3");
    }

    @Test
    void anIndexOnWhichAFormerParticipantStillWorksIsNoLeftover() {
        Instance a = cluster.start("a@-@1");
        Instance b = cluster.start("b@-@2").holdCalls();
        b.engine.groups().leave("");
        cluster.pass(Duration.ofMinutes(2));

        b.engine.groups().join("", b);
        cluster.pass(Duration.ofSeconds(10));

        assertThat(cluster.read(ROOT + "/sharding/1/running")).isPresent();
        assertThat(a.told).endsWith("stop");
        b.letCalls();
        cluster.pass(Duration.ofSeconds(10));
        assertThat(b.told).containsExactly("1/2", "stop", "1/2");
        assertThat(a.told).endsWith("0/2");
    }

    @Test
    void aGroupIsLeftAndJoinedAgainWhileTheEngineGoesOn() {
        Instance a = cluster.start("a@-@1");
        Instance b = cluster.start("b@-@2");

        cluster.get(b.engine.groups().leave(""));
        assertThat(a.told).endsWith("0/1");
        cluster.get(b.engine.groups().join("", b));

        assertThat(b.told).containsExactly("1/2", "stop", "1/2");
        assertThat(a.told).endsWith("stop", "0/2");
    }

    @Test
    void anEngineIsStartedAgain() {
        Instance a = cluster.start("a@-@1");

        cluster.get(a.engine.stop());
        a.engine.start();
        cluster.settle();

        assertThat(a.told).containsExactly("0/1", "stop", "0/1");
    }

    @Test
    void theOthersWaitForTheEndOfADeadInstancesSession() {
        Instance a = cluster.start("a@-@1");
        Instance b = cluster.start("b@-@2");
        a.registry.disconnect();
        cluster.settle();

        assertThat(b.told).containsExactly("1/2");
        cluster.expire(a);

        assertThat(b.told).containsExactly("1/2", "stop", "0/1");
    }

    @Test
    void anInstanceWhoseLeaseEndsIsToldToStopBeforeItsSessionCanEnd() {
        Instance a = cluster.start("a@-@1");
        Instance b = cluster.start("b@-@2");
        cluster.pass(Duration.ofSeconds(30));
        b.registry.disconnect();

        cluster.pass(Duration.ofSeconds(10));

        assertThat(b.told).containsExactly("1/2");
        cluster.pass(Duration.ofSeconds(8));
        assertThat(b.told).containsExactly("1/2", "stop");
        assertThat(a.told).containsExactly("0/1", "stop", "0/2");
    }

    @Test
    void inASessionThatSurvivesTheSameIndexIsHeldAgain() {
        cluster.start("a@-@1");
        Instance b = cluster.start("b@-@2");
        b.registry.disconnect();
        cluster.pass(Duration.ofSeconds(19));

        b.registry.reconnect();
        cluster.pass(Duration.ofSeconds(1));

        assertThat(b.told).containsExactly("1/2", "stop", "1/2");
        assertThat(b.assignments.get(0)).isEqualTo(b.assignments.get(1));
    }

    @Test
    void afterANewSessionAnInstanceIsAnotherMemberOfANewEpoch() {
        Instance a = cluster.start("a@-@1");
        Instance b = cluster.start("b@-@2");
        long before = a.last().epoch();

        cluster.expire(b);

        assertThat(b.told).containsExactly("1/2", "stop", "1/2");
        assertThat(a.told).startsWith("0/1", "stop", "0/2", "stop").endsWith("0/2");
        assertThat(b.last().epoch()).isEqualTo(a.last().epoch()).isGreaterThan(before);
    }

    @Test
    void anInstanceDoesNotComeBackBeforeItHasStopped() {
        Instance a = cluster.start("a@-@1");
        Instance b = cluster.start("b@-@2").holdCalls();

        cluster.expire(b);

        assertThat(a.told).endsWith("stop", "0/1");
        b.letCalls();
        assertThat(b.told).containsExactly("1/2", "stop", "1/2");
        assertThat(a.told).endsWith("stop", "0/2");
    }

    @Test
    void aHolderThatDoesNotStopIsReportedAndWaitedFor() {
        Instance a = cluster.start("a@-@1");
        Instance b = cluster.start("b@-@2").holdCalls();
        Instance c = cluster.start("c@-@3");

        cluster.pass(Duration.ofSeconds(29));
        assertThat(overdue()).isEmpty();
        cluster.pass(Duration.ofMinutes(5));

        assertThat(overdue())
                .containsExactly(
                        new GroupEvent.StopOverdue("", List.of("b@-@2"), Duration.ofSeconds(30), OnStopTimeout.WAIT));
        assertThat(c.told).isEmpty();
        b.letCalls();
        assertThat(a.told).endsWith("stop", "0/3");
        assertThat(b.told).endsWith("stop", "1/3");
        assertThat(c.told).containsExactly("2/3");
    }

    @Test
    void aLeaderThatIsToProceedLeavesTheHolderOutUntilItHasStopped() {
        Instance a = proceeding("a@-@1");
        Instance b = proceeding("b@-@2").holdCalls();
        Instance c = proceeding("c@-@3");

        cluster.pass(Duration.ofSeconds(31));

        assertThat(overdue()).hasSize(1);
        assertThat(a.told).endsWith("stop", "0/2");
        assertThat(c.told).containsExactly("1/2");
        assertThat(report(a).leftOut()).containsExactly("b@-@2");
        b.letCalls();
        assertThat(b.told).containsExactly("1/2", "stop", "1/3");
        assertThat(a.told).endsWith("0/2", "stop", "0/3");
        assertThat(c.told).containsExactly("1/2", "stop", "2/3");
        assertThat(b.last().epoch()).isGreaterThan(a.assignments.get(2).epoch());
    }

    private Instance proceeding(String id) {
        return cluster.start(
                id, "", builder -> builder.groupStopTimeout(Duration.ofSeconds(30), OnStopTimeout.PROCEED));
    }

    @Test
    void aNewLeaderGoesOnWithTheStopOfTheFormer() {
        Instance a = cluster.start("a@-@1");
        Instance b = cluster.start("b@-@2").holdCalls();
        Instance c = cluster.start("c@-@3");

        cluster.expire(a);
        assertThat(c.told).isEmpty();
        b.letCalls();

        assertThat(List.of(a.last(), b.last(), c.last()))
                .extracting(assignment -> assignment.index())
                .containsExactly(0, 1, 2);
        assertThat(List.of(a.last().epoch(), b.last().epoch(), c.last().epoch()).stream()
                        .distinct())
                .hasSize(1);
    }

    @Test
    void aCallThatFailsCountsAsReturnedAndIsReported() {
        Instance a = cluster.start("a@-@1");
        RuntimeException thrown = new IllegalStateException("broken");
        a.failure = Optional.of(thrown);

        Instance b = cluster.start("b@-@2");

        assertThat(a.told).containsExactly("0/1", "stop", "0/2");
        assertThat(b.told).containsExactly("1/2");
        assertThat(cluster.events)
                .contains(
                        new GroupEvent.NoticeFailed("", "a@-@1", "startSharding", thrown),
                        new GroupEvent.NoticeFailed("", "a@-@1", "shardingCompleted", thrown));
    }

    @Test
    void aGroupThatStandsStillDelaysNoOther() {
        Instance a = cluster.prepare("a@-@1", UnaryOperator.identity());
        Instance b = cluster.prepare("b@-@2", UnaryOperator.identity());
        var others = new GroupCluster.Instance[] {
            cluster.prepare("c@-@3", UnaryOperator.identity()), cluster.prepare("d@-@4", UnaryOperator.identity())
        };
        a.engine.groups().join("slow", a);
        a.engine.groups().join("quick", others[0]);
        a.engine.start();
        cluster.settle();
        a.holdCalls();
        b.engine.groups().join("slow", b);
        b.engine.start();
        cluster.settle();
        a.held = false;

        b.engine.groups().join("quick", others[1]);
        cluster.settle();

        assertThat(b.told).isEmpty();
        assertThat(others[0].told).containsExactly("0/1", "stop", "0/2");
        assertThat(others[1].told).containsExactly("1/2");
    }

    @Test
    void instancesThatStartTogetherCauseOneAssignmentAfterTheFirst() {
        UnaryOperator<ElasticJobEngineBuilder> delayed = builder -> builder.groupJoinDelay(Duration.ofSeconds(1));
        Instance first = cluster.start("a@-@0", "", delayed);
        for (int i = 1; i < 10; i++) {
            cluster.start("a@-@" + i, "", delayed);
            cluster.pass(Duration.ofMillis(50));
        }

        cluster.pass(Duration.ofSeconds(1));

        assertThat(first.told).containsExactly("0/1", "stop", "0/10");
    }

    @Test
    void afterALeaveNobodyWaitsForJoins() {
        UnaryOperator<ElasticJobEngineBuilder> delayed = builder -> builder.groupJoinDelay(Duration.ofHours(1));
        Instance a = cluster.start("a@-@1", "", delayed);
        Instance b = cluster.start("b@-@2", "", delayed);
        assertThat(a.told).containsExactly("0/1");

        cluster.pass(Duration.ofHours(1));
        assertThat(a.told).endsWith("0/2");
        cluster.get(b.engine.stop());

        assertThat(a.told).endsWith("0/1");
    }

    @Test
    void anInstanceThatAnOperatorHasRemovedTakesNoPartAnyMore() {
        Instance a = cluster.start("a@-@1");
        Instance b = cluster.start("b@-@2");

        cluster.operate(RegistryCommit.builder().delete(ROOT + "/instances/b@-@2", RegistryCommit.ANY_VERSION));
        cluster.pass(Duration.ofSeconds(10));

        assertThat(b.told).containsExactly("1/2", "stop");
        assertThat(a.told).endsWith("stop", "0/1");
        assertThat(cluster.children(ROOT + "/instances")).containsExactly("a@-@1");
    }

    @Test
    void aGroupThatWasDeletedIsMadeAgain() {
        Instance a = cluster.start("a@-@1");
        long before = a.last().epoch();

        cluster.operate(RegistryCommit.builder()
                .delete(ROOT + "/sharding/0/running", -1)
                .delete(ROOT + "/sharding/0/instance", -1)
                .delete(ROOT + "/sharding/0", -1)
                .delete(ROOT + "/sharding", -1)
                .delete(ROOT + "/instances/a@-@1", -1)
                .delete(ROOT + "/instances", -1));
        cluster.pass(Duration.ofSeconds(10));

        assertThat(a.told).containsExactly("0/1", "stop", "0/1");
        assertThat(a.last().epoch()).isGreaterThan(before);
    }

    @Test
    void anAssignmentThatCanNotBeReadIsReplaced() {
        Instance a = cluster.start("a@-@1");
        Instance b = cluster.start("b@-@2").holdCalls();

        cluster.operate(RegistryCommit.builder().set(ROOT + "/sharding", "nonsense", RegistryCommit.ANY_VERSION));
        cluster.pass(Duration.ofSeconds(1));

        assertThat(a.told).endsWith("0/2", "stop");
        b.letCalls();
        assertThat(a.told).endsWith("stop", "0/2");
        assertThat(b.told).containsExactly("1/2", "stop", "1/2");
    }

    @Test
    void aThreadThatBlocksIsInterruptedWhenTheShutdownTimeoutIsOver() {
        Instance a = cluster.start("a@-@1", "", builder -> builder.shutdownTimeout(Duration.ofSeconds(3)))
                .holdCalls();
        CompletableFuture<Void> stopped = a.engine.stop().toCompletableFuture();

        cluster.pass(Duration.ofSeconds(2));
        assertThat(stopped).isNotDone();
        cluster.pass(Duration.ofSeconds(10));

        assertThat(stopped).isDone();
        assertThat(cluster.read(ROOT + "/sharding/0/running")).isPresent();
        a.letCalls();
        assertThat(cluster.read(ROOT + "/sharding/0/running")).isEmpty();
    }

    @Test
    void theReportShowsWhoHoldsWhichIndex() {
        Instance a = cluster.start("a@-@1");
        Instance b = cluster.start("b@-@2");

        assertThat(report(b))
                .isEqualTo(new GroupReport(
                        "",
                        "/dynamic-sharding",
                        Optional.of("b@-@2"),
                        Optional.of("a@-@1"),
                        a.last().epoch(),
                        false,
                        cluster.read(ROOT + "/sharding").map(RegistryNode::modified),
                        List.of("a@-@1", "b@-@2"),
                        List.of(new Share(0, "a@-@1", true), new Share(1, "b@-@2", true)),
                        List.of(),
                        Optional.empty()));
    }

    @Test
    void anybodyCanSeeAllGroupsOfANamespaceAndNothingElseThatIsThere() {
        cluster.start("a@-@1");
        cluster.start("b@-@2", "分区-of-the-orders", builder -> builder);
        cluster.operate(RegistryCommit.builder()
                .create("//dynamic-sharding/another-namespace", "")
                .create("//dynamic-sharding/another-namespace/its-group", ""));
        long requests = cluster.requests();

        List<GroupReport> all = cluster.get(new RegistryGroupInspector(cluster.operator, "dynamic-sharding").all());

        assertThat(all)
                .extracting(GroupReport::node)
                .containsExactly("/dynamic-sharding", "/dynamic-sharding/分区-of-the-orders");
        assertThat(all)
                .extracting(GroupReport::shares)
                .containsExactly(List.of(new Share(0, "a@-@1", true)), List.of(new Share(0, "b@-@2", true)));
        assertThat(cluster.requests() - requests).isEqualTo(3);
        assertThat(cluster.get(new RegistryGroupInspector(cluster.operator, "nobody/knows").all()))
                .isEmpty();
    }

    @Test
    void aGroupIsJoinedOnceByAnEngineAndByOneEngineOfARegistry() {
        Instance a = cluster.start("a@-@1");

        assertThatIllegalArgumentException()
                .isThrownBy(() -> a.engine.groups().join("", a))
                .withMessageContaining("already takes part in the group \"\"");
        ElasticJobEngine another = ElasticJobEngine.builder(a.registry)
                .ip("10.0.0.1")
                .clock(cluster.time)
                .timer(cluster.time)
                .coordinationExecutor(Runnable::run)
                .workers(Runnable::run)
                .build();
        another.groups().join("", a);
        assertThatIllegalStateException()
                .isThrownBy(another::start)
                .withMessageContaining("group \"//dynamic-sharding\"");
    }

    @Test
    void aNameThatCanNotBeANodeIsRefused() {
        Instance a = cluster.prepare("a@-@1", UnaryOperator.identity());

        for (String name : List.of("x/y", "sharding", "leader", "instances", "..", "a\u0001")) {
            assertThatIllegalArgumentException()
                    .as(name)
                    .isThrownBy(() -> a.engine.groups().join(name, a))
                    .withMessageContaining("A group can't be named");
        }
        for (String namespace : List.of("", "/x", "x/", "x//y", "zookeeper")) {
            assertThatIllegalArgumentException()
                    .as(namespace)
                    .isThrownBy(() -> ElasticJobEngine.builder(a.registry)
                            .ip("10.0.0.1")
                            .groupNamespace(namespace)
                            .build())
                    .withMessageContaining("elasticjob.dynamic-sharding.namespace");
        }
    }

    private List<GroupEvent.StopOverdue> overdue() {
        return cluster.events.stream()
                .filter(GroupEvent.StopOverdue.class::isInstance)
                .map(GroupEvent.StopOverdue.class::cast)
                .toList();
    }

    private GroupReport report(Instance instance) {
        return cluster.get(instance.engine.groups().groups()).get(0);
    }

    private String text(String path) {
        return cluster.read(ROOT + path).map(RegistryNode::text).orElse("absent");
    }
}
