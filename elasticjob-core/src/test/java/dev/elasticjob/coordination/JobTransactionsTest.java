package dev.elasticjob.coordination;

import static dev.elasticjob.coordination.Samples.NOON;
import static dev.elasticjob.coordination.Samples.THEM;
import static dev.elasticjob.coordination.Samples.TREE;
import static dev.elasticjob.coordination.Samples.US;
import static dev.elasticjob.coordination.Samples.definition;
import static dev.elasticjob.coordination.Samples.item;
import static dev.elasticjob.coordination.Samples.ownership;
import static dev.elasticjob.coordination.Samples.waiting;
import static org.assertj.core.api.Assertions.assertThat;

import dev.elasticjob.coordination.item.ClaimedItem;
import dev.elasticjob.coordination.item.Completion;
import dev.elasticjob.coordination.item.Completion.FailoverSignal;
import dev.elasticjob.coordination.item.CompletionTransactions;
import dev.elasticjob.coordination.item.ExecutionResult;
import dev.elasticjob.coordination.item.ItemChange;
import dev.elasticjob.coordination.item.ItemTransactions;
import dev.elasticjob.coordination.leader.JobTransactions;
import dev.elasticjob.coordination.leader.Resharding;
import dev.elasticjob.coordination.leader.Resharding.Display;
import dev.elasticjob.coordination.session.Batch;
import dev.elasticjob.coordination.state.Assignment;
import dev.elasticjob.coordination.state.ItemRecord;
import dev.elasticjob.coordination.state.ItemState;
import dev.elasticjob.coordination.state.StoredDefinition;
import dev.elasticjob.coordination.view.ItemView;
import dev.elasticjob.coordination.view.Ownership;
import dev.elasticjob.coordination.view.ReshardingRequest;
import dev.elasticjob.job.event.ExecutionTrigger;
import dev.elasticjob.registry.RegistryCommit;
import dev.elasticjob.registry.RegistryCommit.Operation;
import dev.elasticjob.registry.RegistryNode;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import java.util.NavigableMap;
import java.util.Optional;
import java.util.TreeMap;
import java.util.stream.IntStream;
import org.junit.jupiter.api.Nested;
import org.junit.jupiter.api.Test;

/** Each step's operations, as lines: {@code set path@version}, {@code create path}, {@code create-e path=data}, … */
class JobTransactionsTest {
    private static final Ownership OWN = ownership(definition().failover(true).build());
    private static final ItemRecord SEEN = Samples.completed(NOON.minusSeconds(60), Duration.ofSeconds(1));
    private static final String GUARD_EPOCH = "check /orders/sharding@5";
    private static final String GUARD_CONFIG = "check /orders/config@2";

    private static final RegistryCommit NOTHING = RegistryCommit.builder().build();

    private final JobTransactions transactions = new JobTransactions(TREE);
    private final ItemTransactions items = new ItemTransactions(TREE);
    private final CompletionTransactions ends = new CompletionTransactions(TREE);

    @Nested
    class Items {
        @Test
        void aClaimChecksEpochAndConfigurationAndLocks() {
            assertThat(lines(claim(claimOf(item(0, SEEN)))))
                    .containsExactly(
                            GUARD_EPOCH,
                            GUARD_CONFIG,
                            "set /orders/sharding/0@3",
                            "create-e /orders/sharding/0/running=" + US);
        }

        @Test
        void aClaimDeletesTheMisfireThatWasRead() {
            assertThat(lines(claim(claimOf(item(0, SEEN, "misfire")))))
                    .contains("delete /orders/sharding/0/misfire@-1");
        }

        @Test
        void aSkipRidesAlongWithoutALock() {
            ItemChange.Skip skip = new ItemChange.Skip(item(1, SEEN, "disabled"), NOON);

            assertThat(lines(claim(claimOf(item(0, SEEN)), skip)))
                    .containsExactly(
                            GUARD_EPOCH,
                            GUARD_CONFIG,
                            "set /orders/sharding/0@3",
                            "create-e /orders/sharding/0/running=" + US,
                            "set /orders/sharding/1@3");
        }

        @Test
        void aTakeShowsItselfAndAnswersTheBellThatWasRead() {
            assertThat(lines(claim(takeOf(waiting(0, Samples.orphaned(NOON))))))
                    .containsExactly(
                            GUARD_EPOCH,
                            GUARD_CONFIG,
                            "set /orders/sharding/0@3",
                            "create-e /orders/sharding/0/running=" + US,
                            "create-e /orders/sharding/0/failover=" + US,
                            "delete /orders/leader/failover/items/0@-1");
            assertThat(lines(claim(takeOf(item(0, Samples.orphaned(NOON))))))
                    .doesNotContain("delete /orders/leader/failover/items/0@-1");
        }

        @Test
        void aFailoverNodeThatWasLeftDoesNotStandInTheWayOfATake() {
            assertThat(lines(claim(takeOf(item(0, Samples.orphaned(NOON), "failover")))))
                    .containsSubsequence(
                            "delete /orders/sharding/0/failover@-1", "create-e /orders/sharding/0/failover=" + US);
        }

        @Test
        void anOrphanIsRecordedUnderTheAssertionThatItsLockIsAbsent() {
            ItemView orphan = item(0, Samples.running(NOON));

            assertThat(lines(orphans(new ItemChange.Orphan(orphan, NOON, true))))
                    .containsExactly(
                            GUARD_EPOCH,
                            "create /orders/sharding/0/running",
                            "delete /orders/sharding/0/running@0",
                            "set /orders/sharding/0@3",
                            "create /orders/leader/failover/items/0");
            assertThat(lines(orphans(new ItemChange.Orphan(orphan, NOON, false))))
                    .doesNotContain("create /orders/leader/failover/items/0");
        }

        @Test
        void aBellThatIsThereIsRungByDeletingAndCreatingIt() {
            assertThat(lines(orphans(new ItemChange.Orphan(waiting(0, Samples.running(NOON)), NOON, true))))
                    .endsWith("delete /orders/leader/failover/items/0@-1", "create /orders/leader/failover/items/0");
        }

        @Test
        void aDropIsWrittenUnderTheConfigurationThatSaysSo() {
            ItemView lost = waiting(7, Samples.orphaned(NOON));

            List<String> lines = lines(items.abandon(
                    5,
                    new StoredDefinition.NodeVersion("/orders/config", 2),
                    List.of(new ItemChange.Abandon(lost, "no longer wanted"))));

            assertThat(lines)
                    .containsExactly(
                            GUARD_EPOCH,
                            GUARD_CONFIG,
                            "set /orders/sharding/7@3",
                            "delete /orders/leader/failover/items/7@-1");
        }

        @Test
        void anEndIsWrittenAtItsVersionAndUnlocks() {
            ExecutionResult success = new ExecutionResult.Returned(ItemState.COMPLETED, NOON, NOON, null);

            assertThat(lines(ends.complete(List.of(Completion.of(claimed(), success, Optional.empty())))))
                    .containsExactly(
                            "check /orders/sharding@5",
                            "set /orders/sharding/0@4",
                            "delete /orders/sharding/0/running@-1");
        }

        @Test
        void theEndOfATakeTakesItsDisplayAway() {
            ExecutionResult cutOff = new ExecutionResult.Returned(ItemState.INTERRUPTED, NOON, NOON, null);

            assertThat(lines(ends.complete(List.of(Completion.of(taken(), cutOff, Optional.empty())))))
                    .containsExactly(
                            "check /orders/sharding@5",
                            "set /orders/sharding/0@4",
                            "delete /orders/sharding/0/running@-1",
                            "delete /orders/sharding/0/failover@-1",
                            "create /orders/leader/failover/items/0");
        }

        @Test
        void aLateEndChecksTheEpochAtWhichItsItemWasRead() {
            ClaimedItem claim = claimed();
            ExecutionResult success = new ExecutionResult.Returned(ItemState.COMPLETED, NOON, NOON, null);
            ItemView read = waiting(0, claim.claimed().orphaned(NOON));
            Completion late = Completion.again(Completion.of(claim, success, Optional.empty()), read, Optional.empty())
                    .orElseThrow();

            assertThat(late.signal()).isEqualTo(FailoverSignal.REMOVE);
            assertThat(lines(ends.completeAgain(9, Optional.empty(), List.of(late))))
                    .containsExactly(
                            "check /orders/sharding@9",
                            "set /orders/sharding/0@3",
                            "delete /orders/leader/failover/items/0@-1");
        }

        @Test
        void anEndThatNobodyWouldHearOfRingsTheBellOfRuns() {
            ClaimedItem claim = claimed();
            ItemView read = waiting(0, claim.claimed().orphaned(NOON));
            Completion late = Completion.again(
                            Completion.of(claim, new ExecutionResult.Unclaimed(), Optional.empty()),
                            read,
                            Optional.empty())
                    .orElseThrow();
            RegistryNode signal = new RegistryNode("[]".getBytes(StandardCharsets.UTF_8), 6, 1, 1, NOON, NOON, 0);

            assertThat(lines(ends.completeAgain(9, Optional.of(signal), List.of(late))))
                    .startsWith("check /orders/sharding@9", "set /orders/trigger@6");
        }

        @Test
        void aDisplayThatSomebodyTookAwayIsNotDeletedAgain() {
            ClaimedItem claim = taken();
            ExecutionResult success = new ExecutionResult.Returned(ItemState.COMPLETED, NOON, NOON, null);
            Completion again = Completion.again(
                            Completion.of(claim, success, Optional.empty()),
                            item(0, claim.claimed(), "running"),
                            Optional.of(77L))
                    .orElseThrow();

            assertThat(lines(ends.completeAgain(9, Optional.empty(), List.of(again))))
                    .doesNotContain("delete /orders/sharding/0/failover@-1");
        }

        @Test
        void anUnlockSentAgainCannotUnlockWhoeverClaimedTheItemSince() {
            ItemView moved = item(0, Samples.running(NOON.plusSeconds(60)), "running", "failover");

            assertThat(lines(ends.unlock(9, taken(), moved)))
                    .containsExactly(
                            "check /orders/sharding@9",
                            "check /orders/sharding/0@3",
                            "delete /orders/sharding/0/running@-1",
                            "delete /orders/sharding/0/failover@-1");
        }
    }

    @Nested
    class Resharded {
        @Test
        void whatFitsIsOneTransaction() {
            NavigableMap<Integer, Display> displays = new TreeMap<>();
            displays.put(0, new Display.Change(THEM));
            displays.put(1, new Display.Remove());
            displays.put(2, new Display.Create(US));
            NavigableMap<Integer, ItemRecord> created = new TreeMap<>();
            created.put(2, ItemRecord.startingAt(NOON));

            List<RegistryCommit> steps = transactions.reshard(
                    5, new Resharding(next(3), created, displays), Optional.of(node(4)), Optional.empty(), NOTHING);

            assertThat(steps).hasSize(1);
            assertThat(lines(steps.get(0)))
                    .containsExactly(
                            "set /orders/sharding@5",
                            "create /orders/sharding/2",
                            "set /orders/sharding/0/instance@-1",
                            "delete /orders/sharding/1/instance@-1",
                            "create /orders/sharding/2/instance",
                            "delete /orders/leader/sharding/necessary@4");
        }

        /** Its refusal tells who was first, and by the last node that is set, lost data is noticed. */
        @Test
        void theGuardComesBeforeAllElse() {
            RegistryCommit guard =
                    RegistryCommit.builder().set("/.loads", "", 7).build();
            Resharding small = new Resharding(next(1), new TreeMap<>(), new TreeMap<>());
            NavigableMap<Integer, Display> many = new TreeMap<>();
            NavigableMap<Integer, ItemRecord> created = new TreeMap<>();
            for (int item = 0; item < 10_000; item++) {
                created.put(item, ItemRecord.startingAt(NOON));
                many.put(item, new Display.Create(US));
            }
            Resharding large = new Resharding(next(10_000), created, many);

            List<RegistryCommit> one = transactions.reshard(5, small, Optional.empty(), Optional.empty(), guard);
            List<RegistryCommit> several =
                    transactions.reshard(5, large, Optional.of(node(4)), Optional.empty(), guard);

            assertThat(lines(one.get(0))).containsExactly("set /.loads@7", "set /orders/sharding@5");
            assertThat(several)
                    .anySatisfy(step -> assertThat(lines(step)).startsWith("set /.loads@7", "set /orders/sharding@5"));
        }

        @Test
        void whatDoesNotFitComesInTheOrderOfTheProtocolAndRingsUntilAllIsWritten() {
            List<RegistryCommit> steps = manyItems(Optional.of(node(4)), Optional.empty());
            int decision = decision(steps);

            assertThat(steps.subList(0, decision))
                    .isNotEmpty()
                    .allSatisfy(step -> assertThat(lines(step))
                            .startsWith("check /orders/sharding@5")
                            .allMatch(
                                    line -> line.startsWith("check") || line.matches("create /orders/sharding/\\d+")));
            assertThat(lines(steps.get(decision)))
                    .containsExactly(
                            "set /orders/sharding@5",
                            "set /orders/leader/sharding/necessary@4",
                            "create-e /orders/leader/sharding/processing=");
            assertThat(steps.subList(decision + 1, steps.size()))
                    .isNotEmpty()
                    .allSatisfy(step -> assertThat(lines(step)).startsWith("check /orders/sharding@6"));
            assertThat(lines(last(steps)))
                    .endsWith(
                            "delete /orders/leader/sharding/necessary@5",
                            "delete /orders/leader/sharding/processing@-1");
        }

        @Test
        void withoutABellOneIsHungUpAndTakenDown() {
            List<RegistryCommit> steps = manyItems(Optional.empty(), Optional.empty());

            assertThat(lines(steps.get(decision(steps)))).contains("create /orders/leader/sharding/necessary");
            assertThat(lines(last(steps))).contains("delete /orders/leader/sharding/necessary@0");
        }

        @Test
        void whatAnAttemptThatWasRefusedHasLeftDoesNotStandInTheWay() {
            List<RegistryCommit> steps = manyItems(Optional.empty(), Optional.of(node(0)));

            assertThat(lines(steps.get(decision(steps))))
                    .containsSubsequence(
                            "delete /orders/leader/sharding/processing@-1",
                            "create-e /orders/leader/sharding/processing=");
            RegistryCommit small = transactions
                    .reshard(
                            5,
                            new Resharding(next(1), new TreeMap<>(), new TreeMap<>()),
                            Optional.empty(),
                            Optional.of(node(0)),
                            NOTHING)
                    .get(0);
            assertThat(lines(small)).contains("delete /orders/leader/sharding/processing@-1");
        }

        @Test
        void everyItemIsWrittenOnceAndNoTransactionIsTooLarge() {
            List<RegistryCommit> steps = manyItems(Optional.empty(), Optional.empty());
            List<String> all =
                    steps.stream().flatMap(step -> lines(step).stream()).toList();

            assertThat(steps)
                    .allSatisfy(
                            step -> assertThat(step.bytes()).isLessThanOrEqualTo(RegistryCommit.BYTES_OF_PART + 400));
            assertThat(all).contains("create /orders/sharding/0/instance", "create /orders/sharding/9999/instance");
            assertThat(all.stream().filter(line -> line.matches("create /orders/sharding/\\d+")))
                    .hasSize(10_000)
                    .doesNotHaveDuplicates();
            assertThat(all.stream().filter(line -> line.endsWith("/instance")))
                    .hasSize(10_000)
                    .doesNotHaveDuplicates();
        }

        @Test
        void aBellThatAsksForNothingIsAnsweredAtItsVersion() {
            assertThat(lines(transactions.answerRequest(5, node(7), node(4))))
                    .containsExactly(
                            "check /orders/sharding@5",
                            "set /orders/leader/sharding@7",
                            "delete /orders/leader/sharding/necessary@4");
        }

        @Test
        void ringingCreatesTheBellOrRaisesItsVersion() {
            assertThat(lines(new ReshardingRequest(TREE, Optional.empty()).raised()))
                    .containsExactly("create /orders/leader/sharding/necessary");
            assertThat(lines(new ReshardingRequest(TREE, Optional.of(node(4))).raised()))
                    .containsExactly("set /orders/leader/sharding/necessary@4");
        }

        @Test
        void anItemBeyondTheTotalGoesAtTheVersionsThatWereRead() {
            NavigableMap<String, RegistryNode> children = new TreeMap<>();
            children.put("/orders/sharding/3/checkpoint", node(8));
            children.put("/orders/sharding/3/instance", node(1));
            children.put("/orders/sharding/30/instance", node(1));

            Batch<ItemView> retired =
                    transactions.retire(5, next(3).withFloor(NOON), List.of(waiting(3, SEEN)), children);

            assertThat(lines(retired.commit()))
                    .containsExactly(
                            "set /orders/sharding@5",
                            "delete /orders/sharding/3/checkpoint@8",
                            "delete /orders/sharding/3/instance@1",
                            "delete /orders/leader/failover/items/3@-1",
                            "delete /orders/sharding/3@3");
        }

        @Test
        void ofManyItemsBeyondTheTotalAsManyGoAsFit() {
            NavigableMap<String, RegistryNode> children = new TreeMap<>();
            List<ItemView> beyond = new ArrayList<>();
            for (int item = 1; item <= 1_000; item++) {
                beyond.add(item(item, SEEN));
                for (String name : List.of("checkpoint", "disabled", "failover", "instance", "misfire", "trigger")) {
                    children.put("/orders/sharding/" + item + "/" + name, node(1));
                }
            }

            Batch<ItemView> retired = transactions.retire(5, next(1), beyond, children);

            assertThat(retired.commit().bytes()).isLessThanOrEqualTo(RegistryCommit.BYTES_OF_PART);
            assertThat(retired.parts()).hasSizeBetween(500, 999);
            assertThat(retired.commit().operations())
                    .hasSize(1 + 7 * retired.parts().size());
        }

        private List<RegistryCommit> manyItems(Optional<RegistryNode> signal, Optional<RegistryNode> processing) {
            NavigableMap<Integer, ItemRecord> created = new TreeMap<>();
            NavigableMap<Integer, Display> displays = new TreeMap<>();
            for (int item = 0; item < 10_000; item++) {
                created.put(item, ItemRecord.startingAt(NOON));
                displays.put(item, new Display.Create(US));
            }
            return transactions.reshard(
                    5, new Resharding(next(10_000), created, displays), signal, processing, NOTHING);
        }

        private static int decision(List<RegistryCommit> steps) {
            return IntStream.range(0, steps.size())
                    .filter(step -> lines(steps.get(step)).get(0).startsWith("set /orders/sharding@"))
                    .findFirst()
                    .orElseThrow();
        }
    }

    @Nested
    class Cut {
        @Test
        void eachChunkBeginsWithTheGuardAndPartsStayTogether() {
            List<ItemChange> changes = new ArrayList<>();
            for (int item = 0; item < 10_000; item++) {
                changes.add(claimOf(item(item, SEEN)));
            }

            List<Batch<ItemChange>> batches = items.claim(OWN, changes, change -> change);

            assertThat(batches).hasSizeBetween(3, 12).allSatisfy(batch -> {
                assertThat(batch.commit().bytes()).isLessThanOrEqualTo(RegistryCommit.BYTES_OF_PART);
                assertThat(lines(batch.commit())).startsWith(GUARD_EPOCH, GUARD_CONFIG);
                assertThat(batch.commit().operations())
                        .hasSize(2 + 2 * batch.parts().size());
            });
            assertThat(batches.stream().flatMap(batch -> batch.parts().stream()))
                    .containsExactlyElementsOf(changes);
        }

        @Test
        void aPartThatIsTooLargeByItselfGoesAlone() {
            RegistryCommit guard =
                    RegistryCommit.builder().check("/orders/config", 1).build();

            List<Batch<Integer>> batches = Batch.cut(
                    guard,
                    List.of(1, RegistryCommit.BYTES_OF_PART, 2),
                    size -> RegistryCommit.builder()
                            .create("/orders/x", new byte[size])
                            .build());

            assertThat(batches.stream().map(Batch::parts))
                    .containsExactly(List.of(1), List.of(RegistryCommit.BYTES_OF_PART), List.of(2));
        }

        @Test
        void nothingIsNoTransaction() {
            assertThat(claim()).isEmpty();
        }
    }

    // ------------------------------------------------------------------ what follows

    private List<Batch<ItemChange>> claim(ItemChange... changes) {
        return items.claim(OWN, List.of(changes), change -> change);
    }

    private List<Batch<ItemChange.Orphan>> orphans(ItemChange.Orphan orphan) {
        return items.recordOrphans(5, List.of(orphan));
    }

    private static ItemChange.Claim claimOf(ItemView view) {
        return new ItemChange.Claim(view, view.current().claimed(NOON, US, NOON), ExecutionTrigger.SCHEDULE);
    }

    private static ItemChange.Take takeOf(ItemView view) {
        return new ItemChange.Take(view, view.current().taken(US, NOON));
    }

    private static ClaimedItem claimed() {
        return ClaimedItem.of(claimOf(item(0, SEEN)), OWN, 77);
    }

    private static ClaimedItem taken() {
        return ClaimedItem.of(takeOf(waiting(0, Samples.orphaned(NOON))), OWN, 77);
    }

    private static Assignment next(int total) {
        return Samples.assignment(definition().shardingTotalCount(total).build(), NOON);
    }

    private static RegistryNode node(int version) {
        return new RegistryNode(new byte[0], version, 1, 1, Instant.EPOCH, Instant.EPOCH, 0);
    }

    private static RegistryCommit last(List<RegistryCommit> steps) {
        return steps.get(steps.size() - 1);
    }

    private static <T> List<String> lines(List<Batch<T>> batches) {
        assertThat(batches).hasSize(1);
        return lines(batches.get(0).commit());
    }

    private static List<String> lines(RegistryCommit commit) {
        return commit.operations().stream().map(JobTransactionsTest::line).toList();
    }

    private static String line(Operation operation) {
        if (operation instanceof Operation.Check check) {
            return "check " + check.path() + "@" + check.version();
        } else if (operation instanceof Operation.Set set) {
            return "set " + set.path() + "@" + set.version();
        } else if (operation instanceof Operation.Delete delete) {
            return "delete " + delete.path() + "@" + delete.version();
        }
        Operation.Create create = (Operation.Create) operation;
        String data = new String(create.data(), StandardCharsets.UTF_8);
        return create.ephemeral() ? "create-e " + create.path() + "=" + data : "create " + create.path();
    }
}
