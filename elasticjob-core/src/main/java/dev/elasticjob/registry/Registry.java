package dev.elasticjob.registry;

import java.util.List;
import java.util.Optional;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionStage;
import java.util.function.Consumer;

/**
 * The tree that all instances share, with ZooKeeper's semantics: versions, ephemeral nodes that live with a session,
 * transactions that happen whole or not at all, watches that mean "look again".
 *
 * <p>Safe for use by any thread. Requests of one registry take effect in the order of their calls, and their answers
 * arrive in that order, together with the watch events between them. Stages are completed and callbacks run on a thread
 * of the registry, which must never be blocked.
 *
 * <p><b>Unavailable is never absent:</b> a request that could not be sent or was not answered fails with a
 * {@link RegistryUnavailableException}; a node that doesn't exist is an empty {@link Optional}. A node that we may not
 * access fails with {@link RegistryAccessDeniedException}, and a request that no client can carry out (a malformed path,
 * a child of an ephemeral node) with an {@link IllegalArgumentException}: neither passes by itself. Methods that return
 * a stage throw nothing.
 *
 * <p>Requests don't wait for a connection: without one they fail at once.
 */
public interface Registry extends AutoCloseable {
    /**
     * Reads any number of nodes, in one request if they fit. Each part was true at some moment between call and answer,
     * but not all at the same moment: guard what depends on it by version. What is too large for one request goes out as
     * several, in the order of the parts.
     *
     * <p>Not retried: a lost connection fails the stage with {@link RegistryUnavailableException}.
     */
    CompletionStage<RegistryAnswer> read(List<RegistryRead> reads);

    /**
     * Carries out a transaction, completely or not at all, in the given session and in no other.
     *
     * <p>Never repeated automatically. A stage that fails with {@link RegistryUnavailableException} leaves
     * open whether it was carried out ({@link RegistryUnavailableException#outcomeUnknown()}); sending the same
     * transaction again in the same session is then harmless when its versions guard it. One of more than
     * {@link RegistryCommit#MAX_BYTES} is not sent: it fails with an {@link IllegalArgumentException} that names the node.
     */
    CompletionStage<CommitOutcome> commit(RegistrySession session, RegistryCommit commit);

    /** Carries out a transaction in the present session; fails with {@link RegistryUnavailableException} without one. */
    default CompletionStage<CommitOutcome> commit(RegistryCommit commit) {
        return session()
                .map(session -> commit(session, commit))
                .orElseGet(() -> CompletableFuture.failedFuture(new RegistryUnavailableException(
                        "The registry is not connected; try again when the connection is back")));
    }

    /**
     * Calls back after each change within the scope, until the subscription is closed. Events may be merged, and those
     * of a time without connection are lost: read again after {@link ConnectionState#RECONNECTED}. In place for every
     * read that is called later; renewed by itself in a new session. The node need not exist.
     */
    Subscription watch(String path, WatchScope scope, Runnable lookAgain);

    /**
     * Completes when the node is seen to be absent: at once, or with its deletion. Fails with
     * {@link RegistryUnavailableException} when the session ends meanwhile or the connection was lost before the watch
     * was in place. Cancel the stage's future to wait no longer: then nothing of the wait is left.
     */
    CompletionStage<Void> awaitAbsence(String path);

    /**
     * Queues for a latch that has one holder at a time; completes when it is ours. Closing it gives it back, and so does
     * the end of the session. For fairness only: after a cut, two may hold it for a moment.
     *
     * @param id shown with the queue, for operators
     */
    Latch enterLatch(String path, String id);

    /** The session in which requests are sent now; empty before the first connection and after a loss. */
    Optional<RegistrySession> session();

    ConnectionState connectionState();

    /**
     * Calls back with each connection state that follows, in order; {@link #connectionState()} returns the present one.
     * Watches are in place again before the call for RECONNECTED, for everything that is read from then on. Not called by
     * {@link #close()}. A state may be reported twice.
     */
    Subscription onConnectionState(Consumer<ConnectionState> listener);

    /**
     * Reserves a job for one of the engines that share this registry, until the subscription is closed. They share its
     * session as well, and the session is the lock of an item: two engines could not distinguish their locks. Nothing is
     * written.
     *
     * @return empty while another engine has reserved the job
     */
    Optional<Subscription> reserve(String jobName);

    /**
     * Delays {@link #close()} until the subscription is closed, for users that need the session longer than the owner of
     * this registry. Until then nothing is different; the last user to close its subscription ends the session.
     */
    Subscription keepOpen();

    /**
     * Ends the session, unless it {@linkplain #keepOpen() is still needed}: its ephemeral nodes are gone when this
     * returns or shortly after; without a connection, when the session times out. Pending waits fail. May wait for the
     * server for a moment. Idempotent.
     */
    @Override
    void close();

    /** What a watch looks at. */
    enum WatchScope {
        /** The node's creation, deletion and data; not its children, however many there are. */
        DATA,
        /** The node's creation, deletion and data, and the creation and deletion of its children. */
        NODE,
        /** The same for the node and everything below it. */
        SUBTREE
    }

    /** A place in the queue of a latch. */
    interface Latch extends AutoCloseable {
        /** Completes when the latch is ours; fails with {@link RegistryUnavailableException} when it can't become so. */
        CompletionStage<Void> acquired();

        /** Gives the latch back, or leaves the queue. Idempotent; doesn't block. */
        @Override
        void close();
    }
}
