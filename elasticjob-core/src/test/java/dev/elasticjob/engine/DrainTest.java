package dev.elasticjob.engine;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.elasticjob.definition.JobDefinition;
import dev.elasticjob.registry.JobTree;
import dev.elasticjob.registry.RegistryCommit;
import dev.elasticjob.registry.RegistryNode;
import dev.elasticjob.testing.LoggedLines;
import java.time.Duration;
import java.time.Instant;
import java.time.ZoneOffset;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.CompletableFuture;
import java.util.function.Consumer;
import org.junit.jupiter.api.Test;

/** An engine that stops while an item runs. */
class DrainTest {
    private static final Instant BEFORE = Instant.parse("2026-03-01T11:59:59Z");
    private static final Duration A_WHILE = Duration.ofSeconds(60);

    @Test
    void whoStopsSaysSoWhileAnItemStillRunsAndLeavesNothingBehind() {
        List<String> assignments = new ArrayList<>();
        OneEngine one = stoppedInMidItem(engine -> {
            engine.pass(Duration.ofSeconds(2));
            RegistryNode instance =
                    engine.read(OneEngine.TREE.instance("a@-@1")).orElseThrow();
            assertThat(engine.read(OneEngine.TREE.drain("a@-@1")))
                    .as("names the node of this instance")
                    .hasValueSatisfying(drain -> assertThat(drain.text()).isEqualTo(String.valueOf(instance.czxid())));
            assignments.add(engine.read(OneEngine.TREE.sharding()).orElseThrow().text());
        });

        assertThat(assignments).singleElement().asString().contains("\"owners\":{}");
        assertThat(one.tree()).doesNotContain("/a@-@1");
    }

    @Test
    void theLastInstanceSaysThatItsItemsWaitForAnother() {
        try (LoggedLines log = new LoggedLines()) {
            stoppedInMidItem(engine -> engine.pass(Duration.ofSeconds(2)));

            assertThat(log.all())
                    .contains("INFO Job \"orders\": resharded at epoch 2: no item has an owner, because each"
                            + " instance is leaving, was drained, or is on a server that operators have disabled. The"
                            + " items wait until an instance may run them");
        }
    }

    @Test
    void whoEndsIdleLeavesWithoutAWord() {
        OneEngine one = new OneEngine(BEFORE, daily(), context -> {}).started();
        int epoch = one.read(OneEngine.TREE.sharding()).orElseThrow().version();

        one.engine.stop();
        one.settle();

        assertThat(one.read(OneEngine.TREE.sharding()).orElseThrow().version()).isEqualTo(epoch);
        assertThat(one.read(OneEngine.TREE.instance("a@-@1"))).isEmpty();
    }

    @Test
    void aJobIsLeftAsSoonAsItIsIdleThoughAnotherStillRuns() {
        List<Boolean> registered = new ArrayList<>();
        JobDefinition idle = JobDefinition.builder("idle")
                .cron("0 0 0 * * ?")
                .timeZone(ZoneOffset.UTC)
                .build();
        JobTree tree = new JobTree("idle");
        OneEngine[] one = new OneEngine[1];
        one[0] = new OneEngine(BEFORE, daily(), context -> {
            registered.add(one[0].read(tree.instance("a@-@1")).isPresent());
            one[0].engine.stop();
            one[0].pass(Duration.ofSeconds(1));
            registered.add(one[0].read(tree.instance("a@-@1")).isPresent());
            registered.add(one[0].read(OneEngine.TREE.instance("a@-@1")).isPresent());
        });
        one[0].engine.register(idle, context -> {});
        one[0].started();

        one[0].pass(Duration.ofSeconds(1));
        one[0].runItems();
        one[0].pass(A_WHILE);

        assertThat(registered)
                .as("the idle job before the stop, and both jobs in the middle of it")
                .containsExactly(true, false, true);
    }

    @Test
    void aSessionThatIsLostDuringTheDrainIsNotReplacedInTheJob() {
        List<Boolean> registered = new ArrayList<>();
        stoppedInMidItem(engine -> {
            engine.pass(Duration.ofSeconds(1));
            engine.expireSession();
            engine.pass(Duration.ofSeconds(5));
            registered.add(engine.read(OneEngine.TREE.instance("a@-@1")).isPresent());
        });

        assertThat(registered).containsExactly(false);
    }

    @Test
    void whoStartsAgainOwnsItemsAgain() {
        OneEngine one = stoppedInMidItem(engine -> engine.pass(Duration.ofSeconds(2)));

        one.engine.start();
        one.settle();

        assertThat(one.read(OneEngine.TREE.drain("a@-@1"))).isEmpty();
        assertThat(one.read(OneEngine.TREE.sharding()).orElseThrow().text()).contains("\"a@-@1\":\"0\"");
    }

    @Test
    void whoStartsAgainWhileItsStopIsUnderWayJoinsWhenItHasLeft() {
        OneEngine one = stoppedInMidItem(engine -> {
            engine.engine.start();
            engine.pass(Duration.ofSeconds(2));
        });

        one.settle();

        assertThat(one.read(OneEngine.TREE.instance("a@-@1"))).isPresent();
        assertThat(one.read(OneEngine.TREE.sharding()).orElseThrow().text()).contains("\"a@-@1\":\"0\"");
    }

    @Test
    void whoStopsBeforeItHasJoinedAgainLeavesNothingBehind() {
        List<CompletableFuture<Void>> again = new ArrayList<>();
        OneEngine one = stoppedInMidItem(engine -> {
            again.add(engine.engine.start().toCompletableFuture());
            engine.pass(Duration.ofSeconds(1));
            again.add(engine.engine.stop().toCompletableFuture());
            engine.pass(Duration.ofSeconds(1));
            assertThat(again).as("the first stop isn't over").noneMatch(CompletableFuture::isDone);
        });

        one.settle();

        assertThat(again.get(0)).isCompletedExceptionally();
        assertThat(again.get(1)).isCompleted();
        assertThat(one.tree()).doesNotContain("/a@-@1");
    }

    @Test
    void anOperatorsDrainOfAnEarlierProcessDoesNotMeanTheNextOneOfTheSameId() {
        OneEngine one = new OneEngine(BEFORE, daily(), context -> {}).started();
        one.admin().drain("orders", "a@-@1");
        one.settle();
        assertThat(one.read(OneEngine.TREE.sharding()).orElseThrow().text()).contains("\"owners\":{}");
        Optional<RegistryNode> drain = one.read(OneEngine.TREE.drain("a@-@1"));
        one.engine.stop();
        one.settle();
        one.operate(RegistryCommit.builder()
                .create(OneEngine.TREE.drain("a@-@1"), drain.orElseThrow().data()));

        ElasticJobEngine successor = one.another();
        successor.register(daily(), context -> {});
        successor.start();
        one.settle();

        assertThat(one.read(OneEngine.TREE.drain("a@-@1"))).isEmpty();
        assertThat(one.read(OneEngine.TREE.sharding()).orElseThrow().text()).contains("\"a@-@1\":\"0\"");
    }

    @Test
    void anOperatorsDrainOutlivesTheSessionOfTheProcessThatItMeans() {
        OneEngine one = new OneEngine(BEFORE, daily(), context -> {}).started();
        one.admin().drain("orders", "a@-@1");
        one.settle();

        one.expireSession();
        one.pass(Duration.ofSeconds(5));

        assertThat(one.read(OneEngine.TREE.instance("a@-@1"))).isPresent();
        assertThat(one.read(OneEngine.TREE.drain("a@-@1"))).isPresent();
        assertThat(one.read(OneEngine.TREE.sharding()).orElseThrow().text()).contains("\"owners\":{}");
    }

    @Test
    void anEngineThatWasClosedIsNotStartedAgain() {
        OneEngine one = new OneEngine(BEFORE, daily(), context -> {});

        one.engine.close();

        assertThatThrownBy(one.engine::start)
                .isInstanceOf(IllegalStateException.class)
                .hasMessageContaining("build a new one");
    }

    @Test
    void whoHasNothingToWaitForButTheRegistryWaitsFiveSecondsForIt() {
        OneEngine one = cutOffFromTheRegistry();

        CompletableFuture<Void> stopped = one.engine.stop().toCompletableFuture();
        one.pass(Duration.ofMillis(4_900));
        boolean early = stopped.isDone();
        one.pass(Duration.ofMillis(200));

        assertThat(early).as("the registry might come back").isFalse();
        assertThat(stopped).isCompleted();
    }

    @Test
    void anEndThatCanBeWrittenMeanwhileIsWrittenBeforeTheInstanceLeaves() {
        OneEngine one = cutOffFromTheRegistry();

        CompletableFuture<Void> stopped = one.engine.stop().toCompletableFuture();
        one.pass(Duration.ofSeconds(2));
        one.registry.reconnect();
        one.pass(Duration.ofSeconds(1));

        assertThat(stopped).isCompleted();
        assertThat(one.read(OneEngine.TREE.running(0))).isEmpty();
        assertThat(one.tree()).doesNotContain("/a@-@1");
    }

    /** Its item was interrupted when the lease was over, and has returned; its end isn't written. */
    private static OneEngine cutOffFromTheRegistry() {
        OneEngine[] one = new OneEngine[1];
        one[0] = new OneEngine(BEFORE, daily(), context -> {
                    one[0].registry.disconnect();
                    one[0].pass(Duration.ofSeconds(25));
                    if (Thread.interrupted()) {
                        throw new InterruptedException("as it was asked to");
                    }
                })
                .started();

        one[0].pass(Duration.ofSeconds(1));
        one[0].runItems();
        return one[0];
    }

    /** Stops the engine from within an execution, lets things happen, and lets the execution return. */
    private static OneEngine stoppedInMidItem(Consumer<OneEngine> meanwhile) {
        OneEngine[] one = new OneEngine[1];
        List<CompletableFuture<Void>> stopped = new ArrayList<>();
        one[0] = new OneEngine(BEFORE, daily(), context -> {
                    stopped.add(one[0].engine.stop().toCompletableFuture());
                    meanwhile.accept(one[0]);
                })
                .started();

        one[0].pass(Duration.ofSeconds(1));
        one[0].runItems();
        one[0].pass(A_WHILE);

        assertThat(stopped).singleElement().satisfies(done -> assertThat(done).isCompleted());
        return one[0];
    }

    private static JobDefinition daily() {
        return JobDefinition.builder("orders")
                .cron("0 0 12 * * ?")
                .timeZone(ZoneOffset.UTC)
                .shardingTotalCount(1)
                .build();
    }
}
