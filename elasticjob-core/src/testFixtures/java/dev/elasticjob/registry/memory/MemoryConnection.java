package dev.elasticjob.registry.memory;

import dev.elasticjob.registry.ConnectionState;
import dev.elasticjob.registry.RegistrySession;
import dev.elasticjob.registry.RegistryUnavailableException;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Optional;
import java.util.Set;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.Executor;
import java.util.function.Supplier;
import org.jspecify.annotations.Nullable;

/**
 * The connection between a client and the ensemble: requests are sent in order, messages arrive in order, and a cut
 * loses everything in transit. Unless stated otherwise, its methods are called within {@link
 * InMemoryEnsemble#exclusively} only.
 */
final class MemoryConnection {
    private final InMemoryEnsemble ensemble;
    private final Client client;
    private final Inbox requests;
    private final Inbox messages;
    private final Set<Exchange<?>> inFlight = new LinkedHashSet<>();
    /** Null between the loss of a session and the next one. */
    private @Nullable RegistrySession session;

    private boolean connected;
    /** Cut by a test, until the test reconnects it. */
    private boolean cut;

    private boolean closed;
    /** Counts the connections: messages of earlier ones are void. */
    private int link;

    /**
     * Receives the events. All methods except the one for the state are called within {@link
     * InMemoryEnsemble#exclusively}.
     */
    interface Client {
        /** Called as a message, outside of the ensemble's lock. */
        void stateChanged(ConnectionState state, Optional<RegistrySession> session);

        /** Sets watches, absences and latches on the new connection. */
        void connected();

        void sessionEnded();

        void changed(MemoryTree.Change change);
    }

    /** The effect of a request whose answer is lost. */
    enum Effect {
        READS,
        WRITES
    }

    private record Exchange<T extends @Nullable Object>(
            String what, Effect effect, int link, long session, Supplier<T> serve, CompletableFuture<T> answered) {
        // Exchanges are compared by identity.
        @Override
        public boolean equals(@Nullable Object other) {
            return this == other;
        }

        @Override
        public int hashCode() {
            return System.identityHashCode(this);
        }
    }

    MemoryConnection(InMemoryEnsemble ensemble, Client client, Executor executor) {
        this.ensemble = ensemble;
        this.client = client;
        this.requests = new Inbox(executor);
        this.messages = new Inbox(executor);
    }

    /** Makes the first connection, at once. */
    RegistrySession begin() {
        connected = true;
        RegistrySession first = ensemble.open(this);
        session = first;
        return first;
    }

    /**
     * Sends a request in the present session; its answer is a message. Called outside of the ensemble's lock.
     *
     * @param serve the ensemble's work for it
     */
    <T extends @Nullable Object> CompletableFuture<T> send(Effect effect, String what, Supplier<T> serve) {
        var answered = new CompletableFuture<T>();
        ensemble.run(() -> {
            var exchange = new Exchange<T>(what, effect, link, session == null ? 0 : session.id(), serve, answered);
            inFlight.add(exchange);
            if (connected) {
                request(() -> serve(exchange));
            } else {
                lose(exchange);
            }
        });
        return answered;
    }

    /** Sends a request that needs no answer; void if the connection has changed by then. */
    void sendUnanswered(Runnable serve) {
        int sentOn = link;
        if (connected) {
            request(() -> {
                if (sentOn == link) {
                    ensemble.countRequest();
                    serve.run();
                }
            });
        }
    }

    /** Sends an event to the client; lost if the connection is cut before it arrives. */
    void event(Runnable received) {
        if (!connected) {
            return;
        }
        int sentOn = link;
        message(() -> {
            if (ensemble.exclusively(() -> connected && sentOn == link)) {
                received.run();
            }
        });
    }

    /** Sends an event to the client that the client detects itself: never lost. Runs outside of the ensemble's lock. */
    void message(Runnable received) {
        ensemble.enqueue(messages, received);
    }

    void changed(MemoryTree.Change change) {
        if (connected) {
            client.changed(change);
        }
    }

    boolean isConnected() {
        return connected;
    }

    /** The session of this connection at the ensemble; 0 without one. */
    long sessionId() {
        return session == null ? 0 : session.id();
    }

    void disconnect() {
        cut = true;
        if (connected && !closed) {
            loseConnection();
        }
    }

    void reconnect() {
        cut = false;
        if (connected || closed) {
            return;
        }
        if (session != null && !ensemble.lives(session.id())) {
            loseSession();
        }
        open();
    }

    /** The session is about to end at the ensemble. */
    void cutByExpiry() {
        if (!connected) {
            return;
        }
        if (closed) {
            connected = false;
            return;
        }
        loseConnection();
        loseSession();
        request(() -> {
            if (!connected && !closed && !cut) {
                open();
            }
        });
    }

    void close() {
        if (closed) {
            return;
        }
        closed = true;
        long last = sessionId();
        sendUnanswered(() -> ensemble.end(last));
    }

    private void open() {
        link++;
        connected = true;
        if (session == null) {
            session = ensemble.open(this);
        }
        Optional<RegistrySession> present = Optional.of(session);
        client.connected();
        message(() -> client.stateChanged(ConnectionState.RECONNECTED, present));
    }

    private void loseConnection() {
        connected = false;
        List.copyOf(inFlight).forEach(this::lose);
        Optional<RegistrySession> kept = Optional.ofNullable(session);
        message(() -> client.stateChanged(ConnectionState.SUSPENDED, kept));
    }

    private void loseSession() {
        session = null;
        client.sessionEnded();
        message(() -> client.stateChanged(ConnectionState.LOST, Optional.empty()));
    }

    private void request(Runnable served) {
        ensemble.enqueue(requests, () -> ensemble.run(served));
    }

    /** Handles a request, even if its connection was cut in the meantime, but none of an earlier connection. */
    private <T extends @Nullable Object> void serve(Exchange<T> exchange) {
        if (exchange.link() != link) {
            return;
        }
        ensemble.countRequest();
        if (!ensemble.lives(exchange.session())) {
            message(() -> answer(exchange, () -> exchange.answered().completeExceptionally(unanswered(exchange))));
            return;
        }
        try {
            T value = exchange.serve().get();
            message(() -> answer(exchange, () -> exchange.answered().complete(value)));
        } catch (RuntimeException e) {
            message(() -> answer(exchange, () -> exchange.answered().completeExceptionally(e)));
        }
    }

    private void answer(Exchange<?> exchange, Runnable completion) {
        if (ensemble.exclusively(() -> inFlight.remove(exchange))) {
            completion.run();
        }
    }

    private void lose(Exchange<?> exchange) {
        inFlight.remove(exchange);
        message(() -> exchange.answered().completeExceptionally(unanswered(exchange)));
    }

    private static RegistryUnavailableException unanswered(Exchange<?> exchange) {
        return new RegistryUnavailableException(
                "The registry did not answer for \"%s\"; try again when the connection is back"
                        .formatted(exchange.what()),
                exchange.effect() == Effect.WRITES,
                new IllegalStateException("The connection was cut, or the session has ended"));
    }
}
