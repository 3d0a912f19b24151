package dev.elasticjob.engine;

import static dev.elasticjob.engine.OneEngine.TREE;
import static org.assertj.core.api.Assertions.assertThat;

import dev.elasticjob.definition.JobDefinition;
import dev.elasticjob.job.SimpleJob;
import dev.elasticjob.job.event.JobEvent;
import dev.elasticjob.job.event.JobState;
import dev.elasticjob.registry.Registry;
import dev.elasticjob.registry.Registry.WatchScope;
import dev.elasticjob.registry.RegistryCommit;
import dev.elasticjob.registry.RegistryNode;
import dev.elasticjob.registry.Subscription;
import dev.elasticjob.testing.ChangedRegistry;
import java.time.Duration;
import java.time.Instant;
import java.time.ZoneOffset;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.CompletableFuture;
import java.util.function.UnaryOperator;
import org.junit.jupiter.api.Nested;
import org.junit.jupiter.api.Test;

/** What must never be forgotten, and never be left behind. The job runs once a day: no later firing hides a lost one. */
class OneEngineTest {
    private static final Instant NOON = Instant.parse("2026-03-01T12:00:00Z");
    private static final Instant DAY_BEFORE = Instant.parse("2026-02-28T12:00:00Z");
    private static final Instant BEFORE = NOON.minusSeconds(1);
    private static final Duration A_WHILE = Duration.ofSeconds(60);
    private static final JobDefinition DAILY = JobDefinition.builder("orders")
            .cron("0 0 12 * * ?")
            .timeZone(ZoneOffset.UTC)
            .shardingTotalCount(1)
            .build();

    private final List<String> runs = new ArrayList<>();
    private final SimpleJob noting =
            context -> runs.add(context.getScheduledTime() + " attempt " + context.getAttempt());

    @Nested
    class NothingIsForgotten {
        @Test
        void anItemThatWasUnclaimedIsClaimedAgain() {
            OneEngine one = new OneEngine(BEFORE, DAILY, noting).started();
            one.pass(Duration.ofSeconds(1));
            assertThat(one.waitingItems()).isEqualTo(1);
            cutOffUntilTheLeaseIsOver(one);

            one.runItems();
            assertThat(runs).as("its lease was over").isEmpty();
            one.pass(A_WHILE);
            one.runItems();

            assertThat(runs).containsExactly(NOON + " attempt 1");
            assertThat(item(one)).contains("\"state\":\"COMPLETED\"");
        }

        /** An interrupted execution is recorded in a transaction of its own, whose refusal doesn't say why. */
        @Test
        void anOwnerWhosePlanIsOutOfDateLearnsThatByItsLook() {
            OneEngine one = new OneEngine(
                            BEFORE,
                            DAILY.toBuilder().failover(true).build(),
                            noting,
                            UnaryOperator.identity(),
                            OneEngineTest::unawareOfOtherPlans)
                    .started();
            String plan = one.read(TREE.sharding()).orElseThrow().text();
            one.operate(RegistryCommit.builder()
                    .set(TREE.sharding(), plan, RegistryCommit.ANY_VERSION)
                    .set(
                            TREE.item(0),
                            "{\"scheduledAt\":\"2026-02-28T12:00:00Z\",\"state\":\"RUNNING\",\"instance\":\"b@-@1\",\"attempt\":1}",
                            RegistryCommit.ANY_VERSION));

            one.pass(Duration.ofSeconds(2));
            one.runItems();

            assertThat(runs).contains("2026-02-28T12:00:00Z attempt 2");
        }

        @Test
        void anExecutionThatWasCutOffIsTakenAgainByItsOwner() {
            OneEngine[] one = new OneEngine[1];
            SimpleJob cutOffAtFirst = context -> {
                noting.execute(context);
                if (context.getAttempt() == 1) {
                    cutOffUntilTheLeaseIsOver(one[0]);
                    if (Thread.interrupted()) {
                        throw new InterruptedException("gives up");
                    }
                }
            };
            one[0] = new OneEngine(BEFORE, DAILY.toBuilder().failover(true).build(), cutOffAtFirst).started();

            one[0].pass(Duration.ofSeconds(1));
            one[0].runItems();
            one[0].pass(A_WHILE);
            one[0].runItems();

            assertThat(runs).containsExactly(NOON + " attempt 1", NOON + " attempt 2");
            assertThat(one[0].read(TREE.failoverItem(0))).isEmpty();
        }

        @Test
        void aFiringOfANewScheduleThatCameBeforeItWasFollowedRuns() {
            OneEngine one = new OneEngine(
                            NOON.minusMillis(500),
                            DAILY.toBuilder().cron("0 0 3 1 1 ?").build(),
                            noting)
                    .started();
            one.configure(DAILY);
            one.time.advance(Duration.ofSeconds(1));

            one.pass(Duration.ofSeconds(5));
            one.runItems();

            assertThat(runs).containsExactly(NOON + " attempt 1");
        }

        @Test
        void aListenerThatBreaksDoesNotKeepTheJobFromRunning() {
            OneEngine one = new OneEngine(
                            BEFORE,
                            DAILY,
                            noting,
                            builder -> builder.listener(event -> {
                                throw new NoClassDefFoundError("provoked by this test");
                            }))
                    .started();

            one.pass(Duration.ofSeconds(1));
            one.runItems();

            assertThat(runs).hasSize(1);
        }

        @Test
        void aBellThatIsRungOnceMoreWhileItIsAnsweredIsHeard() {
            OneEngine one = new OneEngine(BEFORE, DAILY, noting).started();
            boolean meanwhile = true;
            for (int tasks = 0; meanwhile; tasks++) {
                one.operate(RegistryCommit.builder().create(TREE.necessary()));
                for (int task = 0; task < tasks; task++) {
                    one.runOne();
                }
                meanwhile = one.read(TREE.necessary()).isPresent();
                if (meanwhile) {
                    one.operate(RegistryCommit.builder().set(TREE.necessary(), "", RegistryCommit.ANY_VERSION));
                }
                one.settle();

                assertThat(one.read(TREE.necessary()))
                        .as("rung again after %d tasks", tasks)
                        .isEmpty();
            }
        }

        @Test
        void nodesThatAnOperatorDeletedAreMadeAnew() {
            OneEngine one = new OneEngine(BEFORE, DAILY, noting).started();
            one.operate(RegistryCommit.builder()
                    .delete(TREE.leader(), RegistryCommit.ANY_VERSION)
                    .delete("/orders/leader/election", RegistryCommit.ANY_VERSION)
                    .create(TREE.necessary()));

            one.pass(Duration.ofSeconds(2));
            one.runItems();

            assertThat(one.read(TREE.leader())).isPresent();
            assertThat(runs).hasSize(1);
        }

        @Test
        void aLeaderThatWasCutOffLeadsOnAtOnce() {
            OneEngine one = new OneEngine(BEFORE, DAILY, noting).started();
            one.registry.disconnect();
            one.settle();
            one.configure(DAILY.toBuilder().shardingTotalCount(2).build());

            one.registry.reconnect();
            one.settle();

            assertThat(text(one.read(TREE.sharding()))).contains("\"a@-@1\":\"0-1\"");
        }

        @Test
        void whatAnInstanceIsAskedForWhileItHasNoSessionRuns() {
            OneEngine one = new OneEngine(BEFORE.minusSeconds(60), DAILY, noting).started();
            one.registry.disconnect();
            one.expireSession();
            one.operate(RegistryCommit.builder().create(TREE.triggerOf("a@-@1")));

            one.registry.reconnect();
            one.settle();
            one.runItems();

            assertThat(runs).hasSize(1);
            assertThat(one.read(TREE.triggerOf("a@-@1"))).isEmpty();
        }

        @Test
        void aFiringThatWaitedBehindOneThatIsGivenUpRunsAtOnce() {
            OneEngine one = startedWithACrashTooMany();

            one.pass(Duration.ofSeconds(2));
            one.runItems();

            assertThat(runs).containsExactly(NOON + " attempt 1");
        }

        @Test
        void anInterruptedItemThatIsEnabledAgainIsTakenOverAtOnce() {
            OneEngine one = new OneEngine(
                            NOON.plusSeconds(5),
                            DAILY.toBuilder().failover(true).build(),
                            noting)
                    .started();
            one.operate(RegistryCommit.builder().create(TREE.disabled(0)));
            one.operate(RegistryCommit.builder()
                    .set(TREE.item(0), interruptedAt(NOON), RegistryCommit.ANY_VERSION)
                    .create(TREE.failoverItem(0)));
            one.pass(A_WHILE);
            one.runItems();
            assertThat(runs).isEmpty();

            one.operate(RegistryCommit.builder().delete(TREE.failoverItem(0), RegistryCommit.ANY_VERSION));
            one.operate(RegistryCommit.builder().delete(TREE.disabled(0), RegistryCommit.ANY_VERSION));
            one.settle();
            one.runItems();

            assertThat(runs).containsExactly(NOON + " attempt 2");
        }

        @Test
        void theLossOfAFiringGivenUpAfterItsCrashesIsToldOnce() {
            OneEngine one = startedWithACrashTooMany();

            one.pass(Duration.ofSeconds(2));

            assertThat(one.events.stream().filter(JobEvent.FiringsLost.class::isInstance))
                    .containsExactly(new JobEvent.FiringsLost("orders", 0, DAY_BEFORE, DAY_BEFORE, 1));
        }
    }

    @Nested
    class NothingIsLeftBehind {
        @Test
        void whoeverStopsWhileJoiningIsNotRegisteredAfterwards() {
            for (int moment = 0; moment < 60; moment++) {
                OneEngine one = new OneEngine(BEFORE, DAILY, noting);
                one.engine.start();
                run(one, moment);

                CompletableFuture<Void> stopped = one.engine.stop().toCompletableFuture();
                one.settle();

                assertThat(stopped).as("stopped at moment %d", moment).isCompleted();
                assertThat(one.tree()).as("stopped at moment %d", moment).doesNotContain("/a@-@1");
                assertThat(one.read(TREE.leader())).isEmpty();
            }
        }

        @Test
        void aRegistryThatIsLostDuringTheStopDoesNotHoldItUp() {
            for (int moment = 0; moment < 30; moment++) {
                OneEngine one = new OneEngine(BEFORE, DAILY, noting).started();
                CompletableFuture<Void> stopped = one.engine.stop().toCompletableFuture();
                run(one, moment);
                one.registry.disconnect();

                one.pass(A_WHILE);

                assertThat(stopped).as("cut at moment %d", moment).isCompleted();
            }
        }

        @Test
        void afterAStopNoTimerIsArmed() {
            OneEngine one = new OneEngine(BEFORE, DAILY, noting).started();

            one.engine.stop();
            one.settle();

            assertThat(one.time.nextTask()).isEmpty();
            assertThat(one.engine.state("orders")).isEqualTo(JobState.LATENT);
        }

        @Test
        void whatOutlivesTheCutOffStillWritesItsEnd() {
            OneEngine[] one = new OneEngine[1];
            List<Boolean> stoppedMeanwhile = new ArrayList<>();
            one[0] = new OneEngine(BEFORE, DAILY, context -> {
                        CompletableFuture<Void> stopped = one[0].engine.stop().toCompletableFuture();
                        one[0].pass(A_WHILE);
                        stoppedMeanwhile.add(stopped.isDone());
                        Thread.interrupted();
                    })
                    .started();

            one[0].pass(Duration.ofSeconds(1));
            one[0].runItems();
            one[0].pass(A_WHILE);

            assertThat(stoppedMeanwhile).containsExactly(true);
            assertThat(item(one[0])).contains("\"state\":\"COMPLETED\"");
            assertThat(one[0].read(TREE.running(0))).isEmpty();
            assertThat(one[0].time.nextTask()).isEmpty();
        }

        @Test
        void aSecondStopWaitsForTheFirst() {
            OneEngine one = new OneEngine(BEFORE, DAILY, noting).started();
            one.pass(Duration.ofSeconds(1));

            CompletableFuture<Void> first = one.engine.stop().toCompletableFuture();
            CompletableFuture<Void> second = one.engine.stop().toCompletableFuture();
            boolean early = second.isDone();
            one.settle();
            one.runItems();
            one.pass(A_WHILE);

            assertThat(early).isFalse();
            assertThat(first).isCompleted();
            assertThat(second).isCompleted();
        }

        @Test
        void whatHasNotBegunAtTheStopIsAsIfItHadNotBeenClaimed() {
            OneEngine one = new OneEngine(BEFORE, DAILY, noting).started();
            one.pass(Duration.ofSeconds(1));

            CompletableFuture<Void> stopped = one.engine.stop().toCompletableFuture();
            one.settle();
            one.runItems();

            assertThat(stopped).isCompleted();
            assertThat(runs).isEmpty();
            assertThat(item(one)).contains("\"state\":\"NEW\"");
            assertThat(one.read(TREE.running(0))).isEmpty();
        }

        @Test
        void aJobWhoseConfigurationIsRemovedStopsAndLeaves() {
            OneEngine one = new OneEngine(BEFORE, DAILY, noting).started();

            one.operate(RegistryCommit.builder().delete(TREE.config(), RegistryCommit.ANY_VERSION));
            one.pass(A_WHILE);

            assertThat(one.engine.state("orders")).isEqualTo(JobState.STOPPED);
            assertThat(one.read(TREE.instance("a@-@1"))).isEmpty();
            assertThat(one.read(TREE.leader())).isEmpty();
            assertThat(one.read(TREE.necessary()))
                    .as("nothing is created below its root")
                    .isEmpty();
            assertThat(runs).isEmpty();
        }

        @Test
        void anItemBeyondTheTotalWithARecordFromTheFutureDoesNotHoldUpLaterOnes() {
            OneEngine one = new OneEngine(
                            BEFORE, DAILY.toBuilder().shardingTotalCount(2).build(), noting)
                    .started();
            one.operate(RegistryCommit.builder()
                    .set(
                            TREE.item(1),
                            "{\"scheduledAt\":\"2036-03-01T12:00:00Z\",\"state\":\"COMPLETED\"}",
                            RegistryCommit.ANY_VERSION));

            one.configure(DAILY);
            one.settle();

            assertThat(one.read(TREE.item(1))).isEmpty();
            assertThat(text(one.read(TREE.sharding()))).doesNotContain("2036");
        }

        @Test
        void anUnreadableItemBeyondTheTotalIsLeftAlone() {
            OneEngine one = new OneEngine(
                            BEFORE, DAILY.toBuilder().shardingTotalCount(2).build(), noting)
                    .started();
            one.operate(RegistryCommit.builder().set(TREE.item(1), "mend me", RegistryCommit.ANY_VERSION));

            one.configure(DAILY);
            one.settle();

            assertThat(text(one.read(TREE.item(1)))).isEqualTo("mend me");
        }
    }

    /** The firing of the day before may not be repeated any more. */
    private OneEngine startedWithACrashTooMany() {
        JobDefinition failover =
                DAILY.toBuilder().failover(true).maxFailovers(1).build();
        OneEngine one = new OneEngine(BEFORE, failover, noting).started();
        one.operate(RegistryCommit.builder()
                .set(TREE.item(0), interruptedAt(NOON.minus(Duration.ofDays(1))), RegistryCommit.ANY_VERSION));
        return one;
    }

    private static String interruptedAt(Instant firing) {
        return "{\"scheduledAt\":\"%s\",\"state\":\"INTERRUPTED\",\"attempt\":1,\"crashes\":1}".formatted(firing);
    }

    /** The word of another plan is long in coming. */
    private static Registry unawareOfOtherPlans(Registry registry) {
        return new ChangedRegistry(registry) {
            @Override
            public Subscription watch(String path, WatchScope scope, Runnable lookAgain) {
                return super.watch(path, scope, path.equals(TREE.sharding()) ? () -> {} : lookAgain);
            }
        };
    }

    private static void cutOffUntilTheLeaseIsOver(OneEngine one) {
        one.registry.disconnect();
        one.pass(Duration.ofSeconds(20));
        one.registry.reconnect();
        one.settle();
    }

    private static void run(OneEngine one, int tasks) {
        for (int i = 0; i < tasks; i++) {
            one.runOne();
        }
    }

    private static String item(OneEngine one) {
        return text(one.read(TREE.item(0)));
    }

    private static String text(Optional<RegistryNode> node) {
        return node.map(RegistryNode::text).orElse("absent");
    }
}
