package dev.elasticjob.registry;

import java.util.List;
import java.util.Optional;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionStage;
import java.util.function.Consumer;

/**
 * The tree that all instances share, with ZooKeeper's semantics: versions, ephemeral nodes that live with a session,
 * transactions that are carried out completely or not at all, watches that report that something has changed.
 *
 * <p>Thread-safe. Requests of one registry take effect in the order of their calls, and their answers arrive in that
 * order, together with the watch events between them. Stages are completed and callbacks run on a thread of the
 * registry, which must never be blocked.
 *
 * <p><b>Unavailable is never absent:</b> a request that could not be sent or was not answered fails with a {@link
 * RegistryUnavailableException}; a node that doesn't exist is an empty {@link Optional}. If access to a node is denied,
 * the request fails with {@link RegistryAccessDeniedException}; if it is invalid for any client (a malformed path, a
 * child of an ephemeral node), with an {@link IllegalArgumentException}. Neither failure passes by itself. Methods that
 * return a stage throw nothing.
 *
 * <p>Requests don't wait for a connection: without one they fail at once.
 *
 * <p>A path begins with a slash, and is below the registry's namespace. One that begins with two is beside it, in a namespace
 * of its own: {@code //dynamic-sharding/instances}. Both may be part of one request. A single slash is the namespace itself.
 */
public interface Registry extends AutoCloseable {
    /**
     * Reads any number of nodes, in one request if they fit. Each part was true at some moment between call and answer,
     * but not all at the same moment: guard dependent writes with the versions read. A read that is too large for one
     * request is split, in the order of the parts.
     *
     * <p>Not retried: a lost connection fails the stage with {@link RegistryUnavailableException}.
     */
    CompletionStage<RegistryAnswer> read(List<RegistryRead> reads);

    /**
     * Carries out a transaction, completely or not at all, in the given session and in no other.
     *
     * <p>Never repeated automatically. If the stage fails with {@link RegistryUnavailableException}, the outcome is
     * open ({@link RegistryUnavailableException#outcomeUnknown()}); sending the same transaction again in the same
     * session is then harmless if its versions guard it. A transaction of more than {@link RegistryCommit#MAX_BYTES} is
     * not sent: it fails with an {@link IllegalArgumentException} that names the node.
     */
    CompletionStage<CommitOutcome> commit(RegistrySession session, RegistryCommit commit);

    /** How many bytes a transaction should have at most, where a step can do with several. */
    default int bytesPerCommit() {
        return RegistryCommit.BYTES_OF_PART;
    }

    /** Carries out a transaction in the present session; fails with {@link RegistryUnavailableException} without one. */
    default CompletionStage<CommitOutcome> commit(RegistryCommit commit) {
        return session()
                .map(session -> commit(session, commit))
                .orElseGet(() -> CompletableFuture.failedFuture(new RegistryUnavailableException(
                        "The registry is not connected; try again when the connection is back")));
    }

    /**
     * Calls back after each change within the scope, until the subscription is closed. Events may be merged, and are
     * lost while there is no connection: read again after {@link ConnectionState#RECONNECTED}. The watch is in place
     * for every read that is requested later, and is renewed in a new session. The node doesn't have to exist.
     */
    Subscription watch(String path, WatchScope scope, Runnable lookAgain);

    /**
     * Completes when the node is absent: at once, or with its deletion. Fails with {@link RegistryUnavailableException}
     * if the session ends in the meantime, or the connection was lost before the watch was in place. To stop waiting,
     * cancel the stage's future; this removes the watch too.
     */
    CompletionStage<Void> awaitAbsence(String path);

    /**
     * Queues for a latch that has one holder at a time; completes when this caller holds it. Closing it releases it,
     * and so does the end of the session. For fairness only: after a network cut, two callers may hold it for a moment.
     *
     * @param id shown with the queue, for operators
     */
    Latch enterLatch(String path, String id);

    /** The session in which requests are sent now; empty before the first connection, and after the session is lost. */
    Optional<RegistrySession> session();

    ConnectionState connectionState();

    /**
     * Calls back with each following connection state, in order; {@link #connectionState()} returns the present one.
     * Before the call for RECONNECTED, watches are in place again for everything that is read from then on. Not called
     * by {@link #close()}. A state may be reported twice.
     */
    Subscription onConnectionState(Consumer<ConnectionState> listener);

    /**
     * Reserves a job for one of the engines that share this registry, until the subscription is closed. The engines
     * share its session too, and the session is the lock of an item, so two engines could not distinguish their locks.
     * Nothing is written.
     *
     * @return empty while another engine has reserved the job
     */
    Optional<Subscription> reserve(String jobName);

    /**
     * Delays {@link #close()} until the subscription is closed, for users that need the session longer than the
     * registry's owner. Until then, nothing changes; the last user to close its subscription ends the session.
     */
    Subscription keepOpen();

    /**
     * Ends the session, unless it {@linkplain #keepOpen() is still needed}. Its ephemeral nodes are gone when this
     * method returns or shortly after; without a connection, when the session times out. Pending waits fail. May wait
     * for the server for a moment. Idempotent.
     */
    @Override
    void close();

    /** The scope of a watch. */
    enum WatchScope {
        /** The node's creation, deletion and data, but not its children, however many there are. */
        DATA,
        /** The node's creation, deletion and data, and the creation and deletion of its children. */
        NODE,
        /** The same events for the node and all its descendants. */
        SUBTREE
    }

    /** A place in the queue of a latch. */
    interface Latch extends AutoCloseable {
        /**
         * Completes when this caller holds the latch; fails with {@link RegistryUnavailableException} if it can't get
         * it any more.
         */
        CompletionStage<Void> acquired();

        /** Releases the latch, or leaves the queue. Idempotent; doesn't block. */
        @Override
        void close();
    }
}
