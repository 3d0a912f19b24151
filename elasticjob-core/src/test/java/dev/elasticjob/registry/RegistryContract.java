package dev.elasticjob.registry;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.catchThrowableOfType;

import dev.elasticjob.registry.CommitOutcome.Committed;
import dev.elasticjob.registry.CommitOutcome.Reason;
import dev.elasticjob.registry.CommitOutcome.Refused;
import dev.elasticjob.registry.Registry.Latch;
import dev.elasticjob.registry.Registry.WatchScope;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.BlockingQueue;
import java.util.concurrent.CompletionException;
import java.util.concurrent.CompletionStage;
import java.util.concurrent.LinkedBlockingQueue;
import java.util.concurrent.Semaphore;
import java.util.concurrent.TimeUnit;
import java.util.stream.IntStream;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;

/** What every registry keeps to. Each wait has an end. */
public abstract class RegistryContract {
    private static final long LIMIT_SECONDS = 30;

    private final List<Registry> opened = new ArrayList<>();
    protected Registry registry;
    protected Registry other;

    /** A client of the tree that all clients of this test share; it is empty when the test begins. */
    protected abstract Registry connect();

    protected abstract void cut(Registry client);

    protected abstract void mend(Registry client);

    protected abstract void expire(RegistrySession session);

    @BeforeEach
    void openClients() {
        registry = open();
        other = open();
    }

    @AfterEach
    void closeClients() {
        opened.forEach(Registry::close);
    }

    @Test
    void changesBelowANodeAreCounted() {
        committed(registry, RegistryCommit.builder().create("/a").create("/a/b").create("/a/c"));
        committed(registry, RegistryCommit.builder().delete("/a/b", 0));
        committed(registry, RegistryCommit.builder().create("/a/b").set("/a", "text", 0));

        RegistryAnswer answer = done(registry.read(RegistryRead.allData("/a", "/a/b")));

        assertThat(answer.node("/a").orElseThrow().childChanges()).isEqualTo(4);
        assertThat(answer.node("/a/b").orElseThrow().childChanges()).isZero();
    }

    @Test
    void manyNodesAreReadInOneRequest() {
        committed(registry, RegistryCommit.builder().create("/a", "one").create("/a/b", "two"));

        var answer = done(registry.read(List.of(
                RegistryRead.data("/a"),
                RegistryRead.data("/absent"),
                RegistryRead.children("/a"),
                RegistryRead.children("/a/b"),
                RegistryRead.children("/absent"))));

        assertThat(answer.node("/a")).get().extracting(RegistryNode::text).isEqualTo("one");
        assertThat(answer.node("/absent")).isEmpty();
        assertThat(answer.children("/a")).containsExactly("b");
        assertThat(answer.children("/a/b")).isEmpty();
        assertThat(answer.children("/absent")).isEmpty();
    }

    @Test
    void aPathWithTwoSlashesIsBesideTheNamespaceAndPartOfTheSameTransaction() throws Exception {
        String node = "//beside-%s/a".formatted(Long.toHexString(System.nanoTime()));
        String parent = node.substring(0, node.lastIndexOf('/'));
        var events = new Semaphore(0);
        committed(registry, RegistryCommit.builder().create(parent));
        registry.watch(parent, WatchScope.NODE, events::release);
        done(registry.read(RegistryRead.allData(parent)));

        committed(other, RegistryCommit.builder().create("/a", "within").createEphemeral(node, "beside"));

        assertThat(events.tryAcquire(LIMIT_SECONDS, TimeUnit.SECONDS)).isTrue();
        assertThat(node(registry, node)).get().extracting(RegistryNode::text).isEqualTo("beside");
        assertThat(node(registry, "/a")).get().extracting(RegistryNode::text).isEqualTo("within");
        assertThat(done(registry.read(List.of(RegistryRead.children(parent)))).children(parent))
                .containsExactly("a");
        committed(other, RegistryCommit.builder().delete(node, 0).delete(parent, 0));
        done(registry.awaitAbsence(node));
    }

    @Test
    void aSingleSlashIsTheNamespace() {
        committed(registry, RegistryCommit.builder().create("/a").create("/b"));

        var answer = done(registry.read(List.of(RegistryRead.children("/"), RegistryRead.data("/"))));

        assertThat(answer.children("/")).contains("a", "b");
        assertThat(answer.node("/")).isPresent();
    }

    @Test
    void anEmptyReadAndAnEmptyCommitAreAnswered() {
        done(registry.read(List.of()));

        var outcome =
                done(registry.commit(session(registry), RegistryCommit.builder().build()));

        assertThat(outcome).isInstanceOf(Committed.class);
    }

    @Test
    void aVersionRisesWithEachSet() {
        var created = committed(registry, RegistryCommit.builder().create("/a", "one"));
        var set = committed(registry, RegistryCommit.builder().set("/a", "two", 0));

        var node = node(other, "/a").orElseThrow();

        assertThat(node.text()).isEqualTo("two");
        assertThat(node.version()).isEqualTo(1);
        assertThat(node.czxid()).isEqualTo(created.zxid().orElseThrow());
        assertThat(node.mzxid()).isEqualTo(set.zxid().orElseThrow()).isGreaterThan(node.czxid());
        assertThat(node.isEphemeral()).isFalse();
    }

    @Test
    void aCommitIsAnsweredWithTheRegistrysTime() {
        var created = committed(registry, RegistryCommit.builder().create("/a"));
        var set = committed(registry, RegistryCommit.builder().set("/a", "x", 0));

        var node = node(registry, "/a").orElseThrow();

        assertThat(created.time()).contains(node.created());
        assertThat(set.time()).contains(node.modified());
        assertThat(node.modified()).isAfterOrEqualTo(node.created()).isAfter(Instant.EPOCH);
    }

    @Test
    void aCommitThatOnlyChecksHasNoNumber() {
        committed(registry, RegistryCommit.builder().create("/a"));

        var checked = committed(registry, RegistryCommit.builder().check("/a", 0));

        assertThat(checked.zxid()).isEmpty();
        assertThat(checked.time()).isEmpty();
    }

    @Test
    void aRefusalNamesReasonAndPathOfTheFirstStepThatFails() {
        committed(registry, RegistryCommit.builder().create("/a").create("/a/b"));

        assertThat(refused(
                        RegistryCommit.builder().create("/new").check("/a", 7).delete("/absent", 0)))
                .isEqualTo(new Refused(Reason.WRONG_VERSION, "/a"));
        assertThat(refused(RegistryCommit.builder().create("/new").set("/absent", "x", 0)))
                .isEqualTo(new Refused(Reason.ABSENT, "/absent"));
        assertThat(refused(RegistryCommit.builder().create("/new").create("/absent/child")))
                .isEqualTo(new Refused(Reason.ABSENT, "/absent/child"));
        assertThat(refused(RegistryCommit.builder().create("/new").create("/a/b")))
                .isEqualTo(new Refused(Reason.EXISTS, "/a/b"));
        assertThat(refused(RegistryCommit.builder().create("/new").delete("/a", 0)))
                .isEqualTo(new Refused(Reason.HAS_CHILDREN, "/a"));
    }

    @Test
    void aRefusedCommitChangesNothing() {
        committed(registry, RegistryCommit.builder().create("/a", "one").create("/b"));

        refused(RegistryCommit.builder()
                .set("/a", "two", 0)
                .delete("/b", 0)
                .create("/c")
                .check("/a", 5));

        assertThat(node(registry, "/a").orElseThrow().version()).isZero();
        assertThat(node(registry, "/b")).isPresent();
        assertThat(node(registry, "/c")).isEmpty();
    }

    @Test
    void anyVersionWillDoForMinusOne() {
        committed(registry, RegistryCommit.builder().create("/a"));

        committed(registry, RegistryCommit.builder().check("/a", -1).set("/a", "x", -1));
        committed(registry, RegistryCommit.builder().delete("/a", -1));

        assertThat(refused(RegistryCommit.builder().check("/a", -1))).isEqualTo(new Refused(Reason.ABSENT, "/a"));
    }

    @Test
    void absenceIsAsserted() {
        committed(registry, RegistryCommit.builder().create("/a"));

        committed(registry, RegistryCommit.builder().assertAbsent("/lock").set("/a", "free", 0));
        committed(other, RegistryCommit.builder().createEphemeral("/lock", "me"));
        var refusal = refused(RegistryCommit.builder().assertAbsent("/lock").set("/a", "locked", 1));

        assertThat(refusal).isEqualTo(new Refused(Reason.EXISTS, "/lock"));
        assertThat(node(registry, "/a").orElseThrow().text()).isEqualTo("free");
        assertThat(node(registry, "/lock")).isPresent();
    }

    @Test
    void aChildOfAnEphemeralNodeIsAnErrorOfTheCaller() {
        committed(registry, RegistryCommit.builder().createEphemeral("/e", ""));

        var failure = failure(registry.commit(
                session(registry),
                RegistryCommit.builder().create("/x").create("/e/child").build()));

        assertThat(failure).isInstanceOf(IllegalArgumentException.class).hasMessageContaining("/e/child");
        assertThat(node(registry, "/x")).isEmpty();
    }

    @Test
    void aTransactionThatIsTooLargeIsRefusedAndTheConnectionGoesOn() {
        committed(registry, RegistryCommit.builder().create("/orders").create("/orders/config"));
        var states = statesOf(registry);

        var failure = failure(registry.commit(
                session(registry),
                RegistryCommit.builder()
                        .check("/orders", 0)
                        .set("/orders/config", "x".repeat(RegistryCommit.MAX_BYTES), 0)
                        .build()));

        assertThat(failure)
                .isInstanceOf(IllegalArgumentException.class)
                .hasMessageContaining("\"/orders/config\"")
                .hasMessageContaining(String.valueOf(RegistryCommit.MAX_BYTES));
        assertThat(node(registry, "/orders/config").orElseThrow().version()).isZero();
        assertThat(states).doesNotContain(ConnectionState.SUSPENDED, ConnectionState.LOST);
    }

    @Test
    void manyLargeNodesAreReadAtOnce() {
        int nodes = 300;
        String text = "x".repeat(4 * 1024);
        committed(registry, RegistryCommit.builder().create("/large"));
        for (int hundred = 0; hundred < nodes; hundred += 100) {
            RegistryCommit.Builder commit = RegistryCommit.builder();
            IntStream.range(hundred, hundred + 100).forEach(i -> commit.create("/large/" + i, text));
            committed(registry, commit);
        }
        List<RegistryRead> reads = IntStream.range(0, nodes)
                .mapToObj(i -> RegistryRead.data("/large/" + i))
                .toList();
        var states = statesOf(registry);

        var first = done(registry.read(reads));
        var second = done(registry.read(reads));

        assertThat(reads).allSatisfy(read -> {
            assertThat(first.node(read.path()))
                    .get()
                    .extracting(RegistryNode::text)
                    .isEqualTo(text);
            assertThat(second.node(read.path()))
                    .get()
                    .extracting(RegistryNode::text)
                    .isEqualTo(text);
        });
        assertThat(states).doesNotContain(ConnectionState.SUSPENDED, ConnectionState.LOST);
    }

    @Test
    void anEphemeralNodeLivesWithItsSession() {
        committed(other, RegistryCommit.builder().createEphemeral("/e", "mine"));
        assertThat(session(other).owns(node(registry, "/e").orElseThrow())).isTrue();
        assertThat(session(registry).owns(node(registry, "/e").orElseThrow())).isFalse();
        var gone = registry.awaitAbsence("/e");

        other.close();

        done(gone);
        assertThat(node(registry, "/e")).isEmpty();
    }

    @Test
    void aCommitInAForeignSessionIsNotSent() {
        var failure = unavailable(registry.commit(
                session(other), RegistryCommit.builder().create("/a").build()));

        assertThat(failure.outcomeUnknown()).isFalse();
        assertThat(node(registry, "/a")).isEmpty();
    }

    @Test
    void aCommitInAnEndedSessionIsNotSent() {
        var former = session(registry);
        var states = statesOf(registry);
        expire(former);
        await(states, ConnectionState.RECONNECTED);

        var failure = unavailable(
                registry.commit(former, RegistryCommit.builder().create("/a").build()));

        assertThat(failure.outcomeUnknown()).isFalse();
        assertThat(node(registry, "/a")).isEmpty();
    }

    @Test
    void requestsTakeEffectInTheOrderOfTheirCalls() {
        var session = session(registry);
        List<CompletionStage<CommitOutcome>> commits = new ArrayList<>();
        List<CompletionStage<RegistryAnswer>> reads = new ArrayList<>();

        commits.add(registry.commit(
                session, RegistryCommit.builder().create("/a", "0").build()));
        for (int i = 0; i < 100; i++) {
            commits.add(registry.commit(
                    session, RegistryCommit.builder().set("/a", "" + (i + 1), i).build()));
            reads.add(registry.read(List.of(RegistryRead.data("/a"))));
        }

        assertThat(commits).allSatisfy(commit -> assertThat(done(commit)).isInstanceOf(Committed.class));
        assertThat(reads)
                .extracting(read -> done(read).node("/a").orElseThrow().version())
                .containsExactlyElementsOf(IntStream.rangeClosed(1, 100).boxed().toList());
    }

    @Test
    void thousandsOfStepsFitInOneCommit() {
        var commit = RegistryCommit.builder().create("/a");
        IntStream.range(0, 2999).forEach(i -> commit.create("/a/" + i, "x"));

        committed(registry, commit);

        assertThat(done(registry.read(List.of(RegistryRead.children("/a")))).children("/a"))
                .hasSize(2999);
    }

    @Test
    void aWatchOfANodeHearsOfTheNodeAndItsChildren() {
        var events = new Semaphore(0);
        registry.watch("/a", WatchScope.NODE, events::release);

        happens(events, RegistryCommit.builder().create("/a"));
        happens(events, RegistryCommit.builder().set("/a", "x", 0));
        happens(events, RegistryCommit.builder().create("/a/child"));
        happensNot(events, RegistryCommit.builder().set("/a/child", "x", 0));
        happensNot(events, RegistryCommit.builder().create("/a/child/grandchild"));
        happensNot(events, RegistryCommit.builder().create("/ab"));
        happensNot(events, RegistryCommit.builder().delete("/a/child/grandchild", 0));
        happens(events, RegistryCommit.builder().delete("/a/child", 1));
        happens(events, RegistryCommit.builder().delete("/a", 1));
    }

    @Test
    void aWatchOfASubtreeHearsOfAllBelow() {
        var events = new Semaphore(0);
        registry.watch("/a", WatchScope.SUBTREE, events::release);

        happens(events, RegistryCommit.builder().create("/a"));
        happens(events, RegistryCommit.builder().create("/a/b"));
        happens(events, RegistryCommit.builder().create("/a/b/c"));
        happens(events, RegistryCommit.builder().set("/a/b/c", "x", 0));
        happensNot(events, RegistryCommit.builder().create("/ab"));
        happens(events, RegistryCommit.builder().delete("/a/b/c", 1));
    }

    @Test
    void aWatchHearsOfOthersChanges() throws InterruptedException {
        var events = new Semaphore(0);
        registry.watch("/a", WatchScope.NODE, events::release);
        node(registry, "/a");

        committed(other, RegistryCommit.builder().create("/a"));

        assertThat(events.tryAcquire(LIMIT_SECONDS, TimeUnit.SECONDS)).isTrue();
    }

    @Test
    void subscriptionsToOnePathAreClosedOneByOne() {
        var first = new Semaphore(0);
        var second = new Semaphore(0);
        var subtree = new Semaphore(0);
        var firstSubscription = registry.watch("/a", WatchScope.NODE, first::release);
        var secondSubscription = registry.watch("/a", WatchScope.NODE, second::release);
        var subtreeSubscription = registry.watch("/a", WatchScope.SUBTREE, subtree::release);
        happens(first, RegistryCommit.builder().create("/a"));
        happens(second, RegistryCommit.builder().set("/a", "1", 0));

        firstSubscription.close();
        firstSubscription.close();
        happensNot(first, RegistryCommit.builder().set("/a", "2", 1));
        happens(second, RegistryCommit.builder().set("/a", "3", 2));

        secondSubscription.close();
        happensNot(second, RegistryCommit.builder().set("/a", "4", 3));
        happens(subtree, RegistryCommit.builder().set("/a", "5", 4));

        registry.watch("/a", WatchScope.NODE, first::release);
        happens(first, RegistryCommit.builder().set("/a", "6", 5));

        subtreeSubscription.close();
        happensNot(subtree, RegistryCommit.builder().set("/a", "7", 6));
        happens(first, RegistryCommit.builder().set("/a", "8", 7));
    }

    @Test
    void aFailingWatchDisturbsNoOther() {
        var events = new Semaphore(0);
        registry.watch("/a", WatchScope.NODE, () -> {
            throw new IllegalStateException("provoked by this test");
        });
        registry.watch("/a", WatchScope.NODE, events::release);

        happens(events, RegistryCommit.builder().create("/a"));
    }

    @Test
    void aWatchIsRenewedInANewSession() {
        var events = new Semaphore(0);
        registry.watch("/a", WatchScope.NODE, events::release);
        registry.watch("/a", WatchScope.SUBTREE, () -> {});
        var states = statesOf(registry);
        var former = session(registry);

        expire(former);
        await(states, ConnectionState.RECONNECTED);

        assertThat(session(registry)).isNotEqualTo(former);
        happens(events, RegistryCommit.builder().create("/a"));
    }

    @Test
    void aWatchOutlivesACutAndIsPutInPlaceAfterOne() {
        var before = new Semaphore(0);
        var during = new Semaphore(0);
        registry.watch("/a", WatchScope.NODE, before::release);
        var states = statesOf(registry);

        cut(registry);
        await(states, ConnectionState.SUSPENDED);
        registry.watch("/b", WatchScope.NODE, during::release);
        mend(registry);
        await(states, ConnectionState.RECONNECTED);

        happens(before, RegistryCommit.builder().create("/a"));
        happens(during, RegistryCommit.builder().create("/b"));
    }

    @Test
    void anAbsenceIsSeenAtOnce() {
        done(registry.awaitAbsence("/absent"));
    }

    @Test
    void anAbsenceIsSeenWithTheDeletion() {
        committed(other, RegistryCommit.builder().create("/a"));
        var absent = registry.awaitAbsence("/a");
        committed(other, RegistryCommit.builder().set("/a", "x", 0));
        node(registry, "/a");
        assertThat(absent.toCompletableFuture()).isNotDone();

        committed(other, RegistryCommit.builder().delete("/a", 1));

        done(absent);
    }

    @Test
    void anAbsenceDuringACutIsSeenAfterIt() {
        committed(other, RegistryCommit.builder().create("/a"));
        var absent = registry.awaitAbsence("/a");
        node(registry, "/a");
        var states = statesOf(registry);

        cut(registry);
        await(states, ConnectionState.SUSPENDED);
        committed(other, RegistryCommit.builder().delete("/a", 0));
        mend(registry);

        done(absent);
    }

    @Test
    void whoeverNeedsTheSessionPutsItsEndOff() {
        committed(registry, RegistryCommit.builder().createEphemeral("/e", ""));
        var first = registry.keepOpen();
        var second = registry.keepOpen();
        var gone = other.awaitAbsence("/e");

        registry.close();
        first.close();
        first.close();
        committed(registry, RegistryCommit.builder().set("/e", "still here", 0));
        assertThat(gone.toCompletableFuture()).isNotDone();
        second.close();

        done(gone);
    }

    @Test
    void aJobIsReservedForOneAtATimeAndByEachRegistryForItself() {
        Subscription first = registry.reserve("orders").orElseThrow();

        assertThat(registry.reserve("orders")).isEmpty();
        assertThat(registry.reserve("bills")).isPresent();
        assertThat(other.reserve("orders")).isPresent();
        first.close();
        assertThat(registry.reserve("orders")).isPresent();
        first.close();
        assertThat(registry.reserve("orders")).as("of somebody else").isEmpty();
    }

    @Test
    void awaitingAnAbsenceEndsWithTheSession() {
        committed(other, RegistryCommit.builder().create("/a"));
        var absent = registry.awaitAbsence("/a");
        node(registry, "/a");

        expire(session(registry));

        unavailable(absent);
    }

    @Test
    void aLatchHasOneHolderAtATime() {
        committed(registry, RegistryCommit.builder().create("/latch"));
        var first = registry.enterLatch("/latch", "first");
        done(first.acquired());
        var second = other.enterLatch("/latch", "second");
        var third = registry.enterLatch("/latch", "third");
        node(registry, "/latch");
        assertThat(second.acquired().toCompletableFuture()).isNotDone();

        first.close();
        first.close();
        var holder = firstOf(second, third);
        var waiter = holder == second ? third : second;
        assertThat(waiter.acquired().toCompletableFuture()).isNotDone();
        holder.close();

        done(waiter.acquired());
        waiter.close();
    }

    @Test
    void aLatchIsHandedOverWhenTheSessionEnds() {
        committed(registry, RegistryCommit.builder().create("/latch"));
        var held = other.enterLatch("/latch", "held");
        done(held.acquired());
        var waiting = registry.enterLatch("/latch", "waiting");

        expire(session(other));

        done(waiting.acquired());
    }

    @Test
    void queueingForALatchEndsWithTheSession() {
        committed(registry, RegistryCommit.builder().create("/latch"));
        var held = other.enterLatch("/latch", "held");
        done(held.acquired());
        var waiting = registry.enterLatch("/latch", "waiting");

        expire(session(registry));

        unavailable(waiting.acquired());
    }

    @Test
    void aLatchThatWasClosedIsNeverOurs() {
        committed(registry, RegistryCommit.builder().create("/latch"));
        var held = other.enterLatch("/latch", "held");
        done(held.acquired());
        var waiting = registry.enterLatch("/latch", "waiting");

        waiting.close();
        unavailable(waiting.acquired());
        held.close();

        done(other.enterLatch("/latch", "next").acquired());
    }

    @Test
    void aCutConnectionIsSuspendedAndComesBackInTheSameSession() {
        var states = statesOf(registry);
        var session = session(registry);
        committed(registry, RegistryCommit.builder().createEphemeral("/e", ""));

        cut(registry);
        await(states, ConnectionState.SUSPENDED);
        assertThat(registry.connectionState()).isEqualTo(ConnectionState.SUSPENDED);
        assertThat(registry.session()).contains(session);
        mend(registry);
        await(states, ConnectionState.RECONNECTED);

        assertThat(registry.session()).contains(session);
        assertThat(session.owns(node(registry, "/e").orElseThrow())).isTrue();
    }

    @Test
    void withoutAConnectionNothingIsSent() {
        var states = statesOf(registry);
        var session = session(registry);
        cut(registry);
        await(states, ConnectionState.SUSPENDED);

        var read = unavailable(registry.read(List.of(RegistryRead.data("/a"))));
        var commit = unavailable(
                registry.commit(session, RegistryCommit.builder().create("/a").build()));
        unavailable(registry.awaitAbsence("/a"));
        unavailable(registry.enterLatch("/latch", "me").acquired());

        assertThat(read.outcomeUnknown()).isFalse();
        assertThat(commit.outcomeUnknown()).isFalse();
        mend(registry);
        await(states, ConnectionState.RECONNECTED);
        assertThat(node(registry, "/a")).isEmpty();
    }

    @Test
    void anExpiredSessionIsLostAndFollowedByANewOne() {
        var states = statesOf(registry);
        var former = session(registry);
        committed(registry, RegistryCommit.builder().createEphemeral("/e", ""));

        expire(former);
        await(states, ConnectionState.SUSPENDED);
        await(states, ConnectionState.LOST);
        await(states, ConnectionState.RECONNECTED);

        assertThat(session(registry).id()).isNotEqualTo(former.id());
        assertThat(node(registry, "/e")).isEmpty();
    }

    @Test
    void aClosedRegistryAnswersNothing() {
        committed(registry, RegistryCommit.builder().create("/a"));
        var session = session(registry);
        var absent = registry.awaitAbsence("/a");
        node(registry, "/a");

        registry.close();
        registry.close();

        assertThat(registry.session()).isEmpty();
        unavailable(absent);
        unavailable(registry.read(List.of(RegistryRead.data("/a"))));
        unavailable(
                registry.commit(session, RegistryCommit.builder().create("/b").build()));
        assertThat(node(other, "/b")).isEmpty();
    }

    protected final Registry open() {
        Registry client = connect();
        opened.add(client);
        return client;
    }

    protected static <T extends @Nullable Object> T done(CompletionStage<T> stage) {
        return stage.toCompletableFuture()
                .copy()
                .orTimeout(LIMIT_SECONDS, TimeUnit.SECONDS)
                .join();
    }

    protected static Throwable failure(CompletionStage<?> stage) {
        return catchThrowableOfType(CompletionException.class, () -> done(stage))
                .getCause();
    }

    public static RegistryUnavailableException unavailable(CompletionStage<?> stage) {
        var failure = failure(stage);
        assertThat(failure).isInstanceOf(RegistryUnavailableException.class);
        return (RegistryUnavailableException) failure;
    }

    protected static RegistrySession session(Registry client) {
        return client.session().orElseThrow();
    }

    protected static Optional<RegistryNode> node(Registry client, String path) {
        return done(client.read(List.of(RegistryRead.data(path)))).node(path);
    }

    protected static Committed committed(Registry client, RegistryCommit.Builder commit) {
        var outcome = done(client.commit(session(client), commit.build()));
        assertThat(outcome).isInstanceOf(Committed.class);
        return (Committed) outcome;
    }

    protected static BlockingQueue<ConnectionState> statesOf(Registry client) {
        var states = new LinkedBlockingQueue<ConnectionState>();
        client.onConnectionState(states::add);
        return states;
    }

    /** The next state that is told. */
    protected static void await(BlockingQueue<ConnectionState> states, ConnectionState expected) {
        try {
            ConnectionState next = states.poll(LIMIT_SECONDS, TimeUnit.SECONDS);
            // That it is connected may have been on its way when the listener was added.
            while (next == ConnectionState.CONNECTED
                    || (expected == ConnectionState.RECONNECTED
                            && (next == ConnectionState.SUSPENDED || next == ConnectionState.LOST))) {
                next = states.poll(LIMIT_SECONDS, TimeUnit.SECONDS);
            }
            assertThat(next).isEqualTo(expected);
        } catch (InterruptedException e) {
            throw new AssertionError("Interrupted while waiting for " + expected, e);
        }
    }

    private static Latch firstOf(Latch one, Latch another) {
        return done(one.acquired()
                .thenApply(acquired -> one)
                .applyToEither(another.acquired().thenApply(acquired -> another), holder -> holder));
    }

    private Refused refused(RegistryCommit.Builder commit) {
        var outcome = done(registry.commit(session(registry), commit.build()));
        assertThat(outcome).isInstanceOf(Refused.class);
        return (Refused) outcome;
    }

    /** Events arrive before the answer of a read that is called later. */
    private void happens(Semaphore events, RegistryCommit.Builder commit) {
        events.drainPermits();
        committed(registry, commit);
        node(registry, "/any");
        assertThat(events.availablePermits()).isPositive();
    }

    private void happensNot(Semaphore events, RegistryCommit.Builder commit) {
        events.drainPermits();
        committed(registry, commit);
        node(registry, "/any");
        assertThat(events.availablePermits()).isZero();
    }
}
