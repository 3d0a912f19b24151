package dev.elasticjob.coordination.run;

import static dev.elasticjob.coordination.Samples.NOON;
import static dev.elasticjob.coordination.Samples.TREE;
import static dev.elasticjob.coordination.Samples.US;
import static dev.elasticjob.coordination.Samples.assignment;
import static dev.elasticjob.coordination.Samples.definition;
import static org.assertj.core.api.Assertions.assertThat;

import dev.elasticjob.coordination.state.Assignment;
import dev.elasticjob.coordination.state.Cancellation;
import dev.elasticjob.coordination.state.FiringPlan;
import dev.elasticjob.coordination.state.ItemRecord;
import dev.elasticjob.coordination.state.ItemRecordCodec;
import dev.elasticjob.coordination.state.ItemState;
import dev.elasticjob.coordination.state.ManualRun;
import dev.elasticjob.coordination.state.NodeCodec;
import dev.elasticjob.coordination.state.OpenFiring;
import dev.elasticjob.coordination.state.WaitingRuns;
import dev.elasticjob.coordination.view.FiringsView;
import dev.elasticjob.registry.CommitOutcome;
import dev.elasticjob.registry.RegistryAnswer;
import dev.elasticjob.registry.RegistryCommit;
import dev.elasticjob.registry.RegistryRead;
import dev.elasticjob.registry.memory.InMemoryEnsemble;
import dev.elasticjob.registry.memory.InMemoryRegistry;
import dev.elasticjob.time.manual.ManualTime;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.SortedSet;
import java.util.TreeMap;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionStage;
import java.util.function.Function;
import java.util.stream.IntStream;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;

class ManualRunsTest {
    private static final int ITEMS = 2_400;
    /** So long that the items need several transactions. */
    private static final String PARAMETER = "x".repeat(500);

    private static final ManualRun RUN = ManualRun.of("r1", PARAMETER);

    private final InMemoryRegistry registry =
            new InMemoryRegistry(new InMemoryEnsemble(new ManualTime(NOON)), Runnable::run);

    @BeforeEach
    void aJobWithManyItems() {
        RegistryCommit.Builder job = RegistryCommit.builder().create(TREE.root());
        TREE.parents().forEach(job::create);
        byte[] plan = NodeCodec.write(
                assignment(definition().shardingTotalCount(ITEMS).build(), NOON));
        job.create(TREE.sharding(), plan);
        IntStream.range(0, ITEMS).forEach(item -> job.create(TREE.item(item)));
        assertThat(commit(job.build())).isTrue();
    }

    @Test
    void anItemThatHasRunWhileAPartIsRepeatedIsNotAskedAgain() {
        List<Boolean> repetitions = new ArrayList<>();

        Optional<ManualRuns.Answer> answer = ask(step -> {
            CommitOutcome outcome = registry.commit(step).toCompletableFuture().join();
            asked().forEach(this::run);
            repetitions.add(commit(step));
            return outcome;
        });

        assertThat(answer).hasValueSatisfying(asked -> assertThat(asked.asked()).hasSize(ITEMS));
        assertThat(repetitions).hasSizeGreaterThan(2).containsOnly(false);
        assertThat(asked()).isEmpty();
    }

    @Test
    void anItemThatHasRunSinceAPartOfItIsNotAskedAgainThoughItHasRunForSomethingElse() {
        ask(step -> {
            CommitOutcome outcome = registry.commit(step).toCompletableFuture().join();
            commit(RegistryCommit.builder()
                    .set(TREE.triggers(), "[]", RegistryCommit.ANY_VERSION)
                    .build());
            return outcome;
        });
        List<Integer> first = asked();
        assertThat(first).isNotEmpty().hasSizeLessThan(ITEMS);
        first.forEach(this::run);
        first.forEach(this::runsForAFiring);

        ask(step -> registry.commit(step).toCompletableFuture().join());

        assertThat(asked()).hasSize(ITEMS - first.size()).doesNotContainAnyElementsOf(first);
    }

    @Test
    void aRequestThatBrokeOffGoesOnWithTheItemsThatWereNotAsked() {
        List<Integer> first = askedUntilItBreaksOff();

        assertThat(complete()).hasValueSatisfying(items -> assertThat(items).hasSize(ITEMS));

        assertThat(first).hasSizeLessThan(ITEMS);
        assertThat(asked()).hasSize(ITEMS);
        assertThat(open().isAsking()).isFalse();
    }

    @Test
    void aRequestThatBrokeOffAndOfWhichAnItemWasCancelledBeginsWithThoseThatWereAsked() {
        List<Integer> first = askedUntilItBreaksOff();
        WaitingRuns cancelled = WaitingRuns.of(RUN).dropping("r1", new Cancellation("alice", ""));
        commit(RegistryCommit.builder()
                .set(TREE.trigger(first.get(3)), NodeCodec.write(cancelled), RegistryCommit.ANY_VERSION)
                .build());

        assertThat(complete()).hasValueSatisfying(items -> assertThat(items).containsExactlyElementsOf(first));

        assertThat(asked()).containsExactlyElementsOf(first);
        assertThat(open().isAsking()).isFalse();
        assertThat(open().items()).containsExactlyElementsOf(first);
    }

    /** In a job that opens its firings. */
    private List<Integer> askedUntilItBreaksOff() {
        Assignment plan = assignment(definition().shardingTotalCount(ITEMS).build(), NOON);
        Assignment opening = new Assignment(
                plan.schedule(),
                plan.since(),
                plan.former(),
                plan.floor(),
                plan.monitored(),
                plan.pausedFrom(),
                plan.plannedFrom(),
                plan.owners(),
                new FiringPlan(true, NOON, new TreeMap<>()));
        commit(RegistryCommit.builder()
                .set(TREE.sharding(), NodeCodec.write(opening), RegistryCommit.ANY_VERSION)
                .build());
        List<RegistryCommit> sent = new ArrayList<>();
        new ManualRuns(TREE, registry, step -> {
                    sent.add(step);
                    return sent.size() == 1
                            ? registry.commit(step)
                            : CompletableFuture.failedFuture(new IllegalStateException("this process dies"));
                })
                .ask(RUN);
        assertThat(open().isAsking()).isTrue();
        return asked();
    }

    private Optional<SortedSet<Integer>> complete() {
        return new ManualRuns(TREE, registry, registry::commit)
                .complete(open())
                .toCompletableFuture()
                .join();
    }

    private OpenFiring open() {
        RegistryAnswer answer = registry.read(List.of(RegistryRead.data(TREE.firings())))
                .toCompletableFuture()
                .join();
        return FiringsView.of(TREE, answer).value().find(OpenFiring.idOf("r1")).orElseThrow();
    }

    private Optional<ManualRuns.Answer> ask(Function<RegistryCommit, CommitOutcome> committing) {
        Function<RegistryCommit, CompletionStage<CommitOutcome>> answered =
                step -> CompletableFuture.completedFuture(committing.apply(step));
        return new ManualRuns(TREE, registry, answered)
                .ask(RUN)
                .toCompletableFuture()
                .join();
    }

    /** The items for which a run waits. */
    private List<Integer> asked() {
        return IntStream.range(0, ITEMS)
                .filter(item -> read(TREE.trigger(item)).isPresent())
                .boxed()
                .toList();
    }

    private void run(int item) {
        ItemRecord ran = record(item).claimedFor(RUN, US, NOON).ended(ItemState.COMPLETED, NOON, NOON, null);
        assertThat(commit(RegistryCommit.builder()
                        .set(TREE.item(item), ItemRecordCodec.write(ran), RegistryCommit.ANY_VERSION)
                        .delete(TREE.trigger(item), RegistryCommit.ANY_VERSION)
                        .build()))
                .isTrue();
    }

    private void runsForAFiring(int item) {
        ItemRecord ran = record(item).claimed(NOON, US, NOON).ended(ItemState.COMPLETED, NOON, NOON, null);
        assertThat(commit(RegistryCommit.builder()
                        .set(TREE.item(item), ItemRecordCodec.write(ran), RegistryCommit.ANY_VERSION)
                        .build()))
                .isTrue();
    }

    private ItemRecord record(int item) {
        return ItemRecordCodec.read(TREE.item(item), read(TREE.item(item)).orElseThrow());
    }

    private Optional<byte[]> read(String path) {
        return registry.read(List.of(RegistryRead.data(path)))
                .toCompletableFuture()
                .join()
                .node(path)
                .map(node -> node.data());
    }

    private boolean commit(RegistryCommit commit) {
        return registry.commit(commit).toCompletableFuture().join().isCommitted();
    }
}
